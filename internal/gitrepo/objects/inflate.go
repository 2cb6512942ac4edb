package objects

import (
	"compress/zlib"
	"io"
	"slices"
)

// window is a part of a file that is read at any place. It is a flate.Reader.
type window struct {
	file  io.ReaderAt
	end   int64 // where reading ends, or 0
	data  []byte
	begin int64 // of data in the file
	next  int   // in data
}

// windowSize is how much is read at once: several small objects.
const windowSize = 8 << 10

func (w *window) seek(offset int64) {
	w.end = 0
	if next := offset - w.begin; next >= 0 && next <= int64(len(w.data)) {
		w.next = int(next)
		return
	}
	w.begin, w.data, w.next = offset, w.data[:0], 0
}

// offset is the offset of what is read next.
func (w *window) offset() int64 { return w.begin + int64(w.next) }

// fill reads the next part of the file, or returns io.EOF.
func (w *window) fill() error {
	w.begin, w.next = w.offset(), 0
	if cap(w.data) == 0 {
		w.data = make([]byte, windowSize)
	}
	n, err := w.file.ReadAt(w.data[:cap(w.data)], w.begin)
	w.data = w.data[:n]
	if n > 0 {
		return nil
	}
	return err
}

func (w *window) ReadByte() (byte, error) {
	if w.end > 0 && w.offset() == w.end {
		return 0, io.EOF
	}
	if w.next == len(w.data) {
		if err := w.fill(); err != nil {
			return 0, err
		}
	}
	b := w.data[w.next]
	w.next++
	return b, nil
}

func (w *window) Read(p []byte) (int, error) {
	if w.end > 0 && w.offset() == w.end {
		return 0, io.EOF
	}
	if w.next == len(w.data) {
		if err := w.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, w.data[w.next:])
	if w.end > 0 {
		n = min(n, int(w.end-w.offset()))
	}
	w.next += n
	return n, nil
}

// inflater decompresses one object after the other.
type inflater struct{ zlib io.ReadCloser }

// reset begins with the next object.
func (i *inflater) reset(r io.Reader) (io.Reader, error) {
	if i.zlib != nil {
		return i.zlib, i.zlib.(zlib.Resetter).Reset(r, nil)
	}
	var err error
	i.zlib, err = zlib.NewReader(r)
	return i.zlib, err
}

// atOnce is the most that is allocated for an object before its bytes arrive.
const atOnce = 1 << 20

// readExactly reads the number of bytes that an object claims to have. A damaged or
// hostile object has fewer or more, so memory grows with the bytes that arrive, and at
// most one byte too many is read.
func readExactly(r io.Reader, size int64) ([]byte, error) {
	data := make([]byte, 0, min(size, atOnce)+1)
	for {
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch got := int64(len(data)); {
		case got > size, err == io.EOF && got < size:
			return nil, wrongSize(size)
		case err == io.EOF:
			return data, nil
		case err != nil:
			return nil, err
		case len(data) == cap(data):
			data = slices.Grow(data, int(min(size-got, got))+1)
		}
	}
}

// readStart reads up to n bytes, as many as there are.
func readStart(r io.Reader, n int64) ([]byte, error) {
	start := make([]byte, n)
	read, err := io.ReadFull(r, start)
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		err = nil
	}
	return start[:read], err
}
