package objects

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

	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// Store has the objects in the folders of a repository. It is safe for concurrent use; callers take turns.
type Store struct {
	mu         sync.Mutex
	folders    []string
	containers []container      // nil until they are listed
	packs      map[string]*pack // those among the containers, by path
	bases      *Cache[packPlace, pieces]
	isPartial  bool // objects can be missing, because the clone left them out
	// checked has the kinds and the sizes of objects that were compared with their hash, and of which
	// the content was not kept.
	checked map[Hash]object
}

// New returns the objects in folders such as .git/objects. Nothing is read before it is needed. A
// partial clone has left out objects, so that one can be missing without damage.
func New(folders []string, isPartial bool) *Store {
	return &Store{
		folders: folders, isPartial: isPartial, checked: map[Hash]object{},
		bases: NewCache[packPlace, pieces](cacheSize),
	}
}

// list lists the containers, and keeps the packs that are already known.
func (s *Store) list() error {
	var containers []container
	packs := map[string]*pack{}
	for _, folder := range s.folders {
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
			p := s.packs[path]
			if p == nil {
				index, err := readIndex(path + ".idx")
				if errors.Is(err, fs.ErrNotExist) {
					continue
				} else if err != nil {
					return fmt.Errorf("the index of the pack %s can't be read: %w", path, err)
				}
				p = &pack{path: path, index: index, bases: s.bases, starts: NewCache[int64, []byte](maxStarts)}
			}
			packs[path], containers = p, append(containers, p)
		}
		containers = append(containers, &loose{folder: folder})
	}
	for path, p := range s.packs {
		if packs[path] == nil {
			_ = p.close() // it is gone
		}
	}
	s.containers, s.packs = containers, packs
	return nil
}

// Close closes the files that reading has left open. Using the Store again reopens them.
func (s *Store) Close() (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.packs {
		err = errors.Join(err, p.close())
	}
	return err
}

// Stat returns the kind of an object and its size in bytes, which it checks against the hash.
func (s *Store) Stat(h Hash) (objectKind, int64, error) {
	found, err := s.find(h, func(c container) (object, error) {
		if known, ok := s.checked[h]; ok {
			return known, nil
		}
		return s.check(c, h)
	})
	return found.kind, found.size, err
}

// Read returns the object with this hash, which must have the given kind, and checks
// it against the hash. An object with more than limit bytes is a *limits.TooLargeError, and not
// kept in memory. The bytes must not be changed.
func (s *Store) Read(h Hash, kind objectKind, limit int64) ([]byte, error) {
	found, err := s.find(h, func(c container) (object, error) { return s.open(c, h, kind, limit) })
	if tooLarge, ok := errors.AsType[*safefile.TooLargeError](err); ok {
		tooLarge.Name = fmt.Sprintf("the %s %s of the Git repository", kind, h)
	}
	return found.data, err
}

// ReadCopy is Read for a caller that may change the bytes.
func (s *Store) ReadCopy(h Hash, kind objectKind, limit int64) ([]byte, error) {
	data, err := s.Read(h, kind, limit)
	if len(data) <= maxKept {
		data = bytes.Clone(data) // it can be the base of an object
	}
	return data, err
}

// Place returns where an object is stored: the number of its pack, or -1, and its offset.
func (s *Store) Place(h Hash) (container int, offset int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, c := range s.containers {
		if p, isPack := c.(*pack); isPack {
			if offset, err := p.index.find(h); err == nil {
				return i, offset
			}
		}
	}
	return -1, 0
}

// Start returns up to n bytes from the start of an object, if that takes much less than to read all of
// it. They are not checked against the hash, and are nil if they are not found.
func (s *Store) Start(h Hash, n int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.containers {
		if start, err := c.start(h, n); err == nil {
			return start
		}
	}
	return nil
}

// find opens an object in the first container that has it and can read it. If there is
// none, find tries again with a fresh list, because Git may have packed the objects in
// the meantime.
func (s *Store) find(h Hash, open func(container) (object, error)) (_ object, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			err = &Error{Hash: h.String(), Reason: fmt.Sprintf("can't be read: %v", p)}
		}
	}()
	first := errNotHere // the first other error
	for attempt := range 2 {
		if attempt > 0 || s.containers == nil {
			if err := s.list(); err != nil {
				return object{}, damaged(h, err)
			}
		}
		first = errNotHere
		for _, c := range s.containers {
			found, err := open(c)
			if err == nil {
				return found, nil
			} else if safefile.IsTooLarge(err) {
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
	missing := &Error{Hash: h.String(), Missing: true, Reason: "is missing"}
	if s.isPartial {
		missing.Partial = true
		missing.Reason += ", because this is a partial clone (made with --filter)"
		missing.Advice = "To fetch the missing objects, run: git fetch --refetch --no-filter"
	}
	return object{}, missing
}

// open opens an object in a container, and checks its kind and its hash. One that is too large is
// only compared with its hash: until then, it merely claims to be.
func (s *Store) open(c container, h Hash, kind objectKind, limit int64) (object, error) {
	if known, ok := s.checked[h]; ok && known.size > limit {
		return object{}, &safefile.TooLargeError{Size: known.size, Max: limit}
	}
	found, err := c.open(h, limit)
	switch {
	case safefile.IsTooLarge(err):
		if _, wrong := s.check(c, h); wrong != nil {
			err = wrong
		}
	case err != nil:
	case found.kind != kind:
		err = fmt.Errorf("it is a %s, expected a %s", found.kind, kind)
	case hashOf(kind, found.data) != h:
		err = errOtherHash
	}
	return found, err
}

// check compares an object in a container with its hash.
func (s *Store) check(c container, h Hash) (object, error) {
	found, err := c.check(h)
	if err == nil {
		s.checked[h] = found
	}
	return found, err
}

// WithPrefix returns a sorted list of the objects whose hash starts with prefix, which
// has 4 to 39 lowercase hexadecimal digits.
func (s *Store) WithPrefix(prefix string) (found []Hash, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	err = s.list() // no new pack may be missed
	for _, c := range s.containers {
		hashes, e := c.withPrefix(prefix)
		found, err = append(found, hashes...), errors.Join(err, e)
	}
	if err != nil {
		return nil, fmt.Errorf("the objects of the Git repository can't be listed: %w", err)
	}
	slices.SortFunc(found, func(a, b Hash) int { return bytes.Compare(a[:], b[:]) })
	return slices.Compact(found), nil
}
