package calibration

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"
)

const example = "../../examples/topical_chat/"

// exampleDataset loads the labels and scores of examples/topical_chat.
func exampleDataset(t *testing.T) (*Dataset, *Run) {
	t.Helper()
	d, problems, err := Load(os.DirFS(example), "topical_chat")
	if err != nil || len(problems) > 0 {
		t.Fatalf("%v %q", err, told(problems))
	}
	return d, d.Judge("unieval").NewestRun()
}

// TestExampleIsThePublishedData compares every label and score with the source.
func TestExampleIsThePublishedData(t *testing.T) {
	data, err := os.ReadFile("../../../shared/data/topical-chat-unieval/scores.csv")
	if os.IsNotExist(err) {
		t.Skipf("the published data is not here: %v", err)
	}
	rows, errRows := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil || errRows != nil {
		t.Fatal(err, errRows)
	}
	tags := map[string]string{
		"Original Ground Truth": "original-human", "New Human Generated": "new-human", "Argmax Decoding": "argmax",
		"Nucleus Decoding (p = 0.3)": "nucleus-0.3", "Nucleus Decoding (p = 0.5)": "nucleus-0.5", "Nucleus Decoding (p = 0.7)": "nucleus-0.7",
	}
	d, run := exampleDataset(t)
	compared := 0
	for _, row := range rows[1:] { // row, dialog, system, criterion, human mean, judge
		if row[3] != "overall" {
			continue
		}
		human, errHuman := strconv.ParseFloat(row[4], 64)
		judge, errJudge := strconv.ParseFloat(row[5], 64)
		if errHuman != nil || errJudge != nil || compared >= len(d.Items) || compared >= len(run.Answers) {
			t.Fatalf("%d items, %d answers: %v %v", len(d.Items), len(run.Answers), errHuman, errJudge)
		}
		item, answer := d.Items[compared], run.Answers[compared]
		if n := fmt.Sprintf("%03s", row[0]); item.ID != "tc-"+n || answer.Item != item.ID || item.Tags[0] != tags[row[2]] || item.Inputs["dialog_sha1"] != row[1] {
			t.Errorf("row %s is %s, %s, with %q and the answer to %s", n, item.ID, item.Inputs, item.Tags, answer.Item)
		}
		if got := item.Labels["mean-of-3"]["overall_quality"]; len(item.Labels) != 1 || got != human {
			t.Errorf("%s: the label is %v, published is %v", item.ID, got, human)
		}
		if got, want := answer.Scores["overall_quality"], 1+judge/.45; math.Abs(got-want) > 5.1e-7 {
			t.Errorf("%s: the score is %v, want %v", item.ID, got, want)
		}
		compared++
	}
	if compared != 360 || len(d.Items) != compared || len(run.Answers) != compared {
		t.Errorf("compared %d of %d items and %d answers, want 360", compared, len(d.Items), len(run.Answers))
	}
}
