package decide

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/dev/calibrationtest"
)

// on is a run on a day.
func on(day int, scores []float64, edit func(a *calibration.Answer)) calibrationtest.Played {
	return calibrationtest.Played{Day: day, Scores: scores, Edit: edit}
}

// said is what decides a permission, in short.
func said(p Permission) string {
	of := map[[2]bool]string{{true, true}: "still ", {true, false}: "ended ", {false, true}: "new "}[[2]bool{p.Held, p.Holds}]
	of += fmt.Sprint(p.Why, " ", p.Runs)
	if len(p.Conditions) > 0 {
		of += fmt.Sprint(" ", p.Conditions)
	}
	if len(p.Values) > 0 {
		of += fmt.Sprint(" ", p.Values)
	}
	return of
}

// TestPermissions plays the runs of a judge: what they give, what ends it, and what does
// not.
func TestPermissions(t *testing.T) {
	labels := calibrationtest.Spread(60)
	good, random, lenient := calibrationtest.Floats(labels), calibrationtest.Random(60), calibrationtest.Noisy(labels, 0, 1)
	open := calibrationtest.Worsened(labels, 9)  // too few items to tell about the ranking
	wrong := calibrationtest.Worsened(labels, 6) // and its correlation is below the target
	silent := make([]float64, 60)                // no answer can be read
	weeks := func(all ...[]float64) (runs []calibrationtest.Played) {
		for i, scores := range all {
			runs = append(runs, calibrationtest.Played{Day: 7*i + 1, Scores: scores})
		}
		return runs
	}
	stopped := func(a *calibration.Answer) { a.Items = 61 } // one item was not asked about
	words := func(a *calibration.Answer) { a.Digest = calibrationtest.NewWords }
	prompt := func(a *calibration.Answer) { a.PromptDigest = calibrationtest.NewWords }
	for _, tt := range []struct {
		name       string
		runs       []calibrationtest.Played
		asOf       string // "" for the day of the last run
		limits     func(*Settings)
		rank, gate Answer
		says       string // about gate, "" for anything
	}{
		{"one run", weeks(good), "", nil, NotYet, NotYet, "one_run [2026-01-01]"},
		{"two runs", weeks(good, good), "", nil, Yes, Yes, "new two_runs [2026-01-01 2026-01-08]"},
		{"three runs", weeks(good, good, good), "", nil, Yes, Yes, "still two_runs [2026-01-08 2026-01-15]"},
		{"too few items to tell does not give it", weeks(good, open, good), "", nil, NotYet, NotYet, "one_run [2026-01-15]"},
		{"too few items to tell does not end it", weeks(good, good, open, open), "", nil, Yes, Yes, "still two_runs [2026-01-01 2026-01-08]"},
		{"a refuted condition ends it", weeks(good, good, random), "", nil, No, No, "ended refuted [2026-01-15] [verdict ranking]"},
		{"after that, two more runs are needed", weeks(good, good, random, good), "", nil, NotYet, NotYet, "one_run [2026-01-22]"},
		{"and two are enough", weeks(good, good, random, good, good), "", nil, Yes, Yes, "new two_runs [2026-01-22 2026-01-29]"},
		{"what only a gate needs does not end a ranking", weeks(good, good, lenient), "", nil, Yes, No, "ended refuted [2026-01-15] [verdict level]"},
		{"two estimates on the wrong side do not end it", weeks(good, good, wrong, wrong), "", nil, Yes, Yes, "still two_runs [2026-01-01 2026-01-08]"},
		{"three do", weeks(good, good, wrong, wrong, wrong), "", nil, No, No, "ended thrice [2026-01-15 2026-01-22 2026-01-29] [{correlation clarity}]"},
		{"a fourth one gives it no second chance", weeks(good, good, wrong, wrong, wrong, wrong), "", nil, No, No, "thrice [2026-01-22 2026-01-29 2026-02-05] [{correlation clarity}]"},
		{"after three, two runs that meet the conditions are needed", weeks(good, good, wrong, wrong, wrong, good), "", nil, NotYet, NotYet, "one_run [2026-02-05]"},
		{"three of a judge that never could say that more items are needed", weeks(wrong, wrong, wrong), "", nil, NotYet, NotYet, "too_few [2026-01-15] [verdict ranking]"},
		{"only in succession", weeks(good, good, wrong, wrong, good, wrong, wrong), "", nil, Yes, Yes, "still"},
		{"what can't be read ends it", weeks(good, good, silent), "", nil, No, No, "ended refuted [2026-01-15] [coverage]"},
		{"a run that was stopped gives nothing", []calibrationtest.Played{on(1, good, nil), on(8, good, stopped)}, "", nil, NotYet, NotYet, "stopped [2026-01-08]"},
		{"and does not end what later runs take up", []calibrationtest.Played{on(1, good, nil), on(8, random, stopped), on(15, good, nil)}, "", nil, Yes, Yes, "new two_runs [2026-01-01 2026-01-15]"},
		{"runs too near to each other", []calibrationtest.Played{on(1, good, nil), on(6, good, nil)}, "", nil, NotYet, NotYet, "one_run [2026-01-06]"},
		{"daily runs", []calibrationtest.Played{on(1, good, nil), on(2, good, nil), on(3, good, nil), on(6, good, nil), on(7, good, nil)}, "", nil, Yes, Yes, "new two_runs [2026-01-01 2026-01-07]"},
		{"a run between two does not count less", []calibrationtest.Played{on(1, good, nil), on(4, open, nil), on(7, good, nil)}, "", nil, NotYet, NotYet, ""},
		{"the last day", weeks(good, good), "2026-02-12", nil, Yes, Yes, "new"},
		{"age ends it", weeks(good, good), "2026-02-13", nil, No, No, "refuted [2026-01-08] [age]"},
		{"age ended it before the next run", append(weeks(good, good), on(44, good, nil)), "", nil, NotYet, NotYet, "ended gap [2026-01-08 2026-02-13]"},
		{"runs too far from each other", []calibrationtest.Played{on(1, good, nil), on(37, good, nil)}, "", nil, NotYet, NotYet, ""},
		{"other words end it", []calibrationtest.Played{on(1, good, words), on(8, good, words), on(15, good, nil)}, "", nil, NotYet, NotYet, "one_run [2026-01-15]"},
		{"another prompt ends it", []calibrationtest.Played{on(1, good, nil), on(8, good, nil), on(15, good, prompt)}, "", nil, NotYet, NotYet, "one_run [2026-01-15]"},
		{"and the one before takes it up again", []calibrationtest.Played{on(1, good, nil), on(8, good, prompt), on(15, good, nil)}, "", nil, Yes, Yes, "new"},
		{"a looser target", weeks(good, good), "", func(s *Settings) { s.Target = 0.6 }, LibraryLimits, LibraryLimits, ""},
		{"fewer items", weeks(good, good), "", func(s *Settings) { s.MinimumItems = 9 }, LibraryLimits, LibraryLimits, ""},
		{"less coverage", weeks(good, good), "", func(s *Settings) { s.MinimumCoverage = 0.9 }, LibraryLimits, LibraryLimits, ""},
		{"older runs", weeks(good, good), "", func(s *Settings) { s.MaximumAge = 36 }, LibraryLimits, LibraryLimits, ""},
		{"a looser bias", weeks(good, good), "", func(s *Settings) { s.MaximumBias = 0.6 }, Yes, LibraryLimits, ""},
		{"a looser rate", weeks(good, good), "", func(s *Settings) { s.MinimumRate = 0.6 }, Yes, LibraryLimits, ""},
		{"stricter limits", weeks(good, good), "", func(s *Settings) {
			*s = Settings{Target: 0.8, MinimumItems: 20, EnoughItems: 20, MinimumCoverage: 1, MaximumBias: 0.25, MinimumRate: 0.75, MaximumAge: 7}
		}, Yes, Yes, ""},
		{"looser limits that are not met", weeks(random, random), "", func(s *Settings) { s.Target = 0.6 }, No, No, ""},
	} {
		d, o := calibrationtest.Labeled(labels...), options
		run := calibrationtest.Play(d, tt.runs...)
		o.AsOf = tt.asOf
		if tt.asOf == "" {
			o.AsOf = run.Date
		}
		if tt.limits != nil {
			tt.limits(&o.Settings)
		}
		r := computed(d, calibrationtest.Depth(), run, o)
		if r.Rank.Answer != tt.rank || r.Gate.Answer != tt.gate || !strings.HasPrefix(said(r.Gate), tt.says) {
			t.Errorf("%s: rank %s, gate %s %s\nwant %s, %s %s", tt.name, r.Rank.Answer, r.Gate.Answer, said(r.Gate), tt.rank, tt.gate, tt.says)
		}
	}
}

// TestFormerWordsTakeUpTheirRuns: runs that read other words neither give nor end what a judge
// may do, so words that come back need no new run, unless the last one that read them is old.
func TestFormerWordsTakeUpTheirRuns(t *testing.T) {
	labels := calibrationtest.Spread(60)
	d, o := calibrationtest.Labeled(labels...), options
	good, other := calibrationtest.Floats(labels), func(a *calibration.Answer) { a.Digest = calibrationtest.NewWords }
	calibrationtest.Play(d, on(1, good, nil), on(8, good, nil), on(15, calibrationtest.Random(60), other))
	calibrationtest.Asked(d, nil)
	for asOf, want := range map[string]Answer{"2026-01-15": Yes, "2026-02-12": Yes, "2026-02-13": No} {
		o.AsOf = asOf
		if r := On(d, calibrationtest.Depth(), o).All()[0]; r.Judge.Run != "2026-01-08" || r.Gate.Answer != want {
			t.Errorf("on %s, run %s decides %+v, want %s", asOf, r.Judge.Run, r.Gate, want)
		}
	}
}

// TestPeople: a certificate needs the labels of two people.
func TestPeople(t *testing.T) {
	labels := calibrationtest.Spread(60)
	changed := func(d *calibration.Dataset, change func(i int, labels map[string]map[string]float64)) *calibration.Dataset {
		for i := range d.Items {
			change(i, d.Items[i].Labels)
		}
		return d
	}
	edit := func(change func(i int, labels map[string]map[string]float64)) *calibration.Dataset {
		return changed(calibrationtest.Labeled(labels...), change)
	}
	many := func(change func(i int, labels map[string]map[string]float64)) *calibration.Dataset {
		return changed(calibrationtest.Labeled(calibrationtest.Spread(120)...), change)
	}
	for _, tt := range []struct {
		name   string
		d      *calibration.Dataset
		paired int
		want   Outcome
		why    Cause
	}{
		{"two raters", calibrationtest.Labeled(labels...), 60, Met, ""},
		{"one set of labels", edit(func(_ int, l map[string]map[string]float64) { delete(l, "r2") }), 0, Undecided, FewPaired},
		{"29 items of two raters", edit(func(i int, l map[string]map[string]float64) {
			if i >= 29 {
				delete(l, "r2")
			}
		}), 29, Undecided, FewPaired},
		{"never the same two", edit(func(i int, l map[string]map[string]float64) {
			l["r"+string(rune('3'+i%3))] = l["r2"]
			delete(l, "r2")
		}), 20, Undecided, FewPaired},
		{"30 items of two raters", edit(func(i int, l map[string]map[string]float64) {
			if i >= 30 {
				delete(l, "r2")
			}
		}), 30, Met, ""},
		{"items of dev do not count", func() *calibration.Dataset {
			d := calibrationtest.Labeled(labels...)
			for i := range d.Items[:31] {
				d.Items[i].Split = calibration.Dev
			}
			return d
		}(), 29, Undecided, FewPaired},
		{"equal labels, too few to tell a copy", edit(func(_ int, l map[string]map[string]float64) { l["r2"] = l["r1"] }), 60, Met, ""},
		{"a rater is another one", many(func(_ int, l map[string]map[string]float64) { l["r2"] = l["r1"] }), 0, Undecided, FewPaired},
		{"a rater is another one, next to a third", many(func(_ int, l map[string]map[string]float64) { l["r3"] = l["r1"] }), 120, Met, ""},
		{"a rater is a judge", many(func(i int, l map[string]map[string]float64) {
			l["r2"] = map[string]float64{"clarity": calibrationtest.Random(120)[i]}
		}), 0, Undecided, FewPaired},
		{"labels without a difference", edit(func(i int, l map[string]map[string]float64) {
			l["r1"], l["r2"] = map[string]float64{"clarity": 3}, map[string]float64{"clarity": 3}
			if i == 0 {
				l["r3"] = map[string]float64{"clarity": 4}
				delete(l, "r1")
			}
		}), 59, Undecided, FewPaired},
		{"labels by authors", calibrationtest.ByAuthors(calibrationtest.Labeled(labels...)), 60, NotMet, Demonstration},
	} {
		other := calibrationtest.Scored(calibrationtest.Random(len(tt.d.Items))...)
		other.Judge = "other"
		tt.d.Judges = []calibration.Judge{{Name: "other", Answers: other.Answers}}
		r := computed(tt.d, calibrationtest.Depth(), calibrationtest.Scored(calibrationtest.Noisy(calibrationtest.Spread(len(tt.d.Items)), 0.4, 0)...), options)
		people := r.Conditions[0]
		if people.Name != ConditionPeople || people.Outcome != tt.want || r.Dataset.Paired != tt.paired || strings.TrimSuffix(fmt.Sprint(people.Causes), "]") != "["+string(tt.why) {
			t.Errorf("%s: %d paired, %+v, want %d, %s", tt.name, r.Dataset.Paired, people, tt.paired, tt.want)
		}
	}
}

// TestLaterLabelsCountFromTheNextRun: what a run says does not change when items, raters,
// and labels are added.
func TestLaterLabelsCountFromTheNextRun(t *testing.T) {
	labels := calibrationtest.Floats(calibrationtest.Spread(60))
	d := calibrationtest.Labeled(calibrationtest.Spread(60)...)
	for i := range d.Items[:40] {
		delete(d.Items[i].Labels, "r2")
	}
	run := calibrationtest.Play(d, calibrationtest.Played{Day: 1, Scores: labels}, calibrationtest.Played{Day: 8, Scores: labels})
	o := options
	o.AsOf = run.Date
	said := func() string {
		text, err := json.Marshal(computed(d, calibrationtest.Depth(), run, o))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	before := said()
	run = &d.Judges[0].Runs()[1]
	for i := range d.Items[:40] {
		d.Items[i].Labels["r2"] = map[string]float64{"clarity": min(5, 1+float64(i%4))}
	}
	d.Items = append(d.Items, calibration.Item{ID: "new", Artifact: "New.", Labels: d.Items[0].Labels})
	if diff := cmp.Diff(before, said()); diff != "" {
		t.Errorf("the second run says now (-before +after):\n%s", diff)
	}
	later := calibrationtest.Scored(append(labels, 3)...)
	later.Answers[60].Item = "new"
	d.Judges[0].Answers = append(d.Judges[0].Answers, later.Answers...)
	next := computed(d, calibrationtest.Depth(), &d.Judges[0].Runs()[2], options)
	if !strings.Contains(before, `"paired":20`) || next.Dataset.Paired != 61 || next.Dataset.Items != 61 {
		t.Errorf("the next run counts %d pairs of %d items", next.Dataset.Paired, next.Dataset.Items)
	}
}
