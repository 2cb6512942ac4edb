package document

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// Detail is the value of a key at the root of a document, as people read it.
type Detail struct {
	// Name is the key in words: "Calibration dataset".
	Name string
	// Text is the value, or the values of a list or map, each with its key.
	Text string
}

// Details are the plain values of a document in canonical form whose keys a view
// doesn't show already, in the order of the table. A key that is new in the table
// is therefore shown everywhere. Groups and lists of groups are left out.
func Details(k *Kind, canonical []byte, shown ...string) ([]Detail, error) {
	var root map[string]any
	if err := json.Unmarshal(canonical, &root); err != nil {
		return nil, err
	}
	var details []Detail
	for i := range k.Table.Fields {
		f := &k.Table.Fields[i]
		value, there := root[f.Key]
		if !there || slices.Contains(shown, f.Key) {
			continue
		}
		if text, ok := plain(f.Value, value); ok {
			name := strings.ReplaceAll(f.Key, "_", " ")
			details = append(details, Detail{strings.ToUpper(name[:1]) + name[1:], text})
		}
	}
	return details, nil
}

// plain words a value without groups.
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
