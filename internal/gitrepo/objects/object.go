package objects

import (
	"crypto/sha1"
	"errors"
	"fmt"
	"hash"

	"github.com/go-git/go-git/v5/plumbing"
)

// The kinds of objects, as go-git names them.
const (
	KindCommit = plumbing.CommitObject
	KindTree   = plumbing.TreeObject
	KindBlob   = plumbing.BlobObject
	KindTag    = plumbing.TagObject
)

// Hash is the name of an object. Its text has 40 lowercase hexadecimal digits.
type Hash = plumbing.Hash

type objectKind = plumbing.ObjectType

// ParseHash reads a full hash of 40 hexadecimal digits.
func ParseHash(s string) (Hash, bool) {
	return plumbing.NewHash(s), plumbing.IsHash(s)
}

// container is a pack, or a folder with one file for each object.
type container interface {
	// open returns an object, or errNotHere. More than limit bytes are a *limits.TooLargeError, by
	// the size that the object claims to have, before its content is read.
	open(h Hash, limit int64) (object, error)
	// check compares an object with its hash, and returns it without its content, which is not
	// kept. The error is errNotHere if there is none.
	check(h Hash) (object, error)
	// start returns up to n bytes from the start of an object, not checked against its hash.
	start(h Hash, n int) ([]byte, error)
	// withPrefix lists the objects whose hash starts with prefix, in any order.
	withPrefix(prefix string) ([]Hash, error)
}

type object struct {
	kind objectKind
	size int64  // in bytes
	data []byte // must not be changed, because it can be cached
}

// errNotHere means that a container doesn't have an object.
var errNotHere = errors.New("is not here")

// cacheSize is the size of the cache in bytes. Most of the cached objects are bases of deltas.
const cacheSize = 16 << 20

// maxKept is the size in bytes of the largest cached object.
const maxKept = cacheSize / 4

// hashOf is the hash of an object. Git looks for collisions when an object arrives.
func hashOf(kind objectKind, data []byte) Hash {
	sum := newSum(kind, int64(len(data)))
	sum.Write(data)
	return Hash(sum.Sum(nil))
}

// newSum begins the hash of an object, which continues with its content.
func newSum(kind objectKind, size int64) hash.Hash {
	sum := sha1.New()
	fmt.Fprintf(sum, "%s %d\x00", kind, size)
	return sum
}

// wrongSize is the error of an object with other bytes than it claims to have.
func wrongSize(size int64) error {
	return fmt.Errorf("it claims to have %d bytes, but it has fewer or more", size)
}
