package lint

import (
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint/corpus"
)

// goodRubric is a document in which nothing is found. Its path is goodPath.
const (
	goodPath   = Root + "/corpus/good_v1.yaml"
	goodRubric = `rubric_id: good_v1
name: Release notes
version: "1.2.0"
artifact_type: corpus
description: >-
  Scores the notes
  of a release.
criteria:
  - name: completeness
    description: How many of the merged changes does the text mention?
    weight: essential
    threshold: 3.0
    anchors:
      1: No merged change is mentioned.
      2: Fewer than half of the merged changes are mentioned.
      3: Half of the merged changes are mentioned, or more.
      4: All merged changes except one are mentioned.
      5: Every merged change is mentioned.
    examples:
      score_1: We polished a few things here and there.
      score_5: |-
        Added the export to CSV (#41).
        Fixed the login loop (#43).
negative_criteria:
  - name: placeholder
    fail_patterns: ['\bTBD\b']
scoring:
  pass_threshold: 3.5
  essential_minimum: 3.0
calibration_dataset: https://labels.example.org/notes.jsonl
`
)

// library is a file system of the files, by path.
func library(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, content := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(content)}
	}
	return fsys
}

// changed is goodRubric with each first text, which stands there once, replaced
// by the second.
func changed(t *testing.T, pairs ...string) string {
	t.Helper()
	text := goodRubric
	for i := 0; i < len(pairs); i += 2 {
		if strings.Count(text, pairs[i]) != 1 {
			t.Fatalf("%q stands %d times in the rubric, want once", pairs[i], strings.Count(text, pairs[i]))
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

// other is goodRubric under another ID.
func other(id string) string { return renamed(goodRubric, id) }

// renamed is a variant of goodRubric with another ID and words of its own, so that
// its criterion does not repeat that of others.
func renamed(text, id string) string {
	return strings.NewReplacer("good_v1", id, "merged", id, "mention", id, "change", id).Replace(text)
}

func mustRun(t *testing.T, fsys fs.FS, opts Options) *Report {
	t.Helper()
	report, err := Run(fsys, opts)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// brief is findings as "file:line rule".
func brief(findings []Finding) []string {
	lines := []string{}
	for _, f := range findings {
		lines = append(lines, fmt.Sprintf("%s:%d %s", f.File, f.Start.Line, f.Rule.ID))
	}
	return lines
}

func TestNothingIsFoundInAGoodRubric(t *testing.T) {
	report := mustRun(t, library(map[string]string{goodPath: goodRubric}), Options{})
	if want := (&Report{Summary: Summary{Files: 1, Rubrics: 1}}); !cmp.Equal(want, report) {
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, report))
	}
}

func TestSummaryCountsTheWholeLibrary(t *testing.T) {
	fsys := library(map[string]string{
		goodPath:                       goodRubric,
		"rubrics/corpus/rules_v1.yaml": "ruleset_id: rules_v1\n",
		"rubrics/corpus/empty_v1.yaml": "",
		"rubrics/corpus/notes.txt":     "no document",
		"rubrics/retired.yaml":         "the ledger is no document",
		"docs/other.yaml":              "stands elsewhere",
	})
	report := mustRun(t, fsys, Options{Only: []string{"rubrics/corpus/notes.txt"}})
	want := Summary{Files: 3, Rubrics: 1, RuleSets: 1, Errors: 1}
	if report.Summary != want {
		t.Errorf("the summary is %+v, want %+v", report.Summary, want)
	}
}

func TestAPanicIsAnErrorWithTheNameOfTheRule(t *testing.T) {
	document := toyRule("toy-document", func(*DocumentPass) { panic("out of luck") })
	inLibrary := toyRule("toy-library", nil)
	inLibrary.Library = func(*LibraryPass) { panic("out of luck") }
	inIgnores := toyRule("toy-ignores", nil)
	inIgnores.Ignores = func(*IgnorePass) { panic("out of luck") }
	fsys := library(map[string]string{goodPath: goodRubric, "rubrics/corpus/second_v1.yaml": other("second_v1")})
	for _, r := range []*Rule{document, inLibrary, inIgnores} {
		report, err := run(fsys, Options{}, append(Rules(), r))
		if report != nil || err == nil {
			t.Errorf("%s: a rule that broke off gives a report", r.ID)
			continue
		}
		for _, want := range []string{r.ID, "out of luck", "fault of rubric-lint"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the error %q does not say %q", r.ID, err, want)
			}
		}
	}
}

// brokenLibrary is all single documents of the corpus in one library.
func brokenLibrary(t testing.TB) fstest.MapFS {
	t.Helper()
	fsys := fstest.MapFS{}
	for i, c := range corpus.Cases(t) {
		if c.Single {
			fsys[fmt.Sprintf("%s/corpus/b%d.yaml", Root, i)] = c.Files[corpus.Path]
		}
	}
	return fsys
}

func TestFindingsAreTheSameOnAnyNumberOfProcessors(t *testing.T) {
	fsys := brokenLibrary(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	want := mustRun(t, fsys, Options{})
	for _, processors := range []int{2, 16} {
		runtime.GOMAXPROCS(processors)
		got := mustRun(t, fsys, Options{})
		if golden(fsys, want.Findings, true) != golden(fsys, got.Findings, true) || want.Summary != got.Summary {
			t.Errorf("%d processors find something else than one", processors)
		}
	}
}

func TestAReportIsSortedAndFreeOfRepetitions(t *testing.T) {
	report := mustRun(t, brokenLibrary(t), Options{})
	prints := map[string]bool{}
	for i, f := range report.Findings {
		if prints[f.Fingerprint] {
			t.Errorf("%s:%d: the fingerprint of %s stands twice", f.File, f.Start.Line, f.Rule.ID)
		}
		prints[f.Fingerprint] = true
		if i == 0 {
			continue
		}
		before := report.Findings[i-1]
		key := func(f Finding) string {
			return fmt.Sprintf("%s\x00%08d %08d %s %s %s", f.File, f.Start.Line, f.Start.Column, f.Rule.ID, f.Path, f.Message)
		}
		if key(before) >= key(f) {
			t.Errorf("%s stands before %s", key(before), key(f))
		}
	}
}

func TestRepetitionsOfAFindingAreDropped(t *testing.T) {
	says := func(messages ...string) *Rule {
		return toyRule("toy", func(p *DocumentPass) {
			for _, m := range messages {
				p.ReportAt(key("name"), p.Root().Get("name"), "%s", m)
			}
		})
	}
	report, err := run(library(map[string]string{goodPath: goodRubric}), Options{}, []*Rule{says("b", "a", "b", "a", "a")})
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
	hidden := changed(t, "threshold: 3.0", "threshold: 2.0")
	print := func(text string) string {
		t.Helper()
		for _, f := range mustRun(t, library(map[string]string{goodPath: text}), Options{}).Findings {
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
	weak := renamed(changed(t, "threshold: 3.0", "threshold: 2.0"), "weak_v1")
	fsys := library(map[string]string{
		"rubrics/corpus/weak_v1.yaml": weak,
		"rubrics/corpus/twin_v1.yaml": other("twin_v1"),
		"rubrics/prd/twin_v1.yaml":    strings.ReplaceAll(other("twin_v1"), "type: corpus", "type: prd"),
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
		got := brief(mustRun(t, fsys, Options{Only: tt.only}).Findings)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

func TestInsteadReplacesContents(t *testing.T) {
	fsys := library(map[string]string{goodPath: changed(t, "weight: essential", "weight: vital")})
	const newPath = "rubrics/corpus/new_v1.yaml"
	tests := []struct {
		reason  string
		instead map[string][]byte
		want    []string
	}{
		{"nothing is replaced", nil, []string{goodPath + ":11 invalid-value"}},
		{"the mended text counts", map[string][]byte{goodPath: []byte(goodRubric)}, []string{}},
		{"a file that is not saved yet counts", map[string][]byte{
			goodPath: []byte(goodRubric), newPath: []byte(other("good_v1")),
		}, []string{newPath + ":1 duplicate-id", newPath + ":1 file-name"}},
		{"an empty text is not the saved one", map[string][]byte{goodPath: {}}, []string{goodPath + ":1 empty-file"}},
	}
	for _, tt := range tests {
		got := brief(mustRun(t, fsys, Options{Instead: tt.instead}).Findings)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

func TestAFindingCarriesItsPlace(t *testing.T) {
	long := strings.Repeat("漢", 100) + "!" + strings.Repeat("字", 200)
	fsys := library(map[string]string{goodPath: "name: " + long + "\nrubric_id: good_v1\n"})
	at := toyRule("toy", func(p *DocumentPass) {
		n := p.Root().Get("name")
		middle := n.Span.Start + strings.Index(n.Value, "!")
		p.Report(source.Problem{Span: source.Span{Start: middle, End: middle + 1}, Message: "here"})
	})
	report, err := run(fsys, Options{}, []*Rule{at})
	if err != nil || len(report.Findings) != 1 {
		t.Fatalf("one finding is wanted, not %v, %v", report, err)
	}
	want := source.Location{
		File: goodPath, Start: source.Position{Line: 1, Column: 107}, End: source.Position{Line: 1, Column: 108},
		Excerpt: []source.ExcerptLine{{
			Number: 1, Column: 47, Cut: true,
			Text: strings.Repeat("漢", 60) + "!" + strings.Repeat("字", 139),
		}},
	}
	if diff := cmp.Diff(want, report.Findings[0].Location); diff != "" {
		t.Errorf("a long line is cut around the place (-want +got):\n%s", diff)
	}
}
