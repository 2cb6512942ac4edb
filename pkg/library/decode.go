package library

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// decoded is a version of a document: one of the two.
type decoded struct {
	rubric  *rubric.Rubric
	ruleSet *ruleset.RuleSet
}

func decode(kind Kind, data []byte) (*decoded, error) {
	d := &decoded{}
	if kind == KindRuleSet {
		d.ruleSet = &ruleset.RuleSet{}
		return d, decodeStrict(data, d.ruleSet)
	}
	d.rubric = &rubric.Rubric{}
	return d, decodeStrict(data, d.rubric)
}

// checkName wants the document to be what its entry is called.
func (d *decoded) checkName(want Reference) error {
	var id, version string
	if d.ruleSet != nil {
		id, version = d.ruleSet.ID, d.ruleSet.Version
	} else {
		id, version = d.rubric.ID, d.rubric.Version
	}
	if id != want.ID || version != want.Version {
		return fmt.Errorf("holds %+q, version %+q", id, version)
	}
	return nil
}

// decodeStrict decodes JSON and refuses what encoding/json overlooks: keys that
// nobody knows, that stand twice, or that are written in another case, and
// anything after the end.
func decodeStrict(data []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return fmt.Errorf("its JSON is not that of a document: %.200s", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return fmt.Errorf("its JSON goes on after its end")
	}
	return checkKeys(data)
}

// maxKeys is more than any object of a document or of the index has.
const maxKeys = 64

// checkKeys checks the keys of JSON that was decoded before, so that its syntax is
// not in question.
func checkKeys(data []byte) error {
	var keys [][]byte // of all objects that are open
	var begins []int  // where in keys those of each open object begin
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '{':
			begins = append(begins, len(keys))
		case '}':
			last := len(begins) - 1
			keys, begins = keys[:begins[last]], begins[:last]
		case '"':
			text := stringAt(data[i+1:])
			i += len(text) + 1 // at the quote that ends it
			if !beforeColon(data[i+1:]) {
				continue
			}
			own := keys[begins[len(begins)-1]:]
			if len(own) == maxKeys {
				return fmt.Errorf("its JSON has an object with more than %d keys", maxKeys)
			}
			if !isLower(text) || slices.ContainsFunc(own, func(key []byte) bool { return bytes.Equal(key, text) }) {
				return fmt.Errorf("the key %+q stands twice in its JSON, or is not in lower case", text)
			}
			keys = append(keys, text)
		}
	}
	return nil
}

// stringAt is the JSON string whose first quote stands before data, as written.
func stringAt(data []byte) []byte {
	end := 0
	for data[end] != '"' {
		if data[end] == '\\' {
			end++
		}
		end++
	}
	return data[:end]
}

// beforeColon tells whether what stands before data is a key.
func beforeColon(data []byte) bool {
	rest := bytes.TrimLeft(data, " \t\r\n")
	return len(rest) > 0 && rest[0] == ':'
}

// isLower tells whether a key is ASCII without upper-case letters and escapes, as
// all keys of documents are. encoding/json takes other letters for the same.
func isLower(key []byte) bool {
	for _, b := range key {
		if b >= 0x80 || b >= 'A' && b <= 'Z' || b == '\\' {
			return false
		}
	}
	return true
}
