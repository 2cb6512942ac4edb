package document

import (
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/schema"
)

// eachField calls do for every field of every table, with its path.
func eachField(do func(path string, f *schema.Field)) {
	var object func(path string, v *schema.Value)
	fields := func(path string, list []schema.Field) {
		for i := range list {
			f := &list[i]
			at := path + "." + f.Key
			do(at, f)
			inner := f.Value
			for inner.Shape == schema.List {
				inner = inner.Elem
			}
			object(at, inner)
		}
	}
	object = func(path string, v *schema.Value) {
		fields(path, v.Fields)
		for word, variant := range v.Variants {
			object(path+"("+word+")", variant)
		}
	}
	for _, k := range Kinds() {
		object(k.Name, k.Table)
	}
}

// ways is the ways in which a field can change, as its shape has it.
func ways(f *schema.Field) map[string]schema.Class {
	c, v := f.Class, f.Value
	ways := map[string]schema.Class{}
	if !f.Required && f.Default == "" && f.Derive == nil {
		ways["added"], ways["removed"] = c.Added, c.Removed
	}
	ordered := f.Key == "weight" || f.Key == "effect" || f.Key == "severity"
	switch {
	case v.Shape == schema.Number, v.Shape == schema.Integer, v.Shape == schema.Choice && ordered:
		ways["raised"], ways["lowered"] = c.Raised, c.Lowered
	case v.Shape == schema.List && v.Identity != "":
		ways["added"], ways["removed"], ways["renamed"], ways["reordered"] = c.Added, c.Removed, c.Renamed, c.Reordered
	case v.Shape == schema.List:
		ways["added"], ways["removed"], ways["changed"], ways["reordered"] = c.Added, c.Removed, c.Changed, c.Reordered
	case v.Shape == schema.Map:
		ways["added"], ways["removed"], ways["changed"] = c.Added, c.Removed, c.Changed
	case v.Shape == schema.Text, v.Shape == schema.Flag, v.Shape == schema.Choice:
		ways["changed"] = c.Changed
	}
	return ways
}

func TestEveryFieldHasAClassForEachWayToChange(t *testing.T) {
	identity := map[string]bool{"rubric_id": true, "ruleset_id": true, "version": true}
	eachField(func(path string, f *schema.Field) {
		if identity[f.Key] || strings.HasSuffix(path, "criteria.name") || path == "rule_set.rules.id" {
			if f.Class != (schema.Classes{}) {
				t.Errorf("%s tells documents or elements apart, so it has no class of its own", path)
			}
			return
		}
		for way, class := range ways(f) {
			if class < schema.Patch || class > schema.Major {
				t.Errorf("%s: %s has no class", path, way)
			}
		}
	})
}

// TestJudgeFieldsAreNeverPatch holds the meaning of the classes: other words for
// a judge are at least minor, and what neither a judge nor the verdict reads is
// patch.
func TestJudgeFieldsAreNeverPatch(t *testing.T) {
	eachField(func(path string, f *schema.Field) {
		if f.Judge && f.Value.Shape == schema.Text && len(f.Ways()) > 0 && f.Class.Highest() < schema.Minor {
			t.Errorf("%s is read by a judge and its change is only %s", path, f.Class.Highest())
		}
	})
}

func TestEveryFieldIsDocumented(t *testing.T) {
	eachField(func(path string, f *schema.Field) {
		if f.Doc == "" || !strings.HasSuffix(f.Doc, ".") || strings.ToUpper(f.Doc[:1]) != f.Doc[:1] {
			t.Errorf("%s: the documentation must be a sentence, and is %q", path, f.Doc)
		}
		for _, o := range f.Value.Options {
			if o.Doc == "" {
				t.Errorf("%s: the word %s is not documented", path, o.Word)
			}
		}
		if f.Required && f.Default != "" {
			t.Errorf("%s is required and has a default", path)
		}
	})
}
