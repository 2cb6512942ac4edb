package calibration

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// asks are the answers of a run on a day, some to each item.
func asks(day int, scores []float64, repeats int, edit func(a *Answer)) (answers []Answer) {
	date := time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
	for repeat := range repeats {
		for _, a := range scored(scores...).Answers {
			a.Run, a.Date, a.Repeat = date, date, repeat+1
			if edit != nil {
				edit(&a)
			}
			answers = append(answers, a)
		}
	}
	return answers
}

// TestAnotherJudgeStartsAnew: what the runs of a judge give does not hold for another model,
// prompt, or number of repeats of the same name.
func TestAnotherJudgeStartsAnew(t *testing.T) {
	good := floats(spread(60))
	model := func(name string) func(a *Answer) { return func(a *Answer) { a.Model = name } }
	prompt := func(digest string) func(a *Answer) { return func(a *Answer) { a.PromptDigest = digest } }
	for _, tt := range []struct {
		reason    string
		runs      [][]Answer
		gate      Outcome
		new, says string
	}{
		{
			"the same judge", [][]Answer{asks(1, good, 1, nil), asks(8, good, 1, nil), asks(15, good, 1, nil)},
			Met, "", "answers of m, prompt unknown",
		},
		{
			"another model", [][]Answer{asks(1, good, 1, nil), asks(8, good, 1, nil), asks(15, good, 1, model("cheap"))},
			Undecided, "A new judge since 2026-01-15: the model changed from m to cheap.", "answers of cheap, prompt unknown",
		},
		{
			"another model, which two runs decide", [][]Answer{asks(1, good, 1, nil), asks(8, good, 1, model("n")), asks(15, good, 1, model("n"))},
			Met, "A new judge since 2026-01-08: the model changed from m to n.", "answers of n, prompt unknown",
		},
		{
			"a bad run of an earlier model", [][]Answer{asks(1, random(60), 1, nil), asks(8, good, 1, model("n")), asks(15, good, 1, model("n"))},
			Met, "A new judge since 2026-01-08: the model changed from m to n.", "answers of n, prompt unknown",
		},
		{
			"the first model again", [][]Answer{asks(1, good, 1, nil), asks(8, random(60), 1, model("n")), asks(15, good, 1, nil)},
			Met, "", "answers of m, prompt unknown",
		},
		{
			"a prompt that becomes known", [][]Answer{asks(1, good, 1, nil), asks(8, good, 1, prompt(digestA))},
			Undecided, "A new judge since 2026-01-08: the prompt changed from unknown to " + digestA + ".", "answers of m, prompt " + digestA,
		},
		{
			"a prompt that becomes unknown", [][]Answer{asks(1, good, 1, prompt(digestA)), asks(8, good, 1, nil)},
			Undecided, "A new judge since 2026-01-08: the prompt changed from " + digestA + " to unknown.", "answers of m, prompt unknown",
		},
		{
			"another number of repeats", [][]Answer{asks(1, good, 1, nil), asks(8, good, 15, nil)},
			Undecided, "A new judge since 2026-01-08: the number of repeats changed from 1 to 15.", "answers of m, averaged over 15 repeats, prompt unknown",
		},
		{
			"everything", [][]Answer{asks(1, good, 2, prompt(digestA)), asks(8, good, 3, func(a *Answer) { a.Model, a.PromptDigest = "n", digestB })},
			Undecided, "A new judge since 2026-01-08: the model changed from m to n, the prompt changed from " + digestA + " to " + digestB + ", and the number of repeats changed from 2 to 3.",
			"answers of n, averaged over 3 repeats, prompt " + digestB,
		},
		{
			"repeats of one item only", [][]Answer{asks(1, good, 1, nil), append(asks(8, good, 1, nil), asks(8, good, 2, nil)[60])},
			NotMet, "A new judge since 2026-01-08: the number of repeats changed from 1 to 2.", "answers of m, averaged over 2 repeats, prompt unknown",
		},
	} {
		d := labeled(spread(60)...)
		d.Judges = []Judge{{Name: "j", Answers: slices.Concat(tt.runs...)}}
		run := d.Judges[0].Newest(words)
		d.asked(nil)
		run = d.Judges[0].Run(run.Name)
		o := options
		o.AsOf = run.Date
		r := Track(d, depth(), run, o)
		if r.Gate.Outcome != tt.gate || r.NewJudge != tt.new || r.Judge.Identity().Answers() != tt.says {
			t.Errorf("%s: %s %s %q, about %s", tt.reason, r.Gate.Outcome, r.Gate.Reason, r.NewJudge, r.Judge.Identity().Answers())
		}
		if r.Drift != nil && r.Drift.Before.Identity() != r.Judge.Identity() || r.Reference != nil && r.Reference.Before.Identity() != r.Judge.Identity() {
			t.Errorf("%s: the run is compared with one of another judge", tt.reason)
		}
	}
}

// TestJudgesOfTwoNamesAreTwo: they may have the same model, and so may one that was renamed.
func TestJudgesOfTwoNamesAreTwo(t *testing.T) {
	good := floats(spread(60))
	d := labeled(spread(60)...)
	d.Judges = []Judge{{Name: "before", Answers: asks(1, good, 1, nil)}, {Name: "after", Answers: asks(8, good, 1, nil)}}
	d.asked(nil)
	o := options
	o.AsOf = "2026-01-08"
	for _, r := range d.Reports(depth(), o) {
		if r.Gate.Outcome != Undecided || r.NewJudge != "" {
			t.Errorf("%s has one run: %s %q", r.Judge.Name, r.Gate.Reason, r.NewJudge)
		}
	}
}

// TestAnswersOfARunAreByOneJudge: neither the model nor the prompt can change within a run.
func TestAnswersOfARunAreByOneJudge(t *testing.T) {
	one := answer(`"item":"i1"`, `"scores":{"clarity":4,"brevity":2}`)
	two := strings.Replace(one, "i1", "i2", 1)
	for _, tt := range []struct{ reason, second, says string }{
		{"another model", strings.Replace(two, "m-1", "m-2", 1), `All answers of a run must have the same model`},
		{"a prompt in some answers", strings.Replace(two, `"scores"`, fmt.Sprintf(`"prompt_digest":%q,"scores"`, digestB), 1), "All answers of a run must have the same `prompt_digest`"},
	} {
		_, problems, err := Load(dataset(goodHead, goodItems, lines(one, tt.second), ""), "d")
		if got := strings.Join(told(problems), "|"); err != nil || !strings.Contains(got, tt.says) {
			t.Errorf("%s: %s, %v, want %s", tt.reason, got, err, tt.says)
		}
	}
}
