package gitrepo

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"iter"
	"sort"

	"github.com/rubric-library/rubric-library/internal/gitrepo/objects"
)

// A tree is a folder as Git stores it: for each entry its octal mode, a space, its name, a zero byte,
// and the 20 bytes of its hash. Git sorts a folder as if its name ended with a slash, so walking down
// in this order yields sorted paths.
type tree struct {
	data []byte  // must not be changed
	ends []int32 // of the entries in data
}

type treeEntry struct {
	name string
	hash objects.Hash
	mode Mode
}

func (t tree) len() int { return len(t.ends) }

// rawEntry is an entry as Git stores it.
func (t tree) rawEntry(i int) storedEntry {
	start := int32(0)
	if i > 0 {
		start = t.ends[i-1]
	}
	return storedEntry(t.data[start:t.ends[i]])
}

// all yields the entries.
func (t tree) all() iter.Seq[treeEntry] {
	return func(yield func(treeEntry) bool) {
		for i := range t.ends {
			if !yield(t.rawEntry(i).parse()) {
				return
			}
		}
	}
}

func (t tree) find(name string) (treeEntry, bool) {
	for _, isFolder := range []bool{false, true} { // files and folders sort differently
		i, found := sort.Find(t.len(), func(i int) int {
			e := t.rawEntry(i)
			return compareNames([]byte(name), e.name(), isFolder, e.isFolder())
		})
		if found {
			return t.rawEntry(i).parse(), true
		}
	}
	return treeEntry{}, false
}

// storedEntry is an entry of a tree that has been checked.
type storedEntry []byte

func (e storedEntry) name() []byte {
	return e[bytes.IndexByte(e, ' ')+1 : len(e)-len(objects.Hash{})-1]
}

// isFolder reports whether the mode is that of a folder.
func (e storedEntry) isFolder() bool { return e.mode() == folderMode }

func (e storedEntry) mode() Mode {
	mode, _ := parseMode(e[:bytes.IndexByte(e, ' ')]) // it was checked
	return mode
}

func (e storedEntry) parse() treeEntry {
	return treeEntry{name: string(e.name()), hash: objects.Hash(e[len(e)-len(objects.Hash{}):]), mode: e.mode()}
}

func compareEntries(a, b storedEntry) int {
	return compareNames(a.name(), b.name(), a.isFolder(), b.isFolder())
}

// compareNames compares two names as Git sorts them.
func compareNames(a, b []byte, aIsFolder, bIsFolder bool) int {
	common := min(len(a), len(b))
	after := func(name []byte, isFolder bool) byte {
		switch {
		case len(name) > common:
			return name[common]
		case isFolder:
			return '/'
		}
		return 0
	}
	if order := bytes.Compare(a[:common], b[:common]); order != 0 {
		return order
	}
	return cmp.Compare(after(a, aIsFolder), after(b, bIsFolder))
}

// parseTree reads the content of a tree, which it keeps. It accepts any name that Git would check out, and
// others, such as .git. It rejects a malformed entry and an ambiguous tree (not sorted, a duplicate name,
// or a name that is itself a path), most of which git-fsck(1) reports.
func parseTree(data []byte) (tree, error) {
	t := tree{data: data, ends: make([]int32, 0, len(data)/60)}
	var before []byte // the name of the last entry
	var beforeIsFolder bool
	for end := 0; end < len(data); {
		octal, name, ok := cutEntry(data[end:])
		if !ok {
			return tree{}, errors.New("it is truncated")
		}
		mode, err := parseMode(octal)
		if err != nil {
			return tree{}, err
		}
		if len(name) == 0 || string(name) == "." || string(name) == ".." || bytes.IndexByte(name, '/') >= 0 {
			return tree{}, fmt.Errorf("%q is not a valid file name", name)
		}
		isFolder := mode == folderMode
		if before != nil && compareNames(before, name, beforeIsFolder, isFolder) >= 0 {
			return tree{}, fmt.Errorf("%q is out of order", name)
		}
		if isFolder {
			if _, twice := t.find(string(name)); twice {
				return tree{}, fmt.Errorf("%q appears twice", name)
			}
		}
		end += len(octal) + 1 + len(name) + 1 + len(objects.Hash{})
		t.ends = append(t.ends, int32(end))
		before, beforeIsFolder = name, isFolder
	}
	return t, nil
}

// cutEntry returns the mode and the name of the first entry. It is false if the data ends before the
// entry does.
func cutEntry(data []byte) (octal, name []byte, ok bool) {
	space := bytes.IndexByte(data, ' ')
	if space < 0 {
		return nil, nil, false
	}
	size := bytes.IndexByte(data[space+1:], 0)
	if size < 0 || len(data) < space+1+size+1+len(objects.Hash{}) {
		return nil, nil, false
	}
	return data[:space], data[space+1 : space+1+size], true
}

// parseMode reads a mode as Git does (canon_mode): of the permissions only the owner's
// execute bit counts, and anything that is not a file, link, or folder is a submodule.
func parseMode(octal []byte) (Mode, error) {
	if string(octal) == "100644" {
		return Regular, nil // as nearly all
	}
	var n uint32
	for _, digit := range octal {
		if digit < '0' || digit > '7' || n>>29 > 0 {
			n = 1 << 31
			break
		}
		n = n<<3 | uint32(digit-'0')
	}
	switch {
	case len(octal) == 0 || n == 1<<31:
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
