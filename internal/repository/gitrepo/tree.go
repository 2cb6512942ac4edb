package gitrepo

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/files/limits"
)

// A tree is a folder as Git stores it: its entries in Git's order, which sorts
// a folder as if its name ended with a slash, so that walking down in this order
// gives sorted paths.
type tree []treeEntry

type treeEntry struct {
	name string
	hash hash
	mode Mode
}

// sortKey is what Git sorts the entries of a folder by.
func (e treeEntry) sortKey() string {
	if e.mode == folderMode {
		return e.name + "/"
	}
	return e.name
}

// compareEntries compares by sortKey, without building the keys.
func compareEntries(a, b treeEntry) int {
	n := min(len(a.name), len(b.name))
	if c := strings.Compare(a.name[:n], b.name[:n]); c != 0 {
		return c
	}
	return strings.Compare(a.sortKey()[n:], b.sortKey()[n:])
}

// find returns the entry of this name.
func (t tree) find(name string) (treeEntry, bool) {
	for _, mode := range []Mode{Regular, folderMode} { // files and folders sort differently
		key := treeEntry{name: name, mode: mode}
		if i, ok := slices.BinarySearchFunc(t, key, compareEntries); ok {
			return t[i], true
		}
	}
	return treeEntry{}, false
}

// parseTree reads the content of a tree: for each entry its mode in octal, a
// blank, its name, a zero byte and the 20 bytes of its hash. Any name that Git
// itself would check out is accepted. A tree that could be read in two ways (not
// sorted, a name twice, a name that is itself a path) is an error: git-fsck(1)
// finds such trees, and no Git command makes them.
func parseTree(data []byte) (tree, error) {
	text := string(data) // the names are parts of this one string
	t := make(tree, 0, len(text)/40)
	for len(text) > 0 {
		octal, rest, ok := strings.Cut(text, " ")
		name, rest, ok2 := strings.Cut(rest, "\x00")
		if !ok || !ok2 || len(rest) < len(hash{}) {
			return nil, errors.New("it ends too early")
		}
		mode, err := parseMode(octal)
		if err != nil {
			return nil, err
		}
		e := treeEntry{name: name, hash: hash([]byte(rest[:len(hash{})])), mode: mode}
		if name == "" || name == "." || name == ".." || strings.Contains(name, "/") {
			return nil, fmt.Errorf("%q can't be the name of a file", name)
		}
		if len(t) > 0 && compareEntries(t[len(t)-1], e) >= 0 {
			return nil, fmt.Errorf("%q is not in its place", name)
		}
		if mode == folderMode {
			if _, twice := t.find(name); twice {
				return nil, fmt.Errorf("%q is in it twice", name)
			}
		}
		t = append(t, e)
		text = rest[len(hash{}):]
	}
	return t, nil
}

// parseMode reads a mode as Git does (canon_mode): of the permissions only the
// owner's right to execute counts, and what is no file, link or folder is a
// submodule.
func parseMode(octal string) (Mode, error) {
	n, err := strconv.ParseUint(octal, 8, 32)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q is no file mode", octal)
	case n&0o170000 == 0o040000:
		return folderMode, nil
	case n&0o170000 == 0o120000:
		return Symlink, nil
	case n&0o170000 != 0o100000:
		return Submodule, nil
	case n&0o100 != 0:
		return Executable, nil
	}
	return Regular, nil
}

// maxYoungEntries bounds the folders that are kept, so that a walk over a history
// reads a folder once however many commits share it: those of one generation. An
// entry takes about 80 bytes.
const maxYoungEntries = 100_000

// tree reads a folder; the caller must not change it.
func (r *Repo) tree(h hash) (tree, error) {
	if t, ok := r.trees.get(h); ok {
		return t, nil
	}
	data, err := r.objects.read(h, treeObject, limits.Tree)
	if err != nil {
		return nil, err
	}
	t, err := parseTree(data)
	if err != nil {
		return nil, &ObjectError{Hash: h.String(), Reason: "is no folder as Git writes it: " + err.Error()}
	}
	r.trees.put(h, t, 1+len(t))
	return t, nil
}
