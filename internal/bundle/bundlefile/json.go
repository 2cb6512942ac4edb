package bundlefile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/jsontext"
)

// The functions below append JSON in the form of RFC 8785. Callers append the members
// of an object in the order of their keys. encoding/json is not used because it
// escapes more than RFC 8785 does, and its details change from version to version.

// appendKey appends a key, and a comma before it if necessary.
func appendKey(out []byte, key string) []byte {
	if out[len(out)-1] != '{' {
		out = append(out, ',')
	}
	return append(jsontext.Append(out, key), ':')
}

func appendText(out []byte, key, value string) []byte {
	return jsontext.Append(appendKey(out, key), value)
}

// appendOptional appends a text unless it is empty.
func appendOptional(out []byte, key, value string) []byte {
	if value == "" {
		return out
	}
	return appendText(out, key, value)
}

func appendInt(out []byte, key string, value int) []byte {
	return strconv.AppendInt(appendKey(out, key), int64(value), 10)
}

func appendList[E any](out []byte, key string, elems []E, each func([]byte, *E) []byte) []byte {
	out = append(appendKey(out, key), '[')
	for i := range elems {
		if i > 0 {
			out = append(out, ',')
		}
		out = each(out, &elems[i])
	}
	return append(out, ']')
}

// decode reads JSON into a value and rejects what encode would not write for that
// value: unknown, repeated, and misspelled keys, keys in another case, spaces, other
// escapes, invalid UTF-8, and anything after the end.
func decode(data []byte, into any, encode func() []byte) error {
	err := json.Unmarshal(data, into)
	if err == nil {
		want := encode()
		if bytes.Equal(data, want) {
			return nil
		}
		strict := json.NewDecoder(bytes.NewReader(data))
		strict.DisallowUnknownFields()
		if err = strict.Decode(into); err == nil {
			at := firstDifference(data, want)
			return fmt.Errorf("its JSON is not in canonical form: at byte %d, expected %s, got %s", at, excerpt(want, at), excerpt(data, at))
		}
	}
	return fmt.Errorf("its JSON is not valid in a bundle: %.200s", strings.TrimPrefix(err.Error(), "json: "))
}

// firstDifference is the index of the first byte that differs.
func firstDifference(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// excerpt quotes the data at an offset.
func excerpt(data []byte, at int) string {
	if at >= len(data) {
		return "the end"
	}
	return strconv.QuoteToASCII(string(data[at:min(len(data), at+20)]))
}
