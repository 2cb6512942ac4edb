package editor

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

func shipped(t *testing.T, name string) string {
	t.Helper()
	return string(must.Get(os.ReadFile(filepath.Join("..", filepath.FromSlash(name))))(t))
}

// TestEditorFindsMistakes opens shipped files, which are correct, and copies with one
// mistake each. The schema comes from the modeline or from the settings.
func TestEditorFindsMistakes(t *testing.T) {
	s := start(t)
	tests := []struct {
		reason, file, old, new string
		says                   string // "" for nothing
		line                   int    // from 1
	}{
		{reason: "a rubric", file: "rubrics/prd/prd_quality_v1.yaml"},
		{reason: "a rule set", file: "rubrics/api_design/rest_api_design_v1.yaml"},
		{reason: "a dataset", file: "calibration/prd_quality/dataset.yaml"},
		{reason: "a misspelled key", file: "rubrics/prd/prd_quality_v1.yaml", old: "artifact_type:", new: "artifakt_type:", says: "artifakt_type", line: 5},
		{reason: "an unknown weight", file: "rubrics/prd/prd_quality_v1.yaml", old: `weight: "essential"`, new: `weight: "vital"`, says: "essential"},
		{reason: "a threshold off the scale", file: "rubrics/prd/prd_quality_v1.yaml", old: "threshold: 3.5", new: "threshold: 35", says: "5"},
		{reason: "an unknown severity", file: "rubrics/api_design/rest_api_design_v1.yaml", old: `severity: "fail"`, new: `severity: "error"`, says: "fail"},
		{reason: "an unknown group of raters", file: "calibration/prd_quality/dataset.yaml", old: `labeled_by: "authors"`, new: `labeled_by: "us"`, says: "people"},
		{reason: "the ledger, whose schema depends on its name", file: "rubrics/retired.yaml", old: "", new: "retired:\n  - id: x_v1\n", says: "Missing property"},
		{reason: "the configuration, whose schema depends on its name", file: ".rubric-lint.yaml", old: "", new: "severity:\n  ambiguous-text: fatal\n", says: "error"},
	}
	for i, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			text := tt.new
			if tt.old != "" || tt.new == "" {
				text = strings.Replace(shipped(t, tt.file), tt.old, tt.new, 1)
			}
			// Use another name, because the server remembers open files.
			name := tt.file
			if tt.old != "" {
				name = strings.Replace(tt.file, "_v1.yaml", fmt.Sprintf("_v1%d.yaml", i), 1)
				name = strings.Replace(name, "prd_quality/dataset", fmt.Sprintf("prd_quality%d/dataset", i), 1)
			}
			found := s.open(name, text)
			if tt.says == "" {
				if len(found) > 0 {
					t.Errorf("the editor finds %+v", found)
				}
				return
			}
			if len(found) == 0 {
				t.Fatal("the editor finds nothing")
			}
			said := fmt.Sprintf("%+v", found)
			if !strings.Contains(said, tt.says) {
				t.Errorf("the editor says %s, want %q in it", said, tt.says)
			}
			if tt.line > 0 && !slices.ContainsFunc(found, func(d diagnostic) bool { return d.Range.Start.Line+1 == tt.line }) {
				t.Errorf("line %d has no mistake: %s", tt.line, said)
			}
		})
	}
}

// TestEditorHelpsWriting asks for the hover text of a key and for completions.
func TestEditorHelpsWriting(t *testing.T) {
	s := start(t)
	const name = "rubrics/prd/new_v1.yaml"
	text := "# yaml-language-server: $schema=../../schema/rubric.schema.json\nrubric_id: new_v1\nversion: \"0.1.0\"\n\n"
	s.open(name, text)
	hover := string(s.request("textDocument/hover", map[string]any{
		"textDocument": map[string]any{"uri": s.uri(name)}, "position": map[string]any{"line": 2, "character": 2},
	}))
	if !strings.Contains(hover, "It increases with each change") {
		t.Errorf("over version hovers %s", hover)
	}
	completion := string(s.request("textDocument/completion", map[string]any{
		"textDocument": map[string]any{"uri": s.uri(name)}, "position": map[string]any{"line": 3, "character": 0},
	}))
	for _, key := range []string{`"criteria"`, `"artifact_type"`, `"negative_criteria"`} {
		if !strings.Contains(completion, key) {
			t.Errorf("%s is not offered", key)
		}
	}
}

// TestProblemMatcherReadsTheOutput runs the editor's task on a library with mistakes. Every
// finding must become an entry in the list of problems.
func TestProblemMatcherReadsTheOutput(t *testing.T) {
	var tasks struct {
		Tasks []struct {
			ProblemMatcher struct {
				Pattern struct {
					Regexp                                      string
					File, Line, Column, Severity, Code, Message int
				}
			}
		}
	}
	must.Do(t, json.Unmarshal([]byte(shipped(t, ".vscode/tasks.json")), &tasks))
	p := tasks.Tasks[0].ProblemMatcher.Pattern
	matcher := regexp.MustCompile(p.Regexp)
	cmd := exec.Command("go", "run", "./cmd/rubric-lint", "--base", "none", "--stdin-filename", "rubrics/prd/new_v1.yaml", "-")
	cmd.Dir = ".."
	cmd.Stdin = strings.NewReader("rubric_id: new_v1\nname: New\nversion: 1.10\n")
	out, _ := cmd.Output() // it has findings
	var got []string
	for line := range strings.Lines(string(out)) {
		if m := matcher.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
			got = append(got, fmt.Sprintf("%s %s %s %s", m[p.File], m[p.Line], m[p.Severity], m[p.Code]))
		}
	}
	if errors := strings.Count(string(out), ": error["); len(got) < 3 || len(got) < errors {
		t.Fatalf("%d of %d findings are read: %q\n%s", len(got), errors, got, out)
	}
	for _, line := range got {
		if !strings.HasPrefix(line, "rubrics/prd/new_v1.yaml ") {
			t.Errorf("the file of %q is not read", line)
		}
	}
}
