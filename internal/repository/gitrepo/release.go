package gitrepo

import (
	"errors"
	"fmt"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// Tag is a tag of a commit.
type Tag struct {
	// Name is without refs/tags/.
	Name string
	// Commit is the hash of the commit that it marks.
	Commit string
}

// tagRefs is the folder of tags among the full names.
const tagRefs = "refs/tags/"

// Tags returns the tags whose name starts with prefix, sorted by name;
// annotated ones are followed to their commit. Tags of a file or folder are left
// out.
func (r *Repo) Tags(prefix string) ([]Tag, error) {
	names, err := r.refs.list(tagRefs + prefix)
	if err != nil {
		return nil, err
	}
	var tags []Tag
	for _, name := range names {
		c, err := r.lookupRef(name)
		if errors.Is(err, errNotACommit) {
			continue
		} else if err != nil {
			return nil, fmt.Errorf("tag %s: %w", strings.TrimPrefix(name, tagRefs), err)
		}
		tags = append(tags, Tag{Name: strings.TrimPrefix(name, tagRefs), Commit: c.Hash})
	}
	return tags, nil
}

// LastRelease returns the highest release tag and its commit, which must be from
// or one of its first parents. Release tags are those that are prefix and then a
// version of three whole numbers, as bundles have them; others, such as
// library-v2.0.0-rc.1, are no releases. Tag is empty if there are none. It is an
// *OffLineError if the highest one marks another commit, because then a lower
// one may or may not be the last release.
func (r *Repo) LastRelease(from Commit, prefix string) (tag string, c Commit, err error) {
	names, err := r.refs.list(tagRefs + prefix)
	if err != nil {
		return "", Commit{}, err
	}
	var highest *semver.Version
	for _, name := range names {
		v, err := semver.StrictNewVersion(strings.TrimPrefix(name, tagRefs+prefix))
		if err == nil && v.Prerelease()+v.Metadata() == "" && (highest == nil || highest.LessThan(v)) {
			highest, tag = v, strings.TrimPrefix(name, tagRefs)
		}
	}
	if highest == nil {
		return "", Commit{}, nil
	}
	released, err := r.lookupRef(tagRefs + tag)
	if err != nil {
		return "", Commit{}, fmt.Errorf("release tag %s: %w", tag, err)
	}
	for c, err := range r.FirstParents(from) {
		if err != nil {
			return "", Commit{}, err
		}
		if c.Hash == released.Hash {
			return tag, c, nil
		}
	}
	return "", Commit{}, &OffLineError{Tag: tag, Commit: released.Hash, From: from.Hash}
}
