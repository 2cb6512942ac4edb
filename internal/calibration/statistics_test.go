package calibration

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// reported returns the report on a perfect judge with a name and a date, after edits of the
// dataset and the run.
func reported(judge, date string, edit func(*Dataset, *Run)) *Report {
	d, run := labeled(spread(40)...), scored(floats(spread(40))...)
	run.Judge, run.Date = judge, date
	if edit != nil {
		edit(d, run)
	}
	o := options
	o.AsOf = "2026-03-01"
	return Compute(d, depth(), run, o)
}

func TestTheFreshestCalibratedReportSpeaks(t *testing.T) {
	stale := func(_ *Dataset, run *Run) { run.Digest = newWords }
	byAuthors := func(d *Dataset, _ *Run) { d.LabeledBy = Authors }
	weak := func(_ *Dataset, run *Run) {
		date := run.Date
		*run = *scored(random(40)...)
		run.Date = date
	}
	undecided := func(_ *Dataset, run *Run) {
		judge, date := run.Judge, run.Date
		*run = *scored(worsened(spread(40), 7)...)
		run.Judge, run.Date = judge, date
	}
	tests := []struct {
		reason  string
		reports []*Report
		judge   string // "" for none
		says    []string
	}{
		{"the newest run of those that count", []*Report{reported("a", "2026-02-10", nil), reported("b", "2026-03-01", nil), reported("c", "2026-02-20", nil)}, "b", nil},
		{"of two on one day the first", []*Report{reported("a", "2026-02-10", nil), reported("b", "2026-02-10", nil)}, "a", nil},
		{"a report that does not count does not affect others", []*Report{reported("a", "2026-03-01", stale), reported("b", "2026-02-10", nil)}, "b", nil},
		{"nobody was asked", []*Report{Compute(labeled(spread(40)...), depth(), nil, options)}, "", []string{"No judge has answered."}},
		{"the judge read other words", []*Report{reported("a", "2026-03-01", stale)}, "", []string{"The rubric's words have changed"}},
		{"the raters read other words", []*Report{reported("a", "2026-03-01", func(d *Dataset, _ *Run) { d.Criteria[0].Digest = newWords })}, "", []string{"The words of clarity have changed"}},
		{"agreement with authors does not count", []*Report{reported("a", "2026-03-01", byAuthors)}, "", []string{"the authors of the rubric gave the labels"}},
		{"all obstacles are reported", []*Report{reported("a", "2026-03-01", func(d *Dataset, run *Run) { byAuthors(d, run); stale(d, run) })}, "", []string{"The rubric's words have changed", "the authors of the rubric gave the labels"}},
		{"too little was answered", []*Report{reported("a", "2026-03-01", func(_ *Dataset, run *Run) { run.Answers = run.Answers[:30] })}, "", []string{"answered 75% of the items"}},
		{"too little is labeled", []*Report{reported("a", "2026-03-01", func(d *Dataset, run *Run) { d.Items, run.Answers = d.Items[:9], run.Answers[:9] })}, "", []string{"clarity (9 items, at least 10 required)"}},
		{"below the target", []*Report{reported("a", "2026-03-01", weak)}, "", []string{"the correlation must be at least 0.70"}},
		{"what came nearest says why", []*Report{reported("a", "2026-03-01", stale), reported("b", "2026-02-10", undecided), reported("c", "2026-02-20", weak)}, "", []string{"Too few items to decide"}},
	}
	for _, tt := range tests {
		r, reason := Freshest(tt.reports)
		judge := ""
		if r != nil {
			judge = r.Judge.Name
		}
		if judge != tt.judge || (reason == "") != (r != nil) {
			t.Errorf("%s: the judge is %q, and the reason %q", tt.reason, judge, reason)
		}
		for _, says := range tt.says {
			if !strings.Contains(reason, says) {
				t.Errorf("%s: the reason is %q, expected %q in it", tt.reason, reason, says)
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
	report := Compute(d, depth(), run, options)
	if len(report.Worst) == 0 {
		t.Fatal("the report shows no item, so that nothing is tested")
	}
	s := d.Statistics([]*Report{report})
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
