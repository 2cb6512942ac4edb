package printer

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
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
		{"lint.github", func(w io.Writer, r *lint.Report) error { return GitHub(w, r, prefix, nil) }},
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
		must.Do(t, f.write(&out, report))
		name := "testdata/" + f.golden
		if *update {
			must.Do(t, os.WriteFile(name, out.Bytes(), 0o666))
		}
		want := must.Get(os.ReadFile(name))(t)
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
	archive := must.Get(txtar.ParseFile(name))(t)
	fsys := fstest.MapFS{}
	for _, f := range archive.Files {
		fsys[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
	}
	r := must.Get(lint.Run(fsys, rulesThere(), lint.Options{}))(t)
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
	r.Base = &change.Base{Target: "origin/main", Why: "it is the main branch", Tip: strings.Repeat("a", 40), MergeBases: []string{strings.Repeat("b", 40)}}
	at.File, at.Revision = "rubrics/exceptions.yaml", ""
	r.Exceptions = []*holdings.Exception{{Rule: "major-change", ID: "x_v1", Version: "1.2.0", Reason: "agreed with all consumers", At: at}}
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
	schema := must.Get(jsonschema.NewCompiler().Compile("testdata/sarif/sarif-schema-2.1.0.json"))(t)
	for name, r := range map[string]*lint.Report{
		"every kind of finding": reportOf(t, "testdata/lint.txtar"), "nothing": {}, "too many": many(2000).Shorten(),
	} {
		var out bytes.Buffer
		must.Do(t, SARIF(&out, r, "", "devel"))
		value, err := jsonschema.UnmarshalJSON(&out)
		if err != nil {
			t.Fatalf("%s: the output is not JSON: %v", name, err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		run := value.(map[string]any)["runs"].([]any)[0].(map[string]any)
		results, ok := run["results"].([]any)
		if !ok || len(results) != len(r.Findings) {
			t.Errorf("%s: %d results, want %d", name, len(results), len(r.Findings))
		}
		if _, more := run["invocations"].([]any)[0].(map[string]any)["toolExecutionNotifications"]; more != (r.Summary.Unlisted > 0 || r.Summary.Ignored > 0 || r.Summary.Hidden > 0) {
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

func TestMarkdownHasRoom(t *testing.T) {
	r := many(20_000)
	for _, room := range []int{render.MaxMarkdown, 10_000, 2000} {
		var out strings.Builder
		must.Do(t, Markdown(&out, r, "", "the log, 100%", room))
		rows := strings.Count(out.String(), "\n| **error** | ") + strings.Count(out.String(), "\n| warning | ") + strings.Count(out.String(), "\n| note | ")
		if out.Len() > room || out.Len() < room/2 || !strings.Contains(out.String(), fmt.Sprintf("| %d more: the log, 100%% has all | | | |\n", len(r.Findings)-rows)) {
			t.Errorf("room for %d bytes: %d bytes with %d rows, and the count of the rest is wrong", room, out.Len(), rows)
		}
	}
}
