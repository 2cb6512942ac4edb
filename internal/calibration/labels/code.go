package labels

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// A row code replaces the ID of an item in a sheet, because an ID such as good-07
// influences a rater. It is the ID mixed with a checksum of it, which hides common
// prefixes and detects typos. It is obfuscation, not encryption: the code can be decoded
// without a stored key.

const (
	// codeLetters never form a word, number, date, or formula that a spreadsheet
	// would change.
	codeLetters = "bcdfghjkmnpqrstv"
	hexDigits   = "0123456789abcdef"
	tagSize     = 3
)

// rowCode returns the code of an ID. All IDs of up to width bytes have codes of the same
// length.
func rowCode(id string, width int) string {
	padded := make([]byte, max(width, len(id)))
	copy(padded, id)
	tag := codeTag(id)
	return translated(hex.EncodeToString(append(tag, mix(padded, tag)...)), hexDigits, codeLetters)
}

// parseRowCode returns the ID that a code encodes. ok is false if the text is not a row code.
func parseRowCode(code string) (id string, ok bool) {
	code = strings.ToLower(strings.TrimSpace(code))
	mixed, err := hex.DecodeString(translated(code, codeLetters, hexDigits))
	if err != nil || len(mixed) <= tagSize || len(mixed) > tagSize+1024 {
		return "", false
	}
	tag := mixed[:tagSize]
	id = strings.TrimRight(string(mix(mixed[tagSize:], tag)), "\x00")
	return id, string(codeTag(id)) == string(tag) && pseudonym.MatchString(id)
}

// translated maps one set of 16 letters to another, and all other characters to "-".
func translated(text, from, to string) string {
	return strings.Map(func(r rune) rune {
		if i := strings.IndexRune(from, r); i >= 0 {
			return rune(to[i])
		}
		return '-'
	}, text)
}

func codeTag(id string) []byte {
	sum := sha256.Sum256([]byte("rubric-calibrate row code\x00" + id))
	return sum[:tagSize:tagSize]
}

// mix combines the data with a stream of bytes derived from the tag. It is its own
// inverse.
func mix(data, tag []byte) []byte {
	out := make([]byte, len(data))
	var block [sha256.Size]byte
	for i := range data {
		if i%sha256.Size == 0 {
			block = sha256.Sum256(append([]byte{'s', byte(i / sha256.Size)}, tag...))
		}
		out[i] = data[i] ^ block[i%sha256.Size]
	}
	return out
}
