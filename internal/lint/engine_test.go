package lint_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

func TestSummaryCountsTheWholeLibrary(t *testing.T) {
	fsys := linttest.Library(map[string]string{
		linttest.GoodPath:              linttest.GoodRubric,
		"rubrics/corpus/rules_v1.yaml": "ruleset_id: rules_v1\n",
		"rubrics/corpus/empty_v1.yaml": "",
		"rubrics/corpus/notes.txt":     "not a document",
		"rubrics/retired.yaml":         "the ledger is not a document",
		"docs/other.yaml":              "outside rubrics/",
	})
	report := linttest.Run(t, fsys, linttest.Only(rules.All(), "stray-file", "empty-file"), lint.Options{Only: []string{"rubrics/corpus/notes.txt"}})
	want := lint.Summary{Files: 3, Rubrics: 1, RuleSets: 1, Errors: 1}
	if report.Summary != want {
		t.Errorf("the summary is %+v, want %+v", report.Summary, want)
	}
}

func TestAPanicIsAnErrorWithTheNameOfTheRule(t *testing.T) {
	document := linttest.ToyRule("toy-document", func(*lint.DocumentPass) { panic("out of luck") })
	inLibrary := linttest.ToyRule("toy-library", nil)
	inLibrary.Check = lint.OfLibrary(func(*lint.LibraryPass) { panic("out of luck") })
	inIgnores := linttest.ToyRule("toy-ignores", nil)
	inIgnores.Check = lint.OfIgnores(func(*lint.IgnorePass) { panic("out of luck") })
	fsys := linttest.Library(map[string]string{linttest.GoodPath: linttest.GoodRubric, "rubrics/corpus/second_v1.yaml": linttest.Other("second_v1")})
	for _, r := range []*lint.Rule{document, inLibrary, inIgnores} {
		report, err := lint.Run(fsys, []*lint.Rule{linttest.ToyRule("toy-other", func(*lint.DocumentPass) {}), r}, lint.Options{})
		if report != nil || err == nil {
			t.Errorf("%s: a rule that broke off gives a report", r.ID)
			continue
		}
		for _, want := range []string{r.ID, "out of luck", "bug in rubric-lint"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the error %q does not say %q", r.ID, err, want)
			}
		}
	}
}

func TestRepetitionsOfAFindingAreDropped(t *testing.T) {
	says := func(messages ...string) *lint.Rule {
		return linttest.ToyRule("toy", func(p *lint.DocumentPass) {
			for _, m := range messages {
				p.ReportAt(lint.Key("name"), p.Root().Get("name"), "%s", m)
			}
		})
	}
	report, err := lint.Run(linttest.Library(map[string]string{linttest.GoodPath: linttest.GoodRubric}), []*lint.Rule{says("b", "a", "b", "a", "a")}, lint.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range report.Findings {
		got = append(got, f.Message)
	}
	if want := []string{"a", "b"}; !slices.Equal(got, want) {
		t.Errorf("the messages are %q, want %q", got, want)
	}
	if report.Summary.Warnings != 2 {
		t.Errorf("%d warnings are counted, want 2", report.Summary.Warnings)
	}
}

func TestFingerprintsStay(t *testing.T) {
	hidden := linttest.Changed(t, "threshold: 3.0", "threshold: 2.0")
	print := func(text string) string {
		t.Helper()
		for _, f := range linttest.Run(t, linttest.Library(map[string]string{linttest.GoodPath: text}), linttest.Only(rules.All(), "hidden-threshold", "ambiguous-text"), lint.Options{}).Findings {
			if f.Rule.ID == "hidden-threshold" && f.Path == "criteria[completeness].threshold" {
				return f.Fingerprint
			}
		}
		t.Fatalf("the threshold is not found in:\n%s", text)
		return ""
	}
	want := print(hidden)
	if len(want) != 32 {
		t.Errorf("the fingerprint is %q, want 32 hexadecimal digits", want)
	}
	criterion := hidden[strings.Index(hidden, "  - name: comp"):strings.Index(hidden, "negative_criteria:")]
	second := strings.Replace(criterion, "completeness", "accuracy", 1)
	tests := []struct{ reason, text string }{
		{"lines move", "# A comment.\n\n" + hidden},
		{"the file is laid out otherwise", strings.Replace(hidden, "threshold: 2.0", "threshold:   2.0 # low", 1)},
		{"the message has another number", strings.Replace(hidden, "threshold: 2.0", "threshold: 2.5", 1)},
		{"something else is found before", strings.Replace(hidden, "name: Release notes", "name: No", 1)},
		{"the same is found before at another criterion", strings.Replace(hidden, criterion, second+criterion, 1)},
	}
	for _, tt := range tests {
		if got := print(tt.text); got != want {
			t.Errorf("%s: the fingerprint becomes %s, was %s", tt.reason, got, want)
		}
	}
}

func TestOnlyKeepsWhatConcernsTheNamedFiles(t *testing.T) {
	weak := linttest.Renamed(linttest.Changed(t, "threshold: 3.0", "threshold: 2.0"), "weak_v1")
	fsys := linttest.Library(map[string]string{
		"rubrics/corpus/weak_v1.yaml": weak,
		"rubrics/corpus/twin_v1.yaml": linttest.Other("twin_v1"),
		"rubrics/prd/twin_v1.yaml":    strings.ReplaceAll(linttest.Other("twin_v1"), "type: corpus", "type: prd"),
		"rubrics/prd/notes.txt":       "",
		"rubrics/prd2/notes.txt":      "",
	})
	const (
		hidden = "rubrics/corpus/weak_v1.yaml:12 hidden-threshold"
		twin   = "rubrics/prd/twin_v1.yaml:1 duplicate-id"
		stray  = "rubrics/prd/notes.txt:0 stray-file"
		stray2 = "rubrics/prd2/notes.txt:0 stray-file"
	)
	tests := []struct {
		reason string
		only   []string
		want   []string
	}{
		{"nothing named means all", nil, []string{hidden, stray, twin, stray2}},
		{"the root means all", []string{"."}, []string{hidden, stray, twin, stray2}},
		{"a file", []string{"rubrics/corpus/weak_v1.yaml"}, []string{hidden}},
		{"a file that a finding elsewhere relates to", []string{"rubrics/corpus/twin_v1.yaml"}, []string{twin}},
		{"a folder, and none whose name begins like it", []string{"rubrics/prd"}, []string{stray, twin}},
		{"a folder with a slash", []string{"rubrics/prd2/"}, []string{stray2}},
		{"two names", []string{"rubrics/prd2", "rubrics/corpus"}, []string{hidden, twin, stray2}},
		{"a file in which nothing is wrong", []string{"rubrics/corpus/other.yaml"}, []string{}},
	}
	for _, tt := range tests {
		got := linttest.Brief(linttest.Run(t, fsys, linttest.Only(rules.All(), "hidden-threshold", "duplicate-id", "stray-file"), lint.Options{Only: tt.only}).Findings)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

func TestInsteadReplacesContents(t *testing.T) {
	fsys := linttest.Library(map[string]string{linttest.GoodPath: linttest.Changed(t, "weight: essential", "weight: vital")})
	const newPath = "rubrics/corpus/new_v1.yaml"
	tests := []struct {
		reason  string
		instead map[string][]byte
		want    []string
	}{
		{"nothing is replaced", nil, []string{linttest.GoodPath + ":11 invalid-value"}},
		{"the fixed text counts", map[string][]byte{linttest.GoodPath: []byte(linttest.GoodRubric)}, []string{}},
		{"a file that is not saved yet counts", map[string][]byte{
			linttest.GoodPath: []byte(linttest.GoodRubric), newPath: []byte(linttest.Other("good_v1")),
		}, []string{newPath + ":1 duplicate-id", newPath + ":1 file-name"}},
		{"an empty text is not the saved one", map[string][]byte{linttest.GoodPath: {}}, []string{linttest.GoodPath + ":1 empty-file"}},
	}
	for _, tt := range tests {
		got := linttest.Brief(linttest.Run(t, fsys, linttest.Only(rules.All(), "invalid-value", "duplicate-id", "file-name", "empty-file"), lint.Options{Instead: tt.instead}).Findings)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

func TestAFindingCarriesItsPlace(t *testing.T) {
	long := strings.Repeat("漢", 100) + "!" + strings.Repeat("字", 200)
	fsys := linttest.Library(map[string]string{linttest.GoodPath: "name: " + long + "\nrubric_id: good_v1\n"})
	at := linttest.ToyRule("toy", func(p *lint.DocumentPass) {
		n := p.Root().Get("name")
		middle := n.Span.Start + strings.Index(n.Value, "!")
		p.Report(source.Problem{Span: source.Span{Start: middle, End: middle + 1}, Message: "here"})
	})
	report, err := lint.Run(fsys, []*lint.Rule{at}, lint.Options{})
	if err != nil || len(report.Findings) != 1 {
		t.Fatalf("one finding is wanted, not %v, %v", report, err)
	}
	want := source.Location{
		File: linttest.GoodPath, Start: source.Position{Line: 1, Column: 107}, End: source.Position{Line: 1, Column: 108},
		Excerpt: []source.ExcerptLine{{
			Number: 1, Column: 47, Cut: true,
			Text: strings.Repeat("漢", 60) + "!" + strings.Repeat("字", 139),
		}},
	}
	if diff := cmp.Diff(want, report.Findings[0].Location); diff != "" {
		t.Errorf("a long line is cut around the place (-want +got):\n%s", diff)
	}
}
