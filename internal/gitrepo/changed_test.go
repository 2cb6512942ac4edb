package gitrepo

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

func TestChanged(t *testing.T) {
	r := newRepo(t)
	r.write("rubrics/same/x", "x")
	r.write("rubrics/edited", "1")
	r.write("rubrics/moved", "m")
	r.write("rubrics/mode", "m")
	r.write("rubrics/to_folder", "f")
	r.write("rubrics/from_folder/x", "y")
	r.write("rubrics/linked", "l")
	r.write("elsewhere", "1")
	r.commit("before")
	r.git("rm", "-q", "rubrics/to_folder", "rubrics/moved", "rubrics/from_folder/x")
	r.write("rubrics/edited", "2")
	r.write("rubrics/new/moved", "m")
	r.write("rubrics/to_folder/x", "f")
	r.write("rubrics/from_folder", "y")
	r.write("elsewhere", "2")
	r.git("add", "-A")
	r.git("update-index", "--chmod=+x", "rubrics/mode")
	r.git("update-index", "--cacheinfo", "120000,"+r.git("rev-parse", "HEAD:rubrics/linked")+",rubrics/linked")
	r.git("commit", "-q", "-m", "after")
	repo := r.open()
	var s [3]*Snapshot
	for i, at := range []struct{ rev, folder string }{{"HEAD~1", "rubrics"}, {"HEAD", "rubrics"}, {"HEAD", "nowhere"}} {
		s[i] = repo.Snapshot(r.resolve(repo, at.rev), at.folder)
	}
	describe := func(a, b *Snapshot) string {
		changes := must.Get(Changed(a, b))(t)
		var all []string
		for _, c := range changes {
			mode := func(e *SnapshotEntry) string {
				if e == nil {
					return "none"
				}
				return e.Mode.String()
			}
			all = append(all, fmt.Sprintf("%s: %s, %s", c.Path, mode(c.A), mode(c.B)))
		}
		return strings.Join(all, "\n")
	}
	want := `edited: file, file
from_folder: none, file
from_folder/x: file, none
linked: file, symbolic link
mode: file, executable file
moved: file, none
new/moved: none, file
to_folder: file, none
to_folder/x: none, file`
	if diff := cmp.Diff(want, describe(s[0], s[1])); diff != "" {
		t.Error(diff)
	}
	if got := describe(s[1], s[1]); got != "" {
		t.Errorf("between a snapshot and itself: %s", got)
	}
	if got := describe(s[1], s[2]); strings.Count(got, ", none") != 7 || strings.Count(got, "\n") != 6 {
		t.Errorf("to a folder that is not there: %s", got)
	}
	if got := describe(s[2], s[2]); got != "" {
		t.Errorf("between folders that are not there: %s", got)
	}
}

// TestChangedAgreesWithGit compares two random folders. Their names are chosen so that
// files and folders with the same name, and names that sort differently with a slash
// at the end, occur often.
func TestChangedAgreesWithGit(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	part := rapid.SampledFrom([]string{"a", "a.b", "a-b", "a0", "b", "A", "\u00e9", "\xe9"})
	path := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(part, 1, 3).Draw(t, "parts"), "/")
	})
	content := rapid.SampledFrom([]string{"100644 x", "100644 y", "100755 x", "120000 x"})
	files := rapid.MapOfN(path, content, 0, 8)
	rapid.Check(t, func(t *rapid.T) {
		trees := [2]string{}
		for i := range trees {
			var s strings.Builder
			for p, c := range files.Draw(t, "files") {
				mode, data, _ := strings.Cut(c, " ")
				fmt.Fprintf(&s, "M %s inline \"%s\"\ndata 1\n%s\n", mode, quoteBytes(p), data)
			}
			ref := fmt.Sprintf("refs/heads/t%d", i)
			r.gitInput(fmt.Sprintf("reset %s\n\ncommit %s\ncommitter A <a> 1 +0000\ndata 0\ndeleteall\n%s", ref, ref, s.String()), "fast-import", "--quiet", "--force")
			trees[i] = ref
		}
		repo := r.open()
		changes := must.Get(Changed(repo.Snapshot(r.resolve(repo, trees[0]), ""), repo.Snapshot(r.resolve(repo, trees[1]), "")))(t)
		var got strings.Builder
		for _, c := range changes {
			fmt.Fprintf(&got, "%s %s\x00%s\x00", rawEntry(c.A), rawEntry(c.B), c.Path)
		}
		want := r.git("diff-tree", "-r", "-z", "--no-renames", "--format=%(objectmode)", trees[0], trees[1])
		if diff := cmp.Diff(sortedPairs(gitChanges(want)), sortedPairs(got.String())); diff != "" {
			t.Fatalf("-git +here:\n%s", diff)
		}
	})
}

// quoteBytes quotes a path as fast-import reads it.
func quoteBytes(path string) string {
	var s strings.Builder
	for i := range len(path) {
		fmt.Fprintf(&s, "\\%03o", path[i])
	}
	return s.String()
}

func rawEntry(e *SnapshotEntry) string {
	if e == nil {
		return "000000 " + strings.Repeat("0", 40)
	}
	return map[Mode]string{Regular: "100644 ", Executable: "100755 ", Symlink: "120000 "}[e.Mode] + e.Hash
}

// gitChanges converts the output of diff-tree -z (":mode mode hash hash status", path)
// to the form of rawEntry. A change of the type (status T) is one line.
func gitChanges(out string) string {
	var s strings.Builder
	fields := strings.Split(out, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		f := strings.Fields(strings.TrimPrefix(fields[i], ":"))
		fmt.Fprintf(&s, "%s %s %s %s\x00%s\x00", f[0], f[2], f[1], f[3], fields[i+1])
	}
	return s.String()
}

// sortedPairs splits a list into pairs, sorted by path.
func sortedPairs(s string) [][2]string {
	fields := strings.Split(strings.TrimSuffix(s, "\x00"), "\x00")
	var pairs [][2]string
	for i := 0; i+1 < len(fields); i += 2 {
		pairs = append(pairs, [2]string{fields[i+1], fields[i]})
	}
	if !slices.IsSortedFunc(pairs, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) }) {
		pairs = append(pairs, [2]string{"not sorted", ""})
	}
	return pairs
}
