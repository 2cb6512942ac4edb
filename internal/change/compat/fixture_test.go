package compat

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/documenttest"
	_ "github.com/rubric-library/rubric-library/internal/dev/quick"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// fataler is a test of testing or of rapid.
type fataler interface {
	Fatalf(format string, args ...any)
}

// parse parses a document that has to be valid.
func parse(t fataler, data []byte) *document.Document {
	d := document.Parse(source.NewFile("x.yaml", data))
	if !d.Valid() {
		t.Fatalf("the document is not valid: %+v\n%s", d.Problems, data)
	}
	return d
}

// made is a document that was put together.
func made(t fataler, doc any) *document.Document { return parse(t, documenttest.JSON(doc)) }

var fullFiles = map[*document.Kind]string{&document.Rubric: "rubric.yaml", &document.RuleSet: "ruleset.yaml"}

// read returns a file of testdata.
func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// full returns a document of a kind that uses every field, as JSON would give it.
func full(t *testing.T, k *document.Kind) map[string]any {
	t.Helper()
	canonical, err := parse(t, []byte(read(t, fullFiles[k]))).Canonical()
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(canonical, &doc); err != nil {
		t.Fatal(err)
	}
	addNew(k.Table, doc)
	return doc
}

// addNew gives a document a value of each key of the table's root that its file
// does not use, so that a new key is tested without an edit of the files.
func addNew(table *schema.Value, doc map[string]any) {
	for i := range table.Fields {
		if f := &table.Fields[i]; doc[f.Key] == nil {
			doc[f.Key] = documenttest.Value(f.Value).Example(1)
		}
	}
}

// site is a field of a table and its place in a full document.
type site struct {
	kind  *document.Kind
	field *schema.Field
	key   string // in the table: "rubric criteria[].threshold"
	path  string // in the document: "criteria[clarity].threshold"
	steps []any  // the keys and indices that lead to the object that has it
	oneOf []string
}

// sites lists every field of a kind's table. A field that the full document does
// not use fails the test.
func sites(t *testing.T, k *document.Kind) []site {
	t.Helper()
	doc := full(t, k)
	var out []site
	var object func(v *schema.Value, key, path string, steps []any)
	field := func(f *schema.Field, oneOf []string, key, path string, steps []any) {
		s := site{k, f, k.Name + " " + key + f.Key, path + f.Key, steps, oneOf}
		if _, ok := objectAt(doc, steps)[f.Key]; !ok {
			t.Fatalf("testdata/%s does not use %s: add it there", fullFiles[k], s.key)
		}
		out = append(out, s)
		inner := append(slices.Clone(steps), f.Key)
		switch f.Value.Shape {
		case schema.Object:
			object(f.Value, key+f.Key+".", path+f.Key+".", inner)
		case schema.List:
			object(f.Value, key+f.Key+"[].", path+f.Key, inner)
		}
	}
	object = func(v *schema.Value, key, path string, steps []any) {
		if v.Shape == schema.Object {
			for i := range v.Fields {
				field(&v.Fields[i], v.OneOf, key, path, steps)
			}
			return
		}
		if v.Elem.Shape != schema.Object {
			return
		}
		fields, oneOf := slices.Clone(v.Elem.Fields), v.Elem.OneOf
		for _, word := range variants(v.Elem) {
			fields = append(fields, v.Elem.Variants[word].Fields...)
			oneOf = append(slices.Clone(oneOf), v.Elem.Variants[word].OneOf...)
		}
		for i := range fields {
			at := firstWith(listAt(doc, steps), fields[i].Key)
			if at < 0 {
				t.Fatalf("testdata/%s does not use %s%s: add it there", fullFiles[k], key, fields[i].Key)
			}
			elem := append(slices.Clone(steps), at)
			field(&fields[i], oneOf, key, path+name(v, listAt(doc, steps), at)+".", elem)
		}
	}
	object(k.Table, "", "", nil)
	return out
}

func variants(v *schema.Value) []string {
	var words []string
	if v.Variant != "" {
		for _, o := range schema.Find(v.Fields, v.Variant).Value.Options {
			words = append(words, o.Word)
		}
	}
	return words
}

// firstWith is the index of the first object of a list that has a key, or -1.
func firstWith(list []any, key string) int {
	return slices.IndexFunc(list, func(e any) bool { _, ok := e.(map[string]any)[key]; return ok })
}

// name is an element as a path names it: "[clarity]", "[0]".
func name(v *schema.Value, list []any, i int) string {
	if v.Identity != "" {
		return "[" + list[i].(map[string]any)[v.Identity].(string) + "]"
	}
	return "[" + string(rune('0'+i)) + "]"
}

func objectAt(doc map[string]any, steps []any) map[string]any {
	return valueAt(doc, steps).(map[string]any)
}

func listAt(doc map[string]any, steps []any) []any { return valueAt(doc, steps).([]any) }

func valueAt(doc any, steps []any) any {
	for _, step := range steps {
		switch step := step.(type) {
		case string:
			doc = doc.(map[string]any)[step]
		case int:
			doc = doc.([]any)[step]
		}
	}
	return doc
}

// clone copies a document.
func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		c := make(map[string]any, len(v))
		for key, value := range v {
			c[key] = clone(value)
		}
		return c
	case []any:
		c := make([]any, len(v))
		for i, item := range v {
			c[i] = clone(item)
		}
		return c
	}
	return v
}

// edited is a copy of a document in which do changed the object at some steps.
func edited(doc map[string]any, steps []any, do func(object map[string]any)) map[string]any {
	c := clone(doc).(map[string]any)
	do(objectAt(c, steps))
	return c
}

// lines words changes as short lines, one a change: "major raised a.b".
func lines(changes []MeaningChange) []string {
	out := []string{}
	for _, c := range changes {
		out = append(out, strings.TrimSpace(c.Class.String()+" "+string(c.Kind)+" "+c.Path))
	}
	return out
}
