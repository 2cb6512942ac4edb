package release

import (
	"errors"
	"testing"
)

var errFull = errors.New("the disk is full")

// smallDisk takes so many bytes and no more.
type smallDisk int

func (d *smallDisk) Write(p []byte) (int, error) {
	n := min(len(p), int(*d))
	*d -= smallDisk(n)
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

func TestWriteSaysWhenItFails(t *testing.T) {
	c := newRepository(t)
	small(c)
	b := c.build(smallOptions)
	size := len(c.bytes(b))
	for _, room := range []int{0, 1, size / 2, size - 1} {
		disk := smallDisk(room)
		if _, err := b.Write(&disk); !errors.Is(err, errFull) {
			t.Errorf("with room for %d of %d bytes the error is %v", room, size, err)
		}
	}
	disk := smallDisk(size)
	if _, err := b.Write(&disk); err != nil {
		t.Errorf("with room for all bytes the error is %v", err)
	}
}
