package bundlefile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rubric-library/rubric-library/internal/document/jsontext"
)

// appendJSON appends a value in the form of RFC 8785. encoding/json is not used because it
// escapes more than RFC 8785 does, and its details change from version to version. Members
// with the option omitempty are left out if they are empty, unless all is set.
func appendJSON(out []byte, v reflect.Value, all bool) []byte {
	switch v.Kind() {
	case reflect.Struct:
		return appendObject(out, v, all)
	case reflect.Pointer:
		return appendJSON(out, v.Elem(), all)
	case reflect.Slice:
		out = append(out, '[')
		for i := range v.Len() {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendJSON(out, v.Index(i), all)
		}
		return append(out, ']')
	case reflect.Int:
		return strconv.AppendInt(out, v.Int(), 10)
	case reflect.Float64:
		return jsontext.AppendNumber(out, v.Float())
	case reflect.Bool:
		return strconv.AppendBool(out, v.Bool())
	}
	return jsontext.Append(out, v.String())
}

func appendObject(out []byte, v reflect.Value, all bool) []byte {
	out = append(out, '{')
	for _, m := range membersOf(v.Type()) {
		value := v.FieldByIndex(m.index)
		if m.optional && !all && (value.IsZero() || value.Kind() == reflect.Slice && value.Len() == 0) {
			continue
		}
		if out[len(out)-1] != '{' {
			out = append(out, ',')
		}
		out = appendJSON(append(append(out, m.key...), ':'), value, all)
	}
	return append(out, '}')
}

type member struct {
	key      string // in quotes
	index    []int  // of the field
	optional bool
}

var members sync.Map // []member by reflect.Type

// membersOf returns the members of a struct, sorted by their keys.
func membersOf(t reflect.Type) []member {
	if known, ok := members.Load(t); ok {
		return known.([]member)
	}
	var all []member
	for _, f := range reflect.VisibleFields(t) {
		if key, option, _ := strings.Cut(f.Tag.Get("json"), ","); !f.Anonymous {
			all = append(all, member{strconv.Quote(key), f.Index, option == "omitempty"})
		}
	}
	slices.SortFunc(all, func(a, b member) int { return strings.Compare(a.key, b.key) })
	members.Store(t, all)
	return all
}

// decode reads JSON into a value and rejects what is not the JSON of that value: unknown, repeated, and misspelled keys, keys in another case, spaces, other
// escapes, invalid UTF-8, and anything after the end.
func decode(data []byte, into interface{ encode() []byte }) error {
	err := json.Unmarshal(data, into)
	if err == nil {
		want := into.encode()
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
