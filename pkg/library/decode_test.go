package library

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/documenttest"
)

// canonical draws a document of a kind and returns its canonical JSON.
func canonical(t *rapid.T, k *document.Kind) []byte {
	data, err := json.Marshal(documenttest.Any(k).Draw(t, "document"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func kindOf(k *document.Kind) Kind { return Kind(k.Name) }

// TestCloneIsEqualAndShares nothing: with a new field that clone forgets, some
// document shares memory with its clone.
func TestCloneIsEqualAndSharesNothing(t *testing.T) {
	for _, k := range document.Kinds() {
		t.Run(k.Name, rapid.MakeCheck(func(t *rapid.T) {
			d, err := decode(kindOf(k), canonical(t, k))
			if err != nil {
				t.Fatal(err)
			}
			c := d.clone()
			if diff := cmp.Diff(d.rubric, c.rubric) + cmp.Diff(d.ruleSet, c.ruleSet); diff != "" {
				t.Fatalf("the clone is another document:\n%s", diff)
			}
			seen := map[uintptr]string{}
			memory(reflect.ValueOf(d.rubric), "rubric", func(at uintptr, path string) { seen[at] = path })
			memory(reflect.ValueOf(d.ruleSet), "rule set", func(at uintptr, path string) { seen[at] = path })
			shared := func(at uintptr, path string) {
				if seen[at] != "" {
					t.Fatalf("the clone shares %s", path)
				}
			}
			memory(reflect.ValueOf(c.rubric), "rubric", shared)
			memory(reflect.ValueOf(c.ruleSet), "rule set", shared)
		}))
	}
}

// memory visits what can be changed through a value.
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

func TestDecodeIsStrict(t *testing.T) {
	const good = `{"criteria":[{"anchors":{"1":"a","2":"b","3":"c","4":"d","5":"e"},"description":"d","examples":{"score_1":"a","score_5":"b"},"name":"n","threshold":3,"weight":"essential"}],"metadata":{"owner":"x"},"name":"N","rubric_id":"a","version":"1.0.0"}`
	if _, err := decode(KindRubric, []byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ reason, old, new string }{
		{"an unknown key", `"name":"N"`, `"name":"N","names":"N"`},
		{"a key that stands twice", `"name":"N"`, `"name":"N","name":"M"`},
		{"a key that stands twice further in", `"threshold":3`, `"threshold":3,"threshold":1`},
		{"an anchor that stands twice", `"1":"a"`, `"1":"a","1":"z"`},
		{"a key of the metadata that stands twice", `"owner":"x"`, `"owner":"x","owner":"y"`},
		{"a key in another case", `"name":"N"`, `"NAME":"N"`},
		{"a key with a letter that counts as another", `"description":"d"`, `"de\u017fcription":"d"`},
		{"a key that is written with an escape", `"name":"N"`, `"na\u006de":"N"`},
		{"more keys than anything has", `"owner":"x"`, manyKeys()},
		{"another type", `"name":"N"`, `"name":3`},
		{"something after the end", `"version":"1.0.0"}`, `"version":"1.0.0"}{}`},
		{"an end that is missing", `"version":"1.0.0"}`, `"version":"1.0.0"`},
		{"no document", good, `[]`},
		{"too deep", good, strings.Repeat("[", 20_000)},
	} {
		broken := strings.Replace(good, c.old, c.new, 1)
		if broken == good {
			t.Fatalf("%s: there is no %s", c.reason, c.old)
		}
		if _, err := decode(KindRubric, []byte(broken)); err == nil {
			t.Errorf("%s is accepted", c.reason)
		}
	}
}

// manyKeys is so many that comparing each with each would take long.
func manyKeys() string {
	var b strings.Builder
	for i := range maxKeys + 1 {
		fmt.Fprintf(&b, `,"k%d":""`, i)
	}
	return b.String()[1:]
}

// TestTextsAreNoKeys is about texts that look like JSON.
func TestTextsAreNoKeys(t *testing.T) {
	for _, c := range []struct{ reason, data string }{
		{"a key within a text", `{"name":"\"name\":\"Name\":","description":"{\"name\":"}`},
		{"a backslash at the end of a text", `{"name":"\\","description":"\\\""}`},
		{"equal keys of neighbours", `{"criteria":[{"name":"a"},{"name":"b"}],"name":"c"}`},
		{"blanks before the colon", "{\"name\" \n: \"a\"}"},
	} {
		if err := checkKeys([]byte(c.data)); err != nil {
			t.Errorf("%s: %v", c.reason, err)
		}
	}
}

// TestFindLine is true of any index: what is there is found, and nothing else.
func TestFindLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.StringMatching(`[ab]{1,3}(_v[12])?`)
		ids := rapid.SliceOfNDistinct(id, 0, 12, rapid.ID).Draw(t, "ids")
		slices.Sort(ids)
		lines := map[string]string{}
		var index strings.Builder
		for _, id := range ids {
			text := rapid.SampledFrom([]string{"", "a", `\"id\":\"a\"`, "ä"}).Draw(t, "text")
			lines[id] = `{"artifact_type":"x","description":"` + text + `","id":"` + id + `","kind":"rubric"}`
			index.WriteString(lines[id] + "\n")
		}
		for _, id := range append(ids, id.Draw(t, "another")) {
			line, err := findLine([]byte(index.String()), id)
			if err != nil || string(line) != lines[id] {
				t.Fatalf("the line of %s is %s, %v; want %s", id, line, err, lines[id])
			}
		}
	})
	for _, c := range []struct{ reason, index string }{
		{"a line without an end", `{"id":"a"}`},
		{"a line without an ID", "{}\n"},
		{"an ID without an end", "{\"id\":\"a\n"},
		{"an empty line", "\n"},
	} {
		if line, err := findLine([]byte(c.index), "b"); line != nil || err == nil {
			t.Errorf("%s: the line is %s", c.reason, line)
		}
	}
}

func TestDocumentHasItsName(t *testing.T) {
	d, err := decode(KindRuleSet, []byte(`{"ruleset_id":"a_v1","version":"1.0.0"}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		reason string
		ref    Reference
		right  bool
	}{
		{"it is what the entry says", Reference{ID: "a_v1", Version: "1.0.0"}, true},
		{"another ID", Reference{ID: "b_v1", Version: "1.0.0"}, false},
		{"another version", Reference{ID: "a_v1", Version: "1.0.1"}, false},
	} {
		if err := d.checkName(c.ref); (err == nil) != c.right {
			t.Errorf("%s: %v", c.reason, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"rubric_id":"a","version":"1.0.0","criteria":[],"metadata":{"a":"b"}}`))
	f.Add([]byte(`{"ruleset_id":"a","rules":[{"checks":[{"min_count":1,"command":["a"]}]}],"name":"a","name":"b"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, kind := range []Kind{KindRubric, KindRuleSet} {
			d, err := decode(kind, data)
			if err != nil {
				continue
			}
			c := d.clone()
			if diff := cmp.Diff(d.rubric, c.rubric) + cmp.Diff(d.ruleSet, c.ruleSet); diff != "" {
				t.Errorf("the clone is another document:\n%s", diff)
			}
		}
	})
}
