package objects

import (
	"errors"
	"fmt"
	"hash"
	"io"
)

// maxChecked is the size in bytes of the largest object that is compared with its hash, which takes
// about three seconds. Anyone can make a small file that is a larger object, or claims to be one.
const maxChecked = 1 << 30

var (
	errOtherHash = errors.New("it does not match its hash")
	errUnchecked = errors.New("it claims to have too many bytes to be compared with its hash")
)

// refuseUnchecked returns an error for an object that claims to have more than maxChecked bytes.
func refuseUnchecked(size int64) error {
	if size > maxChecked {
		return fmt.Errorf("%w: %d", errUnchecked, size)
	}
	return nil
}

// check compares an object with its hash, without keeping its content.
type check struct {
	want    Hash
	claimed object
	sum     hash.Hash // to which the content is written
}

// newCheck begins to compare an object, which claims to have a kind and a size.
func newCheck(h Hash, kind objectKind, size int64) *check {
	return &check{h, object{kind: kind, size: size}, newSum(kind, size)}
}

// result returns the object, if what was written is its content.
func (c *check) result() (object, error) {
	if Hash(c.sum.Sum(nil)) != c.want {
		return object{}, errOtherHash
	}
	return c.claimed, nil
}

// checkContent compares all of a content.
func checkContent(h Hash, kind objectKind, size int64, content io.Reader) (object, error) {
	if err := refuseUnchecked(size); err != nil {
		return object{}, err
	}
	c := newCheck(h, kind, size)
	n, err := io.Copy(c.sum, io.LimitReader(content, size+1))
	if err != nil {
		return object{}, err
	}
	if n != size {
		return object{}, wrongSize(size)
	}
	return c.result()
}
