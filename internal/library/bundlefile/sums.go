package bundlefile

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// sumLen is the length of a hexadecimal SHA-256.
const sumLen = 2 * sha256.Size

// separator is between the sum and the name, as in the output of sha256sum.
const separator = "  "

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// parseSums reads SHA256SUMS into the n entries of the bundle, itself included, in the
// order of the container. The entries share the memory of text. A malformed sum is
// found when an entry is compared with it.
func parseSums(text string, n int) ([]entry, error) {
	entries := make([]entry, len(created), min(n, len(created)+len(text)/(sumLen+len(separator))))
	entries[1].name = SumsName
	before := ""
	for line := 1; text != ""; line++ {
		end := strings.IndexByte(text, '\n')
		if end < sumLen+len(separator) || text[sumLen:sumLen+len(separator)] != separator {
			return nil, problemf(SumsName, "line %d is not a sum of 64 digits, two spaces, and a name", line)
		}
		e := entry{sum: text[:sumLen], name: text[sumLen+len(separator) : end]}
		text = text[end+1:]
		switch {
		case !IsName(e.name) || e.name == SumsName:
			return nil, problemf(SumsName, "line %d names %+q, which can't be the name of an entry", line, e.name)
		case e.name <= before:
			return nil, problemf(SumsName, "line %d, %s, must be sorted after %s", line, e.name, before)
		}
		before = e.name
		if i := slices.Index(created, e.name); i >= 0 {
			entries[i] = e
		} else {
			entries = append(entries, e)
		}
	}
	for i, name := range created {
		if entries[i].name != name {
			return nil, problemf(SumsName, "does not list %s", name)
		}
	}
	return entries, nil
}
