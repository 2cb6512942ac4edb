package authoring

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

// drafts is a draft of each kind.
var drafts = []Draft{
	{Kind: &document.Rubric, ID: "bug_v1", Name: `Bug: "report"`, ArtifactType: "jira_tickets", Parts: []string{"clarity", "scope"}},
	{Kind: &document.RuleSet, ID: "api_v1", Name: "API", ArtifactType: "api_design", Parts: []string{"a.correctness.endpoints", "b.style.naming"}},
}

// library is a library in memory of which no history is known.
func library(t testing.TB, files map[string]string) *Local {
	t.Helper()
	fsys := fstest.MapFS{"rubrics": {Mode: 0o755 | 1<<31}}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	return must.Get(Open(fsys, nil))(t)
}

// lintLines are the errors and warnings in one file: lint rules by line.
func lintLines(t *testing.T, name, text string) map[int]string {
	t.Helper()
	report := must.Get(lint.Run(fstest.MapFS{name: {Data: []byte(text), Mode: 0o644}}, rules.All(), lint.Options{}))(t)
	lines := map[int]string{}
	for _, f := range report.Findings {
		if f.Severity > lint.Note {
			lines[f.Start.Line] += f.Rule.ID
		}
	}
	return lines
}

// TestANewDocumentIsAnExampleToReplace checks that a draft is valid, has the parts that were asked
// for, and that the linter reports each of its texts and nothing else.
func TestANewDocumentIsAnExampleToReplace(t *testing.T) {
	for _, d := range drafts {
		for _, parts := range [][]string{nil, d.Parts, slices.Concat(d.Parts, []string{"a.style.c", "c", "b.style.d", "d"})} {
			d.Parts = slices.DeleteFunc(parts, func(part string) bool { return CheckParts(d.Kind, []string{part}) != nil })
			e := must.Get(library(t, nil).Create(d))(t)
			f := e.Files[0]
			doc := document.Parse(source.NewFile(f.Path, f.After))
			if !doc.Valid() {
				t.Fatalf("%s: %v", d.ID, doc.Problems)
			}
			list := Parts(d.Kind)
			var names []string
			for _, part := range items(doc, list.Key) {
				names = append(names, part.Get(list.Value.Identity).Text())
			}
			if len(parts) > 0 && !slices.Equal(names, d.Parts) || len(names) < 2 {
				t.Errorf("%s: got the parts %q, want %q", d.ID, names, d.Parts)
			}
			found := slices.Collect(maps.Values(lintLines(t, f.Path, string(f.After))))
			texts := 0
			schema.EachText(d.Kind.Table, doc.Root(), func(f *schema.Field, v *schema.Value, _ *yamltree.Node) {
				if v.Pattern == nil && f.Key != "name" {
					texts++
				}
			})
			if want := slices.Repeat([]string{"placeholder-text"}, texts); !slices.Equal(found, want) || texts < 2*len(names) {
				t.Errorf("%s with %q: got the findings %q of %d texts", d.ID, names, found, texts)
			}
		}
	}
}

func TestNewRefuses(t *testing.T) {
	there := map[string]string{
		"rubrics/jira_tickets/story_v1.yaml": "rubric_id: story_v1\n",
		"rubrics/prd/note_v1.yaml":           "rubric_id: misnamed_v1\n",
		"rubrics/file":                       "a file",
		"rubrics/retired.yaml":               "retired:\n  - {id: old_v1, kind: rubric, last_version: 1.0.0, reason: Gone.}\n",
	}
	change := func(f func(*Draft)) Draft {
		d := drafts[0]
		f(&d)
		return d
	}
	tests := []struct {
		reason string
		draft  Draft
		want   string
	}{
		{"the ID is invalid", change(func(d *Draft) { d.ID = "Bug Report" }), `Did you mean "bug_report_v1"?`},
		{"the ID has no version", change(func(d *Draft) { d.ID = "bug_report" }), `Did you mean "bug_report_v1"?`},
		{"the ID is empty", change(func(d *Draft) { d.ID = "" }), "The ID is blank"},
		{"a path out of the folder is not an ID", change(func(d *Draft) { d.ID = "../x" }), "the ID must be"},
		{"a draft goes under _v1", change(func(d *Draft) { d.ID = "bug_v2" }), "so its ID must end in _v1: bug_v1"},
		{"the name is blank", change(func(d *Draft) { d.Name = " " }), "The name is blank"},
		{"the artifact type is no name", change(func(d *Draft) { d.ArtifactType = "Jira Tickets" }), `Did you mean "jira_tickets"?`},
		{"the name of a criterion is invalid", change(func(d *Draft) { d.Parts = []string{"Clear text"} }), `Did you mean "clear_text"?`},
		{"two criteria of one name", change(func(d *Draft) { d.Parts = []string{"a", "b", "a"} }), `two criteria are named "a"`},
		{"the ID exists", change(func(d *Draft) { d.ID = "story_v1" }), "story_v1 is already the ID of a rubric: rubrics/jira_tickets/story_v1.yaml"},
		{"the ID exists in another file", change(func(d *Draft) { d.ID = "misnamed_v1" }), "rubrics/prd/note_v1.yaml"},
		{"the ID is retired", change(func(d *Draft) { d.ID = "old_v1" }), "old_v1 is retired"},
		{"another file is there", change(func(d *Draft) { d.ArtifactType, d.ID = "prd", "note_v1" }), "rubrics/prd/note_v1.yaml already exists"},
		{"a file is in the folder's place", change(func(d *Draft) { d.ArtifactType = "file" }), "rubrics/file is not a folder"},
		{"a rule has a form of its own", func() Draft { d := drafts[1]; d.Parts = []string{"c.x.y"}; return d }(), "three lowercase parts joined by dots"},
	}
	for _, tt := range tests {
		_, err := library(t, there).Create(tt.draft)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, want %q in it", tt.reason, err, tt.want)
		}
	}
}
