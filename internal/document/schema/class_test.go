package schema

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWaysFollowFromTheShape(t *testing.T) {
	word := Value{Shape: Choice, Options: []Option{{Word: "a"}, {Word: "b"}}}
	object := Value{Shape: Object, Fields: []Field{{Key: "x", Required: true, Value: &Value{Shape: Text}}}}
	for _, tt := range []struct {
		reason string
		field  Field
		want   []Way
	}{
		{"a text that must be there", Field{Required: true, Value: &Value{Shape: Text}}, []Way{Changed}},
		{"an optional text", Field{Value: &Value{Shape: Text}}, []Way{Added, Removed, Changed}},
		{"with a default there is always a value", Field{Default: `"x"`, Value: &Value{Shape: Text}}, []Way{Changed}},
		{"and where others give it", Field{Derive: func(func(string) string) string { return "1" }, Value: &Value{Shape: Number}}, []Way{Raised, Lowered}},
		{"a number", Field{Value: &Value{Shape: Integer}}, []Way{Added, Removed, Raised, Lowered}},
		{"a word", Field{Required: true, Value: &word}, []Way{Changed}},
		{"a word whose order matters", Field{Required: true, Value: &word, Class: Classes{Raised: Major}}, []Way{Raised, Lowered}},
		{"a list of texts", Field{Value: &Value{Shape: List, Elem: &Value{Shape: Text}}}, []Way{Added, Removed, Changed, Reordered}},
		{"a list of groups, which change by their keys", Field{Value: &Value{Shape: List, Elem: &object}}, []Way{Added, Removed, Reordered}},
		{"a list of groups with names", Field{Value: &Value{Shape: List, Identity: "x", Elem: &object}}, []Way{Added, Removed, Renamed, Reordered}},
		{"a map", Field{Value: &Value{Shape: Map, Elem: &Value{Shape: Text}}}, []Way{Added, Removed, Changed}},
		{"a group that has something", Field{Value: &object}, []Way{Added, Removed}},
		{"a group that can be empty", Field{Value: &Value{Shape: Object, Fields: []Field{{Key: "x", Value: &Value{Shape: Text}}}}}, nil},
		{"a group of texts that can move", Field{Required: true, Value: &object, Class: Classes{Moved: Minor, Replaced: Major}}, []Way{Moved, Replaced}},
	} {
		if diff := cmp.Diff(tt.want, tt.field.Ways()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

func TestEveryWayHasItsClass(t *testing.T) {
	c := Classes{Added: 1, Removed: 2, Raised: 3, Lowered: 4, Changed: 5, Renamed: 6, Reordered: 7, Moved: 8, Replaced: 9}
	for i, w := range []Way{Added, Removed, Raised, Lowered, Changed, Renamed, Reordered, Moved, Replaced} {
		if got := c.ClassOf(w); int(got) != i+1 {
			t.Errorf("%s has the class %d, want %d", w, got, i+1)
		}
	}
	if Always(Major).ClassOf(Replaced) != Major {
		t.Error("a way is forgotten")
	}
}
