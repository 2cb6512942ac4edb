package gitrepo

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rubric-library/rubric-library/internal/files/limits"
)

// A tree is a folder as Git stores it. Git sorts a folder as if its name ended with a
// slash, so walking down in this order yields sorted paths.
type tree []treeEntry

type treeEntry struct {
	name string
	hash hash
	mode Mode
}

// sortKey is the key by which Git sorts the entries of a folder.
func (e treeEntry) sortKey() string {
	if e.mode == folderMode {
		return e.name + "/"
	}
	return e.name
}

func compareEntries(a, b treeEntry) int { return strings.Compare(a.sortKey(), b.sortKey()) }

func (t tree) find(name string) (treeEntry, bool) {
	for _, mode := range []Mode{Regular, folderMode} { // files and folders sort differently
		key := treeEntry{name: name, mode: mode}
		if i, ok := slices.BinarySearchFunc(t, key, compareEntries); ok {
			return t[i], true
		}
	}
	return treeEntry{}, false
}

// parseTree reads the content of a tree: for each entry its octal mode, a space, its
// name, a zero byte, and the 20 bytes of its hash. Any name that Git itself would
// check out is accepted. An ambiguous tree (not sorted, a duplicate name, a name that
// is itself a path) is an error: git-fsck(1) reports such trees, and no Git command
// creates them.
func parseTree(data []byte) (tree, error) {
	text := string(data) // the names are substrings of it
	t := make(tree, 0, len(text)/40)
	for len(text) > 0 {
		octal, rest, ok := strings.Cut(text, " ")
		name, rest, ok2 := strings.Cut(rest, "\x00")
		if !ok || !ok2 || len(rest) < len(hash{}) {
			return nil, errors.New("it is truncated")
		}
		mode, err := parseMode(octal)
		if err != nil {
			return nil, err
		}
		e := treeEntry{name: name, hash: hash([]byte(rest[:len(hash{})])), mode: mode}
		if name == "" || name == "." || name == ".." || strings.Contains(name, "/") {
			return nil, fmt.Errorf("%q is not a valid file name", name)
		}
		if len(t) > 0 && compareEntries(t[len(t)-1], e) >= 0 {
			return nil, fmt.Errorf("%q is out of order", name)
		}
		if mode == folderMode {
			if _, twice := t.find(name); twice {
				return nil, fmt.Errorf("%q appears twice", name)
			}
		}
		t = append(t, e)
		text = rest[len(hash{}):]
	}
	return t, nil
}

// parseMode reads a mode as Git does (canon_mode): of the permissions only the owner's
// execute bit counts, and anything that is not a file, link, or folder is a submodule.
func parseMode(octal string) (Mode, error) {
	n, err := strconv.ParseUint(octal, 8, 32)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q is not a valid file mode", octal)
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

// maxKeptEntries limits the entries in the cache of folders, which saves a walk over a history
// from reading a folder again for each commit that shares it. An entry takes about 80 bytes.
const maxKeptEntries = 200_000

// tree reads a folder. The caller must not change the result.
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
		return nil, &ObjectError{Hash: h.String(), Reason: "is not a valid tree: " + err.Error()}
	}
	r.trees.put(h, t, 1+len(t))
	return t, nil
}

// cache keeps values up to a weight, and then starts again: what is still needed is read once
// more. It is safe for concurrent use.
type cache[K comparable, V any] struct {
	most, weight int
	mu           sync.Mutex
	values       map[K]V
}

func (c *cache[K, V]) get(k K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	value, ok = c.values[k]
	return value, ok
}

// put keeps a value of any weight.
func (c *cache[K, V]) put(k K, value V, weight int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.values == nil || c.weight+weight > c.most {
		c.values, c.weight = map[K]V{}, 0
	}
	c.values[k] = value
	c.weight += weight
}

// Change is one path at which two snapshots differ.
type Change struct {
	// Path is relative to the folders of the snapshots.
	Path string
	// A and B are the entries of the two snapshots; nil if there is none.
	A, B *Entry
}

// Changed lists the paths at which b differs from a in content or mode, sorted by
// their bytes. Renames are not detected: a renamed file is one path that only a has
// and one that only b has. Folders with equal content are not read, so the cost
// depends on the size of the difference.
//
// Both snapshots must be from the same Repo.
func Changed(a, b *Snapshot) ([]Change, error) {
	d := differ{repo: b.repo}
	before, err := a.rootEntry()
	if err != nil {
		return nil, err
	}
	after, err := b.rootEntry()
	if err != nil {
		return nil, err
	}
	err = d.folders("", before, after)
	return d.changes, err
}

// rootEntry returns the folder as an entry, or nil if it does not exist.
func (s *Snapshot) rootEntry() (*treeEntry, error) {
	e, err := s.top()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return &e, err
}

// A few small objects can describe a folder of any size, so a walk needs limits: the
// number of files and folders that it visits, and the bytes in a folder's path. No
// working tree comes near them.
const (
	maxVisited = 4 << 20
	maxPath    = 16 << 10
)

// differ walks down two folders simultaneously.
type differ struct {
	repo    *Repo
	changes []Change
	visited int
}

// folders compares two folders, one of which can be nil. Prefix is their path with a
// slash at the end, or empty.
func (d *differ) folders(prefix string, a, b *treeEntry) error {
	if a != nil && b != nil && a.hash == b.hash {
		return nil
	}
	as, err := d.read(prefix, a)
	if err != nil {
		return err
	}
	bs, err := d.read(prefix, b)
	if err != nil {
		return err
	}
	for len(as) > 0 || len(bs) > 0 {
		var order int
		switch {
		case len(as) == 0:
			order = 1
		case len(bs) == 0:
			order = -1
		default:
			order = compareEntries(as[0], bs[0])
		}
		var x, y *treeEntry
		if order <= 0 {
			x, as = &as[0], as[1:]
		}
		if order >= 0 {
			y, bs = &bs[0], bs[1:]
		}
		if err := d.entries(prefix, x, y); err != nil {
			return err
		}
	}
	return nil
}

// read returns the entries of a folder, or none for nil.
func (d *differ) read(prefix string, e *treeEntry) (tree, error) {
	if e == nil {
		return nil, nil
	}
	t, err := d.repo.tree(e.hash)
	if err != nil {
		return nil, err
	}
	if d.visited += 1 + len(t); d.visited > maxVisited || len(prefix) > maxPath {
		return nil, fmt.Errorf("the folder %.80q has too many files or is nested too deeply", prefix)
	}
	return t, nil
}

// entries compares two entries with the same place in Git's order, so that both or
// neither is a folder; one can be nil.
func (d *differ) entries(prefix string, a, b *treeEntry) error {
	if a != nil && b != nil && a.hash == b.hash && a.mode == b.mode {
		return nil
	}
	one := cmp.Or(a, b)
	if one.mode == folderMode {
		return d.folders(prefix+one.name+"/", a, b)
	}
	path := prefix + one.name
	d.changes = append(d.changes, Change{Path: path, A: a.entry(path), B: b.entry(path)})
	return nil
}

func (e *treeEntry) entry(path string) *Entry {
	if e == nil {
		return nil
	}
	return &Entry{Path: path, Hash: e.hash.String(), Mode: e.mode}
}
