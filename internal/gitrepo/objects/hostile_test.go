package objects

import (
	"bytes"
	"cmp"
	"compress/flate"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/adler32"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/files/limits"
)

// huge is the size of the hostile objects, and most the maximum that may be allocated
// to detect it.
const (
	huge = 512 << 20
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

func compressed(data string) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	if _, err := io.WriteString(z, data); err != nil {
		panic(err)
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// packEntry is an object in a handmade pack.
type packEntry struct {
	kind    int   // as Git numbers it; 6 is a difference to an offset, 7 to a hash
	size    int64 // what its header says
	base    int   // of kind 6, the number of the entry before it
	ref     Hash  // of kind 7
	content []byte
}

// named returns the hash of the i-th object of a handmade pack.
func named(i int) (h Hash) {
	binary.BigEndian.PutUint32(h[:], uint32(i+1)<<8)
	return h
}

// writePack writes a pack and its index and opens the folder.
func writePack(t *testing.T, entries ...packEntry) *Store {
	t.Helper()
	pack := binary.BigEndian.AppendUint32([]byte("PACK\x00\x00\x00\x02"), uint32(len(entries)))
	var offsets []uint32
	for i, e := range entries {
		offsets = append(offsets, uint32(len(pack)))
		first := byte(e.kind)<<4 | byte(e.size&15)
		for rest := e.size >> 4; ; rest >>= 7 {
			if rest == 0 {
				pack = append(pack, first)
				break
			}
			pack, first = append(pack, first|0x80), byte(rest&0x7f)
		}
		switch e.kind {
		case 6:
			back := offsets[i] - offsets[e.base]
			bytes := []byte{byte(back & 0x7f)}
			for back >>= 7; back > 0; back >>= 7 {
				back--
				bytes = append(bytes, 0x80|byte(back&0x7f))
			}
			slices.Reverse(bytes)
			pack = append(pack, bytes...)
		case 7:
			pack = append(pack, e.ref[:]...)
		}
		pack = append(pack, e.content...)
	}
	sum := sha1.Sum(pack)
	pack = append(pack, sum[:]...)

	index := []byte("\xfftOc\x00\x00\x00\x02")
	for b := range 256 {
		count := 0
		for i := range entries {
			if h := named(i); int(h[0]) <= b {
				count++
			}
		}
		index = binary.BigEndian.AppendUint32(index, uint32(count))
	}
	for i := range entries {
		h := named(i)
		index = append(index, h[:]...)
	}
	index = append(index, make([]byte, 4*len(entries))...)
	for _, offset := range offsets {
		index = binary.BigEndian.AppendUint32(index, offset)
	}
	index = append(index, sum[:]...)
	sum = sha1.Sum(index)
	index = append(index, sum[:]...)

	dir := t.TempDir()
	folder := filepath.Join(dir, "objects", "pack")
	err := os.MkdirAll(folder, 0o755)
	for name, data := range map[string][]byte{"made-by-hand.pack": pack, "made-by-hand.idx": index} {
		err = cmp.Or(err, os.WriteFile(filepath.Join(folder, name), data, 0o644))
	}
	if err != nil {
		t.Fatal(err)
	}
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

// deltaOf returns a delta: the sizes of the base and of the result, and commands.
func deltaOf(base, size uint64, commands string) string {
	return string(binary.AppendUvarint(binary.AppendUvarint(nil, base), size)) + commands
}

// TestHostileObjectsTakeNoMemory reads objects that are small on disk and huge in
// memory.
func TestHostileObjectsTakeNoMemory(t *testing.T) {
	blob := func(content string) packEntry {
		return packEntry{kind: 3, size: int64(len(content)), content: compressed(content)}
	}
	difference := func(base int, text string) packEntry {
		return packEntry{kind: 6, size: int64(len(text)), base: base, content: compressed(text)}
	}
	hugeBlob := packEntry{kind: 3, size: huge, content: plainZeros()}
	copyAll := strings.Repeat("\x80", huge>>16) // each copies 64 KiB from the start
	chain := []packEntry{blob("0123456789")}
	for i := range maxChain + 1 {
		chain = append(chain, difference(i, deltaOf(10, 10, "\x90\x0a")))
	}
	tests := []struct {
		reason  string
		entries []packEntry
		want    string // of the error of the last object
	}{
		{"a huge blob", []packEntry{hugeBlob}, fmt.Sprintf("it has %d bytes, more than the limit of %d", huge, limits.Document)},
		{"a blob with more than it says", []packEntry{{kind: 3, size: 10, content: plainZeros()}}, "can't be read"},
		{"a blob that says that it has all there is", []packEntry{{kind: 3, size: 1 << 59, content: plainZeros()}}, "more than the limit"},
		{"a small delta of a huge blob", []packEntry{hugeBlob, difference(0, deltaOf(huge, 10, "\x90\x0a"))}, "git repack -adf"},
		{"a delta with a huge result", []packEntry{blob(strings.Repeat("x", 1<<16)), difference(0, deltaOf(1<<16, huge, copyAll))}, "more than the limit"},
		{"a delta with a larger result than declared", []packEntry{blob(strings.Repeat("x", 1<<16)), difference(0, deltaOf(1<<16, 10, copyAll))}, "invalid delta"},
		{"a huge delta", []packEntry{blob("x"), {kind: 6, size: huge, base: 0, content: zeros(deltaOf(1, 10, ""))}}, "git repack -adf"},
		{"a delta without sizes", []packEntry{blob("x"), difference(0, "\xff\xff")}, "invalid delta"},
		{"an empty delta", []packEntry{blob("x"), difference(0, "")}, "invalid delta"},
		{"a base of another size", []packEntry{blob("x"), difference(0, deltaOf(2, 10, "\x90\x0a"))}, "invalid delta"},
		{"deltas of each other", []packEntry{
			{kind: 7, size: 4, ref: named(1), content: compressed(deltaOf(10, 10, "\x90\x0a"))},
			{kind: 7, size: 4, ref: named(0), content: compressed(deltaOf(10, 10, "\x90\x0a"))},
		}, "chain of deltas is too long"},
		{"a delta of a missing base", []packEntry{{kind: 7, size: 4, ref: named(9), content: compressed(deltaOf(10, 10, "\x90\x0a"))}}, "is not in its pack"},
		{"a chain that is longer than Git makes", chain, "chain of deltas is too long"},
		{"an unknown type", []packEntry{{kind: 5, size: 1, content: compressed("x")}}, "unknown type 5"},
		{"a tree where a blob should be", []packEntry{{kind: 2, size: 1, content: compressed("x")}}, "it is a tree, expected a blob"},
		{"content that does not match the hash", []packEntry{blob("x")}, "does not match its hash"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			o := writePack(t, tt.entries...)
			last := named(len(tt.entries) - 1)
			allocated := allocates(func() {
				if _, err := o.Read(last, KindBlob, limits.Document); err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("%v, want %q", err, tt.want)
				}
				_, _, _ = o.Stat(last)
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
		{"a huge blob", zeros(fmt.Sprintf("blob %d\x00", huge)), "is too large"},
		{"a blob with more than it says", zeros("blob 10\x00"), "fewer or more"},
		{"a blob with less than it says", compressed("blob 10\x00123"), "fewer or more"},
		{"no header", plainZeros(), "can't be read"},
		{"a header without an end", compressed("blob " + strings.Repeat("1", 1000)), "does not start with a type and a size"},
		{"a size below nothing", compressed("blob -1\x00"), "can't be read"},
		{"a size beyond all", compressed("blob 99999999999999999999\x00"), "can't be read"},
		{"an unknown type", compressed("bolb 1\x00x"), "can't be read"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			dir, h := t.TempDir(), named(0)
			file := filepath.Join(dir, "objects", h.String()[:2], h.String()[2:])
			must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, tt.file, 0o644)))
			o := opened(t, dir)
			allocated := allocates(func() {
				if _, err := o.Read(h, KindBlob, limits.Document); err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("%v, want %q", err, tt.want)
				}
				_, _, _ = o.Stat(h)
			})
			if allocated > most {
				t.Errorf("%d MiB were allocated", allocated>>20)
			}
		})
	}
}
