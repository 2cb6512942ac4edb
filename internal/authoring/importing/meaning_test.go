package importing

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// TestWhatFilesMean states what becomes of a part of a file, and why.
func TestWhatFilesMean(t *testing.T) {
	const points = `{"criteria": [{"name": "a", "points": 3}, {"name": "b", "points": 2}], "passing_score": 4}`
	for _, test := range []struct {
		why, file, text string
		want, never     []string // lines of criteria, settings, and remarks
	}{
		{
			"a sum of points that passes is no score from 1 to 5", "a.json", points,
			[]string{"a relative_weight 3", `The threshold "4" is dropped: the scale differs.`}, []string{"pass_threshold"},
		},
		{
			"a share of the levels from 0 to 2 can be meant, or a score", "a.json",
			`{"criteria": [{"name": "a", "levels": {"0": "no date", "1": "a date", "2": "a right date"}}], "pass_threshold": 0.7}`,
			[]string{`The threshold "0.7" is dropped: the scale differs.`}, []string{"pass_threshold"},
		},
		{
			"a score between levels from 0 to 1", "a.json",
			`{"criteria": [{"name": "a", "levels": {"0": "no date", "1": "a date"}}], "pass_threshold": 0.5}`,
			[]string{"pass_threshold 3"}, []string{"dropped"},
		},
		{
			"a key that has the criteria is not dropped", "a.yaml",
			"grading:\n  rubric:\n  - {criterion: Names the date, points: 2}\n  - {criterion: Names the fee, points: 1}\n  total_points: 3\n",
			[]string{"names_the_date relative_weight 2"}, []string{`"rubric" is dropped`, `"grading" is dropped`},
		},
		{
			"shares after names in a table", "a.md",
			"# Essay\n\n| Criterion | 3 | 1 |\n|---|---|---|\n| Thesis (30%) | Clear | Unclear |\n| Style (70%) | Good | Poor |\n",
			[]string{"thesis relative_weight 30", "style relative_weight 70"}, []string{"thesis_30"},
		},
		{
			"points after names in a sheet", "a.csv", "criterion,1,5\nThesis (5 points),Unclear,Clear\nStyle (10 points),Poor,Good\n",
			[]string{"thesis relative_weight 5", "style relative_weight 10"}, nil,
		},
		{
			"levels for all criteria, which are texts", "a.yaml",
			"name: Triage\nlevels: {A: excellent, B: good, C: fair, D: poor}\ncriteria:\n- The label matches\n- The reply is polite\n",
			[]string{"the_label_matches", "the_reply_is_polite"}, []string{"triage"},
		},
		{
			"a prefix of a key is no other key", "a.json",
			`{"rubric": {"criteria": [{"id": "c1", "criterion_description": "Names the date", "points": 1}, {"id": "c2", "criterion_description": "Names the fee", "points": 2}]}}`,
			[]string{"names_the_date", "names_the_fee"}, []string{`"criterion_description"`},
		},
		{
			"what is said around criteria is not one", "a.md",
			"# Essay rubric\n\n## Focus\n\n- 5: sharp\n- 1: dull\n\n## Notes\n\nGrade the last draft.\n",
			[]string{"focus", "dropped"}, []string{"notes"},
		},
		{
			"the criteria of a learning platform", "a.json",
			`{"title": "Talk", "points_possible": 15, "data": [{"id": "_1", "description": "Delivery", "long_description": "Is it audible?", "points": 10, "ratings": [{"description": "Full marks", "long_description": "Audible in the last row", "points": 10}, {"description": "No marks", "points": 0}]}, {"id": "_2", "description": "Slides", "points": 5, "ratings": [{"description": "Full marks", "points": 5}, {"description": "No marks", "points": 0}]}]}`,
			[]string{"delivery relative_weight 10", "slides relative_weight 5", "Audible in the last row"}, []string{`"long_description"`},
		},
		{
			"a type that is no scale", "a.yaml", "evaluators:\n- {name: a, type: llm_judge, prompt: Is it short}\n- {name: b, type: llm_judge, prompt: Is it right}\n",
			[]string{`"type" is dropped: a rubric has no place for it.`}, []string{"1 to 5"},
		},
	} {
		imported, problems := Read(source.NewFile(test.file, []byte(test.text)), intake.Options{})
		if len(problems) > 0 {
			t.Errorf("%s: %s", test.why, problems[0].Message)
			continue
		}
		got := summary(imported)
		for _, want := range test.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: got\n%s\nwant %q", test.why, got, want)
			}
		}
		for _, never := range test.never {
			if strings.Contains(strings.ReplaceAll(got, `pass_threshold with --set`, ""), never) {
				t.Errorf("%s: got\n%s\nwithout %q", test.why, got, never)
			}
		}
	}
}

func summary(imported *intake.Imported) string {
	var out strings.Builder
	for _, d := range imported.Drafts {
		for _, c := range d.Content.Get(authoring.Parts(d.Kind).Key).List() {
			fmt.Fprintf(&out, "%s relative_weight %s\n", c.Get("name").Text(), c.Get("relative_weight").Text())
		}
		for _, c := range d.Content.Get("criteria").List() {
			fmt.Fprintln(&out, c.Get("anchors").Get("5").Text())
		}
		if pass := d.Content.Get("scoring").Get("pass_threshold"); pass != nil {
			fmt.Fprintf(&out, "pass_threshold %s\n", pass.Text())
		}
	}
	for _, remark := range imported.Dropped {
		fmt.Fprintln(&out, remark.Text)
	}
	return out.String()
}

// TestFaultsAreNotTurnedAround: numbers that count a fault come in with the best work at 5, or stop.
func TestFaultsAreNotTurnedAround(t *testing.T) {
	for _, texts := range []string{
		"No issue|Minor issue|Major issue|Critical issue", "Low risk|Medium risk|High risk",
		"No vulnerabilities|Low-severity vulnerabilities|Critical vulnerabilities", "Zero regressions|One regression|Multiple regressions",
		"No personal data leaked|Some personal data leaked|All personal data leaked",
		"sehr gut|gut|befriedigend|ausreichend|mangelhaft", "très bien|bien|passable|insuffisant",
	} {
		checkStop(t, "Report", texts, true)
	}
	checkStop(t, "Is the text toxic?", "None|Low|Medium|High", true)
	checkStop(t, "How often does it insult the reader?", "never|rarely|sometimes|often|always", true)
	checkStop(t, "Is the text toxic?", "High|Medium|Low|None", false)
	checkStop(t, "Is there an error?", "yes|no", false)
	checkStop(t, "Is there a summary?", "no|yes", false)
	checkStop(t, "How much detail does it have?", "None|Low|Medium|High", false)
}

func checkStop(t *testing.T, question, texts string, stops bool) {
	t.Helper()
	content := fmt.Sprintf("criteria:\n- name: quality\n  description: %q\n  levels:\n", question)
	for i, text := range strings.Split(texts, "|") {
		content += fmt.Sprintf("    %d: %q\n", i, text)
	}
	_, problems := Read(source.NewFile("a.yaml", []byte(content)), intake.Options{})
	if stopped := len(problems) > 0 && strings.Contains(problems[0].Message, "--best-first"); stopped != stops {
		t.Errorf("%s %s: stopped is %v, want %v (%v)", question, texts, stopped, stops, problems)
	}
	if _, problems = Read(source.NewFile("a.yaml", []byte(content)), intake.Options{Levels: levels.Options{Order: levels.BestFirst}}); len(problems) > 0 {
		t.Errorf("%s %s: with the flag, %v", question, texts, problems)
	}
}

// TestForbiddenThingsAreMarked: a criterion that the file wants not to be met has a comment.
func TestForbiddenThingsAreMarked(t *testing.T) {
	for _, test := range []struct {
		criterion string
		isMarked  bool
	}{
		{"text: Apologizes twice, negative: true", true},
		{"text: Apologizes twice, negative: false", false},
		{"text: Apologizes twice, kind: must_not", true},
		{"text: The reply does not apologize, kind: must_not", false},
		{"text: Apologizes twice, polarity: negative", true},
		{"text: Apologizes twice, lower_is_better: true", true},
		{"text: Apologizes once, polarity: positive", false},
	} {
		text := fmt.Sprintf("criteria:\n- {name: apology, %s}\n- {name: fee, text: Names the fee}\n", test.criterion)
		imported, problems := Read(source.NewFile("a.yaml", []byte(text)), intake.Options{})
		if len(problems) > 0 {
			t.Fatalf("%s: %s", test.criterion, problems[0].Message)
		}
		if isMarked := len(imported.Drafts[0].Notes["apology"]) > 0; isMarked != test.isMarked {
			t.Errorf("%s: the notes are %q; %s", test.criterion, imported.Drafts[0].Notes, summary(imported))
		}
	}
}

func TestRulesWithNegativePointsAreMarked(t *testing.T) {
	text := `{"criteria": [{"text": "Names the dose", "points": 3}, {"text": "Recommends aspirin", "points": -2}]}`
	imported, problems := Read(source.NewFile("a.json", []byte(text)), intake.Options{Kind: &document.RuleSet})
	if len(problems) > 0 {
		t.Fatal(problems[0].Message)
	}
	d := imported.Drafts[0]
	rules := d.Content.Get("rules").Items
	if weight := rules[1].Get("weight").Text(); weight != "2" || !slices.Contains(d.Notes[rules[1].Get("id").Text()], intake.NegativeRuleNote) || slices.Contains(d.Notes[rules[0].Get("id").Text()], intake.NegativeRuleNote) {
		t.Errorf("the weight is %q, and the notes are %q", weight, d.Notes)
	}
}

func TestOtherTypesOfFilesAreNamed(t *testing.T) {
	_, problems := Read(source.NewFile("rubric.toml", []byte("[[criteria]]\nname = \"a\"\n")), intake.Options{})
	if len(problems) != 1 || !strings.HasPrefix(problems[0].Message, "A file of the type .toml is not read: expected CSV") {
		t.Errorf("got %v", problems)
	}
}

// TestLongTextsAreRefused: a text that no document can have is not read word by word.
func TestLongTextsAreRefused(t *testing.T) {
	long := strings.Repeat("word ", 100_000)
	for name, text := range map[string]string{"a.json": `{"criteria": [{"name": "a", "description": "` + long + `"}]}`, "a.csv": "criterion,1,5\n" + long + ",bad,good\n"} {
		if _, problems := Read(source.NewFile(name, []byte(text)), intake.Options{}); len(problems) != 1 || !strings.Contains(problems[0].Message, "at most 262144") {
			t.Errorf("%s: got %v", name, problems)
		}
	}
}
