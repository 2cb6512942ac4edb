package decide

import (
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/dev/calibrationtest"
)

var (
	digestA = "sha256:" + strings.Repeat("a", 64)
	digestB = "sha256:" + strings.Repeat("b", 64)
)

// TestAnotherJudgeStartsAnew: what the runs of a judge give does not hold for another model,
// prompt, or number of repeats of the same name.
func TestAnotherJudgeStartsAnew(t *testing.T) {
	good := calibrationtest.Floats(calibrationtest.Spread(60))
	model := func(name string) func(a *calibration.Answer) { return func(a *calibration.Answer) { a.Model = name } }
	prompt := func(digest string) func(a *calibration.Answer) {
		return func(a *calibration.Answer) { a.PromptDigest = digest }
	}
	ended := func(a *calibration.Answer) { a.Ended = true }
	silent := func(a *calibration.Answer) { a.Scores, a.Error = nil, "no JSON object" }
	for _, tt := range []struct {
		reason    string
		runs      [][]calibration.Answer
		gate      Answer
		new, says string
	}{
		{
			"the same judge", [][]calibration.Answer{calibrationtest.Asks(1, good, 1, nil), calibrationtest.Asks(8, good, 1, nil), calibrationtest.Asks(15, good, 1, nil)},
			Yes, "", "answers of m, prompt unknown",
		},
		{
			"another model", [][]calibration.Answer{calibrationtest.Asks(1, good, 1, nil), calibrationtest.Asks(8, good, 1, nil), calibrationtest.Asks(15, good, 1, model("cheap"))},
			NotYet, "A new judge since 2026-01-15: the model changed from m to cheap.", "answers of cheap, prompt unknown",
		},
		{
			"another model, which two runs decide", [][]calibration.Answer{calibrationtest.Asks(1, good, 1, nil), calibrationtest.Asks(8, good, 1, model("n")), calibrationtest.Asks(15, good, 1, model("n"))},
			Yes, "A new judge since 2026-01-08: the model changed from m to n.", "answers of n, prompt unknown",
		},
		{
			"a bad run of an earlier model", [][]calibration.Answer{calibrationtest.Asks(1, calibrationtest.Random(60), 1, nil), calibrationtest.Asks(8, good, 1, model("n")), calibrationtest.Asks(15, good, 1, model("n"))},
			Yes, "A new judge since 2026-01-08: the model changed from m to n.", "answers of n, prompt unknown",
		},
		{
			"the first model again", [][]calibration.Answer{calibrationtest.Asks(1, good, 1, nil), calibrationtest.Asks(8, calibrationtest.Random(60), 1, model("n")), calibrationtest.Asks(15, good, 1, nil)},
			Yes, "An earlier judge again since 2026-01-15: the model changed from n to m. Its earlier runs count, too.", "answers of m, prompt unknown",
		},
		{
			"the first model again, with what it did before", [][]calibration.Answer{calibrationtest.Asks(1, good, 1, nil), calibrationtest.Asks(8, calibrationtest.Random(60), 1, nil), calibrationtest.Asks(15, good, 1, model("n")), calibrationtest.Asks(16, good, 1, nil)},
			NotYet, "An earlier judge again since 2026-01-16: the model changed from n to m. Its earlier runs count, too.", "answers of m, prompt unknown",
		},
		{
			"no readable answer, so that the prompt is not named", [][]calibration.Answer{calibrationtest.Asks(1, good, 1, prompt(digestA)), calibrationtest.Asks(8, good, 1, prompt(digestA)), calibrationtest.Asks(15, good, 1, silent)},
			No, "", "answers of m, prompt " + digestA,
		},
		{
			"one run after that", [][]calibration.Answer{calibrationtest.Asks(1, good, 1, prompt(digestA)), calibrationtest.Asks(8, good, 1, silent), calibrationtest.Asks(15, good, 1, prompt(digestA))},
			NotYet, "", "answers of m, prompt " + digestA,
		},
		{
			"no readable answer at first", [][]calibration.Answer{calibrationtest.Asks(1, good, 1, silent), calibrationtest.Asks(8, good, 1, prompt(digestA))},
			NotYet, "", "answers of m, prompt " + digestA,
		},
		{
			"no readable answer of another model", [][]calibration.Answer{calibrationtest.Asks(1, good, 1, prompt(digestA)), calibrationtest.Asks(8, good, 1, func(a *calibration.Answer) { silent(a); a.Model = "n" })},
			No, "A new judge since 2026-01-08: the model changed from m to n and the prompt changed from " + digestA + " to unknown.", "answers of n, prompt unknown",
		},
		{
			"a prompt that becomes known", [][]calibration.Answer{calibrationtest.Asks(1, good, 1, nil), calibrationtest.Asks(8, good, 1, prompt(digestA))},
			NotYet, "A new judge since 2026-01-08: the prompt changed from unknown to " + digestA + ".", "answers of m, prompt " + digestA,
		},
		{
			"a prompt that becomes unknown", [][]calibration.Answer{calibrationtest.Asks(1, good, 1, prompt(digestA)), calibrationtest.Asks(8, good, 1, nil)},
			NotYet, "A new judge since 2026-01-08: the prompt changed from " + digestA + " to unknown.", "answers of m, prompt unknown",
		},
		{
			"another number of repeats", [][]calibration.Answer{calibrationtest.Asks(1, good, 1, nil), calibrationtest.Asks(8, good, 15, nil)},
			NotYet, "A new judge since 2026-01-08: the number of repeats changed from 1 to 15.", "answers of m, averaged over 15 repeats, prompt unknown",
		},
		{
			"everything", [][]calibration.Answer{calibrationtest.Asks(1, good, 2, prompt(digestA)), calibrationtest.Asks(8, good, 3, func(a *calibration.Answer) { a.Model, a.PromptDigest = "n", digestB })},
			NotYet, "A new judge since 2026-01-08: the model changed from m to n, the prompt changed from " + digestA + " to " + digestB + ", and the number of repeats changed from 2 to 3.",
			"answers of n, averaged over 3 repeats, prompt " + digestB,
		},
		{
			"repeats of one item only", [][]calibration.Answer{calibrationtest.Asks(1, good, 1, nil), append(calibrationtest.Asks(8, good, 1, ended), calibrationtest.Asks(8, good, 2, ended)[60])},
			No, "A new judge since 2026-01-08: the number of repeats changed from 1 to 2.", "answers of m, averaged over 2 repeats, prompt unknown",
		},
	} {
		d := calibrationtest.Labeled(calibrationtest.Spread(60)...)
		d.Judges = []calibration.Judge{{Name: "j", Answers: slices.Concat(tt.runs...)}}
		run := d.Judges[0].NewestRun(calibrationtest.Words)
		calibrationtest.Asked(d, nil)
		run = d.Judges[0].Run(run.Name)
		o := options
		o.AsOf = run.Date
		r := On(d, calibrationtest.Depth(), o).Track(run)
		if r.Gate.Answer != tt.gate || r.NewJudge != tt.new || r.Judge.Identity().Answers() != tt.says {
			t.Errorf("%s: %s %s %q, about %s", tt.reason, r.Gate.Answer, said(r.Gate), r.NewJudge, r.Judge.Identity().Answers())
		}
		if r.Drift != nil && r.Drift.Before.Identity() != r.Judge.Identity() || r.Reference != nil && r.Reference.Before.Identity() != r.Judge.Identity() {
			t.Errorf("%s: the run is compared with one of another judge", tt.reason)
		}
	}
}

// TestJudgesOfTwoNamesAreTwo: they may have the same model, and so may one that was renamed.
func TestJudgesOfTwoNamesAreTwo(t *testing.T) {
	good := calibrationtest.Floats(calibrationtest.Spread(60))
	d := calibrationtest.Labeled(calibrationtest.Spread(60)...)
	d.Judges = []calibration.Judge{{Name: "before", Answers: calibrationtest.Asks(1, good, 1, nil)}, {Name: "after", Answers: calibrationtest.Asks(8, good, 1, nil)}}
	calibrationtest.Asked(d, nil)
	o := options
	o.AsOf = "2026-01-08"
	for _, r := range On(d, calibrationtest.Depth(), o).All() {
		if r.Gate.Answer != NotYet || r.NewJudge != "" {
			t.Errorf("%s has one run: %s %q", r.Judge.Name, said(r.Gate), r.NewJudge)
		}
	}
}
