package document

import (
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/document/schema"
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

func TestEveryFieldHasAClassForEachWayToChange(t *testing.T) {
	identity := map[string]bool{"rubric_id": true, "ruleset_id": true, "version": true}
	eachField(func(path string, f *schema.Field) {
		if identity[f.Key] || strings.HasSuffix(path, "criteria.name") || path == "rule_set.rules.id" {
			if f.Class != (schema.Classes{}) {
				t.Errorf("%s tells documents or elements apart, so it has no class of its own", path)
			}
			return
		}
		for _, way := range f.Ways() {
			if class := f.Class.ClassOf(way); class < schema.Patch || class > schema.Major {
				t.Errorf("%s: %s has no class", path, way)
			}
		}
	})
}

// TestWordsWithAnOrderAreOrdered checks that words that make a verdict stricter have
// the classes raised and lowered, and that no others have.
func TestWordsWithAnOrderAreOrdered(t *testing.T) {
	ordered := map[string]bool{"rubric.criteria.weight": true, "rubric.negative_criteria.effect": true, "rule_set.rules.severity": true}
	eachField(func(path string, f *schema.Field) {
		if f.Value.Shape == schema.Choice && f.IsOrdered() != ordered[path] {
			t.Errorf("%s: ordered is %v, want %v", path, f.IsOrdered(), ordered[path])
		}
	})
}

// TestNoClassIsDead checks that a group whose keys are added and removed one by one
// has no class itself, because it would have no effect.
func TestNoClassIsDead(t *testing.T) {
	eachField(func(path string, f *schema.Field) {
		if len(f.Ways()) == 0 && f.Class != (schema.Classes{}) {
			t.Errorf("%s can't change by itself and has a class", path)
		}
	})
}

// TestJudgeFieldsAreNeverPatch checks the meaning of the classes: different words for
// a judge are at least minor, and what neither a judge nor the verdict reads is patch.
func TestJudgeFieldsAreNeverPatch(t *testing.T) {
	eachField(func(path string, f *schema.Field) {
		var highest schema.Class
		for _, way := range f.Ways() {
			highest = max(highest, f.Class.ClassOf(way))
		}
		if f.Judge && f.Value.Shape == schema.Text && f.Class != (schema.Classes{}) && highest < schema.Minor {
			t.Errorf("%s is read by a judge and its change is only %s", path, highest)
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

// TestSuggestedIDs checks that a suggested ID keeps the words separate.
func TestSuggestedIDs(t *testing.T) {
	for text, want := range map[string]string{
		"IncidentReport_v1": "incident_report_v1", "clarityV1": "clarity_v1", "PRDQuality_v1": "prd_quality_v1",
		"User Story-Quality": "user_story_quality", "USER_STORY": "user_story", "IDs": "ids", "X1Y": "x1_y", "Güte": "",
	} {
		if got := suggestID(text); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
