package objects

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/adler32"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/packtest"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// huge is the size of the hostile objects, and most the maximum that may be allocated
// to detect it.
const (
	huge = 96 << 20
	most = 16 << 20
)

// zeros returns a header and a huge number of zero bytes, compressed to half a megabyte.
// Whatever follows zeros is compressed to the same bytes each time.
func zeros(header string) []byte {
	b := bytes.NewBufferString("\x78\x9c")
	z, err := flate.NewWriter(b, flate.DefaultCompression)
	if err != nil {
		panic(err)
	}
	sum, block := adler32.New(), make([]byte, 1<<20)
	write := func(data []byte) {
		sum.Write(data)
		if _, err := z.Write(data); err != nil {
			panic(err)
		}
		if err := z.Flush(); err != nil {
			panic(err)
		}
	}
	write([]byte(header))
	write(block)
	before := b.Len()
	write(block)
	again := slices.Clone(b.Bytes()[before:])
	for range huge>>20 - 2 {
		sum.Write(block)
		b.Write(again)
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return sum.Sum(b.Bytes())
}

var plainZeros = sync.OnceValue(func() []byte { return zeros("") })

// zerosName is the hash of a blob with a huge number of zero bytes.
var zerosName = sync.OnceValue(func() Hash {
	sum, block := newSum(KindBlob, huge), make([]byte, 1<<20)
	for range huge >> 20 {
		sum.Write(block)
	}
	return Hash(sum.Sum(nil))
})

func compressed(data string) []byte { return packtest.Compressed([]byte(data)) }

// named returns the hash of the i-th object of a handmade pack.
func named(i int) (h Hash) {
	binary.BigEndian.PutUint32(h[:], uint32(i+1)<<8)
	return h
}

// writePack writes a pack and opens the folder. An object without a name is named by its number.
func writePack(t *testing.T, all ...packtest.Object) *Store {
	t.Helper()
	for i := range all {
		if Hash(all[i].Name).IsZero() {
			all[i].Name = named(i)
		}
	}
	dir := t.TempDir()
	must.Do(t, packtest.Write(filepath.Join(dir, "objects", "pack"), all...))
	return opened(t, dir)
}

func opened(t *testing.T, dir string) *Store {
	t.Helper()
	o := New([]string{filepath.Join(dir, "objects")}, false)
	t.Cleanup(func() {
		if err := o.Close(); err != nil {
			t.Error(err)
		}
	})
	return o
}

func deltaOf(base, size uint64, commands string) string {
	return string(packtest.Difference(base, size, commands))
}

// TestHostileObjectsTakeNoMemory reads objects that are small on disk and huge in
// memory.
func TestHostileObjectsTakeNoMemory(t *testing.T) {
	blob := func(content string) packtest.Object {
		return packtest.Object{Kind: packtest.Blob, Size: int64(len(content)), Content: compressed(content)}
	}
	difference := func(base int, text string) packtest.Object {
		return packtest.Object{Kind: packtest.ByOffset, Size: int64(len(text)), Base: base, Content: compressed(text)}
	}
	tooLarge := fmt.Sprintf("it has %d bytes, more than the limit of %d", huge, safefile.MaxDocument)
	hugeBlob := packtest.Object{Kind: packtest.Blob, Size: huge, Content: plainZeros()}
	rightly := func(o packtest.Object) packtest.Object { o.Name = zerosName(); return o }
	zeroBlock := blob(strings.Repeat("\x00", 1<<16))
	copyAll := strings.Repeat("\x80", huge>>16) // each copies 64 KiB from the start
	chain := []packtest.Object{blob("0123456789")}
	for i := range maxChain + 1 {
		chain = append(chain, difference(i, deltaOf(10, 10, "\x90\x0a")))
	}
	tests := []struct {
		reason  string
		entries []packtest.Object
		want    string // of the error of the last object
	}{
		{"a huge blob", []packtest.Object{rightly(hugeBlob)}, tooLarge},
		{"a large blob of another name", []packtest.Object{blob(strings.Repeat("x", 1<<20))}, "does not match its hash"},
		{"a blob with more than it says", []packtest.Object{{Kind: packtest.Blob, Size: 10, Content: plainZeros()}}, "can't be read"},
		{"a blob that says that it has all there is", []packtest.Object{{Kind: packtest.Blob, Size: 1 << 59, Content: plainZeros()}}, "too many bytes"},
		{"a blob that says that it is large", []packtest.Object{{Kind: packtest.Blob, Size: 1 << 20, Content: compressed("x")}}, "fewer or more"},
		{"a small delta of a huge blob", []packtest.Object{hugeBlob, difference(0, deltaOf(huge, 10, "\x90\x0a"))}, "repack -adf"},
		{"a delta with a huge result", []packtest.Object{zeroBlock, rightly(difference(0, deltaOf(1<<16, huge, copyAll)))}, tooLarge},
		{"a delta with a large result of another name", []packtest.Object{zeroBlock, difference(0, deltaOf(1<<16, 1<<20, copyAll[:16]))}, "does not match its hash"},
		{"a delta that says that its result is large", []packtest.Object{zeroBlock, difference(0, deltaOf(1<<16, 1<<20, "\x80"))}, "invalid delta"},
		{"a delta that says that its result has all there is", []packtest.Object{zeroBlock, difference(0, deltaOf(1<<16, 1<<59, "\x80"))}, "too many bytes"},
		{"a delta with a larger result than declared", []packtest.Object{zeroBlock, difference(0, deltaOf(1<<16, 10, copyAll))}, "invalid delta"},
		{"a huge delta", []packtest.Object{blob("x"), {Kind: packtest.ByOffset, Size: huge, Base: 0, Content: zeros(deltaOf(1, 10, ""))}}, "repack -adf"},
		{"a delta without sizes", []packtest.Object{blob("x"), difference(0, "\xff\xff")}, "invalid delta"},
		{"an empty delta", []packtest.Object{blob("x"), difference(0, "")}, "invalid delta"},
		{"a base of another size", []packtest.Object{blob("x"), difference(0, deltaOf(2, 10, "\x90\x0a"))}, "invalid delta"},
		{"deltas of each other", []packtest.Object{
			{Kind: packtest.ByHash, Size: 4, Ref: named(1), Content: compressed(deltaOf(10, 10, "\x90\x0a"))},
			{Kind: packtest.ByHash, Size: 4, Ref: named(0), Content: compressed(deltaOf(10, 10, "\x90\x0a"))},
		}, "chain of deltas is too long"},
		{"a delta of a missing base", []packtest.Object{{Kind: packtest.ByHash, Size: 4, Ref: named(9), Content: compressed(deltaOf(10, 10, "\x90\x0a"))}}, "is not in its pack"},
		{"a chain that is longer than Git makes", chain, "chain of deltas is too long"},
		{"an unknown type", []packtest.Object{{Kind: packtest.Unknown, Size: 1, Content: compressed("x")}}, "unknown type 5"},
		{"a tree where a blob should be", []packtest.Object{{Kind: packtest.Tree, Size: 1, Content: compressed("x")}}, "it is a tree, expected a blob"},
		{"content that does not match the hash", []packtest.Object{blob("x")}, "does not match its hash"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			o := writePack(t, tt.entries...)
			last := Hash(tt.entries[len(tt.entries)-1].Name)
			allocated := allocates(func() {
				if _, err := o.Read(last, KindBlob, safefile.MaxDocument); err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("%v, want %q", err, tt.want)
				}
				if _, size, err := o.Stat(last); err == nil && (size != huge || last != zerosName()) {
					t.Errorf("its size is %d", size)
				}
			})
			if allocated > most+uint64(len(tt.entries))*1000 {
				t.Errorf("%d MiB were allocated", allocated>>20)
			}
		})
	}
}

// allocates returns the number of bytes that a function allocates.
func allocates(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestHostileLooseObjectsTakeNoMemory(t *testing.T) {
	tests := []struct {
		reason string
		file   []byte
		want   string
	}{
		{"a large blob of another name", compressed("blob 1000000\x00" + strings.Repeat("x", 1_000_000)), "does not match its hash"},
		{"a blob that says that it is large", compressed("blob 1000000\x00x"), "fewer or more"},
		{"a blob that says that it is huge", compressed("blob 100000000000000\x00x"), "too many bytes"},
		{"a blob with more than it says", zeros("blob 10\x00"), "fewer or more"},
		{"a blob with less than it says", compressed("blob 10\x00123"), "fewer or more"},
		{"no header", plainZeros(), "can't be read"},
		{"a header without an end", compressed("blob " + strings.Repeat("1", 1000)), "does not start with a type and a size"},
		{"a size below nothing", compressed("blob -1\x00"), "can't be read"},
		{"a size beyond all", compressed("blob 99999999999999999999\x00"), "can't be read"},
		{"an unknown type", compressed("bolb 1\x00x"), "can't be read"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) { refuseLoose(t, named(0), tt.file, tt.want) })
	}
	refuseLoose(t, zerosName(), zeros(fmt.Sprintf("blob %d\x00", huge)), "is too large")
}

// refuseLoose expects that reading an object of the repository fails without much memory.
func refuseLoose(t *testing.T, h Hash, content []byte, want string) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "objects", h.String()[:2], h.String()[2:])
	must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, content, 0o644)))
	o := opened(t, dir)
	allocated := allocates(func() {
		if _, err := o.Read(h, KindBlob, safefile.MaxDocument); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if _, size, err := o.Stat(h); err == nil && (size != huge || h != zerosName()) {
			t.Errorf("its size is %d", size)
		}
	})
	if allocated > most {
		t.Errorf("%d MiB were allocated", allocated>>20)
	}
}
