package bundlefile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
)

// explainEnd says why the file does not end as a bundle does.
func explainEnd(r io.ReaderAt, size int64) error {
	head := make([]byte, min(size, int64(localLen+len(ManifestName))))
	tail := make([]byte, min(size, 1<<16+sizeOfEnd(many)))
	if err := readAt(r, head, 0); err != nil {
		return err
	}
	if err := readAt(r, tail, size-int64(len(tail))); err != nil {
		return err
	}
	at := bytes.LastIndex(tail[:max(0, len(tail)-endLen+len(endSignature))], []byte(endSignature))
	if at < 0 {
		if beginsAsBundle(head) {
			return problemf("", "its end is missing: the file was cut off after %d bytes, or its last bytes were changed", size)
		}
		return &FormatError{Reason: fmt.Sprintf("it is no zip, it begins with %s; expected a file that rubric-bundle wrote", excerpt(head, 0))}
	}
	end := tail[at:]
	n := int(binary.LittleEndian.Uint16(end[10:]))
	d := directory{n: n, size: int64(binary.LittleEndian.Uint32(end[12:])), offset: int64(binary.LittleEndian.Uint32(end[16:]))}
	after := int64(len(end) - endLen)
	switch comment := int64(binary.LittleEndian.Uint16(end[20:])); {
	case !beginsAsBundle(head) && after > 0:
		return notABundle()
	case after > 0 && comment == after:
		return problemf("", "it has a comment of %d bytes at its end; a bundle has none", after)
	case after > 0:
		return problemf("", "%d bytes were added after its end", after)
	}
	actual := size - sizeOfEnd(n) - d.size
	switch {
	case actual >= 0 && actual != d.offset && beginsWith(r, actual, centralSignature):
		return explainShift(r, d, actual)
	case actual > d.offset && beginsWith(r, d.offset, centralSignature):
		return problemf("", "%d bytes were added in or after the zip's directory", actual-d.offset)
	case actual < d.offset && beginsWith(r, d.offset, centralSignature):
		return problemf("", "%d bytes are missing in the zip's directory", d.offset-actual)
	case actual == d.offset && n < many:
		if p, differs := explainFields("", "at its end", end, appendEnd(nil, n, d.size, d.offset), endFields); differs {
			return p
		}
	}
	return problemf("", "its last bytes, which say where the zip's directory is, were changed")
}

// beginsWith tells whether the bytes stand at the offset.
func beginsWith(r io.ReaderAt, offset int64, bytes string) bool {
	got := make([]byte, len(bytes))
	return readAt(r, got, offset) == nil && string(got) == bytes
}

// explainShift says where bytes were added or removed, when the directory is at
// another place than the end says.
func explainShift(r io.ReaderAt, d directory, actual int64) error {
	data := make([]byte, d.size)
	if err := readAt(r, data, actual); err != nil {
		return err
	}
	records, _ := scan(data)
	if len(records) > 0 && records[0].name != ManifestName {
		return notABundle()
	}
	last := ""
	for _, rec := range records {
		if !beginsWith(r, int64(rec.offset), string(appendLocal(nil, &rec.entry))) {
			break
		}
		last = rec.name
	}
	switch by := actual - d.offset; {
	case last == "" && by > 0:
		return problemf("", "%d bytes were added at its beginning", by)
	case last == "":
		return problemf("", "%d bytes are missing at its beginning", -by)
	case by > 0:
		return problemf(last, "%d bytes were added in or after it", by)
	default:
		return problemf(last, "%d bytes are missing in or after it", -by)
	}
}

// notABundle is the error of a zip that is something else.
func notABundle() error {
	return &FormatError{Reason: "it is a zip that does not begin with " + ManifestName + "; expected a file that rubric-bundle wrote"}
}
