package gitrepo

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// TestWorkTreeLeavesOutWhatGitIgnores compares random working trees with what Git itself says
// about them: the files that it tracks or would add are listed, and no others.
func TestWorkTreeLeavesOutWhatGitIgnores(t *testing.T) {
	for seed := range uint64(60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := newRepo(t)
			w := &wildTree{testRepo: r, rand: rand.New(rand.NewPCG(seed, 1))}
			isolate(t, r.dir)
			w.configure()
			w.grow("", 3)
			var want []string
			for line := range strings.SplitSeq(r.git("ls-files", "-z", "--cached", "--others", "--exclude-standard"), "\x00") {
				if _, err := os.Lstat(filepath.Join(r.dir, line)); err == nil && line != "" && !strings.HasSuffix(line, "/") {
					want = append(want, line)
				}
			}
			slices.Sort(want)
			got := listed(t, NewWorkTree(r.dir))
			if diff := cmp.Diff(slices.Compact(want), got); diff != "" {
				t.Errorf("the listed files (-git +here):\n%s\nwith the rules\n%s", diff, w.rules.String())
			}
		})
	}
}

// isolate makes the rules of a user independent of the machine.
func isolate(t testing.TB, home string) {
	t.Helper()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
}

func listed(t testing.TB, fsys fs.FS) (names []string) {
	t.Helper()
	must.Do(t, fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		if err == nil && !d.IsDir() {
			names = append(names, name)
			if _, err := fs.Lstat(fsys, name); err != nil {
				t.Errorf("%s is listed, and can't be found: %v", name, err)
			}
		}
		return err
	}))
	slices.Sort(names)
	return names
}

// wildTree makes random files and rules.
type wildTree struct {
	*testRepo
	rand  *rand.Rand
	fold  bool
	rules strings.Builder
}

func (w *wildTree) pick(words ...string) string { return words[w.rand.IntN(len(words))] }

func (w *wildTree) name() string {
	capital := "A"
	if w.fold {
		capital = "C" // a file system that ignores case doesn't have both a and A
	}
	return w.pick("a", "b", "ab", capital, "a.yaml", "b.swp", ".DS_Store", "x y", "y ", "#c", "!d", "a-b", "[a]", "a*b", "ü", "doc", "doc.yaml", `a\b`)
}

// grow makes files and folders in a folder.
func (w *wildTree) grow(folder string, depth int) {
	for range 2 + w.rand.IntN(4) {
		name := path.Join(folder, w.name())
		if _, err := os.Lstat(filepath.Join(w.dir, name)); err == nil {
			continue
		}
		switch n := w.rand.IntN(10); {
		case n < 4 && depth > 0:
			must.Do(w.t, os.Mkdir(filepath.Join(w.dir, name), 0o755))
			w.grow(name, depth-1)
		case n == 4:
			must.Do(w.t, os.Symlink(w.name(), filepath.Join(w.dir, name)))
		default:
			w.write(name, "text")
		}
		if w.rand.IntN(8) == 0 {
			w.git("add", "-f", "--", ":(literal)"+name)
		}
	}
	switch n := w.rand.IntN(12); {
	case n == 0:
		w.write(path.Join(folder, "rules"), w.lines("rules"))
		must.Do(w.t, os.Symlink("rules", filepath.Join(w.dir, folder, ".gitignore")))
	case n < 6:
		w.write(path.Join(folder, ".gitignore"), w.lines(path.Join(folder, ".gitignore")))
	}
}

// lines returns the content of an ignore file.
func (w *wildTree) lines(name string) string {
	var b strings.Builder
	if w.rand.IntN(10) == 0 {
		b.WriteString("\uFEFF")
	}
	for range w.rand.IntN(6) {
		b.WriteString(w.pick("", "", "", "", "!", "!", "/", "!/", `\`, "#", "**/", " "))
		for range 1 + w.rand.IntN(3) {
			b.WriteString(w.part())
			b.WriteString(w.pick("", "", "/", "/", "/**/", "**", "/**"))
		}
		b.WriteString(w.pick("", "", "", "/", " ", `\ `, "  ", "\t", `\`, "\x00x"))
		b.WriteString(w.pick("\n", "\n", "\r\n"))
	}
	text := strings.TrimSuffix(b.String(), w.pick("\n", "x"))
	fmt.Fprintf(&w.rules, "%s: %q\n", name, text)
	return text
}

func (w *wildTree) part() string {
	if w.rand.IntN(2) == 0 {
		return w.name()
	}
	return w.pick("*", "**", "B", "DOC*", "?", "*.yaml", "*.swp", "a*", "*b", "a?b", "[ab]", "[!a]", "[^a]", "[a-c]*", "[]a]", "[[:alpha:]]", "[[:upper:]]*",
		"[[:nope:]]", "[a", `[\]a]`, "[a-]", "[--b]", "d*c*", "***", `\*`, `\a`, "[[:space:]]", "*.*", "[", "[!", "[a-", `[\`, "[[:a]", "[[:]")
}

// configure writes the rules outside the working tree, and how names are compared.
func (w *wildTree) configure() {
	if w.rand.IntN(2) == 0 {
		w.write(".git/info/exclude", w.lines("info/exclude"))
	}
	switch w.rand.IntN(4) {
	case 0:
		w.write(".config/git/ignore", w.lines("default"))
	case 1:
		w.write(".git/own", w.lines("core.excludesFile"))
		w.git("config", "core.excludesFile", w.pick(".git/own", "~/.git/own"))
	}
	w.fold = w.rand.IntN(3) == 0
	w.git("config", "core.ignoreCase", fmt.Sprint(w.fold))
}
