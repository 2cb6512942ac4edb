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

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

const needsPython = "[!exec:python3] skip 'python3 is not installed'\n"

func TestReferenceOfCalibrationRuns(t *testing.T) {
	at := inClone(t)
	at.script = needsPython + at.script
	runPage(t, "docs/calibration-reference.md", at, map[string]scriptCommand{"scores": writeScores})
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

// TestPageOfCalibrationRuns runs the page with 50 bug reports and raters who follow a formula.
func TestPageOfCalibrationRuns(t *testing.T) {
	if words := len(strings.Fields(scripttest.Text(t, "docs/calibration.md"))); words > 2000 {
		t.Errorf("the page has %d words, want 2000 at most", words)
	}
	at := afterTutorial(t)
	at.script = needsPython + at.script + "reports documents\n" // the reader's
	runPage(t, "docs/calibration.md", at, map[string]scriptCommand{"reports": writeReports, "rate": rate})
}

// writeReports writes 50 bug reports of different quality to a folder: reports FOLDER.
func writeReports(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.Mkdir(ts.MkAbs(args[0]), 0o777))
	users := []string{"a clerk", "a tenant", "a nurse", "a driver", "a teacher"}
	places := []string{"an invoice", "the list of bills", "the plan of beds", "a tour", "a report", "the settings", "a reminder"}
	for i := range 50 {
		parts := []string{"", "Press Export in " + places[i%7] + ".\n", "Open " + places[i%7] + ".\n", "Signed in as " + users[i/5%5] + ".\n", fmt.Sprintf("It fails in %d of 10 attempts.\n", 1+i%9)}
		text := "Export is broken.\n" + strings.Join(parts[:1+i%5], "")
		for j := range i / 3 % 7 {
			text += fmt.Sprintf("In the log of day %d, there are %d lines about it, and two of my colleagues in another town say that they see the very same thing.\n", i+j, i*j)
		}
		ts.Check(os.WriteFile(filepath.Join(ts.MkAbs(args[0]), fmt.Sprintf("bug-%02d.txt", i+1)), []byte(text), 0o666))
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
		report := item.Texts[0].Text
		label := 1
		for _, part := range []string{"Press", "Open", "Signed in", "attempts"} {
			label += strings.Count(report, part)
		}
		// The second rater sometimes differs by a point.
		if len(report)%4 == 0 && args[0] == "r2" {
			label += 1 - 2*(len(report)/4%2)
		}
		rows = append(rows, []string{item.Code, report, fmt.Sprint(max(1, min(label, 5))), ""})
	}
	writeCSV(ts, page.File, rows)
}

// TestPageOfCalibrationPowerRuns also checks that the example has no lint warnings.
func TestPageOfCalibrationPowerRuns(t *testing.T) {
	repository := must.Get(filepath.Abs("."))(t)
	lint := fmt.Sprintf("cd '%s/examples/topical_chat'\nexits 0 rubric lint --base none --fail-level warning\ncd '%[1]s'\n", repository)
	runPage(t, "docs/development/calibration-power.md", start{lint, "The library in [`examples/topical_chat`]"}, nil)
}

// TestPageOfRuleSetsRuns runs it beside a clone of the repository, which is the
// repository itself.
func TestPageOfRuleSetsRuns(t *testing.T) {
	runPage(t, "docs/rule-sets.md", start{"[!exec:grep] skip 'grep is not installed'\n" + besideClone(t), "`rubric-library` is a clone of this repository"}, nil)
}
