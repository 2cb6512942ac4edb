package gitrepo

import (
	"bytes"
	"crypto/sha1" // the hash that Git names objects by
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/helper/chroot"
	"github.com/go-git/go-billy/v5/helper/mount"
	"github.com/go-git/go-billy/v5/memfs"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// The kinds of objects, as go-git names them.
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

// objects reads objects by their hash, from the repository's own store and from
// those that it borrows from. All use of go-git's storage is in here, so that
// its errors and panics end here. It can be used by several goroutines, which
// take turns.
type objects struct {
	mu     sync.Mutex
	stores []*filesystem.ObjectStorage
}

const (
	// cacheSize is how much go-git keeps of what it has read, mostly objects
	// that others are stored as differences to.
	cacheSize = 96 * cache.MiByte
	// largeObject is the size in bytes from which go-git reads an object only
	// when its content is asked for, not already with its size.
	largeObject = 8 << 20
)

func openObjects(commonDir string) (*objects, error) {
	folders, err := objectFolders(append([]string{filepath.Join(commonDir, "objects")}, quarantine(os.Getenv)...))
	if err != nil {
		return nil, err
	}
	shared := cache.NewObjectLRU(cacheSize)
	options := filesystem.Options{LargeObjectThreshold: largeObject, KeepDescriptors: true}
	o := &objects{}
	for _, folder := range folders {
		o.stores = append(o.stores, filesystem.NewObjectStorageWithOptions(dotgit.New(around(folder)), shared, options))
	}
	return o, nil
}

// around is what go-git wants of a folder of objects: the folder that contains it
// under the name "objects", which that of a quarantine does not have.
func around(folder string) billy.Filesystem {
	if filepath.Base(folder) == "objects" {
		return osfs.New(filepath.Dir(folder))
	}
	return chroot.New(mount.New(memfs.New(), "objects", osfs.New(folder)), "/")
}

// objectFolders lists folders and all that they borrow from, directly or not. It
// does the work of go-git's option AlternatesFS, which opens the other store
// anew for each object.
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
			if err := checkAlternate(path, other); err != nil {
				return nil, err
			}
			folders = append(folders, other)
		}
	}
	return folders, nil
}

func checkAlternate(path, other string) error {
	info, err := os.Stat(other)
	if err == nil && info.IsDir() && filepath.Base(other) == "objects" {
		return nil
	}
	return &UnsupportedError{
		Kind:   Alternates,
		Detail: fmt.Sprintf("it borrows from %q, as %s says, where no objects can be read", other, path),
		Advice: cloneAgain,
	}
}

func (o *objects) close() (err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, store := range o.stores {
		err = errors.Join(err, store.Close())
	}
	return err
}

// stat says what kind of object this hash names and how many bytes it has,
// without reading all of a large one.
func (o *objects) stat(h hash) (kind objectKind, size int64, err error) {
	err = o.find(h, func(store *filesystem.ObjectStorage) error {
		object, err := store.EncodedObject(plumbing.AnyObject, h)
		if err == nil {
			kind, size = object.Type(), object.Size()
		}
		return err
	})
	return kind, size, err
}

// read returns the object with this hash, which must be of the kind. The bytes
// are the caller's, and are checked against the hash, which go-git does not do.
func (o *objects) read(h hash, kind objectKind) ([]byte, error) {
	return o.readLimited(h, kind, math.MaxInt64)
}

// readLimited is read, or a *TooLargeError without a path for an object of more
// than limit bytes.
func (o *objects) readLimited(h hash, kind objectKind, limit int64) (data []byte, err error) {
	err = o.find(h, func(store *filesystem.ObjectStorage) error {
		object, err := store.EncodedObject(plumbing.AnyObject, h)
		if err != nil {
			return err
		}
		if object.Type() != kind {
			return fmt.Errorf("it is a %s where a %s should be", object.Type(), kind)
		}
		if object.Size() > limit {
			return &TooLargeError{Size: object.Size(), Max: limit}
		}
		data, err = content(object)
		return err
	})
	if err == nil && hashOf(kind, data) != h {
		err = &ObjectError{Hash: h.String(), Reason: "holds other bytes than its name says"}
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

func content(object plumbing.EncodedObject) ([]byte, error) {
	r, err := object.Reader()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	// A damaged object can claim any size, so not all of it is taken at once.
	size := min(max(object.Size(), 0), largeObject)
	buf := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	_, err = buf.ReadFrom(r)
	return buf.Bytes(), err
}

// hashOf is what Git names an object with this kind and content.
func hashOf(kind objectKind, data []byte) hash {
	h := sha1.New()
	fmt.Fprintf(h, "%s %d\x00", kind, len(data))
	h.Write(data)
	return hash(h.Sum(nil))
}

// find calls get with one store after the other until one has the object. If
// none has it, it looks again with fresh lists of packs: Git may have packed the
// objects meanwhile.
func (o *objects) find(h hash, get func(*filesystem.ObjectStorage) error) (err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			err = &ObjectError{Hash: h.String(), Reason: fmt.Sprintf("can't be read: %v", p)}
		}
	}()
	for attempt := range 2 {
		for _, store := range o.stores {
			if attempt > 0 {
				store.Reindex()
			}
			err := get(store)
			var tooLarge *TooLargeError
			if err == nil || errors.As(err, &tooLarge) {
				return err
			}
			if !errors.Is(err, plumbing.ErrObjectNotFound) && attempt > 0 {
				return damaged(h, err)
			}
		}
	}
	return &ObjectError{Hash: h.String(), Missing: true, Reason: "is missing"}
}

// damaged translates an error of go-git, of which some say no more than "EOF".
func damaged(h hash, err error) error {
	reason := err.Error()
	if strings.HasSuffix(reason, "EOF") {
		reason = "its data ends too early"
	}
	return &ObjectError{Hash: h.String(), Reason: "can't be read: " + reason}
}

// withPrefix lists the objects whose hash starts with prefix, which has 4 to 39
// hexadecimal digits in lower case; sorted.
func (o *objects) withPrefix(prefix string) (found []hash, err error) {
	whole, err := hex.DecodeString(prefix[:len(prefix)&^1]) // go-git searches by whole bytes
	if err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the objects of the Git repository can't be listed: %v", p)
		}
	}()
	for _, store := range o.stores {
		store.Reindex() // no pack that is new may be left out
		hashes, err := store.HashesWithPrefix(whole)
		if err != nil {
			return nil, fmt.Errorf("the objects of the Git repository can't be listed: %v", err)
		}
		for _, h := range hashes {
			if !strings.HasPrefix(h.String(), prefix) {
				continue
			}
			// A temporary file among the objects is listed under a made-up hash.
			if err := store.HasEncodedObject(h); errors.Is(err, plumbing.ErrObjectNotFound) {
				continue
			} else if err != nil {
				return nil, damaged(h, err)
			}
			found = append(found, h)
		}
	}
	slices.SortFunc(found, func(a, b hash) int { return bytes.Compare(a[:], b[:]) })
	return slices.Compact(found), nil
}
