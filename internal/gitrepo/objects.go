package gitrepo

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/rubric-library/rubric-library/internal/files/limits"
)

// objects reads objects by hash from the repository's own folder of objects and from
// its alternates. It is safe for concurrent use; callers take turns.
type objects struct {
	mu         sync.Mutex
	folders    []string
	containers []container      // nil until they are listed
	packs      map[string]*pack // those among the containers, by path
	bases      *cache[packPlace, pieces]
	isPartial  bool // objects can be missing, because the clone left them out
}

func openObjects(commonDir string) (*objects, error) {
	folders, err := objectFolders(append([]string{filepath.Join(commonDir, "objects")}, quarantine(os.Getenv)...))
	if err != nil {
		return nil, err
	}
	return &objects{folders: folders, bases: &cache[packPlace, pieces]{most: cacheSize}}, nil
}

// objectFolders lists folders and all their alternates, direct or indirect.
func objectFolders(folders []string) ([]string, error) {
	for i := 0; i < len(folders); i++ { // the list grows
		path := filepath.Join(folders[i], "info", "alternates")
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, fmt.Errorf("the Git repository's list of folders with borrowed objects can't be read: %w. To fix this, run: %s", err, cloneAgain)
		}
		for line := range strings.Lines(string(data)) {
			line = strings.TrimRight(line, "\r\n")
			if line == "" || line[0] == '#' {
				continue
			}
			other := absolute(folders[i], line)
			if slices.Contains(folders, other) {
				continue
			}
			if info, err := os.Stat(other); err != nil || !info.IsDir() {
				return nil, unsupported(cloneAgain, "it borrows objects from %q, which can't be read (named in %s)", other, path)
			}
			folders = append(folders, other)
		}
	}
	return folders, nil
}

// list lists the containers, and keeps the packs that are already known.
func (o *objects) list() error {
	var containers []container
	packs := map[string]*pack{}
	for _, folder := range o.folders {
		entries, err := os.ReadDir(filepath.Join(folder, "pack"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, e := range entries {
			name, isIndex := strings.CutSuffix(e.Name(), ".idx")
			if !isIndex {
				continue
			}
			path := filepath.Join(folder, "pack", name)
			if _, err := os.Stat(path + ".pack"); errors.Is(err, fs.ErrNotExist) {
				continue // Git is about to write it, or has just removed it
			}
			p := o.packs[path]
			if p == nil {
				index, err := readIndex(path + ".idx")
				if errors.Is(err, fs.ErrNotExist) {
					continue
				} else if err != nil {
					return fmt.Errorf("the index of the pack %s can't be read: %w", path, err)
				}
				p = &pack{path: path, index: index, bases: o.bases, starts: cache[int64, []byte]{most: maxStarts}}
			}
			packs[path], containers = p, append(containers, p)
		}
		containers = append(containers, &loose{folder: folder})
	}
	for path, p := range o.packs {
		if packs[path] == nil {
			_ = p.close() // it is gone
		}
	}
	o.containers, o.packs = containers, packs
	return nil
}

func (o *objects) close() (err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, p := range o.packs {
		err = errors.Join(err, p.close())
	}
	return err
}

// stat returns the type of an object and its size in bytes without reading its content.
func (o *objects) stat(h hash) (objectKind, int64, error) {
	found, err := o.find(h, plumbing.AnyObject, -1)
	return found.kind, found.size, err
}

// read returns the object with this hash, which must have the given kind, and checks
// it against the hash. An object with more than limit bytes is a *limits.TooLargeError
// before its content is read. The bytes must not be changed.
func (o *objects) read(h hash, kind objectKind, limit int64) ([]byte, error) {
	found, err := o.find(h, kind, limit)
	if tooLarge, ok := errors.AsType[*limits.TooLargeError](err); ok {
		tooLarge.Name = fmt.Sprintf("the %s %s of the Git repository", kind, h)
	}
	return found.data, err
}

// place returns where an object is stored: the number of its pack, or -1, and its offset.
func (o *objects) place(h hash) (container int, offset int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, c := range o.containers {
		if p, isPack := c.(*pack); isPack {
			if offset, err := p.index.find(h); err == nil {
				return i, offset
			}
		}
	}
	return -1, 0
}

// start returns up to n bytes from the start of an object, if that takes much less than to read all of
// it. They are not checked against the hash, and are nil if they are not found.
func (o *objects) start(h hash, n int) []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, c := range o.containers {
		if start, err := c.start(h, n); err == nil {
			return start
		}
	}
	return nil
}

// find opens an object in the first container that has it and can read it. If there is
// none, find tries again with a fresh list, because Git may have packed the objects in
// the meantime.
func (o *objects) find(h hash, kind objectKind, limit int64) (_ object, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			err = &ObjectError{Hash: h.String(), Reason: fmt.Sprintf("can't be read: %v", p)}
		}
	}()
	first := errNotHere // the first other error
	for attempt := range 2 {
		if attempt > 0 || o.containers == nil {
			if err := o.list(); err != nil {
				return object{}, damaged(h, err)
			}
		}
		first = errNotHere
		for _, c := range o.containers {
			found, err := openAs(c, h, kind, limit)
			if err == nil {
				return found, nil
			} else if limits.IsTooLarge(err) {
				return object{}, err
			}
			if first == errNotHere {
				first = err
			}
		}
	}
	if first != errNotHere {
		return object{}, damaged(h, first)
	}
	missing := &ObjectError{Hash: h.String(), Missing: true, Reason: "is missing"}
	if o.isPartial {
		missing.Partial = true
		missing.Reason += ", because this is a partial clone (made with --filter)"
		missing.Advice = "To fetch the missing objects, run: git fetch --refetch --no-filter"
	}
	return object{}, missing
}

// openAs opens an object in a container, and checks its kind and its hash. Without a limit of 0 or
// more, only its size is read.
func openAs(c container, h hash, kind objectKind, limit int64) (object, error) {
	found, err := c.open(h, limit)
	switch {
	case err != nil || limit < 0:
	case found.kind != kind:
		err = fmt.Errorf("it is a %s, expected a %s", found.kind, kind)
	case hashOf(kind, found.data) != h:
		err = errors.New("it does not match its hash")
	}
	return found, err
}

// damaged translates an error of go-git or of the file system, some of which say no
// more than "EOF".
func damaged(h hash, err error) error {
	e := &ObjectError{Hash: h.String(), Reason: "can't be read: " + err.Error()}
	switch {
	case strings.HasSuffix(e.Reason, "EOF"):
		e.Reason = "can't be read: its data is truncated"
	case errors.Is(err, errLargeBase):
		e.Advice = "To store it differently, run: git repack -adf"
	case errors.Is(err, errMalformedIndex):
		e.Advice = "To write the index again, run \"git index-pack FILE\" with the file of the pack"
	}
	return e
}

// withPrefix returns a sorted list of the objects whose hash starts with prefix, which
// has 4 to 39 lowercase hexadecimal digits.
func (o *objects) withPrefix(prefix string) (found []hash, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	err = o.list() // no new pack may be missed
	for _, c := range o.containers {
		hashes, e := c.withPrefix(prefix)
		found, err = append(found, hashes...), errors.Join(err, e)
	}
	if err != nil {
		return nil, fmt.Errorf("the objects of the Git repository can't be listed: %w", err)
	}
	slices.SortFunc(found, func(a, b hash) int { return bytes.Compare(a[:], b[:]) })
	return slices.Compact(found), nil
}

// quarantine lists the object folders that the environment names. While a pre-receive
// hook checks a push, Git keeps the new objects in a separate folder
// (git-receive-pack(1), "Quarantine Environment"). Additional folders can't change the
// result, because every object is checked against its hash.
func quarantine(getenv func(string) string) []string {
	var folders []string
	if own := getenv("GIT_OBJECT_DIRECTORY"); own != "" {
		folders = append(folders, own)
	}
	folders = append(folders, filepath.SplitList(getenv("GIT_ALTERNATE_OBJECT_DIRECTORIES"))...)
	for i, folder := range folders {
		if path, err := filepath.Abs(folder); err == nil {
			folders[i] = path
		}
	}
	return folders
}
