package gitrepo

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// trackedNames are the paths that the index of a repository lists, sorted. A path that ends
// with a slash is a submodule, or a folder of a sparse index: everything in it counts as
// tracked.
type trackedNames struct {
	names []string
	fold  bool // names that differ only in case are the same
}

// has reports whether a path is tracked, or for a folder, anything in it.
func (t *trackedNames) has(name string, isFolder bool) bool {
	if t.fold {
		name = strings.ToLower(name)
	}
	if _, listed := slices.BinarySearch(t.names, name); listed {
		return true
	}
	if isFolder {
		name += "/"
		if at, _ := slices.BinarySearch(t.names, name); at < len(t.names) && strings.HasPrefix(t.names[at], name) {
			return true
		}
	}
	for at := range len(name) {
		if name[at] != '/' {
			continue
		}
		if _, whole := slices.BinarySearch(t.names, name[:at+1]); whole {
			return true
		}
	}
	return false
}

// readTracked reads the names in the index of a working tree that are below a folder. hashSize
// is the size of a hash in bytes.
func readTracked(gitDir, folder string, hashSize int, fold bool) (*trackedNames, error) {
	t := &trackedNames{fold: fold}
	add := func(name string, mode uint32) {
		if t.fold {
			name = strings.ToLower(name)
		}
		if mode == indexFolder || mode == indexSubmodule {
			name = strings.TrimSuffix(name, "/") + "/"
		}
		if strings.HasSuffix(name, "/") || folder == "" || strings.HasPrefix(name, folder+"/") {
			t.names = append(t.names, strings.Clone(name)) // without the rest of the file
		}
	}
	if fold {
		folder = strings.ToLower(folder)
	}
	shared, err := readIndexFile(filepath.Join(gitDir, "index"), hashSize, add)
	if errors.Is(err, fs.ErrNotExist) {
		return t, nil // nothing was ever added
	}
	if err == nil && shared != "" {
		_, err = readIndexFile(filepath.Join(gitDir, "sharedindex."+shared), hashSize, add)
	}
	slices.Sort(t.names)
	return t, err
}

// The modes of entries that stand for everything in a folder.
const (
	indexFolder    = 0o040000
	indexSubmodule = 0o160000
)

// Fields of an index, in bytes (gitformat-index(5)).
const (
	indexHeader = 12 // the signature, the version, and the number of entries
	indexStat   = 40 // of an entry, before its hash
	indexMode   = 24 // where the mode is
)

// readIndexFile calls add for each entry of an index. In a split index, shared names the file
// with the others, of which some may have been removed: these count, too, so that no tracked
// file is missed.
func readIndexFile(path string, hashSize int, add func(name string, mode uint32)) (shared string, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	r := indexReader{data: data, hashSize: hashSize}
	shared, err = r.read(add)
	if err != nil {
		return "", fmt.Errorf("the list of tracked files %s can't be read: %w. To write it again, run: git read-tree HEAD", path, err)
	}
	return shared, nil
}

type indexReader struct {
	data     []byte // what remains
	hashSize int
	version  uint32
	short    bool // the data ended too soon
}

var errIndex = errors.New("it is damaged")

// take returns the next bytes, or zeros after the end.
func (r *indexReader) take(n int) []byte {
	if n > len(r.data) {
		r.short, r.data = true, nil
		return make([]byte, n)
	}
	taken := r.data[:n]
	r.data = r.data[n:]
	return taken
}

func (r *indexReader) number() uint32 { return binary.BigEndian.Uint32(r.take(4)) }

func (r *indexReader) read(add func(name string, mode uint32)) (shared string, err error) {
	if string(r.take(4)) != "DIRC" {
		return "", errIndex
	}
	r.version = r.number()
	if r.version < 2 || r.version > 4 {
		return "", fmt.Errorf("its version is %d, but only 2 to 4 are supported", r.version)
	}
	name := ""
	for range r.number() {
		var mode uint32
		name, mode = r.entry(name)
		if r.short {
			return "", errIndex
		}
		if name != "" { // in a split index, those of replaced entries are empty
			add(name, mode)
		}
	}
	return r.extensions()
}

// entry reads an entry after the one with a name.
func (r *indexReader) entry(before string) (name string, mode uint32) {
	start := len(r.data)
	stat := r.take(indexStat)
	mode = binary.BigEndian.Uint32(stat[indexMode:])
	r.take(r.hashSize)
	flags := binary.BigEndian.Uint16(r.take(2))
	if extended := flags&0x4000 != 0; extended && r.version > 2 {
		r.take(2)
	}
	if r.version == 4 {
		kept := len(before) - r.varint()
		if kept < 0 {
			r.short = true
			return "", 0
		}
		return before[:kept] + r.text(), mode
	}
	name = r.text()
	if odd := (start - len(r.data)) % 8; odd > 0 && !r.short {
		r.take(8 - odd)
	}
	return name, mode
}

// text reads a text and the zero byte after it.
func (r *indexReader) text() string {
	end := slices.Index(r.data, 0)
	if end < 0 {
		r.short = true
		return ""
	}
	return string(r.take(end + 1)[:end])
}

// varint reads a number of variable length, as offsets in packs have it.
func (r *indexReader) varint() int {
	c := r.take(1)[0]
	n := int(c & 0x7f)
	for c&0x80 != 0 && n < 1<<24 {
		c = r.take(1)[0]
		n = (n+1)<<7 | int(c&0x7f)
	}
	return n
}

// extensions reads what follows the entries. An extension whose name is in lowercase changes
// the meaning of the index.
func (r *indexReader) extensions() (shared string, err error) {
	for len(r.data) > r.hashSize {
		name := string(r.take(4))
		content := r.take(int(min(r.number(), 1<<30)))
		switch {
		case r.short:
			return "", errIndex
		case name == "link" && len(content) >= r.hashSize:
			shared = hex.EncodeToString(content[:r.hashSize])
		case name == "sdir", name[0] >= 'A' && name[0] <= 'Z':
		default:
			return "", fmt.Errorf("it has the part %q, which is not supported", name)
		}
	}
	return shared, nil
}
