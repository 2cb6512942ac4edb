package lint_test

import (
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/linttest"
)

func TestValidateRefuses(t *testing.T) {
	nothing := func(*lint.DocumentPass) {}
	tests := []struct {
		reason string
		change func(*lint.Rule)
		want   string // in the error
	}{
		{"an ID with capitals can't be typed safely", func(r *lint.Rule) { r.ID = "Toy" }, "kebab-case"},
		{"an ID with underscores is not like the others", func(r *lint.Rule) { r.ID = "toy_rule" }, "kebab-case"},
		{"an ID of nothing can't be named", func(r *lint.Rule) { r.ID = "" }, "kebab-case"},
		{"an ID stands for one rule", func(r *lint.Rule) { r.ID = "first" }, "stands twice"},
		{"lists show the summary", func(r *lint.Rule) { r.Summary = "" }, "lacks"},
		{"--explain shows the reason", func(r *lint.Rule) { r.Why = "" }, "lacks"},
		{"--explain shows a bad example", func(r *lint.Rule) { r.Bad = "" }, "lacks"},
		{"--explain shows a good example", func(r *lint.Rule) { r.Good = "" }, "lacks"},
		{"--explain shows where a rule comes from", func(r *lint.Rule) { r.Source = "" }, "lacks its source"},
		{"a requirement is a source", func(r *lint.Rule) { r.Source, r.Spec, r.Good = "", "RL-01", "" }, "or examples"},
		{"lists are grouped by family", func(r *lint.Rule) { r.Family = "" }, "lacks"},
		{"a finding needs a severity", func(r *lint.Rule) { r.Severity = 0 }, "no severity"},
		{"there are three severities", func(r *lint.Rule) { r.Severity = lint.Error + 1 }, "no severity"},
		{"a rule without function finds nothing", func(r *lint.Rule) { r.Document = nil }, "0 functions"},
		{"a rule has one function", func(r *lint.Rule) { r.Library = func(*lint.LibraryPass) {} }, "2 functions"},
		{"what a rule keeps has a use", func(r *lint.Rule) { r.Keep = func(*lint.DocumentPass) any { return nil } }, "keeps something"},
		{"the third function counts, too", func(r *lint.Rule) { r.Ignores = func(*lint.IgnorePass) {} }, "2 functions"},
	}
	for _, tt := range tests {
		changed := linttest.ToyRule("second", nothing)
		tt.change(changed)
		err := lint.Validate([]*lint.Rule{linttest.ToyRule("first", nothing), changed})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, want one with %q", tt.reason, err, tt.want)
		}
	}
	if err := lint.Validate([]*lint.Rule{linttest.ToyRule("first", nothing), linttest.ToyRule("second", nothing)}); err != nil {
		t.Errorf("two proper rules are refused: %v", err)
	}
}

func TestSeveritiesHaveTheWordsOfTheConfiguration(t *testing.T) {
	for severity, want := range map[lint.Severity]string{0: "off", lint.Note: "note", lint.Warning: "warning", lint.Error: "error"} {
		if got := severity.String(); got != want {
			t.Errorf("severity %d is %q, want %q", severity, got, want)
		}
	}
}
