package release

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/documenttest"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
)

// TestCanonicalFormIsADocument holds that what a bundle has can be read as the
// document that it was made of. The changelog and every later comparison rely on
// it.
func TestCanonicalFormIsADocument(t *testing.T) {
	for _, k := range document.Kinds() {
		t.Run(k.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				d := document.Parse(source.NewFile("x.yaml", documenttest.JSON(documenttest.Any(k).Draw(t, "document"))))
				want, err := d.Canonical()
				if err != nil {
					t.Fatal(err)
				}
				again := parseCanonical(want)
				got, err := again.Canonical()
				if err != nil {
					t.Fatalf("the canonical form is refused: %v\n%s", again.Problems, want)
				}
				if !bytes.Equal(got, want) {
					t.Errorf("read again it is\n%s\nand was\n%s", got, want)
				}
			})
		})
	}
}

func TestChangelog(t *testing.T) {
	c := newRepository(t)
	c.rubric("a_v1", "1.0.0", "Is it clear?")
	c.commit()
	c.rubric("a_v1", "1.1.0", "Is it short?")
	c.commit()
	l := c.release(Options{})
	data, err := l.Read(bundlecheck.ChangelogName)
	if err != nil {
		t.Fatal(err)
	}
	var got bundlecheck.Changelog
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	before, after, since, class := "Is it clear?", "Is it short?", "1.0.0", "minor"
	want := bundlecheck.Changelog{SchemaVersion: 1, Documents: []bundlecheck.ChangelogDocument{{
		ID: "a_v1", Kind: "rubric", Versions: []bundlecheck.ChangelogVersion{
			{Version: "1.0.0", Changes: []bundlecheck.ChangelogChange{}},
			{Version: "1.1.0", Since: &since, Class: &class, Changes: []bundlecheck.ChangelogChange{{
				Kind: "reworded", Path: "criteria[clarity].description", Class: "minor", Base: &before, Head: &after,
				Message: got.Documents[0].Versions[1].Changes[0].Message,
			}}},
		},
	}}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// TestALongDocumentHasNoChanges holds that what can't be compared is said to be
// unknown, and not unchanged.
func TestALongDocumentHasNoChanges(t *testing.T) {
	long := bytes.Repeat([]byte("x"), 300<<10)
	if changes, ok := Changes(long, long); ok || changes != nil {
		t.Errorf("got %v, %v", changes, ok)
	}
}
