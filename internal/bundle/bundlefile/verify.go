package bundlefile

import "io"

// Verify reads all of a bundle and accepts it only if Write could have written it.
// Open compares the zip's directory and its end with the bytes that Write writes;
// Verify also checks every entry with the record before it, and whether the manifest,
// the index, and the entries agree. Errors are those of Open; an *IntegrityError names
// the wrong entries, up to a maximum. One entry at a time is in memory. content checks
// each entry, unless it is nil; its errors become Problems.
func Verify(r io.ReaderAt, size int64, o Options, content func(path string, data []byte) error) (*Bundle, error) {
	b, err := Open(r, size, o)
	if err != nil {
		return nil, err
	}
	var found IntegrityError
	for i := range b.entries {
		e := &b.entries[i]
		data, err := b.load(e)
		if err == nil && content != nil {
			err = content(e.name, data)
		}
		if p, ok := err.(Problem); ok {
			if len(found.Problems) < maxProblems {
				found.Problems = append(found.Problems, p)
			} else {
				found.More++
			}
		} else if err != nil {
			return nil, err
		}
	}
	if len(found.Problems) > 0 {
		return nil, &found
	}
	if err := checkAgreement(&b.manifest, b.Index(), b.entries); err != nil {
		return nil, Integrity(err)
	}
	return b, nil
}
