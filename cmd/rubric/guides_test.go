package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// shipped copies what the pages about calibration use of the repository: one shipped rubric
// and the examples.
func shipped(t *testing.T, more string) string {
	t.Helper()
	repository, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(`[!exec:python3] skip 'python3 is not installed'
[!symlink] skip 'links can not be made'
symlink examples -> '$REPOSITORY/examples'
mkdir rubrics/jira_tickets
cp '$REPOSITORY/rubrics/jira_tickets/user_story_quality_v1.yaml' rubrics/jira_tickets
`+more, "$REPOSITORY", repository)
}

func TestReferenceOfCalibrationRuns(t *testing.T) {
	runPage(t, "docs/calibration-reference.md", shipped(t, `mkdir calibration/user_story_quality
cp '$REPOSITORY/calibration/user_story_quality/dataset.yaml' calibration/user_story_quality
cp '$REPOSITORY/calibration/user_story_quality/items.jsonl' calibration/user_story_quality
`), map[string]scriptCommand{"scores": writeScores})
}

// writeScores writes the scores of a judge that often agrees with the labels of a dataset to a
// CSV file: scores DATASET FILE.
func writeScores(ts *testscript.TestScript, _ bool, args []string) {
	rows := [][]string{{"item", "criterion", "score"}}
	for line := range strings.Lines(ts.ReadFile(args[0] + "/items.jsonl")) {
		var item struct {
			ID     string
			Labels map[string]map[string]int
		}
		ts.Check(json.Unmarshal([]byte(line), &item))
		labels := item.Labels[slices.Sorted(maps.Keys(item.Labels))[0]]
		for _, name := range slices.Sorted(maps.Keys(labels)) {
			score := labels[name]
			if len(rows)%7 == 0 {
				score = 3
			}
			rows = append(rows, []string{item.ID, name, fmt.Sprint(score)})
		}
	}
	writeCSV(ts, args[1], rows)
}

func writeCSV(ts *testscript.TestScript, name string, rows [][]string) {
	f, err := os.Create(ts.MkAbs(name))
	ts.Check(err)
	ts.Check(csv.NewWriter(f).WriteAll(rows))
	ts.Check(f.Close())
}

// TestPageOfCalibrationRuns runs the page with 50 stories and raters who follow a formula.
func TestPageOfCalibrationRuns(t *testing.T) {
	if words := len(strings.Fields(scripttest.Text(t, "docs/calibration.md"))); words > 2000 {
		t.Errorf("the page has %d words, want 2000 at most", words)
	}
	runPage(t, "docs/calibration.md", shipped(t, `replace rubrics/jira_tickets/user_story_quality_v1.yaml 'calibration_dataset: "calibration/user_story_quality/dataset.yaml"' '# no dataset'
stories documents
`), map[string]scriptCommand{"stories": writeStories, "rate": rate})
}

// writeStories writes 50 user stories of different quality to a folder: stories FOLDER.
func writeStories(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.Mkdir(ts.MkAbs(args[0]), 0o777))
	users := []string{"a clerk", "a tenant", "a nurse", "a driver", "a teacher"}
	wishes := []string{"archive an invoice", "see my bills", "find a free bed", "report a delay", "export the grades", "undo the last step", "get a reminder"}
	details := []string{
		"An entry shows who made it.", "The list has 20 entries on a page.", "After 30 seconds without an answer, a message says what to do.",
		"Entries of the last 90 days are shown.", "Refunds are left out.",
	}
	for i := range 50 {
		text := fmt.Sprintf("We want to %s", wishes[i%7])
		if i%5 > 0 {
			text = fmt.Sprintf("As %s, I want to %s", users[i/5%5], wishes[i%7])
		}
		if i%3 == 0 {
			text += " and " + wishes[(i+3)%7]
		}
		if i%5 > 2 {
			text += ", so that I save time"
		}
		text += ".\n"
		for j := range i / 3 % 6 {
			text += "- " + details[(i+j)%5] + "\n"
		}
		if i%4 == 1 {
			text += "This waits for the work of another team.\n"
		}
		ts.Check(os.WriteFile(filepath.Join(ts.MkAbs(args[0]), fmt.Sprintf("story-%02d.txt", i+1)), []byte(text), 0o666))
	}
}

// rate fills in the page of a rater, and saves it as a browser does: rate RATER.
func rate(ts *testscript.TestScript, _ bool, args []string) {
	_, rest, _ := strings.Cut(ts.ReadFile(args[0]+".html"), `<script type="application/json" id="data">`)
	text, _, _ := strings.Cut(rest, "</script>")
	var page struct {
		Columns    []string
		Form, File string
		Criteria   []struct{ Column string }
		Items      []struct {
			Code  string
			Texts []struct{ Text string }
		}
	}
	ts.Check(json.Unmarshal([]byte(text), &page))
	head := page.Columns
	for _, c := range page.Criteria {
		head = append(head, c.Column)
	}
	rows := [][]string{append(head, page.Form)}
	for _, item := range page.Items {
		story := item.Texts[0].Text
		has := func(part string) int { return min(strings.Count(story, part), 4) }
		labels := []int{1 + 2*has("As ") + 2*has("so that"), 1 + has("- "), 5 - 2*has(" and "), 1 + has("0 "), 5 - 3*has("waits for")}
		row := []string{item.Code, story}
		for i, label := range labels {
			// The second rater sometimes differs by a point.
			if (len(story)+3*i)%4 == 0 && args[0] == "r2" {
				label += 1 - 2*(len(story)/4%2)
			}
			row = append(row, fmt.Sprint(max(1, min(label, 5))))
		}
		rows = append(rows, append(row, ""))
	}
	writeCSV(ts, page.File, rows)
}

// TestPageOfCalibrationPowerRuns also checks that the example has no lint warnings.
func TestPageOfCalibrationPowerRuns(t *testing.T) {
	repository, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	setup := fmt.Sprintf("cd '%s/examples/topical_chat'\nexits 0 rubric lint --base none --fail-level warning\n", repository)
	runPage(t, "docs/development/calibration-power.md", setup, nil)
}

// TestPageOfRuleSetsRuns runs it beside a clone of the repository, which is the
// repository itself.
func TestPageOfRuleSetsRuns(t *testing.T) {
	repository, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	setup := fmt.Sprintf("[!exec:grep] skip 'grep is not installed'\n[!symlink] skip 'links can not be made'\nsymlink rubric-library -> '%s'\n", repository)
	runPage(t, "docs/rule-sets.md", setup, nil)
}
