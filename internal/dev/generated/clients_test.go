package generated

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
)

// The lines around the generated block of a client.
const (
	blockBegin = " Generated from the schema tables. Do not edit: go test ./internal/dev/generated -update\n"
	blockEnd   = " End of the generated block.\n"
)

// Clients returns the clients in other languages, with their generated blocks, by path
// in the repository. read returns the current file.
func Clients(read func(path string) ([]byte, error)) (map[string][]byte, error) {
	p := &plainTypes{Kinds: map[string]any{}}
	for _, k := range append(document.Kinds(), &document.Retired) {
		p.add(k.Name, k.Table)
	}
	var tables strings.Builder
	write := func(name string, value any, end string) {
		fmt.Fprintf(&tables, "%s = %s%s\n", name, literal(value, ""), end)
	}
	files := map[string][]byte{}
	for _, c := range []struct{ path, comment, name, end string }{
		{"clients/python/rubric_bundle.py", "#", "_%s", ""},
		{"clients/javascript/rubric-bundle.mjs", "//", "const %s", ";"},
		{"clients/javascript/rubric-bundle.d.mts", "//", "", ""},
	} {
		data, err := read(c.path)
		if err != nil {
			return nil, err
		}
		head, rest, hasBegin := strings.Cut(string(data), c.comment+blockBegin)
		_, tail, hasEnd := strings.Cut(rest, c.comment+blockEnd)
		if !hasBegin || !hasEnd {
			return nil, fmt.Errorf("%s has no lines for a generated block", c.path)
		}
		tables.Reset()
		if c.name == "" {
			tables.WriteString(typeScript())
		} else {
			write(fmt.Sprintf(c.name, "PATTERNS"), anyOf(p.Patterns), c.end)
			for _, kind := range slices.Sorted(maps.Keys(p.Kinds)) {
				write(fmt.Sprintf(c.name, strings.ToUpper(kind)), p.Kinds[kind], c.end)
			}
		}
		files[c.path] = []byte(head + c.comment + blockBegin + tables.String() + c.comment + blockEnd + tail)
	}
	return files, nil
}

func anyOf(texts []string) []any {
	out := make([]any, len(texts))
	for i, text := range texts {
		out[i] = text
	}
	return out
}

// literal returns a value in the syntax that both languages share, in lines of limited
// length.
func literal(value any, indent string) string {
	var open, end string
	var parts []string
	inner := indent + "    "
	switch v := value.(type) {
	case map[string]any:
		open, end = "{", "}"
		for _, key := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, strconv.Quote(key)+": "+literal(v[key], inner))
		}
	case []any:
		open, end = "[", "]"
		for _, elem := range v {
			parts = append(parts, literal(elem, inner))
		}
	case string:
		return strconv.QuoteToASCII(v)
	default:
		data, err := json.Marshal(v) // numbers, and lists of numbers and words
		if err != nil {
			panic(err)
		}
		return strings.ReplaceAll(string(data), ",", ", ")
	}
	flat := open + strings.Join(parts, ", ") + end
	if len(indent)+len(flat) <= 120 && !strings.Contains(flat, "\n") {
		return flat
	}
	return open + "\n" + inner + strings.Join(parts, ",\n"+inner) + ",\n" + indent + end
}
