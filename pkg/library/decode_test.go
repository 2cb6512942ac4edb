package library

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/documenttest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// draw draws a document of a kind.
func draw(t *rapid.T, k *document.Kind) *Document {
	return must.Get(decodeJSON(k, must.Get(json.Marshal(documenttest.Any(k).Draw(t, "document")))(t)))(t)
}

// decodeJSON decodes a document in any form, as a bundle has it.
func decodeJSON(k *document.Kind, data []byte) (*Document, error) {
	canonical, err := document.Parse(source.NewFile("any.yaml", data)).Canonical()
	if err != nil {
		return nil, err
	}
	d, err := document.ParseCanonical("any.json", canonical, k)
	if err != nil {
		return nil, err
	}
	return decode(Reference{ID: "any", Version: "1.0.0"}, d), nil
}

// TestJudgeViewHasTheJudgeDigest compares the digests of the model and of the tools.
func TestJudgeViewHasTheJudgeDigest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t, &document.Rubric)
		d.Rubric.Criteria[0].Anchors[4] = rapid.StringOf(rapid.RuneFrom([]rune("a\\\"<>&\u2028\u2029u0/\u007f\t\n😀"))).Draw(t, "text") + `\u2028 \\u003c`
		data := must.Get(json.Marshal(d.Rubric))(t)
		want, err := document.Parse(source.NewFile("rubric.yaml", data)).JudgeDigests()
		if err != nil {
			t.Skip(err)
		}
		d = must.Get(decodeJSON(&document.Rubric, data))(t)
		if got := d.Rubric.JudgeView().Digest; got != want.Whole {
			t.Errorf("the digest is %s, want %s", got, want.Whole)
		}
	})
}

// TestCloneIsEqualAndShares checks that clones share no memory with the original, so that
// clone covers new fields.
func TestCloneIsEqualAndSharesNothing(t *testing.T) {
	for _, k := range document.Kinds() {
		t.Run(k.Name, rapid.MakeCheck(func(t *rapid.T) {
			d := draw(t, k)
			c := d.clone()
			if diff := cmp.Diff(d.Rubric, c.Rubric) + cmp.Diff(d.RuleSet, c.RuleSet); diff != "" {
				t.Fatalf("the clone is another document:\n%s", diff)
			}
			seen := map[uintptr]string{}
			memory(reflect.ValueOf(d.Rubric), "rubric", func(at uintptr, path string) { seen[at] = path })
			memory(reflect.ValueOf(d.RuleSet), "rule set", func(at uintptr, path string) { seen[at] = path })
			shared := func(at uintptr, path string) {
				if seen[at] != "" {
					t.Fatalf("the clone shares %s", path)
				}
			}
			memory(reflect.ValueOf(c.Rubric), "rubric", shared)
			memory(reflect.ValueOf(c.RuleSet), "rule set", shared)
		}))
	}
}

// memory visits all mutable memory of a value.
func memory(v reflect.Value, path string, visit func(at uintptr, path string)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			visit(v.Pointer(), path)
			memory(v.Elem(), path, visit)
		}
	case reflect.Map:
		if v.Len() > 0 {
			visit(v.Pointer(), path)
		}
	case reflect.Slice:
		if v.Len() > 0 {
			visit(v.Pointer(), path)
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			memory(v.Index(i), path+"[]", visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			memory(v.Field(i), path+"."+v.Type().Field(i).Name, visit)
		}
	case reflect.Interface, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		panic("clone has to know about " + path)
	}
}
