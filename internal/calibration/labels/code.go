package labels

import (
	"crypto/sha256"
	"errors"
	"strings"
)

// A row code stands for the ID of an item in a sheet, because an ID such as
// good-07 tells a rater what to think. It is the ID, mixed with a number that
// follows from it: equal beginnings do not show, and a mistyped code is none.
// Whoever knows this program can read it; that is enough against hints, and needs
// no file that has to be kept.

const (
	// codeLetters make words of no language, no number, no date and no formula, in
	// which a spreadsheet changes nothing.
	codeLetters = "bcdfghjkmnpqrstv"
	tagSize     = 3
)

var errCode = errors.New("no row code")

// rowCode is the code of an ID, as long as that of any other ID of at most width
// bytes.
func rowCode(id string, width int) string {
	padded := make([]byte, max(width, len(id)))
	copy(padded, id)
	tag := codeTag(id)
	mixed := append(tag, mix(padded, tag)...)
	var b strings.Builder
	for _, c := range mixed {
		b.WriteByte(codeLetters[c>>4])
		b.WriteByte(codeLetters[c&15])
	}
	return b.String()
}

// parseRowCode is the ID that a code stands for.
func parseRowCode(code string) (string, error) {
	code = strings.ToLower(strings.TrimSpace(code))
	if len(code)%2 != 0 || len(code) <= 2*tagSize || len(code) > 2*(tagSize+1024) {
		return "", errCode
	}
	mixed := make([]byte, len(code)/2)
	for i := range mixed {
		high, low := strings.IndexByte(codeLetters, code[2*i]), strings.IndexByte(codeLetters, code[2*i+1])
		if high < 0 || low < 0 {
			return "", errCode
		}
		mixed[i] = byte(high<<4 | low)
	}
	tag := mixed[:tagSize]
	id := strings.TrimRight(string(mix(mixed[tagSize:], tag)), "\x00")
	if string(codeTag(id)) != string(tag) || !pseudonym.MatchString(id) {
		return "", errCode
	}
	return id, nil
}

func codeTag(id string) []byte {
	sum := sha256.Sum256([]byte("rubric-calibrate row code\x00" + id))
	return sum[:tagSize:tagSize]
}

// mix adds a stream of bytes that follows from the tag. Done twice, it changes
// nothing.
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
