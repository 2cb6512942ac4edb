package layout_test

import (
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/documenttest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	_ "github.com/rubric-library/rubric-library/internal/dev/quick"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/layout"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// TestTheYAMLOfACanonicalFormHasItsDigest: any document is read back as it was, with any texts.
func TestTheYAMLOfACanonicalFormHasItsDigest(t *testing.T) {
	for _, k := range document.Kinds() {
		t.Run(k.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				d := document.ParseAs(source.NewFile("any.json", documenttest.JSON(documenttest.Any(k).Draw(t, "document"))), k)
				canonical, err := d.Canonical()
				if err != nil {
					t.Fatal(d.Problems)
				}
				made, err := layout.Canonical(k, canonical)
				if err != nil {
					t.Fatalf("%v\n%s", err, canonical)
				}
				again := document.ParseAs(source.NewFile("made.yaml", made), k)
				if got, err := again.Canonical(); err != nil || string(got) != string(canonical) {
					t.Fatalf("got %s (%v)\nwant %s\nfrom\n%s", got, err, canonical, made)
				}
			})
		})
	}
}

// TestWhatIsNotCanonicalHasNoYAML: a text with another digest is refused.
func TestWhatIsNotCanonicalHasNoYAML(t *testing.T) {
	data := must.Get(os.ReadFile("../../../rubrics/jira_tickets/user_story_quality_v1.yaml"))(t)
	canonical := must.Get(document.ParseAs(source.NewFile("a.yaml", data), &document.Rubric).Canonical())(t)
	made := string(must.Get(layout.Canonical(&document.Rubric, canonical))(t))
	if !strings.Contains(made, "# user_story_quality_v1@") {
		t.Errorf("the YAML does not say which version it is:\n%s", made)
	}
	for _, text := range []string{"", "{}", " " + string(canonical), strings.Replace(string(canonical), `"rubric_id"`, `"ruleset_id"`, 1)} {
		if made, err := layout.Canonical(&document.Rubric, []byte(text)); err == nil {
			t.Errorf("%.40q: got %s", text, made)
		}
	}
}
