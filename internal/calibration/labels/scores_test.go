package labels_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/labels"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// scoresOf reads a file of scores for the items i1 and i2, and returns them by item,
// repeat, and criterion, or the problems with their positions.
func scoresOf(text string, o labels.Options, recorded ...calibration.Answer) (scores, problems []string) {
	o.Scores, o.Model, o.Criteria = true, "m-1", criteria
	f := source.NewFile("scores.csv", []byte(text))
	read, found := labels.Read(f, o)
	if len(found) == 0 {
		target := &labels.Target{
			Dataset: &calibration.Dataset{Name: "stories", Items: []calibration.Item{{ID: "i1"}, {ID: "i2"}}}, Criteria: criteria,
			Run:      calibration.Answer{Run: "r", Model: "m-1", Date: "2026-11-21", Digest: "sha256:" + strings.Repeat("0", 64)},
			Recorded: recorded,
		}
		var answers []calibration.Answer
		answers, _, found = target.Answers(read)
		for _, a := range answers {
			scores = append(scores, fmt.Sprintf("%s %d %v %q", a.Item, a.Repeat, a.Scores, a.Reasons))
		}
	}
	for _, p := range found {
		at := f.Position(p.Span.Start)
		problems = append(problems, fmt.Sprintf("%d:%d: %s", at.Line, at.Column, p.Message))
	}
	return scores, problems
}

func TestScoresAreReadInBothLayouts(t *testing.T) {
	for _, test := range []struct {
		reason, text string
		options      labels.Options
		want         []string
	}{
		{"a sheet with decimal commas", "\uFEFFItem;Clarity;SCOPE;input: task\r\ni2;4,25;1,0;x\r\n\r\ni1;5;3;y\r\n", labels.Options{}, []string{
			`i2 1 map[clarity:4.25 scope:1] map[]`, `i1 1 map[clarity:5 scope:3] map[]`,
		}},
		{"repeats, reasons, and headings of another tool", "id,try,dimension,score,reason,model\ni1,2,scope,4,\" Said \"\"so\"\".\n\",m-1\ni1,2,clarity,3,,m-1\ni1,1,clarity,2,,m-1\ni1,1,scope,2,,m-1\n",
			labels.Options{Columns: map[string]string{"item": "ID", "repeat": "Try", "criterion": "Dimension"}}, []string{
				`i1 1 map[clarity:2 scope:2] map[]`, `i1 2 map[clarity:3 scope:4] map["scope":"Said \"so\"."]`,
			}},
		{"a criterion that is not read", "item,clarity,scope,depth\ni1,4,4,9\n", labels.Options{Ignored: []string{"depth"}}, []string{`i1 1 map[clarity:4 scope:4] map[]`}},
		{"and its rows", "item,criterion,score\ni1,depth,9\ni1,clarity,4\ni1,scope,4\n", labels.Options{Ignored: []string{"depth"}}, []string{`i1 1 map[clarity:4 scope:4] map[]`}},
	} {
		t.Run(test.reason, func(t *testing.T) {
			got, problems := scoresOf(test.text, test.options)
			if diff := cmp.Diff(test.want, got); diff != "" || len(problems) > 0 {
				t.Error(diff, problems)
			}
		})
	}
}

func TestWhatIsWrongWithScoresIsNamedWithItsPlace(t *testing.T) {
	const number = ", expected a number from 1 to 5. If the judge did not answer, remove all scores of the item."
	recorded := []calibration.Answer{
		{Run: "r", Item: "i1", Repeat: 1, Scores: map[string]float64{"clarity": 4}, Reasons: map[string]string{"clarity": "Clear."}},
		{Run: "r", Item: "i2", Repeat: 1, Error: "the judge refused"},
	}
	const advice = " Recorded answers are not changed. Remove the item's rows, or import the file as another run with --run."
	for _, test := range []struct {
		reason, text string
		recorded     []calibration.Answer
		want         []string
	}{
		{reason: "no number on the scale", text: "item,criterion,score\ni1,clarity,0\ni1,scope,5.01\ni2,clarity,4e0\ni2,scope,0x4\ni2,scope,NaN\ni2,scope,４\ni2,scope,-1\ni2,scope,\n", want: []string{
			`2:12: Row 2, column "score": found "0"` + number, `3:10: Row 3, column "score": found "5.01"` + number,
			`4:12: Row 4, column "score": found "4e0"` + number, `5:10: Row 5, column "score": found "0x4"` + number,
			`6:10: Row 6, column "score": found "NaN"` + number, `7:10: Row 7, column "score": found "４"` + number,
			`8:10: Row 8, column "score": found "-1"` + number, `9:10: Row 9, column "score": the cell is empty` + number,
		}},
		{reason: "half an answer", text: "item,repeat,criterion,score\ni1,1,clarity,4\ni1,3,clarity,4\ni1,3,scope,4\n", want: []string{
			`2:14: Row 2, column "score": repeat 1 of item i1 has no score for scope. Add it, or remove the other scores of this repeat.`,
			`3:14: Row 3, column "score": item i1 has a repeat 3 but no repeat 2. Number the repeats of an item from 1.`,
		}},
		{reason: "no such item or criterion", text: "item,criterion,score\ni3,clarity,4\n=i1,clarity,4\ni1,clarty,4\n,clarity,4\n", want: []string{
			`3:1: Row 3, column "item": found "=i1", expected the ID of an item: up to 64 letters, digits, dots, dashes, and underscores, starting with a letter or digit.`,
			`4:4: Row 4, column "criterion": found "clarty", expected a criterion of the rubric, clarity or scope.`,
			`5:1: Row 5, column "item": the cell is empty, expected the ID of an item: up to 64 letters, digits, dots, dashes, and underscores, starting with a letter or digit.`,
		}},
		{reason: "an item of another dataset", text: "item,clarity,scope\ni3,4,4\n", want: []string{
			`2:1: Row 2, column "item": the item "i3" is not in calibration/stories/items.jsonl. Fix the ID or remove the item's rows.`,
		}},
		{reason: "labels of people", text: "item,rater,clarity,scope\ni1,ada,4,4\n", want: []string{
			`1:6: The column "rater" is for labels, which people gave. Omit --judge to import labels. If these are a judge's scores, remove the column.`,
		}},
		{reason: "no scores", text: "item,criterion,label\ni1,clarity,4\n", want: []string{
			`1:1: No column has scores: expected one column for each criterion (clarity and scope), or the columns criterion and score.`,
			`1:16: The column "label" has scores but is not a criterion of the rubric, which has clarity and scope. Name the criterion with --column CRITERION=label, or remove the column.`,
		}},
		{reason: "a criterion without a column", text: "item,clarity,scpe\ni1,4,x\n", want: []string{
			`1:1: The table has no column "scope". It has "item", "clarity", and "scpe". Add --column scope=COLUMN, or add the scores.`,
		}},
		{reason: "two models", text: "item,clarity,scope,model\ni1,4,4,m-1\ni2,4,4,m-2\n", want: []string{
			`3:8: Row 3, column "model": found "m-2", expected "m-1", which is --model: a run has one model. Import the rows of each model on their own.`,
		}},
		{reason: "a repeat that is no number", text: "item,clarity,scope,repeat\ni1,4,4,first\ni2,4,4,1001\n", want: []string{
			`2:8: Row 2, column "repeat": found "first", expected the number of the repeat, from 1 to 1000.`,
			`3:8: Row 3, column "repeat": found "1001", expected the number of the repeat, from 1 to 1000.`,
		}},
		{reason: "the same cell twice", text: "item,criterion,score\ni1,clarity,4\ni1,scope,4\ni1,Clarity,4\n", want: []string{
			`4:12: Row 4, column "score": found a second score of repeat 1 for the clarity of item i1; the first is in row 2. Keep one of them.`,
		}},
		{reason: "a reason that is too long to store", text: "item,criterion,score,reason\ni1,clarity,4," + strings.Repeat("x", 1<<21) + "\ni1,scope,4,\n", want: []string{
			`2:12: Row 2, column "score": the answer for item i1 can't be stored. The line has 2097361 bytes: at most 1048576 are allowed. Shorten its texts.`,
		}},
		{reason: "what a run has already", text: "item,criterion,score,reason\ni1,clarity,5,Clear.\ni1,scope,4,\ni2,clarity,4,\ni2,scope,4,\n", recorded: recorded, want: []string{
			`2:12: Row 2, column "score": run r has another answer for the clarity of item i1 (repeat 1).` + advice,
			`3:10: Row 3, column "score": run r has another answer for the scope of item i1 (repeat 1).` + advice,
			`4:12: Row 4, column "score": run r has another answer for the clarity of item i2 (repeat 1).` + advice,
			`5:10: Row 5, column "score": run r has another answer for the scope of item i2 (repeat 1).` + advice,
		}},
		{reason: "another reason", text: "item,criterion,score,reason\ni1,clarity,4,Vague.\n", recorded: recorded, want: []string{
			`2:12: Row 2, column "score": run r has another answer for the clarity of item i1 (repeat 1).` + advice,
		}},
	} {
		t.Run(test.reason, func(t *testing.T) {
			got, problems := scoresOf(test.text, labels.Options{}, test.recorded...)
			if diff := cmp.Diff(test.want, problems); diff != "" || len(got) > 0 {
				t.Error(diff, got)
			}
		})
	}
}
