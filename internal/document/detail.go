package document

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// Detail is the value of a key at the root of a document, in words.
type Detail struct {
	// Name is the key in words: "Calibration dataset".
	Name string
	// Text is the value, or the values of a list or map, each with its key.
	Text string
}

// placed are the plain keys with a fixed place in every view of a document.
var placed = []string{Rubric.IDKey, RuleSet.IDKey, "name", "version", "artifact_type", "description"}

// Details returns the plain values of a document in canonical form whose keys a view
// doesn't show already, in the order of the table, so that a new key appears in every
// view. Groups and lists of groups are left out. shown are the keys that a view shows in
// addition to placed.
func Details(k *Kind, canonical []byte, shown ...string) ([]Detail, error) {
	var root map[string]any
	if err := json.Unmarshal(canonical, &root); err != nil {
		return nil, err
	}
	var details []Detail
	for i := range k.Table.Fields {
		f := &k.Table.Fields[i]
		value, there := root[f.Key]
		if !there || slices.Contains(placed, f.Key) || slices.Contains(shown, f.Key) {
			continue
		}
		if text, ok := plain(f.Value, value); ok {
			details = append(details, Detail{label(f.Key), text})
		}
	}
	return details, nil
}

func label(key string) string {
	key = strings.ReplaceAll(key, "_", " ")
	return strings.ToUpper(key[:1]) + key[1:]
}

// Outline returns the groups in the lists of a document in canonical form, such as its
// criteria, as lines that are indented by depth.
func Outline(k *Kind, canonical []byte) ([]string, error) {
	var root map[string]any
	if err := json.Unmarshal(canonical, &root); err != nil {
		return nil, err
	}
	var lines []string
	for i := range k.Table.Fields {
		f := &k.Table.Fields[i]
		if f.Value.Shape != schema.List || f.Value.Elem.Shape != schema.Object {
			continue
		}
		elems, _ := root[f.Key].([]any)
		for _, elem := range elems {
			if group, ok := elem.(map[string]any); ok {
				lines = append(lines, "", fmt.Sprintf("%v (%s)", group[f.Value.Identity], f.Value.Elem.Noun))
				delete(group, f.Value.Identity)
				lines = append(lines, groupLines(f.Value.Elem, group)...)
			}
		}
	}
	return lines, nil
}

// groupLines returns the lines of a group of keys, in the order of its table.
func groupLines(v *schema.Value, group map[string]any) (lines []string) {
	fields := v.Fields
	if variant := v.Variants[fmt.Sprint(group[v.Variant])]; variant != nil {
		fields = slices.Concat(fields, variant.Fields)
	}
	for i := range fields {
		f := &fields[i]
		if value := group[f.Key]; value != nil {
			lines = append(lines, valueLines(label(f.Key)+":", f.Value, value)...)
		}
	}
	return lines
}

// valueLines returns the lines of a value after its name, or after the dash of a list.
func valueLines(name string, v *schema.Value, value any) (lines []string) {
	switch value := value.(type) {
	case map[string]any:
		lines = indented(groupLines(v, value))
		if name == "-" && len(lines) > 0 {
			lines[0] = "  - " + strings.TrimLeft(lines[0], " ")
			return lines
		}
	case []any:
		for _, item := range value {
			lines = append(lines, indented(valueLines("-", v.Elem, item))...)
		}
	default:
		text := fmt.Sprint(value)
		if number, ok := value.(float64); ok {
			text = schema.Plain(number)
		}
		text = strings.TrimRight(text, "\n")
		if !strings.Contains(text, "\n") {
			return []string{"  " + name + " " + text}
		}
		lines = indented(indented(strings.Split(text, "\n")))
	}
	return append([]string{"  " + name}, lines...)
}

func indented(lines []string) []string {
	for i := range lines {
		lines[i] = "  " + lines[i]
	}
	return lines
}

// plain returns a value without groups in words.
func plain(v *schema.Value, value any) (text string, ok bool) {
	switch value := value.(type) {
	case map[string]any:
		if v.Shape != schema.Map {
			return "", false
		}
		var pairs []string
		for key, text := range value {
			pairs = append(pairs, fmt.Sprintf("%s: %v", key, text))
		}
		slices.Sort(pairs)
		return strings.Join(pairs, ", "), true
	case []any:
		if v.Elem.Shape == schema.Object {
			return "", false
		}
		var items []string
		for _, item := range value {
			items = append(items, fmt.Sprint(item))
		}
		return strings.Join(items, ", "), true
	}
	return fmt.Sprint(value), true
}
