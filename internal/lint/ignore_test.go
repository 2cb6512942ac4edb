package lint_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

// aboutComments are the rules about the comments that suppress findings.
func aboutComments() []*lint.Rule {
	return linttest.Only(rules.All(), "ignore-malformed", "ignore-forbidden", "ignore-unused")
}

func TestIgnoresSilenceOneRuleAtOnePlace(t *testing.T) {
	const (
		low    = "    threshold: 2.0"
		ignore = "# rubric-lint: ignore hidden-threshold -- agreed"
		hidden = " hidden-threshold"
		unused = " ignore-unused"
	)
	tests := []struct {
		reason string
		lines  string   // instead of the threshold, from line 12
		want   []string // rules by line
	}{
		{"nothing is ignored", low, []string{"12" + hidden}},
		{"on the line", low + " " + ignore, nil},
		{"on the line above", "    " + ignore + "\n" + low, nil},
		{"above in the first column", ignore + "\n" + low, nil},
		{"above several lines of comment", ignore + "\n    # See the minutes\n\t\n    # of May.\n" + low, []string{"12" + unused, "16" + hidden}},
		{"above comments without a blank line", "    " + ignore + "\n    # See the minutes\n# of May.\n" + low, nil},
		{"the last of several comments", "    # See the minutes.\n    " + ignore + "\n" + low, nil},
		{"without blanks in the comment", low + " #rubric-lint:ignore hidden-threshold -- agreed", nil},
		{"with more blanks", low + " #  rubric-lint:  ignore   hidden-threshold   --   agreed  ", nil},
		{"on the line below", low + "\n    " + ignore, []string{"12" + hidden, "13" + unused}},
		{"with a blank line between", "    " + ignore + "\n\n" + low, []string{"12" + unused, "14" + hidden}},
		{"of another rule", low + " # rubric-lint: ignore scoring-absent -- agreed", []string{"12" + hidden, "12" + unused}},
		{"twice for one finding", "    " + ignore + "\n" + low + " " + ignore, []string{"13" + unused}},
		{"without a reason", low + " # rubric-lint: ignore hidden-threshold", []string{"12" + hidden, "12 ignore-malformed"}},
		{"with an empty reason", low + " # rubric-lint: ignore hidden-threshold --  ", []string{"12" + hidden, "12 ignore-malformed"}},
		{"with two rules", low + " # rubric-lint: ignore hidden-threshold, scoring-absent -- agreed", []string{"12" + hidden, "12 ignore-malformed"}},
		{"inside another comment", low + " # agreed # rubric-lint: ignore hidden-threshold -- agreed", []string{"12" + hidden}},
	}
	for _, tt := range tests {
		text := linttest.Changed(t, "    threshold: 3.0", tt.lines)
		var want []string
		for _, w := range tt.want {
			want = append(want, linttest.GoodPath+":"+w)
		}
		got := linttest.Brief(linttest.Run(t, linttest.Library(map[string]string{linttest.GoodPath: text}), append(linttest.Only(rules.All(), "hidden-threshold", "scoring-absent"), aboutComments()...), lint.Options{}).Findings)
		if diff := cmp.Diff(strings.Join(want, "\n"), strings.Join(got, "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

// TestIgnoresReachIntoTextsOfSeveralLines: no comment can be inside such a
// text, so one at its key counts.
func TestIgnoresReachIntoTextsOfSeveralLines(t *testing.T) {
	toy := linttest.ToyRule("toy", func(p *lint.DocumentPass) {
		at, n := lint.Key("description"), p.Root().Get("description")
		if n == nil {
			at, n = lint.Key("examples"), p.Root().Get("criteria").Items[0].Get("examples").Get("score_5")
		}
		word := strings.Index(n.Value, "login")
		p.Report(source.Problem{
			Span: p.Doc.Tree.SpanInside(n, word, word+len("login")), Pointer: at.Pointer(), Path: at.String(), Message: "here",
		})
	})
	const ignore = "# rubric-lint: ignore toy -- agreed"
	inDescription := func(text string) []string {
		return []string{"description: >-\n  Scores the notes\n  of a release.", text}
	}
	tests := []struct {
		reason string
		change []string
		want   []string
	}{
		{"in the last line of a block", inDescription("description: |-\n  Scores the notes\n  of the login."), []string{linttest.GoodPath + ":7 toy"}},
		{"at the key of a block", inDescription("description: |- " + ignore + "\n  Scores the notes\n  of the login."), nil},
		{"above the key of a block", inDescription(ignore + "\ndescription: >\n  Scores the notes\n  of the login."), nil},
		{"above the key of a text in quotes", inDescription(ignore + "\ndescription: \"Scores the notes\n\n  of the login.\""), nil},
		{"above the key of a text without quotes", inDescription(ignore + "\ndescription: Scores the notes\n  of the login."), nil},
		{"after a text in quotes", inDescription("description: 'Scores the notes\n  of the login.' " + ignore), nil},
		{"above the key before", []string{
			"artifact_type: corpus\n", ignore + "\nartifact_type: corpus\n",
			"description: >-\n  Scores the notes\n  of a release.", "description: >-\n  Scores the notes\n  of the login.",
		}, []string{linttest.GoodPath + ":4 ignore-unused", linttest.GoodPath + ":8 toy"}},
		{"what looks like one inside of the text", inDescription("description: |\n  " + ignore + "\n  of the login."), []string{linttest.GoodPath + ":7 toy"}},
		{"at a key deep inside", []string{
			"description: >-\n  Scores the notes\n  of a release.\n", "",
			"      score_5: |-\n", "      " + ignore + "\n      score_5: |-\n",
		}, nil},
	}
	for _, tt := range tests {
		fsys := linttest.Library(map[string]string{linttest.GoodPath: linttest.Changed(t, tt.change...)})
		report := linttest.Run(t, fsys, append(aboutComments(), toy), lint.Options{})
		if diff := cmp.Diff(strings.Join(tt.want, "\n"), strings.Join(linttest.Brief(report.Findings), "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

func TestIgnoresSilenceFindingsAboutTheLibrary(t *testing.T) {
	deprecated := linttest.GoodRubric + "deprecated:\n  reason: Too coarse.\n  replaced_by: gone_v1 # rubric-lint: ignore unknown-replacement -- comes next month\n"
	fsys := linttest.Library(map[string]string{linttest.GoodPath: deprecated, lint.ConfigFile: "severity: {unknown-replacement: warning}\n"})
	all := append(linttest.Only(rules.All(), "unknown-replacement"), aboutComments()...)
	config := must.Get(lint.LoadConfig(fsys, all))(t)
	if got := linttest.Brief(linttest.Run(t, fsys, all, lint.Options{Config: config}).Findings); len(got) > 0 {
		t.Errorf("found are %q, want nothing", got)
	}
}

// TestNoCommentSuppressesWhatFails: otherwise a change could decide about itself.
func TestNoCommentSuppressesWhatFails(t *testing.T) {
	const found = linttest.GoodPath + ":12 hidden-threshold"
	const refused = linttest.GoodPath + ":12 ignore-forbidden"
	for _, tt := range []struct {
		reason, severity string
		failing          lint.Severity
		want             []string
	}{
		{"a note", "note", 0, nil},
		{"a warning", "warning", 0, nil},
		{"an error", "error", 0, []string{found, refused}},
		{"a note where warnings fail", "note", lint.Warning, nil},
		{"a warning where warnings fail", "warning", lint.Warning, []string{found, refused}},
		{"an error where warnings fail", "error", lint.Warning, []string{found, refused}},
		{"a rule that is off", "off", lint.Warning, nil},
	} {
		all := append(linttest.Only(rules.All(), "hidden-threshold"), aboutComments()...)
		fsys := linttest.Library(map[string]string{
			linttest.GoodPath: linttest.Changed(t, "threshold: 3.0", "threshold: 2.0 # rubric-lint: ignore hidden-threshold -- agreed"),
			lint.ConfigFile:   "severity: {hidden-threshold: \"" + tt.severity + "\"}\n",
		})
		opts := lint.Options{Config: must.Get(lint.LoadConfig(fsys, all))(t), Failing: tt.failing}
		if diff := cmp.Diff(strings.Join(tt.want, "\n"), strings.Join(linttest.Brief(linttest.Run(t, fsys, all, opts).Findings), "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

func TestUnsuppressableRulesAreNotSilenced(t *testing.T) {
	text := linttest.Changed(t, "weight: essential", "weight: vital # rubric-lint: ignore invalid-value -- our own word")
	got := linttest.Run(t, linttest.Library(map[string]string{linttest.GoodPath: text}), append(linttest.Only(rules.All(), "invalid-value"), aboutComments()...), lint.Options{}).Findings
	want := []string{linttest.GoodPath + ":11 invalid-value", linttest.GoodPath + ":11 ignore-forbidden"}
	if diff := cmp.Diff(want, linttest.Brief(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
