package bundlefile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/jsontext"
)

// canonical returns the JSON of RFC 8785 of a struct with its fields in the order of their keys.
func canonical(value any) ([]byte, error) {
	data, err := jsontext.Encode(value, "", "")
	return []byte(unescape.Replace(string(data))), err
}

// unescape undoes the escapes of encoding/json that RFC 8785 does not have. An escaped backslash
// is matched first, because what comes after it is not an escape.
var unescape = strings.NewReplacer(`\\`, `\\`, `\u2028`, "\u2028", `\u2029`, "\u2029")

// decode reads JSON into a value and rejects what is not the JSON of that value: unknown,
// repeated, and misspelled keys, keys in another case, spaces, other escapes, invalid UTF-8, and
// anything after the end.
func decode(data []byte, into interface{ encode() ([]byte, error) }) error {
	var want []byte
	err := json.Unmarshal(data, into)
	if err == nil {
		want, err = into.encode()
	}
	if err == nil {
		if bytes.Equal(data, want) {
			return nil
		}
		strict := json.NewDecoder(bytes.NewReader(data))
		strict.DisallowUnknownFields()
		if err = strict.Decode(into); err == nil {
			at := firstDifference(data, want)
			return fmt.Errorf("its JSON is not in canonical form: at byte %d, expected %s, got %s",
				at, excerpt(want, at), excerpt(data, at))
		}
	}
	return fmt.Errorf("its JSON is not valid in a bundle: %.200s", strings.TrimPrefix(err.Error(), "json: "))
}

// jsonLine is a pointer to a line of the index or of the calibrations.
type jsonLine[T any] interface {
	*T
	id() string
	// encode returns the line in canonical form, without a line feed.
	encode() ([]byte, error)
	// check returns an error if a bundle of a format can't have the line.
	check(format int) error
}

func encodeLines[T any, P jsonLine[T]](lines []T) ([]byte, error) {
	data := []byte{}
	for i := range lines {
		line, err := P(&lines[i]).encode()
		if err != nil {
			return nil, err
		}
		data = append(append(data, line...), '\n')
	}
	return data, nil
}

func decodeLine[T any, P jsonLine[T]](data []byte, format int) (line T, err error) {
	if err = decode(data, P(&line)); err == nil {
		err = P(&line).check(format)
	}
	return line, err
}

// decodeLines yields the lines of an entry, which are sorted by ID and end with line feeds. An
// error is a Problem, and ends the sequence.
func decodeLines[T any, P jsonLine[T]](
	name string, data []byte, decode func(text []byte) (T, error),
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		before := ""
		for n := 1; len(data) > 0; n++ {
			var line T
			end := bytes.IndexByte(data[:min(len(data), MaxIndexLine+1)], '\n')
			if end < 0 {
				yield(line, problemf(name, "line %d is longer than %d bytes", n, MaxIndexLine))
				return
			}
			line, err := decode(data[:end])
			id := P(&line).id()
			if err != nil {
				err = problemf(name, "line %d: %v", n, err)
			} else if id <= before {
				err = problemf(name, "%s follows %s: expected each document once, sorted by ID", id, before)
			}
			if !yield(line, err) || err != nil {
				return
			}
			data, before = data[end+1:], id
		}
	}
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
