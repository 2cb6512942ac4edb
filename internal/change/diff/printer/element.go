package printer

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/change/diff"
)

// field is a key of an element with its value as text for people.
type field struct{ Name, Text string }

var elementPath = regexp.MustCompile(`^([a-z_]+)\[([^\]]+)\]$`)

// elementOf returns the keys of an element that was added or removed, such as a rule, or nil
// for any other change.
func elementOf(d *diff.Document, c *compat.Change) []field {
	side, value := d.Head.Doc, c.Head
	if value == nil {
		side, value = d.Base.Doc, c.Base
	}
	if (c.Base == nil) == (c.Head == nil) || value == nil || side == nil {
		return nil
	}
	var element map[string]any
	if json.Unmarshal([]byte(value.Text), &element) == nil {
		return fieldsOf(element)
	}
	at := elementPath.FindStringSubmatch(c.Path)
	data, err := side.Canonical()
	var lists map[string]json.RawMessage
	var elements []map[string]any
	if at == nil || err != nil || json.Unmarshal(data, &lists) != nil || json.Unmarshal(lists[at[1]], &elements) != nil {
		return nil
	}
	for _, e := range elements {
		if e["id"] == at[2] || e["name"] == at[2] {
			return fieldsOf(e)
		}
	}
	return nil
}

// fieldsOf returns the keys of an element, the description first.
func fieldsOf(element map[string]any) (fields []field) {
	keys := slices.Sorted(maps.Keys(element))
	if at := slices.Index(keys, "description"); at > 0 {
		keys = slices.Insert(slices.Delete(keys, at, at+1), 0, "description")
	}
	for _, key := range keys {
		if key != "id" && key != "name" {
			fields = append(fields, field{strings.ReplaceAll(key, "_", " "), plainText(element[key])})
		}
	}
	return fields
}

// plainText returns a value without the marks of JSON, with a line for each part.
func plainText(value any) string {
	var lines []string
	switch v := value.(type) {
	case []any:
		for _, each := range v {
			lines = append(lines, plainText(each))
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			lines = append(lines, key+": "+strings.ReplaceAll(plainText(v[key]), "\n", " "))
		}
	default:
		return fmt.Sprint(v)
	}
	return strings.Join(lines, "\n")
}
