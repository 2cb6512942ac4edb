package exchange

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/authoring/importing"
	"github.com/rubric-library/rubric-library/internal/dev/documenttest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// TestExportsComeBack exports any document, imports the file, gives the draft the keys that
// the format does not keep, and exports it again: all files have to be the same.
func TestExportsComeBack(t *testing.T) {
	formats := 0
	for _, e := range exporters {
		if !slices.Contains(importing.Formats, e.format) {
			continue
		}
		formats++
		for _, kind := range []*document.Kind{&document.Rubric, &document.RuleSet} {
			if !slices.Contains(ExportFormats(library.Kind(kind.Name)), e.format) || kind == &document.Rubric && e.format == "markdown" {
				continue
			}
			t.Run(e.format+" "+kind.Name, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) { comesBack(t, e.format, e.lost, kind) })
			})
		}
	}
	if formats != 4 {
		t.Errorf("%d formats are in both lists, want 4", formats)
	}
}

func comesBack(t *rapid.T, format string, lost []string, kind *document.Kind) {
	drawn := documenttest.Any(kind).Draw(t, "document")
	drawn[kind.IDKey], drawn["version"] = "x_v1", "0.1.0"
	usable(drawn)
	if format == "markdown" {
		drawn = singleSpaces(drawn).(map[string]any)
	}
	original := document.Parse(source.NewFile("x_v1.yaml", documenttest.JSON(drawn)))
	want, err := original.Canonical()
	if err != nil {
		t.Skip("two parts have the same name")
	}
	export := newExport(t, format, libraryDocument(t, library.Kind(kind.Name), "x_v1", "0.1.0", want))
	name := map[string]string{"promptfoo": "promptfooconfig.yaml", "deepeval": "metrics.json"}[format]
	if name == "" {
		name = export.Files()[0]
	}
	f := source.NewFile(filepath.Join("exported", name), []byte(export.files[name]))
	imported, problems := importing.Read(f, importing.Options{Format: format, ID: "x_v1"})
	if len(problems) > 0 || len(imported.Drafts) != 1 {
		t.Fatalf("%v\n%s", problems, f.Data)
	}
	draft := imported.Drafts[0]
	draft.Source = "" // which a draft records, and an export does not
	for _, path := range lost {
		fill(&draft, strings.Split(path, "."), original)
	}
	l := must.Get(authoring.Open(fstest.MapFS{"rubrics": {Mode: 0o755 | 1<<31}}, nil))(t)
	edit := must.Get(l.Create(draft))(t)
	d := document.Parse(source.NewFile("x_v1.yaml", emptySettings.ReplaceAll(edit.Files[0].After, nil)))
	got, err := d.Canonical()
	if err != nil {
		t.Fatalf("%v %v\n%s\n%s", err, d.Problems, f.Data, edit.Files[0].After)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Fatalf("the document changed:\n%s\n%s", diff, f.Data)
	}
	again := newExport(t, format, libraryDocument(t, library.Kind(kind.Name), "x_v1", "0.1.0", got))
	if diff := cmp.Diff(export.files, again.files); diff != "" {
		t.Fatalf("the export changed:\n%s", diff)
	}
}

// usable makes a random document one that a library can have.
func usable(drawn map[string]any) {
	negatives, _ := drawn["negative_criteria"].([]any)
	for _, n := range negatives {
		n.(map[string]any)["fail_patterns"] = []any{`a{2}\{\{`, `"'|#`}
	}
	rules, _ := drawn["rules"].([]any)
	for _, r := range rules {
		rule := r.(map[string]any)
		if rule["checks"] != nil {
			rule["checks"] = []any{map[string]any{"type": "executable", "command": []any{"true"}}}
		}
		if rule["weight"] == 0.0 {
			rule["weight"] = 0.5
		}
	}
}

// emptySettings matches what an author removes from a draft if the original has no settings.
var emptySettings = regexp.MustCompile(`(?m)^scoring:\n  pass_threshold:\n  essential_minimum:\n|^  (?:pass_threshold|essential_minimum):\n`)

// fill gives a draft a key of the original, or removes it if the original has none.
func fill(d *authoring.Draft, path []string, original *document.Document) {
	switch path[0] {
	case "name":
		d.Name = original.Text("name")
	case "artifact_type":
		d.ArtifactType = original.ArtifactType()
	default:
		fillNode(d.Content, original.Root(), path)
	}
}

func fillNode(to, from *yamltree.Node, path []string) {
	if len(path) == 2 {
		for i, item := range to.Get(path[0]).List() {
			fillNode(item, from.Get(path[0]).Items[i], path[1:])
		}
		return
	}
	to.Entries = slices.DeleteFunc(to.Entries, func(e yamltree.KeyValue) bool { return e.Key.Value == path[0] })
	for _, e := range from.Entries {
		if e.Key.Value == path[0] {
			to.Entries = append(to.Entries, e)
		}
	}
}

// commands are texts that could be commands in a log, so that a space breaks them up.
var commands = regexp.MustCompile(`##+([A-Za-z]*)\[`)

// singleSpaces makes runs of white space in texts one space, and removes commands, bars, which
// code in Markdown shows as <U+007C>, and backquotes, which mark code there.
func singleSpaces(v any) any {
	switch v := v.(type) {
	case string:
		return strings.Join(strings.Fields(strings.NewReplacer("|", "/", "`", "'").Replace(commands.ReplaceAllString(v, "#$1["))), " ")
	case []any:
		for i := range v {
			v[i] = singleSpaces(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = singleSpaces(v[key])
		}
	}
	return v
}
