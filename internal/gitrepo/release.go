package gitrepo

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo/objects"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// FetchTags is the command that makes the tags of a clone those of the server. Without
// --force, Git leaves a tag that differs, such as one that a checkout action replaced.
const FetchTags = "git fetch --tags --force"

// ReleaseTag is a tag that is named like a release. Anyone who can push can create one.
type ReleaseTag struct {
	// Name is the short name, and Version its end: three whole numbers.
	Name, Version string
	// Commit is the commit that the tag marks, or zero if it marks none.
	Commit Commit
	// Digest is that of the release's bundle, from the line "digest: sha256:…" of the
	// tag's message, or "".
	Digest string
	// Problem says why the tag does not count as a release, or is "" if nothing in the
	// repository speaks against it.
	Problem string
	// Advice says what to do about the problem, or is "".
	Advice string
}

// LastRelease returns the highest release tag of the library in a folder that counts for
// the history of a commit, and the higher ones that don't. Its name is "" if there is none.
// A tag counts if it is annotated, marks the commit or one of its first parents, and names
// the digest of its bundle. If none counts, and a release tag marks a commit of a history
// with another beginning, the error is a *ReplacedError.
func (r *Repo) LastRelease(folder string, from Commit) (last ReleaseTag, ignored []ReleaseTag, err error) {
	last, ignored, err = r.lastRelease(folder, from)
	if err == nil && last.Name == "" {
		err = r.checkBeginning(from, ignored)
	}
	return last, ignored, err
}

// lastRelease is LastRelease without the comparison of beginnings.
func (r *Repo) lastRelease(folder string, from Commit) (last ReleaseTag, ignored []ReleaseTag, err error) {
	for tag, err := range r.ReleaseTags(folder, from) {
		if err != nil {
			return ReleaseTag{}, nil, err
		}
		if tag.Problem == "" {
			return tag, ignored, nil
		}
		ignored = append(ignored, tag)
	}
	return ReleaseTag{}, ignored, nil
}

// ReplacedError says that a history was replaced by one that begins with another commit.
type ReplacedError struct {
	// Tag is a release of the earlier history.
	Tag ReleaseTag
	// Beginning is the first commit of the history that replaced it.
	Beginning Commit
}

func (e *ReplacedError) Error() string {
	return fmt.Sprintf("the release %s is not in this history, which begins with another commit (%.12s): expected a history that contains "+
		"all releases, because a released version never changes. Continue from the commit of the tag, %.12s, or from a later one",
		e.Tag.Name, e.Beginning.Hash, e.Tag.Commit.Hash)
}

// checkBeginning returns a *ReplacedError if a tag marks a commit whose first parents end in
// another first commit than those of from.
func (r *Repo) checkBeginning(from Commit, tags []ReleaseTag) error {
	here := r.line(from)
	meet := map[string]bool{} // commits that lead to this line
	for _, tag := range tags {
		if tag.Commit.IsZero() {
			continue
		}
		met, err := here.meets(tag.Commit, meet)
		if err != nil {
			return err
		}
		if !met {
			return &ReplacedError{tag, here.last}
		}
	}
	return nil
}

// ReleaseTags yields all release tags of the library in a folder, the highest version
// first. A release tag is the folder's TagPrefix followed by a version of three whole
// numbers, as in bundles; others, such as library-v2.0.0-rc.1, are not releases. An error
// ends the sequence.
func (r *Repo) ReleaseTags(folder string, from Commit) iter.Seq2[ReleaseTag, error] {
	return func(yield func(ReleaseTag, error) bool) {
		names, err := r.releaseNames(folder)
		if err != nil {
			yield(ReleaseTag{}, err)
			return
		}
		line := r.line(from)
		for _, t := range names {
			tag, err := r.releaseTag(t.full, line)
			tag.Name, tag.Version = strings.TrimPrefix(t.full, tagRefs), t.version.String()
			if !yield(tag, err) || err != nil {
				return
			}
		}
	}
}

// releaseName is the full name of a release tag, and the version in it.
type releaseName struct {
	full    string
	version *semver.Version
}

// releaseNames lists the names of all release tags of the library in a folder, the highest
// version first.
func (r *Repo) releaseNames(folder string) ([]releaseName, error) {
	prefix := tagRefs + TagPrefix(folder)
	names, err := r.refs.list(prefix)
	if err != nil {
		return nil, err
	}
	var found []releaseName
	for _, name := range names {
		v, err := semver.StrictNewVersion(strings.TrimPrefix(name, prefix))
		if err == nil && v.Prerelease()+v.Metadata() == "" {
			found = append(found, releaseName{name, v})
		}
	}
	slices.SortFunc(found, func(a, b releaseName) int {
		return cmp.Or(b.version.Compare(a.version), strings.Compare(a.full, b.full))
	})
	return found, nil
}

// ReleasedCommits returns the commits that release tags of the library in a folder mark, whether or not
// the tags count as releases: consumers may have a bundle of each of them. A tag of something
// else, or one whose message is too large, marks none. A clone that does not fetch tags is an
// error, because what is absent there is unknown.
func (r *Repo) ReleasedCommits(folder string) ([]Commit, error) {
	if r.tagless != "" {
		return nil, unsupported(fmt.Sprintf("git config --unset-all %s && git fetch --tags --force %s", sanitize.ShellWord("remote."+r.tagless+".tagOpt"), sanitize.ShellWord(r.tagless)),
			"its remote %q does not fetch tags (tagOpt = %s), so which versions were released is unknown", r.tagless, noTags)
	}
	names, err := r.releaseNames(folder)
	if err != nil {
		return nil, err
	}
	var released []Commit
	for _, name := range names {
		c, err := r.lookupRef(name.full)
		if errors.Is(err, errNotACommit) || safefile.IsTooLarge(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		released = append(released, c)
	}
	return released, nil
}

var digestLine = lazy.Expr(`(?m)^digest: (sha256:[0-9a-f]{64})$`)

// releaseTag reads a tag. What is wrong with the tag itself is its problem and not an
// error, so that nobody can stop releases by pushing a tag.
func (r *Repo) releaseTag(full string, line *firstParentLine) (tag ReleaseTag, err error) {
	h, _, err := r.refs.resolve(full)
	if err != nil {
		return tag, err
	}
	kind, _, err := r.objects.Stat(h)
	if err != nil {
		return tag, err
	}
	if kind != objects.KindTag {
		tag.Commit, err = r.peel(h)
		tag.Problem = "it is not annotated"
		tag.Advice = "If the server's tag is, run \"" + FetchTags + "\""
		return tag, unlessNotACommit(err)
	}
	data, err := r.objects.Read(h, objects.KindTag, safefile.MaxCommit)
	if safefile.IsTooLarge(err) {
		tag.Problem = "its message is too large"
		return tag, nil
	} else if err != nil {
		return tag, err
	}
	header, message, _ := bytes.Cut(data, []byte("\n\n"))
	target, rest, _ := strings.Cut(strings.TrimPrefix(string(header), "object "), "\n")
	commit, ok := objects.ParseHash(target)
	if ok && strings.HasPrefix(rest, "type commit\n") {
		if tag.Commit, err = r.peel(commit); unlessNotACommit(err) != nil {
			return tag, err
		}
	}
	if digests := digestLine().FindAllSubmatch(message, -1); len(digests) == 1 {
		tag.Digest = string(digests[0][1])
	}
	switch on, err := line.has(tag.Commit); {
	case err != nil:
		return tag, err
	case tag.Commit.IsZero():
		tag.Problem = "it does not mark a commit"
	case !on:
		tag.Problem = "its commit is not among the first parents of the released commit"
	case tag.Digest == "":
		tag.Problem = "its message does not name the digest of one bundle"
	}
	return tag, nil
}

func unlessNotACommit(err error) error {
	if errors.Is(err, errNotACommit) {
		return nil
	}
	return err
}

// firstParentLine is a commit and its first parents, which are read as far as needed.
type firstParentLine struct {
	repo *Repo
	last Commit // the last that was read
	seen map[string]bool
}

func (r *Repo) line(from Commit) *firstParentLine {
	return &firstParentLine{r, from, map[string]bool{from.Hash: true}}
}

func (l *firstParentLine) has(c Commit) (bool, error) {
	if l.last.IsZero() {
		return false, errors.New("no commit to start from")
	}
	for !l.seen[c.Hash] && len(l.last.Parents) > 0 {
		next, err := l.repo.parent(l.last, 0)
		if err != nil {
			return false, err
		}
		l.last, l.seen[next.Hash] = next, true
	}
	return l.seen[c.Hash], nil
}

// meets reports whether the first parents of a commit lead to this line. Those that do are
// added to known.
func (l *firstParentLine) meets(c Commit, known map[string]bool) (bool, error) {
	var way []string
	for !known[c.Hash] {
		on, err := l.has(c)
		if err != nil {
			return false, err
		}
		if on {
			break
		}
		if len(c.Parents) == 0 {
			return false, nil
		}
		way = append(way, c.Hash)
		if c, err = l.repo.parent(c, 0); err != nil {
			return false, err
		}
	}
	for _, hash := range way {
		known[hash] = true
	}
	return true, nil
}

// OnLine reports whether a commit is another one or one of its first parents.
func (r *Repo) OnLine(c, from Commit) (bool, error) { return r.line(from).has(c) }
