package gitrepo

import (
	"bytes"
	"crypto/sha1" // the hash that Git names objects by
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/rubric-library/rubric-library/internal/files/limits"
)

// The object types, as go-git names them.
const (
	commitObject = plumbing.CommitObject
	treeObject   = plumbing.TreeObject
	blobObject   = plumbing.BlobObject
	tagObject    = plumbing.TagObject
)

type (
	hash       = plumbing.Hash
	objectKind = plumbing.ObjectType
)

// objects reads objects by hash from the repository's own store and from its
// alternates. It is safe for concurrent use; callers take turns.
type objects struct {
	mu     sync.Mutex
	stores []*store
	// fetch is the command that fetches what a partial clone leaves out, or "" for a
	// complete clone.
	fetch string
}

// cacheSize is the size of the cache in bytes; half of it is one generation. Most of
// the cached objects are bases of deltas.
const cacheSize = 16 << 20

// maxKept is the size in bytes of the largest cached object.
const maxKept = cacheSize / 4

func openObjects(commonDir string) (*objects, error) {
	folders, err := objectFolders(append([]string{filepath.Join(commonDir, "objects")}, quarantine(os.Getenv)...))
	if err != nil {
		return nil, err
	}
	bases := &cache[packPlace, packObject]{most: cacheSize / 2}
	o := &objects{}
	for _, folder := range folders {
		o.stores = append(o.stores, &store{folder: folder, bases: bases})
	}
	return o, nil
}

// objectFolders lists folders and all their alternates, direct or indirect.
func objectFolders(folders []string) ([]string, error) {
	for i := 0; i < len(folders); i++ { // the list grows
		path := filepath.Join(folders[i], "info", "alternates")
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, err
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
				return nil, &UnsupportedError{
					Detail: fmt.Sprintf("it borrows objects from %q, which can't be read (named in %s)", other, path),
					Advice: cloneAgain,
				}
			}
			folders = append(folders, other)
		}
	}
	return folders, nil
}

func (o *objects) close() (err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, s := range o.stores {
		err = errors.Join(err, s.close())
	}
	return err
}

func (o *objects) kind(h hash) (objectKind, error) {
	return find(o, h, (*pack).kind, func(s *store) (objectKind, error) {
		kind, _, _, err := s.loose(h, -1)
		return kind, err
	})
}

// size returns the size of an object in bytes without reading its content.
func (o *objects) size(h hash) (int64, error) {
	return find(o, h, (*pack).size, func(s *store) (int64, error) {
		_, size, _, err := s.loose(h, -1)
		return size, err
	})
}

// read returns the object with this hash, which must have the given kind, and checks
// it against the hash. An object with more than limit bytes is a *limits.TooLargeError
// before its content is read. The bytes must not be changed.
func (o *objects) read(h hash, kind objectKind, limit int64) (data []byte, err error) {
	checked := func(object packObject, err error) ([]byte, error) {
		if err == nil && object.kind != kind {
			err = fmt.Errorf("it is a %s, expected a %s", object.kind, kind)
		}
		return object.data, err
	}
	data, err = find(o, h, func(p *pack, offset int64) ([]byte, error) { return checked(p.read(offset, limit)) }, func(s *store) ([]byte, error) {
		kind, _, data, err := s.loose(h, limit)
		return checked(packObject{kind, data}, err)
	})
	if err == nil && hashOf(kind, data) != h {
		err = &ObjectError{Hash: h.String(), Reason: "does not match its hash"}
	}
	if tooLarge, ok := errors.AsType[*limits.TooLargeError](err); ok {
		tooLarge.Name = fmt.Sprintf("the %s %s of the Git repository", kind, h)
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

// hashOf returns Git's name for an object with this kind and content.
func hashOf(kind objectKind, data []byte) hash {
	h := sha1.New()
	fmt.Fprintf(h, "%s %d\x00", kind, len(data))
	h.Write(data)
	return hash(h.Sum(nil))
}

// find calls get with each store until one has the object. If none has it, find tries
// again with fresh lists of packs, because Git may have packed the objects in the
// meantime.
func find[T any](o *objects, h hash, packed func(p *pack, offset int64) (T, error), loose func(*store) (T, error)) (found T, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			err = &ObjectError{Hash: h.String(), Reason: fmt.Sprintf("can't be read: %v", p)}
		}
	}()
	for attempt := range 2 {
		for _, s := range o.stores {
			var err error
			if attempt > 0 {
				err = s.list()
			}
			if err == nil {
				found, err = get(s, h, packed, loose)
			}
			if err == nil || limits.IsTooLarge(err) {
				return found, err
			}
			if !errors.Is(err, errNotHere) && attempt > 0 {
				return found, damaged(h, err)
			}
		}
	}
	missing := &ObjectError{Hash: h.String(), Missing: true, Reason: "is missing"}
	if o.fetch != "" {
		missing.Reason += ", because this is a partial clone (made with --filter)"
		missing.Advice = "To fetch the missing objects, run: " + o.fetch
	}
	return found, missing
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
	}
	return e
}

// withPrefix returns a sorted list of the objects whose hash starts with prefix, which
// has 4 to 39 lowercase hexadecimal digits.
func (o *objects) withPrefix(prefix string) (found []hash, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, s := range o.stores {
		hashes, err := s.withPrefix(prefix)
		if err != nil {
			return nil, fmt.Errorf("the objects of the Git repository can't be listed: %w", err)
		}
		found = append(found, hashes...)
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
	folders = append(folders, splitQuoted(getenv("GIT_ALTERNATE_OBJECT_DIRECTORIES"))...)
	for i, folder := range folders {
		if path, err := filepath.Abs(folder); err == nil {
			folders[i] = path
		}
	}
	return folders
}

// splitQuoted splits a list of paths. Git quotes those that start with a quotation
// mark or contain the separator (git(1)).
func splitQuoted(list string) []string {
	var paths []string
	for list != "" {
		var path string
		if quoted, err := strconv.QuotedPrefix(list); err == nil && quoted[0] == '"' {
			path, _ = strconv.Unquote(quoted)
			list = strings.TrimPrefix(list[len(quoted):], string(filepath.ListSeparator))
		} else {
			path, list, _ = strings.Cut(list, string(filepath.ListSeparator))
		}
		if path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}
