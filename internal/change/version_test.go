package change

import (
	"testing"

	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/schema"
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

func TestClassIsTheHighest(t *testing.T) {
	for _, tt := range []struct {
		reason  string
		changes []Change
		want    schema.Class
	}{
		{"no change", nil, schema.None},
		{"one", []Change{{Class: schema.Patch}}, schema.Patch},
		{"several, in any order", []Change{{Class: schema.Minor}, {Class: schema.Major}, {Class: schema.Patch}}, schema.Major},
	} {
		if got := Class(tt.changes); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.reason, got, tt.want)
		}
	}
}
