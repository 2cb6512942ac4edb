package serve

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/rubric-library/rubric-library/pkg/library"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// schemas are the schemas of Go types, by name.
type schemas struct {
	named object
	types map[string]reflect.Type
}

func newSchemas() *schemas { return &schemas{object{}, map[string]reflect.Type{}} }

// enumerations are the values of types that are texts.
var enumerations = map[reflect.Type]any{
	reflect.TypeFor[library.Answer]():     []library.Answer{library.Yes, library.LibraryLimits, library.NotYet, library.CannotTell, library.No},
	reflect.TypeFor[library.Kind]():       []library.Kind{library.KindRubric, library.KindRuleSet},
	reflect.TypeFor[rubric.Weight]():      []rubric.Weight{rubric.Essential, rubric.Important},
	reflect.TypeFor[rubric.Effect]():      []rubric.Effect{rubric.EffectFail, rubric.EffectReport},
	reflect.TypeFor[rubric.ReasonKind]():  []rubric.ReasonKind{rubric.ReasonCriterion, rubric.ReasonOverall, rubric.ReasonHit},
	reflect.TypeFor[ruleset.ReasonKind](): []ruleset.ReasonKind{ruleset.ReasonFailed, ruleset.ReasonSkipped, ruleset.ReasonScore},
	reflect.TypeFor[ruleset.Severity]():   []ruleset.Severity{ruleset.SeverityFail, ruleset.SeverityWarn, ruleset.SeverityInfo},
	reflect.TypeFor[ruleset.Phase]():      []ruleset.Phase{ruleset.PhaseA, ruleset.PhaseB},
	reflect.TypeFor[ruleset.Verdict]():    []ruleset.Verdict{ruleset.VerdictPass, ruleset.VerdictFail, ruleset.VerdictSkipped},
}

// fieldValues are the values of fields that are texts in Go.
var fieldValues = map[string][]string{
	"Calibration.labeled_by": {"people", "authors", "model"},
	"LibraryInfo.source":     {"bundle", "folder"},
	"Status.source":          {"bundle", "folder"},
	"Status.status":          {"ok", "ready"},
}

// names are those of types that share theirs with another one.
var names = map[reflect.Type]string{
	reflect.TypeFor[ruleset.Verdict]():    "RuleVerdict",
	reflect.TypeFor[ruleset.Reason]():     "RuleSetReason",
	reflect.TypeFor[ruleset.ReasonKind](): "RuleSetReasonKind",
}

// nameOf returns the name of a type in the description.
func nameOf(t reflect.Type) string {
	if name, ok := names[t]; ok {
		return name
	}
	return strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
}

// of returns the schema of a type: of one with a name, a reference to it.
func (s *schemas) of(t reflect.Type) object {
	if t.PkgPath() == "" {
		return s.content(t)
	}
	name := nameOf(t)
	if other, ok := s.types[name]; !ok {
		s.types[name] = t
		s.named[name] = s.content(t)
	} else if other != t {
		panic(fmt.Sprintf("%s and %s have the same name: add one to names", other, t))
	}
	return reference("schemas", name)
}

func (s *schemas) content(t reflect.Type) object {
	switch {
	case t == reflect.TypeFor[rubric.Anchors]():
		scores, texts := []string{"1", "2", "3", "4", "5"}, object{}
		for _, score := range scores {
			texts[score] = object{"type": "string"}
		}
		return object{"type": "object", "properties": texts, "required": scores, "additionalProperties": false}
	case enumerations[t] != nil:
		return object{"type": "string", "enum": enumerations[t]}
	}
	switch t.Kind() {
	case reflect.Slice:
		return object{"type": "array", "items": s.of(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.Struct:
		properties, required := object{}, []string{}
		for _, f := range fieldsOf(t) {
			properties[f.key] = s.field(nameOf(t), f)
			if f.required {
				required = append(required, f.key)
			}
		}
		described := object{"type": "object", "properties": properties, "additionalProperties": false}
		if len(required) > 0 {
			described["required"] = required
		}
		return described
	}
	kind, ok := map[reflect.Kind]string{reflect.String: "string", reflect.Bool: "boolean", reflect.Int: "integer", reflect.Float64: "number"}[t.Kind()]
	if !ok || t.PkgPath() != "" {
		panic(fmt.Sprintf("%s has no schema: add its values to enumerations", t))
	}
	return object{"type": kind}
}

// field returns the schema of a field of a type. A pointer is left out if it is nil.
func (s *schemas) field(of string, f field) object {
	if values, ok := fieldValues[of+"."+f.key]; ok {
		return object{"type": "string", "enum": values}
	}
	if f.Type.Kind() != reflect.Pointer {
		return s.of(f.Type)
	}
	if f.required {
		panic(of + "." + f.key + " can be null: add that to the schema")
	}
	return s.of(f.Type.Elem())
}

// fieldsOf returns the fields that encoding/json writes, with those of embedded structs.
func fieldsOf(t reflect.Type) (fields []field) {
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous {
			fields = append(fields, fieldsOf(f.Type)...)
		} else {
			fields = append(fields, fieldOf(f))
		}
	}
	return fields
}
