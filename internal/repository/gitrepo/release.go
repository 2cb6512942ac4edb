package gitrepo

import (
	"fmt"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// tagRefs is the folder of tags among the full names.
const tagRefs = "refs/tags/"

// LastRelease returns the highest release tag and its commit, which must be from or
// one of its first parents. A release tag is prefix followed by a version of three
// whole numbers, as in bundles; others, such as library-v2.0.0-rc.1, are not releases.
// Tag is empty if there are none. If the highest one marks another commit, the error
// is an *OffLineError, because a lower one may or may not be the last release.
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
