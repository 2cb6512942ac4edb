package importing

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// TestHostileFilesAreRefused checks that there is a bound on everything of which a file
// can have many, and that nothing that is not text or a number passes for it.
func TestHostileFilesAreRefused(t *testing.T) {
	many := func(n int, first, each, last string) string { return first + strings.Repeat(each, n) + last }
	for _, test := range []struct{ name, file, format, text, want string }{
		{"documents", "f.jsonl", "prometheus", numbered(intake.MostDocuments+1, "", `{"criteria": "c#", "score1_description": "a"}`+"\n", ""), "more than 1000 rubrics"},
		{"criteria", "f.json", "deepeval", numbered(intake.Most+1, "[", `{"criteria": "c#"},`, `{"criteria": "x"}]`), "more than 5000 criteria"},
		{"assertions", "f.json", "promptfoo", numbered(intake.Most+1, `[{"assert": [`, `{"type": "llm-rubric", "value": "c#"},`, `{}]}]`), "more than 5000 criteria"},
		{"rows", "f.csv", "csv", many(intake.Most+1, "description\n", "a\n", ""), "more than 5000 criteria or rules"},
		{"items", "f.md", "markdown", many(intake.Most+1, "", "- [ ] a\n", ""), "more than 5000 criteria or rules"},
		{"bytes", "f.json", "ragas", many(intake.MostBytes, `"`, "a", `"`), "at most 16777216 are allowed"},
		{"nesting", "f.json", "rubric-spec", many(100, "", "[", strings.Repeat("]", 100)), "too deep"},
		{"aliases", "f.yaml", "promptfoo", aliases(7), "aliases (*) in this file repeat too many values"},
		{"aliases of criteria", "f.yaml", "criteria", aliases(7), "aliases (*) in this file repeat too many values"},
		{"Windows-1252", "f.csv", "csv", "criterion\ncaf\xe9\n", `Save it as "CSV UTF-8"`},
		{"an exported rubric", "f.md", "markdown", "# A\n\n`a_v1@1.0.0#sha256:0a`\n\nA rubric for `b`.\n\n- Every c.\n", "a rubric from `rubric export`"},
		{"Windows-1252 in Markdown", "f.md", "markdown", "- [ ] caf\xe9\n", "UTF-8"},
	} {
		_, problems := Read(source.NewFile(test.file, []byte(test.text)), intake.Options{Format: test.format})
		if len(problems) == 0 || !strings.Contains(problems[0].Message, test.want) {
			t.Errorf("%s: got %v, want %q", test.name, problems, test.want)
		}
	}
}

// aliases is a file in which each list repeats the one before ten times.
func aliases(depth int) string {
	text := "a0: &a0 [x]\n"
	for i := range depth {
		text += fmt.Sprintf("a%d: &a%d [%s*a%d]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), i)
	}
	return text
}

// numbered repeats a text with other digits each time.
func numbered(n int, first, each, last string) string {
	var b strings.Builder
	b.WriteString(first)
	for i := range n {
		b.WriteString(strings.ReplaceAll(each, "#", strings.Repeat("i", i%7)+string(rune('a'+i%26))+strings.Repeat("x", i/26)))
	}
	return b.String() + last
}

// TestRemarksAreFew drops many keys with other names.
func TestRemarksAreFew(t *testing.T) {
	imported, problems := Read(source.NewFile("f.json", []byte(numbered(500, "{", `"#": 1,`, `"criteria": "a", "score5_description": "b"}`))), intake.Options{Format: "ragas"})
	if len(problems) > 0 || len(imported.Dropped) != 101 || imported.Dropped[100].Count != 400 {
		t.Errorf("got %d remarks, %v", len(imported.Dropped), problems)
	}
}

// TestByteOrderMarks reads the files of editors and spreadsheets.
func TestByteOrderMarks(t *testing.T) {
	for file, text := range map[string]string{
		"f.json": `{"criteria": "a", "score1_description": "b"}`, "f.csv": "criterion;description\r\nx;a\r\n",
	} {
		format := map[string]string{"f.json": "ragas", "f.csv": "csv"}[file]
		imported, problems := Read(source.NewFile(file, []byte("\ufeff"+text)), intake.Options{Format: format})
		if len(problems) > 0 || imported.Drafts[0].Content.Get("criteria").Items[0].Get("description").Text() != "a" {
			t.Errorf("%s: got %v, %v", file, imported, problems)
		}
	}
}

// TestVersionsStayApart reads the exports of two versions of a rubric in one file.
func TestVersionsStayApart(t *testing.T) {
	row := `{"id": "a", "rubric": "x_v1@1.%d.0#sha256:0", "score_rubric": {"criteria": "c", "score1_description": "a"}}` + "\n"
	rows := fmt.Appendf(nil, row+strings.Replace(row, `"c"`, `"d"`, 1), 0, 1)
	imported, problems := Read(source.NewFile("f.jsonl", rows), intake.Options{Format: "prometheus"})
	if len(problems) > 0 || len(imported.Drafts) != 2 {
		t.Errorf("got %v, %v, want two rubrics", imported, problems)
	}
}

func TestNamesOfCriteria(t *testing.T) {
	d := intake.Draft{Criteria: []intake.Criterion{{Key: "a"}, {Key: "a"}, {Description: "é"}}}
	r := intake.Reader{Imported: intake.Imported{Missing: map[string]int{}}}
	made, _ := r.Criteria(&d, map[string][]string{})
	for i, want := range []string{"a", "a_2", "criterion_3"} {
		if got := made.Items[i].Get("name").Text(); got != want {
			t.Errorf("criterion %d: got %q, want %q", i, got, want)
		}
	}
	if _, err := Read(source.NewFile("f.json", nil), intake.Options{Format: "ragas", Kind: &document.RuleSet}); len(err) != 1 {
		t.Errorf("scores became a rule set: %v", err)
	}
}

// TestFences: items in a block of code are none, and code in a line begins no block.
func TestFences(t *testing.T) {
	text := "# A\n\n``` code` ```\n\n- [ ] Every b.\n\n```\n- [ ] Every c.\n```\n\n- [ ] Every d.\n"
	imported, problems := Read(source.NewFile("f.md", []byte(text)), intake.Options{Format: "markdown"})
	if len(problems) > 0 || len(imported.Drafts) != 1 || len(imported.Drafts[0].Content.Get("rules").Items) != 2 {
		t.Errorf("got %v, %v, want two rules", imported, problems)
	}
}
