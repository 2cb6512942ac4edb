package calibration

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
)

// reported returns the report on a perfect judge with a name, whose second run has a date,
// after edits of the dataset and the runs.
func reported(judge, date string, edit func(*Dataset, *Run)) *Report {
	d := labeled(spread(40)...)
	o := options
	o.AsOf = "2026-03-01"
	day, _ := time.Parse(time.DateOnly, date)
	var run *Run
	var answers []Answer
	for _, date := range []string{day.AddDate(0, 0, -7).Format(time.DateOnly), date} {
		run = scored(floats(spread(40))...)
		run.Judge, run.Name, run.Date = judge, date, date
		if edit != nil {
			edit(d, run)
		}
		for _, a := range run.Answers {
			a.Run, a.Date, a.Digest = run.Name, run.Date, run.Digest
			answers = append(answers, a)
		}
	}
	d.Judges = []Judge{{Name: judge, Answers: answers}}
	return computed(d, depth(), run, o)
}

func TestTheBestReportSpeaks(t *testing.T) {
	stale := func(_ *Dataset, run *Run) { run.Digest = newWords }
	byAuthors := func(d *Dataset, _ *Run) { d.LabeledBy = Authors }
	answer := func(scores []float64) func(*Dataset, *Run) {
		return func(_ *Dataset, run *Run) { run.Answers = scored(scores...).Answers }
	}
	weak, undecided, lenient := answer(random(40)), answer(worsened(spread(40), 7)), answer(noisy(spread(40), 0, 1))
	tests := []struct {
		reason  string
		reports []*Report
		judge   string // "" for none
		says    []string
	}{
		{"the newest run of those that count", []*Report{reported("a", "2026-02-10", nil), reported("b", "2026-03-01", nil), reported("c", "2026-02-20", nil)}, "b", nil},
		{"of two on one day the first", []*Report{reported("a", "2026-02-10", nil), reported("b", "2026-02-10", nil)}, "a", nil},
		{"a report that does not count does not affect others", []*Report{reported("a", "2026-03-01", stale), reported("b", "2026-02-10", nil)}, "b", nil},
		{"nobody was asked", []*Report{computed(labeled(spread(40)...), depth(), nil, options)}, "", []string{"No judge has answered."}},
		{"the judge read other words", []*Report{reported("a", "2026-03-01", stale)}, "a", []string{"The rubric's words have changed"}},
		{"the raters read other words", []*Report{reported("a", "2026-03-01", func(d *Dataset, _ *Run) { d.Criteria[0].Digest = newWords })}, "a", []string{"The words of clarity have changed"}},
		{"agreement with authors does not count", []*Report{reported("a", "2026-03-01", byAuthors)}, "a", []string{"the authors of the rubric gave the labels"}},
		{"all obstacles are reported", []*Report{reported("a", "2026-03-01", func(d *Dataset, run *Run) { byAuthors(d, run); stale(d, run) })}, "a", []string{"The rubric's words have changed", "the authors of the rubric gave the labels"}},
		{"too little was answered", []*Report{reported("a", "2026-03-01", func(_ *Dataset, run *Run) { run.Answers = run.Answers[:30] })}, "a", []string{"answered 75% of the items"}},
		{"too little is labeled", []*Report{reported("a", "2026-03-01", func(d *Dataset, run *Run) { d.Items, run.Answers = d.Items[:9], run.Answers[:9] })}, "a", []string{"clarity (9 items, at least 10 required)"}},
		{"below the target", []*Report{reported("a", "2026-03-01", weak)}, "a", []string{"the correlation must be at least 0.70"}},
		{"what came nearest says why", []*Report{reported("a", "2026-03-01", stale), reported("b", "2026-02-10", undecided), reported("c", "2026-02-20", weak)}, "b", []string{"Too few items to decide", "Run 2026-02-10 has too few items to tell about verdict and ranking."}},
		{"a judge that may only rank comes before one that may not", []*Report{reported("a", "2026-03-01", weak), reported("b", "2026-02-10", lenient)}, "b", []string{"Run 2026-02-10 does not meet: level."}},
	}
	for _, tt := range tests {
		r := Best(tt.reports)
		judge := ""
		if r.Judge != nil {
			judge = r.Judge.Name
		}
		sentences := strings.Split(strings.TrimSuffix(r.Obstacle(), "."), ". ")
		if once := slices.Compact(slices.Sorted(slices.Values(sentences))); len(once) < len(sentences) {
			t.Errorf("%s: the reason repeats itself: %q", tt.reason, r.Obstacle())
		}
		if judge != tt.judge || (r.Obstacle() == "") != (tt.says == nil) {
			t.Errorf("%s: the judge is %q, and the reason %q", tt.reason, judge, r.Obstacle())
		}
		for _, says := range tt.says {
			if !strings.Contains(r.Obstacle(), says) {
				t.Errorf("%s: the reason is %q, expected %q in it", tt.reason, r.Obstacle(), says)
			}
		}
	}
}

func TestReportsAreOnTheNewestRunOfEachJudge(t *testing.T) {
	d := labeled(spread(40)...)
	answers := func(date, digest string) []Answer {
		run := scored(floats(spread(40))...)
		for i := range run.Answers {
			run.Answers[i].Run, run.Answers[i].Date, run.Answers[i].Digest = date, date, digest
		}
		return run.Answers
	}
	if got := d.Reports(depth(), options); len(got) != 1 || got[0].Judge != nil {
		t.Errorf("labels without a judge have %d reports, expected one without a judge", len(got))
	}
	d.Judges = []Judge{
		{Name: "fresh", Answers: append(append(answers("2026-01-01", words), answers("2026-02-01", words)...), answers("2026-03-01", newWords)...)},
		{Name: "none"},
		{Name: "stale", Answers: append(answers("2026-01-01", newWords), answers("2026-02-01", newWords)...)},
	}
	var got []string
	for _, r := range d.Reports(depth(), options) {
		got = append(got, r.Judge.Name+" "+r.Judge.Run)
	}
	if want := "fresh 2026-02-01, stale 2026-02-01"; strings.Join(got, ", ") != want {
		t.Errorf("the reports are on %v, expected %s", got, want)
	}
}

// TestStatisticsShowNoItem: statistics reveal nothing about the items.
func TestStatisticsShowNoItem(t *testing.T) {
	d, run := labeled(spread(40)...), scored(worsened(spread(40), 3)...)
	for i := range d.Items {
		item := &d.Items[i]
		item.ID, item.Artifact = "secret-"+item.ID, "A secret text."
		item.Inputs = map[string]string{"task": "A secret task."}
		item.Labels = map[string]map[string]float64{"secret-rater": item.Labels["r1"]}
		run.Answers[i].Item = item.ID
	}
	report := computed(d, depth(), run, options)
	if len(report.Worst) == 0 {
		t.Fatal("the report shows no item, so that nothing is tested")
	}
	s := d.Statistics([]*Report{report}, 0)
	data, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(data, []byte("secret")) {
		t.Errorf("the statistics show an item:\n%s", data)
	}
	var back Statistics
	if err := json.Unmarshal(data, &back); err != nil || back.Reports[0].Rubric != report.Rubric || back.Dataset != s.Dataset {
		t.Errorf("the statistics do not come back: %v\n%s", err, data)
	}
	if len(report.Worst) == 0 {
		t.Error("the report itself was changed")
	}
}
