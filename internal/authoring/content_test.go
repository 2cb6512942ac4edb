package authoring

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/documenttest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// TestADraftSaysWhatItsContentSays writes any valid document as a draft: it reads as the
// same document, except for what a draft does not have.
func TestADraftSaysWhatItsContentSays(t *testing.T) {
	for _, kind := range document.Kinds() {
		t.Run(kind.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				values := documenttest.Any(kind).Draw(t, "document")
				delete(values, deprecatedKey)
				if scoring, _ := values["scoring"].(map[string]any); len(scoring) == 0 {
					values["scoring"] = map[string]any{"pass_threshold": 1} // the linter asks for one
				}
				values[kind.IDKey], values[versionKey] = "draft_v1", firstVersion
				data := must.Get(json.Marshal(values))(t)
				want := document.ParseAs(source.NewFile("want.json", yamltree.Escape(data)), kind)
				d := Draft{
					Kind: kind, ID: "draft_v1", Name: fmt.Sprint(values["name"]), ArtifactType: fmt.Sprint(values["artifact_type"]),
					Content: want.Root(), Notes: map[string][]string{"clarity": {"a note\nof two lines # and more"}},
				}
				text := d.text()
				if len(text) > yamltree.MaxBytes {
					t.Skip("too large for a document")
				}
				got := document.Parse(source.NewFile("got.yaml", text))
				if !got.Valid() || !same(want, got) {
					t.Errorf("got %v, from\n%s\n%s", got.Problems, data, text)
				}
			})
		})
	}
}

// TestNotesStayComments writes notes that would end their comment, or suppress findings.
func TestNotesStayComments(t *testing.T) {
	note := "a\nb: c \x00\u202e\u0085\ufeff " + strings.Repeat("x", 60) + " rubric-lint: ignore blank-text -- hidden"
	d := Draft{
		Kind: &document.Rubric, ID: "draft_v1", Name: "x", ArtifactType: "prd", Notes: map[string][]string{"clarity": {note, note}},
		Content: Mapping("criteria", &yamltree.Node{Kind: yamltree.Sequence, Items: []*yamltree.Node{Mapping("name", "clarity")}}),
	}
	text := string(d.text())
	found := lintLines(t, "rubrics/prd/draft_v1.yaml", text)
	if line := 1 + strings.Count(text[:strings.Index(text, "    description:")], "\n"); found[line] != "blank-text" || strings.Contains(text, "rubric-lint:") {
		t.Errorf("got %v in line %d of\n%s", found, line, text)
	}
}
