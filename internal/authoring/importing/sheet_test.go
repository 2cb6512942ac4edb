package importing

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// TestSheetsComeIn imports each table of testdata/sheets. An archive has a comment about the
// table, the options, the table, and what comes in: each criterion with its settings and its
// anchors.
func TestSheetsComeIn(t *testing.T) {
	files := must.Get(filepath.Glob("testdata/sheets/*.txtar"))(t)
	if len(files) == 0 {
		t.Fatal("there is no archive")
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive := must.Get(txtar.ParseFile(name))(t)
			parts := map[string][]byte{}
			for _, f := range archive.Files {
				parts[f.Name] = f.Data
			}
			got := imported(string(parts["options"]), parts["table.csv"])
			if got == string(parts["want"]) {
				return
			}
			if *update {
				parts["want"] = []byte(got)
				out := &txtar.Archive{Comment: archive.Comment}
				for _, part := range []string{"options", "table.csv", "want"} {
					if part != "options" || parts[part] != nil {
						out.Files = append(out.Files, txtar.File{Name: part, Data: parts[part]})
					}
				}
				if err := os.WriteFile(name, txtar.Format(out), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			t.Errorf("got:\n%s\nwant:\n%s", got, parts["want"])
		})
	}
}

// optionsOf reads options such as "--group-by Prompt", each on a line.
func optionsOf(text string) intake.Options {
	o := intake.Options{Format: "csv", Columns: map[string]string{}, Settings: map[string]string{}}
	for line := range strings.Lines(text) {
		flag, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch flag {
		case "--as":
			o.Kind = &document.Rubric
			if value == "ruleset" {
				o.Kind = &document.RuleSet
			}
		case "--group-by":
			o.GroupBy = value
		case "--column":
			field, column, _ := strings.Cut(value, "=")
			o.Columns[field] = column
		case "--best-first":
			o.Levels.Order = levels.BestFirst
		case "--worst-first":
			o.Levels.Order = levels.WorstFirst
		case "--levels":
			o.Levels.Scores, _ = levels.Assignments(value)
		}
	}
	return o
}

// imported describes what a table becomes.
func imported(options string, data []byte) string {
	read, problems := Read(source.NewFile("table.csv", data), optionsOf(options))
	var out strings.Builder
	for _, p := range problems {
		fmt.Fprintf(&out, "problem: %s\n", p.Message)
	}
	if len(problems) > 0 {
		return out.String()
	}
	for _, d := range read.Drafts {
		fmt.Fprintf(&out, "%s %s %q\n", d.Kind.Noun, d.ID, d.Name)
		if text := d.Content.Get("description").Text(); text != "" {
			fmt.Fprintf(&out, "  about: %q\n", text)
		}
		for _, part := range d.Content.Get(authoring.Parts(d.Kind).Key).List() {
			describePart(&out, part)
		}
	}
	for _, r := range read.Derived {
		fmt.Fprintf(&out, "derived: %s (%s, %d)\n", r.Text, cmp.Or(r.First, "file"), r.Count)
	}
	for _, r := range read.Dropped {
		fmt.Fprintf(&out, "dropped: %s (%s, %d)\n", r.Text, cmp.Or(r.First, "file"), r.Count)
	}
	return out.String()
}

// describePart writes the keys of a criterion or a rule, those with more keys on lines of their
// own.
func describePart(out *strings.Builder, part *yamltree.Node) {
	fmt.Fprintf(out, "  %s:", part.Entries[0].Value.Value)
	for _, e := range part.Entries[1:] {
		if e.Value.Kind == yamltree.Scalar {
			fmt.Fprintf(out, " %s=%q", e.Key.Value, e.Value.Value)
		}
	}
	out.WriteByte('\n')
	for _, e := range part.Entries[1:] {
		for _, inner := range e.Value.Entries {
			fmt.Fprintf(out, "    %s: %q\n", inner.Key.Value, inner.Value.Value)
		}
	}
}
