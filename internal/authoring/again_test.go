package authoring

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// importedDraft is a rule set from a file that has a description.
func importedDraft(description string) Draft {
	rule := Mapping("id", "a.task.date", "description", description, "severity", "fail", "check", "Read the first page.")
	return Draft{
		Kind: &document.RuleSet, ID: "letter_v1", Name: "Letter", ArtifactType: "letters", Source: "letters.csv", Part: "csv",
		Content: Mapping("rules", &yamltree.Node{Kind: yamltree.Sequence, Items: []*yamltree.Node{rule}}, "scoring", Mapping("pass_threshold", "1")),
	}
}

const letterFile = "rubrics/letters/letter_v1.yaml"

// importedText is the document of importedDraft.
func importedText(t testing.TB, description string) string {
	t.Helper()
	return string(must.Get(library(t, nil).Import(false, importedDraft(description)))(t).Files[0].After)
}

func TestOnlyATextThatNobodyEditedIsReplaced(t *testing.T) {
	text := importedText(t, "The letter has a date.")
	for _, test := range []struct {
		reason, text string
		replaced     bool
	}{
		{"as imported", text, true},
		{"with another version", strings.Replace(text, "0.1.0", "0.2.0", 1), true},
		{"with the line ends of Windows", strings.ReplaceAll(text, "\n", "\r\n"), true},
		{"without the last line end", strings.TrimSuffix(text, "\n"), true},
		{"from another place of the file", strings.Replace(text, "(csv)", "(csv line 2)", 1), true},
		{"with another text", strings.Replace(text, "a date", "the date", 1), false},
		{"with a comment", text + "# Ask Ada about the date.\n", false},
		{"with a comment after a value", strings.Replace(text, "severity: fail", "severity: fail # for now", 1), false},
		{"with a comment after the version", strings.Replace(text, `"0.1.0"`, `"0.1.0" # by Ada`, 1), false},
		{"with another key", text + "  owner: ada\n", false},
		{"without a record", strings.Replace(text, "imported_digest", "digest", 1), false},
		{"with a record of another text", strings.Replace(text, `digest: "sha256:`, `digest: "sha256:0`, 1), false},
	} {
		e := must.Get(library(t, map[string]string{letterFile: test.text}).Import(true, importedDraft("The letter is dated.")))(t)
		if replaced := len(e.Files) == 1; replaced != test.replaced {
			t.Errorf("%s: replaced is %v, want %v", test.reason, replaced, test.replaced)
		}
		if kept := strings.Contains(strings.Join(e.Warnings, ""), "kept "+letterFile+", which is edited"); kept == test.replaced {
			t.Errorf("%s: the warnings are %q", test.reason, e.Warnings)
		}
	}
}

// TestNoEditIsLost changes a document at any place: it is only replaced if the change is in the
// value of a key that an import writes itself.
func TestNoEditIsLost(t *testing.T) {
	text := importedText(t, "The letter has a date.")
	rapid.Check(t, func(rt *rapid.T) {
		at := rapid.IntRange(0, len(text)-1).Draw(rt, "at")
		edited := text[:at] + rapid.StringMatching(`[a-z0-9 #:"\n-]{1,12}`).Draw(rt, "added") + text[at:]
		e, err := library(t, map[string]string{letterFile: edited}).Import(true, importedDraft("The letter is dated."))
		if err != nil || len(e.Files) == 0 {
			return // kept, or refused because it can't be read
		}
		line := text[strings.LastIndex(text[:at], "\n")+1 : at]
		own := regexp.MustCompile(`^(ruleset_id|version|  imported_from|  imported_digest): `).MatchString(line)
		if !own || e.Files[0].Before == nil {
			rt.Fatalf("an edit is lost: %q", edited)
		}
	})
}

func TestADocumentThatCanNotBeReadStopsTheImport(t *testing.T) {
	text := importedText(t, "The letter has a date.")
	for _, replace := range []bool{false, true} {
		_, err := library(t, map[string]string{letterFile: text + "\n'"}).Import(replace, importedDraft("The letter is dated."))
		if err == nil || !strings.Contains(err.Error(), "has errors. Fix them first") {
			t.Errorf("got %v", err)
		}
	}
}

func TestTheRecordOfALongNameIsCut(t *testing.T) {
	d := importedDraft("The letter has a date.")
	d.Source = strings.Repeat("folder/", 60) + "letters.csv"
	e := must.Get(library(t, nil).Import(false, d))(t)
	text := string(e.Files[0].After)
	if doc := parse(letterFile, e.Files[0].After); !doc.Valid() || isEdited(doc) {
		t.Errorf("got %v", doc.Problems)
	}
	d.Content = importedDraft("The letter is dated.").Content
	if e = must.Get(library(t, map[string]string{letterFile: text}).Import(true, d))(t); len(e.Files) != 1 {
		t.Errorf("got %q", e.Warnings)
	}
}

func TestARefusalIsShort(t *testing.T) {
	text := importedText(t, "The letter has a date.")
	drafts := []Draft{importedDraft("The letter has a date.")}
	for i := range 60 {
		d := importedDraft("The letter is dated.")
		d.ID = fmt.Sprintf("letter_%d_v1", i)
		drafts = append(drafts, d)
	}
	_, err := library(t, map[string]string{letterFile: text}).Import(false, drafts...)
	if err == nil || strings.Count(err.Error(), "\n") != 51 || !strings.HasSuffix(err.Error(), "- and 11 more") {
		t.Errorf("got %v", err)
	}
}

func TestAnImportThatIsTooLargeIsRefused(t *testing.T) {
	long := importedDraft(strings.Repeat("The letter has a date. ", 20_000))
	for _, files := range []map[string]string{nil, {letterFile: importedText(t, "The letter has a date.")}} {
		if _, err := library(t, files).Import(true, long); err == nil || !strings.Contains(err.Error(), letterFile+" would have") {
			t.Errorf("got the error %v", err)
		}
	}
}
