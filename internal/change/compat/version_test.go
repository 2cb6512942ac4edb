package compat

import (
	"fmt"
	"testing"

	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

func TestRequired(t *testing.T) {
	for _, tt := range []struct {
		reason, base string
		class        schema.Class
		want         string
	}{
		{"major", "1.2.3", schema.Major, "2.0.0"},
		{"minor", "1.2.3", schema.Minor, "1.3.0"},
		{"patch", "1.2.3", schema.Patch, "1.2.4"},
		{"nothing changed", "1.2.3", schema.None, "1.2.3"},
		{"a draft may break with a minor step", "0.2.3", schema.Major, "0.3.0"},
		{"a draft and a minor change", "0.2.3", schema.Minor, "0.3.0"},
		{"a draft and a patch", "0.2.3", schema.Patch, "0.2.4"},
		{"the first draft", "0.0.0", schema.Major, "0.1.0"},
		{"the end of drafts", "1.0.0", schema.Major, "2.0.0"},
		{"a patch number that is used up", "1.2.999999999", schema.Patch, "1.3.0"},
		{"a minor number that is used up", "1.999999999.3", schema.Minor, "2.0.0"},
		{"both", "1.999999999.999999999", schema.Patch, "2.0.0"},
		{"a draft that is used up", "0.999999999.999999999", schema.Major, "1.0.0"},
		{"an unusual number increases", "7.300.12", schema.Patch, "7.300.13"},
	} {
		base := semver.MustParse(tt.base)
		if got := Required(base, tt.class).String(); got != tt.want {
			t.Errorf("%s: %s after %s is %s, want %s", tt.reason, tt.class, tt.base, got, tt.want)
		}
		if base.String() != tt.base {
			t.Errorf("%s: the base became %s", tt.reason, base)
		}
	}
}

func TestFollows(t *testing.T) {
	for base, heads := range map[string]map[string]bool{
		"1.2.3": {"1.2.4": true, "1.3.0": true, "2.0.0": true, "1.2.3": false, "1.2.2": false, "1.2.5": false, "1.3.1": false, "1.4.0": false, "2.0.1": false, "2.1.0": false, "3.0.0": false, "1.999999999.999999999": false},
		"0.1.0": {"0.1.1": true, "0.2.0": true, "1.0.0": true, "0.3.0": false, "1.1.0": false},
		"0.0.0": {"0.0.1": true, "0.1.0": true, "1.0.0": true},
	} {
		for head, want := range heads {
			if got := Follows(semver.MustParse(base), semver.MustParse(head)); got != want {
				t.Errorf("%s follows %s: %v, want %v", head, base, got, want)
			}
		}
	}
}

func TestFirsts(t *testing.T) {
	for id, want := range map[string]string{
		"a": "[0.1.0 1.0.0]", "a_v1": "[0.1.0 1.0.0]", "a_v2": "[2.0.0]", "a_v2_b": "[0.1.0 1.0.0]",
		"a_v999999999": "[999999999.0.0]", "a_v9999999999": "[0.1.0 1.0.0]", "a_v0": "[0.1.0 1.0.0]",
	} {
		if got := fmt.Sprint(Firsts(id)); got != want {
			t.Errorf("%s starts at %s, want %s", id, got, want)
		}
	}
}

func TestFirst(t *testing.T) {
	for _, tt := range []struct{ id, has, want string }{
		{"a", "0.4.2", "0.1.0"}, {"a", "1.0.0", "1.0.0"}, {"a", "2.3.0", "1.0.0"}, {"a_v2", "0.1.0", "2.0.0"}, {"a_v2", "1.0.0", "2.0.0"},
	} {
		if got := First(tt.id, semver.MustParse(tt.has)).String(); got != tt.want {
			t.Errorf("%s at %s should start at %s, want %s", tt.id, tt.has, got, tt.want)
		}
	}
}

func TestClassIsTheHighest(t *testing.T) {
	for _, tt := range []struct {
		reason  string
		changes []MeaningChange
		want    schema.Class
	}{
		{"no change", nil, schema.None},
		{"one", []MeaningChange{{Class: schema.Patch}}, schema.Patch},
		{"several, in any order", []MeaningChange{{Class: schema.Minor}, {Class: schema.Major}, {Class: schema.Patch}}, schema.Major},
	} {
		if got := Class(tt.changes); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.reason, got, tt.want)
		}
	}
}
