package report

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/dev/calibrationtest"
)

var options = decide.Options{Settings: decide.Defaults(), Seed: 1, AsOf: "2026-03-01"}

// reported is the view of a judge with two runs, after edits of the dataset and the runs.
func reported(o decide.Options, edit func(*calibration.Dataset, *calibration.Run)) *View {
	d := calibrationtest.Labeled(calibrationtest.Spread(60)...)
	day, _ := time.Parse(time.DateOnly, o.AsOf)
	var run *calibration.Run
	var answers []calibration.Answer
	for _, date := range []string{day.AddDate(0, 0, -7).Format(time.DateOnly), o.AsOf} {
		run = calibrationtest.Scored(calibrationtest.Floats(calibrationtest.Spread(60))...)
		run.Name, run.Date = date, date
		if edit != nil {
			edit(d, run)
		}
		for _, a := range run.Answers {
			a.Run, a.Date, a.Digest = run.Name, run.Date, run.Digest
			answers = append(answers, a)
		}
	}
	d.Judges = []calibration.Judge{{Name: "j", Answers: answers}}
	calibrationtest.Asked(d, run)
	return Of(decide.On(d, calibrationtest.Depth(), o).Decide(run))
}

func scores(of []float64) func(*calibration.Dataset, *calibration.Run) {
	return func(_ *calibration.Dataset, run *calibration.Run) {
		run.Answers = calibrationtest.Scored(of...).Answers
	}
}

func second(label func(i int, first float64) float64) func(*calibration.Dataset, *calibration.Run) {
	return func(d *calibration.Dataset, _ *calibration.Run) {
		for i := range d.Items {
			d.Items[i].Labels["r2"] = map[string]float64{"clarity": label(i, d.Items[i].Labels["r1"]["clarity"])}
		}
	}
}

// TestAReportBeginsWithTheAnswer: what the judge may be used for, how it compares with people,
// the reason that matters most, and what to do.
func TestAReportBeginsWithTheAnswer(t *testing.T) {
	labels := calibrationtest.Spread(60)
	loose := options
	loose.MaximumBias = 4
	noisy := calibrationtest.Random(60)
	for _, tt := range []struct {
		reason     string
		view       *View
		rank, gate decide.Answer
		begins     []string
		next       string
	}{
		{
			"a judge that agrees", reported(options, nil), decide.Yes, decide.Yes,
			[]string{"j (m) may rank and gate with depth_v1.", "It agrees with these people better than they agree with each other (correlations "},
			"run the judge again by 2026-04-05 (`rubric calibrate weekly`)",
		},
		{
			"limits of the library", reported(loose, nil), decide.Yes, decide.LibraryLimits,
			[]string{"j (m) may rank with depth_v1. It may gate, by this library's limits."}, "run the judge again by",
		},
		{
			"a lenient judge", reported(options, scores(calibrationtest.Noisy(labels, 0, 1))), decide.Yes, decide.No,
			[]string{"j (m) may rank with depth_v1. It may not gate.", "It agrees with", "It may not gate because it passes 12 of 24 items that people fail."},
			"put some of the next items aside",
		},
		{
			"a judge that says anything", reported(options, scores(noisy)), decide.No, decide.No,
			[]string{"j (m) may not rank or gate with depth_v1.", "It agrees with these people worse than they agree with each other", "It may not gate because it "},
			"put some of the next items aside (`rubric calibrate import --dev 0.3`)",
		},
		{
			"one rater", reported(options, func(d *calibration.Dataset, _ *calibration.Run) {
				for i := range d.Items {
					delete(d.Items[i].Labels, "r2")
				}
			}), decide.NotYet, decide.NotYet,
			[]string{
				"j (m) may not rank or gate with depth_v1 yet.", "Whether it agrees with these people as well as they agree with each other is unknown: only one person gave labels.",
				"It may not rank or gate yet because too few items are labeled by the same two people to know how far people agree: clarity 0, and at least 30 are required.",
			}, "have a second person label the same items",
		},
		{
			"both people labeled all of few items", reported(options, func(d *calibration.Dataset, run *calibration.Run) {
				d.Items, run.Answers = d.Items[:12], run.Answers[:12]
			}), decide.NotYet, decide.NotYet,
			[]string{"", "", "It may not rank or gate yet because too few items are labeled by the same two people to know how far people agree: clarity 12, and at least 30 are required."},
			"have both people label more items",
		},
		{
			"people who do not agree, and a judge like one of them", reported(options, func(d *calibration.Dataset, run *calibration.Run) {
				second(func(i int, _ float64) float64 { return noisy[i] })(d, run)
				scores(slices.Concat(noisy[30:], noisy[:30]))(d, run)
			}), decide.Unclear, decide.Unclear,
			[]string{"The labels can't tell if j (m) may rank or gate with depth_v1.", "There are too few items to tell if it agrees with these people", "The labels can't tell because no person "},
			"make the anchors ",
		},
		{
			"labels by authors", reported(options, func(d *calibration.Dataset, _ *calibration.Run) { calibrationtest.ByAuthors(d) }), decide.No, decide.No,
			[]string{"j (m) may not rank or gate with depth_v1.", "It may not rank or gate because the authors of the rubric gave the labels."},
			"have people label the items who did not write the rubric",
		},
		{
			"other words", reported(options, func(_ *calibration.Dataset, run *calibration.Run) { run.Digest = calibrationtest.NewWords }), decide.No, decide.No,
			[]string{"j (m) may not rank or gate with depth_v1.", "", "It may not rank or gate because the rubric's words have changed since run 2026-03-01 of j."},
			"run the judge again",
		},
		{
			"labels for other words", reported(options, func(d *calibration.Dataset, _ *calibration.Run) { d.Criteria[0].Digest = calibrationtest.NewWords }), decide.No, decide.No,
			[]string{"", "", "It may not rank or gate because the words of clarity have changed since the items were labeled."},
			"label the items again in a new dataset, or confirm the labels if they still hold (`rubric reaffirm depth --reason TEXT`)",
		},
		{
			"too little was answered", reported(options, func(_ *calibration.Dataset, run *calibration.Run) { run.Answers = run.Answers[:45] }), decide.No, decide.No,
			[]string{"", "", "It may not rank or gate because it answered 75% of the items readably, and at least 95% is required;"},
			"fix the judge",
		},
		{
			"too few items to tell", reported(options, scores(calibrationtest.Worsened(labels, 9))), decide.NotYet, decide.NotYet,
			[]string{"j (m) may not rank or gate with depth_v1 yet.", "", "It may not gate yet because there are too few items that people "},
			"improve the judge. The values are so near to what is required",
		},
	} {
		v := tt.view
		if v.Rank.Answer != tt.rank || v.Gate.Answer != tt.gate {
			t.Errorf("%s: rank %s, gate %s, want %s, %s", tt.reason, v.Rank.Answer, v.Gate.Answer, tt.rank, tt.gate)
		}
		for i, begins := range tt.begins {
			if i >= len(v.Answer) || !strings.HasPrefix(v.Answer[i], begins) {
				t.Errorf("%s: the report begins with\n%s\nwant\n%s", tt.reason, strings.Join(v.Answer, "\n"), strings.Join(tt.begins, "\n"))
				break
			}
		}
		if !strings.HasPrefix(v.Next, tt.next) {
			t.Errorf("%s: next is %q, want %q", tt.reason, v.Next, tt.next)
		}
		if (v.Obstacle() == "") != (v.Gate.Answer == decide.Yes) {
			t.Errorf("%s: the obstacle is %q", tt.reason, v.Obstacle())
		}
	}
}

// TestLabelsThatAreAllTheSame are not too few items: the advice is about other items.
func TestLabelsThatAreAllTheSame(t *testing.T) {
	v := reported(options, func(d *calibration.Dataset, run *calibration.Run) {
		for i := range d.Items {
			d.Items[i].Labels = map[string]map[string]float64{"r1": {"clarity": 2}, "r2": {"clarity": 2}}
		}
		of := make([]float64, 60)
		for i := range of {
			of[i] = 2
			if i%10 == 0 {
				of[i] = 3
			}
		}
		run.Answers = calibrationtest.Scored(of...).Answers
	})
	if want := "It may not rank or gate yet because the labels do not show how far people agree: clarity (all labels are the same)."; v.Answer[2] != want {
		t.Errorf("the reason is %q, want %q", v.Answer[2], want)
	}
	if want := "label more items, and others than these (`rubric calibrate sheet`)."; v.Next != want {
		t.Errorf("next is %q, want %q", v.Next, want)
	}
	verdict := v.Conditions[slices.IndexFunc(v.Conditions, func(c Condition) bool { return c.Name == decide.ConditionVerdict })]
	if want := "People pass none of the items, so that nobody can tell if it passes what they pass."; verdict.Reason != want {
		t.Errorf("the reason of the verdict is %q, want %q", verdict.Reason, want)
	}
}
