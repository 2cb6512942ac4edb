package evaluate

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// diffName is the file that commands get for a Git diff.
const diffName = "change.diff"

// ReadDiff reads the changes between two commits, BASE..HEAD, or since their merge base,
// BASE...HEAD: the messages of the commits on the first-parent line of HEAD, oldest first,
// and then a unified diff. Renamed files are removed and added ones, and bytes that are not
// UTF-8 are U+FFFD.
func ReadDiff(repo *gitrepo.Repo, revs string) (*Artifact, error) {
	base, head, err := ends(repo, revs)
	if err != nil {
		return nil, err
	}
	description, err := messages(repo, base, head)
	if err != nil {
		return nil, err
	}
	before, after := repo.Snapshot(base, ""), repo.Snapshot(head, "")
	changes, err := gitrepo.Changed(before, after)
	switch {
	case err != nil:
		return nil, err
	case len(changes) == 0:
		return nil, fmt.Errorf("%s changes no files", revs)
	case len(changes) > maxFiles:
		return nil, fmt.Errorf("%s changes more than %d files", revs, maxFiles)
	}
	a := &Artifact{name: diffName}
	var text strings.Builder
	text.WriteString(description)
	line := strings.Count(description, "\n")
	for _, c := range changes {
		section, binary, err := fileDiff(before, after, c)
		if err != nil {
			return nil, err
		}
		if binary {
			a.binary++
		}
		f := newFile(c.Path, section, 0)
		f.line = line
		line += strings.Count(f.text, "\n")
		a.files = append(a.files, f)
		text.WriteString(f.text)
		if text.Len() > maxArtifact {
			return nil, errTooLarge
		}
	}
	whole := newFile(diffName, []byte(text.String()), 0o600)
	a.whole, a.digest = &whole, digestOf(whole.data)
	return a, nil
}

// ends returns the commits of BASE..HEAD or BASE...HEAD.
func ends(repo *gitrepo.Repo, revs string) (base, head gitrepo.Commit, err error) {
	from, to, found := strings.Cut(revs, "..")
	to, sinceMergeBase := strings.CutPrefix(to, ".")
	if !found || from == "" || to == "" || strings.Contains(to, "..") {
		return base, head, fmt.Errorf("the commits to compare must be BASE..HEAD, or BASE...HEAD for the changes since their merge base, got %q", revs)
	}
	if base, err = repo.Resolve(from); err != nil {
		return base, head, err
	}
	if head, err = repo.Resolve(to); err != nil || !sinceMergeBase {
		return base, head, err
	}
	bases, err := repo.MergeBases(base, head)
	if err == nil && len(bases) != 1 {
		err = fmt.Errorf("%s and %s have %d merge bases, expected one. Name a commit: BASE..%s", from, to, len(bases), to)
	}
	if err != nil {
		return base, head, err
	}
	return bases[0], head, nil
}

// maxCommits is how many commits a diff can have on its first-parent line.
const maxCommits = 1000

func messages(repo *gitrepo.Repo, base, head gitrepo.Commit) (string, error) {
	var all []string
	for c, err := range repo.FirstParents(head) {
		if err != nil {
			return "", err
		}
		if bases, err := repo.MergeBases(base, c); err != nil {
			return "", err
		} else if slices.ContainsFunc(bases, func(b gitrepo.Commit) bool { return b.Hash == c.Hash }) {
			break // in the history of base
		}
		if len(all) == maxCommits {
			return "", fmt.Errorf("there are more than %d commits. Compare fewer", maxCommits)
		}
		message, err := repo.Message(c)
		if err != nil {
			return "", err
		}
		all = append(all, rubric.Normalize(strings.TrimSpace(strings.ToValidUTF8(message, "\uFFFD")))+"\n\n")
	}
	slices.Reverse(all)
	return strings.Join(all, ""), nil
}

var modes = map[gitrepo.Mode]string{
	gitrepo.Regular: "100644", gitrepo.Executable: "100755", gitrepo.Symlink: "120000",
	gitrepo.Submodule: "160000",
}

// fileDiff returns the part of a unified diff for a file, as Git writes it. That of a binary
// file has no text.
func fileDiff(before, after *gitrepo.Snapshot, c gitrepo.FileChange) (out []byte, binary bool, err error) {
	from, to := quoted("a/"+c.Path), quoted("b/"+c.Path)
	out = fmt.Appendf(nil, "diff --git %s %s\n", from, to)
	a, err := content(before, c.A)
	if err != nil {
		return nil, false, err
	}
	b, err := content(after, c.B)
	if err != nil {
		return nil, false, err
	}
	switch {
	case c.A == nil:
		from = "/dev/null"
		out = fmt.Appendf(out, "new file mode %s\n", modes[c.B.Mode])
	case c.B == nil:
		to = "/dev/null"
		out = fmt.Appendf(out, "deleted file mode %s\n", modes[c.A.Mode])
	case c.A.Mode != c.B.Mode:
		out = fmt.Appendf(out, "old mode %s\nnew mode %s\n", modes[c.A.Mode], modes[c.B.Mode])
	}
	if isBinary(a) || isBinary(b) {
		return fmt.Appendf(out, "Binary files %s and %s differ\n", from, to), true, nil
	}
	old, new := []byte(lines.Replace(string(a))), []byte(lines.Replace(string(b)))
	_, hunks, _ := bytes.Cut(diff.Diff(from, old, to, new), []byte("\n"))
	return append(out, bytes.ToValidUTF8(hunks, []byte("\uFFFD"))...), false, nil
}

// lines ends a line at each carriage return, as normalization does. Otherwise, what follows a
// lone one would be a line without a sign.
var lines = strings.NewReplacer("\r\n", "\r\n", "\r", "\n")

// content returns the content of a file, the target of a link, or the commit of a
// submodule.
func content(s *gitrepo.Snapshot, e *gitrepo.SnapshotEntry) ([]byte, error) {
	switch {
	case e == nil:
		return nil, nil
	case e.Mode == gitrepo.Submodule:
		return []byte("Subproject commit " + e.Hash + "\n"), nil
	}
	return s.ReadUpTo(*e, maxArtifact)
}

// quoted quotes a path that could be mistaken for lines of a diff.
func quoted(path string) string {
	mistakable := func(r rune) bool { return r == '"' || r == unicode.ReplacementChar || !unicode.IsPrint(r) }
	if strings.ContainsFunc(path, mistakable) {
		return strconv.Quote(path)
	}
	return path
}
