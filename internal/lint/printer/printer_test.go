package printer

import (
	"bytes"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/linttest"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
	"github.com/rubric-library/rubric-library/internal/render"
)

var update = flag.Bool("update", false, "rewrite the golden files of testdata")

// lintFormat is a format of rubric-lint, with the golden file that freezes it.
type lintFormat struct {
	golden string
	write  func(io.Writer, *lint.Report) error
}

func lintFormats() []lintFormat {
	const prefix = "teams/docs"
	return []lintFormat{
		{"lint.txt", func(w io.Writer, r *lint.Report) error {
			return Text(w, r, TextOptions{TextOptions: render.TextOptions{Prefix: prefix}, Notes: true})
		}},
		{"lint.json", JSON},
		{"lint.github", func(w io.Writer, r *lint.Report) error { return GitHub(w, r, prefix) }},
		{"lint.md", func(w io.Writer, r *lint.Report) error { return Markdown(w, r, prefix, "", render.MaxMarkdown) }},
		{"lint.xml", func(w io.Writer, r *lint.Report) error { return JUnit(w, r, prefix, lint.Error) }},
		{"lint.gitlab.json", func(w io.Writer, r *lint.Report) error { return GitLab(w, r, prefix) }},
		{"lint.sarif", func(w io.Writer, r *lint.Report) error { return SARIF(w, r, prefix, "v1.2.3") }},
	}
}

// TestFormatsAreFrozen holds what programs and people read of one library. A
// change of these files is a change of a format.
func TestFormatsAreFrozen(t *testing.T) {
	report := reportOf(t, "testdata/lint.txtar")
	for _, f := range lintFormats() {
		var out bytes.Buffer
		if err := f.write(&out, report); err != nil {
			t.Fatal(err)
		}
		name := "testdata/" + f.golden
		if *update {
			if err := os.WriteFile(name, out.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), out.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// reportOf checks a library in a txtar file, as if compared with a branch on
// which an exception was accepted and one commit has a finding, and with a baseline;
// the change touches the dataset.
func reportOf(t *testing.T, name string) *lint.Report {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	fsys := fstest.MapFS{}
	for _, f := range archive.Files {
		fsys[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
	}
	r, err := lint.Run(fsys, rulesThere(), lint.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := source.Location{File: "rubrics/corpus/old_v1.yaml", Revision: strings.Repeat("c", 40), Start: source.Position{Line: 3, Column: 10}, End: source.Position{Line: 3, Column: 17}}
	r.Findings = append(r.Findings, lint.Finding{
		Rule: rules.Find("version-too-low"), Severity: lint.Error, Location: at, ID: "old_v1",
		Message: "Change version 1.0.0 to 1.1.0.", Fingerprint: strings.Repeat("f", 32),
	})
	r.Summary.Errors++
	r.Summary.Hidden = 12
	for i := range r.Findings {
		r.Findings[i].Changed = strings.HasPrefix(r.Findings[i].File, "calibration/")
	}
	r.Base = &lint.Base{Target: "origin/main", Why: "it is the main branch", Tip: strings.Repeat("a", 40), MergeBases: []string{strings.Repeat("b", 40)}}
	at.File, at.Revision = "rubrics/exceptions.yaml", ""
	r.Exceptions = []*lint.Exception{{Rule: "major-change", ID: "x_v1", Version: "1.2.0", Reason: "agreed with all consumers", At: at, Used: true}}
	return r
}

// rulesThere are the lint rules that find something in testdata/lint.txtar: with all
// of them the golden files would change with each new one.
func rulesThere() []*lint.Rule {
	return linttest.Only(rules.All(), "stray-file", "file-name", "unknown-key", "wrong-type", "duplicate-id", "few-items", "one-rater", "labels-not-by-people", "version-too-low")
}

// many is a report of n errors, n warnings and n notes, the errors last.
func many(n int) *lint.Report {
	r := &lint.Report{Summary: lint.Summary{Files: 1, Errors: n, Warnings: n, Notes: n}}
	for _, s := range []lint.Severity{lint.Note, lint.Warning, lint.Error} {
		for i := range n {
			at := source.Location{File: "rubrics/prd/x_v1.yaml", Start: source.Position{Line: i + 1, Column: 1}, End: source.Position{Line: i + 1, Column: 2}}
			r.Findings = append(r.Findings, lint.Finding{Rule: rules.Find("unknown-key"), Severity: s, Location: at, Message: "m", Fingerprint: fmt.Sprint(s, i)})
		}
	}
	return r
}

func TestSARIFFollowsItsSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("testdata/sarif/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]*lint.Report{
		"every kind of finding": reportOf(t, "testdata/lint.txtar"), "nothing": {}, "too many": many(2000),
	} {
		var out bytes.Buffer
		if err := SARIF(&out, r, "", "devel"); err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(&out)
		if err != nil {
			t.Fatalf("%s: the output is not JSON: %v", name, err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		run := value.(map[string]any)["runs"].([]any)[0].(map[string]any)
		results, ok := run["results"].([]any)
		if want := min(len(r.Findings), maxResults); !ok || len(results) != want {
			t.Errorf("%s: %d results, want %d", name, len(results), want)
		}
		if _, more := run["invocations"].([]any)[0].(map[string]any)["toolExecutionNotifications"]; more != (len(r.Findings) > maxResults || r.Summary.Hidden > 0) {
			t.Errorf("%s: what is left out is not said, or nothing is and it is said", name)
		}
		checkResults(t, name, run, results)
	}
}

// checkResults checks what GitHub requires of results in addition to the schema.
func checkResults(t *testing.T, name string, run map[string]any, results []any) {
	t.Helper()
	rules := run["tool"].(map[string]any)["driver"].(map[string]any)["rules"].([]any)
	seen, used := map[string]bool{}, map[any]bool{}
	for i, result := range results {
		r := result.(map[string]any)
		used[r["ruleId"]] = true
		index, err := r["ruleIndex"].(interface{ Int64() (int64, error) }).Int64()
		if err != nil || rules[index].(map[string]any)["id"] != r["ruleId"] {
			t.Errorf("%s: the index of result %d is not that of its rule", name, i)
		}
		physical := r["locations"].([]any)[0].(map[string]any)["physicalLocation"].(map[string]any)
		if len(physical["region"].(map[string]any)) != 4 || physical["artifactLocation"].(map[string]any)["uri"] == "" {
			t.Errorf("%s: result %d has no whole place: %v", name, i, physical)
		}
		fingerprint := fmt.Sprint(r["partialFingerprints"].(map[string]any)[fingerprintKey])
		if seen[fingerprint] {
			t.Errorf("%s: result %d has the fingerprint of another one", name, i)
		}
		seen[fingerprint] = true
	}
	if len(rules) != len(used) {
		t.Errorf("%s: %d rules for the results of %d", name, len(rules), len(used))
	}
}

// TestGitHubGetsWhatChanged holds that annotations on lines that the change
// touches come before all others, each part the worst first, and that no finding
// is lost in the log.
func TestGitHubGetsWhatChanged(t *testing.T) {
	r := many(maxAnnotations + 2)
	for i := range r.Findings {
		r.Findings[i].Changed = i%4 == 0
	}
	var out strings.Builder
	if err := GitHub(&out, r, ""); err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(out.String()) {
		if command, rest, ok := strings.Cut(line, " file="); ok {
			place, _, _ := strings.Cut(rest, ",col=")
			got = append(got, strings.TrimPrefix(command, "::")+place[strings.LastIndex(place, "="):])
		}
	}
	want := []string{
		"error=1", "error=5", "error=9", "warning=1", "warning=5", "warning=9", "notice=1", "notice=5", "notice=9",
		"error=2", "error=3", "error=4", "error=6", "error=7", "error=8", "error=10",
		"warning=2", "warning=3", "warning=4", "warning=6", "warning=7", "warning=8", "warning=10",
		"notice=2", "notice=3", "notice=4", "notice=6", "notice=7", "notice=8", "notice=10",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the annotations (-want +got):\n%s", diff)
	}
	for _, s := range []string{"error", "warning", "note"} {
		for _, line := range []int{11, 12} {
			if plain := fmt.Sprintf("\nrubrics/prd/x_v1.yaml:%d:1: %s[unknown-key]: m\n", line, s); !strings.Contains(out.String(), plain) {
				t.Errorf("the log has no line %q:\n%s", plain, out.String())
			}
		}
	}
}

// TestGitHubGetsTheWorst holds that of each kind as many annotations are written
// as GitHub shows, errors first, and that the rest is counted.
func TestGitHubGetsTheWorst(t *testing.T) {
	for _, n := range []int{0, 1, maxAnnotations, maxAnnotations + 1, 300} {
		var out strings.Builder
		if err := GitHub(&out, many(n), ""); err != nil {
			t.Fatal(err)
		}
		var got []string
		for line := range strings.Lines(out.String()) {
			if command, _, ok := strings.Cut(line, " file="); ok {
				got = append(got, command)
			}
		}
		shown := min(n, maxAnnotations)
		want := slices.Concat(slices.Repeat([]string{"::error"}, shown), slices.Repeat([]string{"::warning"}, shown), slices.Repeat([]string{"::notice"}, shown))
		if !slices.Equal(got, want) {
			t.Errorf("%d of each: the commands are %q", n, got)
		}
		more := fmt.Sprintf("%[1]d more errors, %[1]d more warnings, %[1]d more notes: ", n-shown)
		if n-shown == 1 {
			more = "1 more error, 1 more warning, 1 more note: "
		}
		if strings.Contains(out.String(), more) != (n > shown) || n == shown && strings.Contains(out.String(), " more ") {
			t.Errorf("%d of each: the count is wrong:\n%s", n, out.String())
		}
	}
}

func TestAnnotationsStandAtTheirPlace(t *testing.T) {
	at := func(line, column, endLine, endColumn int) source.Location {
		return source.Location{File: "a.yaml", Start: source.Position{Line: line, Column: column}, End: source.Position{Line: endLine, Column: endColumn}}
	}
	inHistory := at(3, 4, 3, 9)
	inHistory.Revision = strings.Repeat("c", 40)
	odd := at(1, 1, 1, 2)
	odd.File = "a,b:c%d\r\n.yaml"
	for _, tt := range []struct {
		reason string
		at     source.Location
		want   string
	}{
		{"within a line", at(3, 4, 3, 9), "file=a.yaml,line=3,col=4,endLine=3,endColumn=9,"},
		{"several lines have no columns, which GitHub would refuse", at(3, 4, 5, 2), "file=a.yaml,line=3,endLine=5,"},
		{"a whole file is its first line", at(0, 0, 0, 0), "file=a.yaml,line=1,"},
		{"a file of an old commit can't be annotated", inHistory, ""},
		{"no part of a name ends the property", odd, "file=a%2Cb%3Ac%25d<U+000D><U+000A>.yaml,line=1,col=1,endLine=1,endColumn=2,"},
	} {
		if got := new(text).annotated(tt.at); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.reason, got, tt.want)
		}
	}
}

func TestMarkdownHasRoom(t *testing.T) {
	r := many(20_000)
	for _, room := range []int{render.MaxMarkdown, 10_000, 2000} {
		var out strings.Builder
		if err := Markdown(&out, r, "", "the log, 100%", room); err != nil {
			t.Fatal(err)
		}
		rows := strings.Count(out.String(), "\n| **error** | ") + strings.Count(out.String(), "\n| warning | ") + strings.Count(out.String(), "\n| note | ")
		if out.Len() > room || out.Len() < room/2 || !strings.Contains(out.String(), fmt.Sprintf("| %d more: the log, 100%% has all | | | |\n", len(r.Findings)-rows)) {
			t.Errorf("room for %d bytes: %d bytes with %d rows, and the count of the rest is wrong", room, out.Len(), rows)
		}
	}
}

// TestJUnitIsRedIfTheExitCodeIs1 holds that exactly the findings that fail are
// failures, and that a library without findings is a case that passes.
func TestJUnitIsRedIfTheExitCodeIs1(t *testing.T) {
	for _, tt := range []struct {
		reason                   string
		report                   *lint.Report
		failing                  lint.Severity
		tests, failures, skipped int
	}{
		{"nothing found", &lint.Report{}, lint.Error, 1, 0, 0},
		{"warnings and notes don't fail", many(2), lint.Error, 6, 2, 4},
		{"warnings fail if they are to", many(2), lint.Warning, 6, 4, 2},
	} {
		var out bytes.Buffer
		if err := JUnit(&out, tt.report, "", tt.failing); err != nil {
			t.Fatal(err)
		}
		var got render.JUnitSuites
		if err := xml.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		skipped := 0
		for _, s := range got.Suites {
			skipped += s.Skipped
		}
		if got.Tests != tt.tests || got.Failures != tt.failures || skipped != tt.skipped {
			t.Errorf("%s: %d tests, %d failures, %d skipped", tt.reason, got.Tests, got.Failures, skipped)
		}
	}
}
