package schema

import (
	"testing"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

func parse(t *testing.T, text string) *yamltree.Node {
	t.Helper()
	tree, problems := yamltree.Parse(source.NewFile("x.yaml", []byte(text)))
	if tree == nil {
		t.Fatalf("%q does not parse: %+v", text, problems)
	}
	return tree.Root
}

// The samples are those of RFC 8785, appendix B.
func TestNumbersAreWrittenAsRFC8785Says(t *testing.T) {
	for in, want := range map[string]string{
		"333333333.33333329":            "333333333.3333333",
		"1E30":                          "1e+30",
		"4.50":                          "4.5",
		"2e-3":                          "0.002",
		"0.000000000000000000000000001": "1e-27",
		"9007199254740992":              "9007199254740992",
		"295147905179352830000":         "295147905179352830000",
		"1e21":                          "1e+21",
		"5e-324":                        "5e-324",
		"-0":                            "0",
		"3.0":                           "3",
	} {
		if got := string(Canonical(&Value{Shape: Number}, &yamltree.Node{Kind: yamltree.Scalar, Value: in})); got != want {
			t.Errorf("%s is written as %s, want %s", in, got, want)
		}
	}
}

// table has a field for each way of being left out or written out.
var table = &Value{Shape: Object, Fields: []Field{
	{Key: "required", Required: true, Value: &Value{Shape: List, Elem: &Value{Shape: Text}}},
	{Key: "flag", Value: &Value{Shape: Flag}, Default: "false"},
	{Key: "word", Value: &Value{Shape: Choice, Options: []Option{{Word: "a"}, {Word: "b"}}}, Default: `"a"`},
	{Key: "list", Value: &Value{Shape: List, Elem: &Value{Shape: Text}}},
	{Key: "group", Value: &Value{Shape: Object, Fields: []Field{{Key: "x", Value: &Value{Shape: Number}}}}},
	{Key: "map", Value: &Value{Shape: Map, Elem: &Value{Shape: Text}}},
	{Key: "derived", Value: &Value{Shape: Text}, Derive: func(sibling func(string) string) string { return "from " + sibling("word") }, Judge: true},
}}

func TestDefaultsAreLeftOutAndDerivedValuesWrittenOut(t *testing.T) {
	tests := []struct {
		reason, in, want string
	}{
		{"defaults are left out", "{required: [], flag: false, word: a}", `{"derived":"from a","required":[]}`},
		{"absent and empty are the same", "{required: [], list: [], group: {}, map: {}}", `{"derived":"from ","required":[]}`},
		{"other values stay, sorted by key", "{word: b, flag: true, required: [y, x]}", `{"derived":"from b","flag":true,"required":["y","x"],"word":"b"}`},
		{"a group with a value stays", "{required: [], group: {x: 1.50}}", `{"derived":"from ","group":{"x":1.5},"required":[]}`},
		{"a written value is not derived", "{required: [], derived: own}", `{"derived":"own","required":[]}`},
		{"a map is sorted by key", "{required: [], map: {b: x, a.c: y, a: z}}", `{"derived":"from ","map":{"a":"z","a.c":"y","b":"x"},"required":[]}`},
	}
	for _, tt := range tests {
		if got := string(Canonical(table, parse(t, tt.in))); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.reason, got, tt.want)
		}
	}
	if got, want := string(CanonicalJudge(table, parse(t, "{required: [], word: b}"))), `{"derived":"from b"}`; got != want {
		t.Errorf("what a judge reads is %s, want %s", got, want)
	}
}

func TestEffectiveValuesHaveDefaults(t *testing.T) {
	for _, tt := range []struct {
		reason, in, key, want string
	}{
		{"a default", "{}", "word", `"a"`},
		{"a default that is written out", "{word: a}", "word", `"a"`},
		{"another value", "{word: b}", "word", `"b"`},
		{"what follows from others", "{word: b}", "derived", `"from b"`},
		{"what is written instead", "{word: b, derived: own}", "derived", `"own"`},
		{"nothing", "{}", "list", ""},
		{"an empty list says the same as none", "{list: []}", "list", ""},
		{"an empty group too", "{group: {}}", "group", ""},
		{"a group with a value", "{group: {x: 1.50}}", "group", `{"x":1.5}`},
	} {
		if got := Find(table.Fields, tt.key).EffectiveValue(parse(t, tt.in)); got != tt.want {
			t.Errorf("%s: %s of %s is %s, want %s", tt.reason, tt.key, tt.in, got, tt.want)
		}
	}
	if got := Find(table.Fields, "flag").EffectiveValue(nil); got != "false" {
		t.Errorf("without its object the flag is %q, want its default", got)
	}
}

func TestAJudgeReadsAListInItsOrderUnlessThatSaysNothing(t *testing.T) {
	list := func(reordered Class) *Value {
		return &Value{Shape: Object, Fields: []Field{{
			Key: "list", Judge: true, Class: Classes{Reordered: reordered},
			Value: &Value{Shape: List, Identity: "id", Elem: &Value{Shape: Object, Fields: []Field{{Key: "id", Judge: true, Value: &Value{Shape: Text}}}}},
		}}}
	}
	root := parse(t, "list: [{id: b}, {id: a}]")
	for class, want := range map[Class]string{
		Patch: `{"list":[{"id":"a"},{"id":"b"}]}`,
		Minor: `{"list":[{"id":"b"},{"id":"a"}]}`,
	} {
		if got := string(CanonicalJudge(list(class), root)); got != want {
			t.Errorf("where another order is %s, a judge reads %s, want %s", class, got, want)
		}
		if got, want := string(Canonical(list(class), root)), `{"list":[{"id":"b"},{"id":"a"}]}`; got != want {
			t.Errorf("where another order is %s, the canonical form is %s, want %s", class, got, want)
		}
	}
}
