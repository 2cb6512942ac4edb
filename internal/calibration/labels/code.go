package labels

import (
	"crypto/sha256"
	"encoding/hex"
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
	hexDigits   = "0123456789abcdef"
	tagSize     = 3
)

var errCode = errors.New("no row code")

// rowCode is the code of an ID, as long as that of any other ID of at most width
// bytes.
func rowCode(id string, width int) string {
	padded := make([]byte, max(width, len(id)))
	copy(padded, id)
	tag := codeTag(id)
	return translated(hex.EncodeToString(append(tag, mix(padded, tag)...)), hexDigits, codeLetters)
}

// parseRowCode is the ID that a code stands for.
func parseRowCode(code string) (string, error) {
	code = strings.ToLower(strings.TrimSpace(code))
	mixed, err := hex.DecodeString(translated(code, codeLetters, hexDigits))
	if err != nil || len(mixed) <= tagSize || len(mixed) > tagSize+1024 {
		return "", errCode
	}
	tag := mixed[:tagSize]
	id := strings.TrimRight(string(mix(mixed[tagSize:], tag)), "\x00")
	if string(codeTag(id)) != string(tag) || !pseudonym.MatchString(id) {
		return "", errCode
	}
	return id, nil
}

// translated writes one set of 16 letters as another, and what is not in it as "-".
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
