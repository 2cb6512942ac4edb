package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
)

// Changed names the vectors of a released file that the next file changes: another
// input, another result, or no vector at all. A new vector, another order, and another
// reason are not changes.
func Changed(before, after []byte) ([]string, error) {
	old, names, err := vectors(before)
	if err != nil {
		return nil, err
	}
	now, _, err := vectors(after)
	if err != nil {
		return nil, err
	}
	var changed []string
	for _, name := range names {
		a, b := maps.Clone(old[name]), maps.Clone(now[name])
		delete(a, "reason")
		delete(b, "reason")
		if !reflect.DeepEqual(a, b) {
			changed = append(changed, name)
		}
	}
	return changed, nil
}

// vectors returns the vectors of a file by name, and the names in order.
func vectors(data []byte) (byName map[string]map[string]any, names []string, err error) {
	var f struct {
		Vectors []map[string]any `json:"vectors"`
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, nil, fmt.Errorf("the conformance vectors can't be read: %w", err)
	}
	byName = map[string]map[string]any{}
	for _, v := range f.Vectors {
		name, _ := v["name"].(string)
		byName[name] = v
		names = append(names, name)
	}
	return byName, names, nil
}
