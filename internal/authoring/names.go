package authoring

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// CheckID returns why a text can't be the ID of a new document of a kind in the library.
func (l *Local) CheckID(k *document.Kind, id string) error {
	if err := CheckID(k, id); err != nil {
		return err
	}
	return l.CheckFree(id)
}

// CheckID returns why a text can't be the ID of a new document of a kind in any library.
func CheckID(k *document.Kind, id string) error {
	err := check(k, k.IDKey, "ID", id)
	major := change.IDMajor.FindString(id)
	first := FirstID(id)
	if (err != nil || major == "") && strings.HasSuffix(first, "_v1") && check(k, k.IDKey, "ID", first) == nil {
		return fmt.Errorf("the ID must be lowercase words joined by underscores and end in _v1, got %s. Did you mean %s?",
			schema.Quote(id), schema.Quote(first))
	}
	if err == nil && major != "_v1" {
		stem := strings.TrimSuffix(id, major)
		err = fmt.Errorf("a new document is a draft (%s), so its ID must end in _v1: %s_v1. `rubric fork %s_v1` creates the next ID of an existing document",
			firstVersion, stem, stem)
	}
	return err
}

// Check returns why a text can't be the value of a key of a document, such as artifact_type.
func Check(k *document.Kind, key, text string) error {
	return check(k, key, strings.ReplaceAll(key, "_", " "), text)
}

func check(k *document.Kind, key, noun, text string) error {
	return checkValue(schema.Find(k.Table.Fields, key).Value, noun, text)
}

// CheckParts returns why texts can't be the names of the criteria, or the IDs of the
// rules, of one document.
func CheckParts(k *document.Kind, parts []string) error {
	list := Parts(k).Value
	if len(parts) == 0 {
		return fmt.Errorf("a %s needs at least one %s", k.Noun, list.Elem.Noun)
	}
	for i, part := range parts {
		noun := list.Identity + " of the " + list.Elem.Noun
		if err := checkValue(schema.Find(list.Elem.Fields, list.Identity).Value, noun, part); err != nil {
			return err
		}
		if slices.Contains(parts[:i], part) {
			return fmt.Errorf("two %s are named %s: expected unique names, because results refer to them",
				Parts(k).Key, schema.Quote(part))
		}
	}
	return nil
}

// NameOf is a name that an ID suggests: "User story quality" for user_story_quality_v1.
func NameOf(id string) string {
	words := strings.ReplaceAll(strings.TrimSuffix(id, "_v1"), "_", " ")
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

// FirstID is the ID that follows from the name of a rubric, or "".
func FirstID(name string) string {
	id := schema.Find(document.Rubric.Table.Fields, document.Rubric.IDKey).Value.Pattern.Suggest(name)
	if id == "" || change.IDMajor.MatchString(id) {
		return id
	}
	return id + "_v1"
}
