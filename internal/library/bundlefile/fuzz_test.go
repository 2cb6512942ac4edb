package bundlefile

import (
	"errors"
	"strings"
	"testing"
)

// FuzzOpen opens arbitrary bytes: every error has a type, and only what Write writes
// is accepted.
func FuzzOpen(f *testing.F) {
	data := write(f, nil)
	f.Add(data)
	f.Add(write(f, func(m *Manifest, index *[]IndexLine, files *[]File) { *index, *files, m.Yanked = nil, nil, nil }))
	f.Add(data[:len(data)/2])
	f.Add(data[len(data)/2:])
	f.Add(appendEnd(nil, many, 0, 0))
	f.Add(archive(f, unpack(f, data), 8, "comment"))
	f.Add([]byte("<!DOCTYPE html>"))
	f.Add([]byte("PK\x06\x06000000\xff\xff0000000000")) // an end that begins as zip64 and is too short for it
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := open(data)
		checkTyped(t, err)
		if err == nil {
			for path := range b.Paths("") {
				content, err := b.Read(path)
				checkTyped(t, err)
				if err == nil && digestPrefix+sumOf(content) != b.EntryDigest(path) {
					t.Errorf("%s has another digest than Read checked", path)
				}
			}
			for _, err := range b.Index() {
				checkTyped(t, err)
			}
		}
		_, err = verify(data)
		checkTyped(t, err)
		checkWritable(t, data)
	})
}

func checkTyped(t *testing.T, err error) {
	var integrity *IntegrityError
	var format *FormatError
	if err != nil && !errors.As(err, &integrity) && !errors.As(err, &format) {
		t.Errorf("got %v, expected a typed error", err)
	}
}

// FuzzEntries changes the JSON entries and the list, and makes everything else agree,
// which random changes of bytes never do.
func FuzzEntries(f *testing.F) {
	files := unpack(f, write(f, nil))
	f.Add(string(files[0].Data), string(files[2].Data), "rubrics/a/1.2.0.json", false)
	f.Add(string(files[0].Data), string(files[2].Data), "schema/a.json", true)
	f.Add(strings.Repeat("[", 20_000), "{}\n", "../x", true)
	f.Fuzz(func(t *testing.T, manifest, index, name string, add bool) {
		changed := unpack(t, write(t, nil))
		changed[0].Data, changed[2].Data = []byte(manifest), []byte(index)
		if len(name) > 1<<16-1 {
			return // a zip can't hold it
		}
		if add {
			changed = append(changed, File{name, []byte("{}")})
		} else {
			changed[10].Path = name
		}
		data := pack(t, resum(changed))
		_, err := verify(data)
		checkTyped(t, err)
		checkWritable(t, data)
	})
}
