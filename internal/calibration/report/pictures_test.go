package report

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// TestAnIntervalThatLeavesTheAxisEndsInAnArrow: it is not cut off in silence.
func TestAnIntervalThatLeavesTheAxisEndsInAnArrow(t *testing.T) {
	for _, test := range []struct {
		low, high float64
		arrows    int
	}{{0.2, 0.8, 0}, {-0.5, 0.8, 1}, {-0.2, 1, 0}, {-0.9, 1.5, 2}} {
		estimate := agreement.Estimate{Value: agreement.Value{Number: 0.3}, Interval: agreement.Interval{Low: test.low, High: test.high}}
		drawn := string(must.Get(filled("picture", correlationPicture(estimate, decide.Met, 0.7)))(t))
		if got := strings.Count(drawn, `<path class="point met"`); got != test.arrows || strings.Count(drawn, "<circle") != 1 {
			t.Errorf("%v to %v has %d arrows, want %d:\n%s", test.low, test.high, got, test.arrows, drawn)
		}
	}
}

// TestATimelineHasTheRunsThatHaveANumber: names come from files of the library.
func TestATimelineHasTheRunsThatHaveANumber(t *testing.T) {
	run := func(date, judge string, correlation agreement.Value) Past {
		r := Past{Start: calibration.Start{Date: date}, Judge: calibration.Identity{Name: judge, Model: "m-1"}}
		for _, name := range []string{"scope", "<i>clarity"} {
			of := agreement.Estimate{Value: correlation, Interval: agreement.Interval{Low: correlation.Number - 0.1, High: correlation.Number + 0.1, Undefined: correlation.Undefined}}
			r.Criteria = append(r.Criteria, PastCriterion{Name: name, Spearman: of, Outcome: decide.NotMet})
		}
		return r
	}
	half, none := agreement.Value{Number: 0.5}, agreement.Value{Undefined: "there are no items"}
	for _, test := range []struct {
		runs []Past
		rows string
	}{
		{nil, ""},
		{[]Past{run("2026-01-02", "b", none)}, ""},
		{
			[]Past{run("2026-01-02", "z<b>", half), run("2026-02-02", "a", agreement.Value{Number: -0.5}), run("2026-03-02", "a", half), run("2026-02-02", "a", none)},
			"scope a 2026-03-02 0.50 (0.40 to 0.60)|scope a 2026-02-02 -0.50 (-0.60 to -0.40)|scope z&lt;b&gt; 2026-01-02 0.50 (0.40 to 0.60)|" +
				"&lt;i&gt;clarity a 2026-03-02 0.50 (0.40 to 0.60)|&lt;i&gt;clarity a 2026-02-02 -0.50 (-0.60 to -0.40)|&lt;i&gt;clarity z&lt;b&gt; 2026-01-02 0.50 (0.40 to 0.60)",
		},
	} {
		got := string(must.Get(Timeline(test.runs))(t))
		var rows []string
		for _, row := range regexp.MustCompile(`<tr><th scope="row"><bdi>(.*?)</bdi></th><td class="wraps"><bdi>(.*?)</bdi><small>answers of m-1, prompt unknown</small></td><td>(.*?)</td><td></td>\s*<td class="drawn">(.*?)\n`).FindAllStringSubmatch(got, -1) {
			rows = append(rows, strings.Join(row[1:], " "))
		}
		if strings.Join(rows, "|") != test.rows || (got == "") != (test.rows == "") || strings.Count(got, `class="whisker not_met"`) != 2*len(rows) {
			t.Errorf("got %q, want %q:\n%s", rows, test.rows, got)
		}
		checkSection(t, got)
	}
}

// TestAPlotHasALineOverRealTime: runs are as far apart as their days are, and each change of the words or of the
// judge is marked.
func TestAPlotHasALineOverRealTime(t *testing.T) {
	run := func(date, since, model string, correlation, low, people float64) Past {
		of := agreement.Estimate{Value: agreement.Value{Number: correlation}, Interval: agreement.Interval{Low: low, High: 0.9}}
		return Past{
			Start: calibration.Start{Date: date}, Since: since, Judge: calibration.Identity{Name: "j", Model: model}, Target: 0.7,
			Criteria: []PastCriterion{{Name: "scope", Spearman: of, People: agreement.Value{Number: people}, Outcome: decide.Met}},
		}
	}
	runs := []Past{run("2026-01-21", "1.1.0", "m-2", 0.4, -0.9, 1), run("2026-01-01", "1.0.0", "m-1", 1, 0.7, 0.7), run("2026-01-05", "1.0.0", "m-2", 0.7, 0.4, 0.7)}
	got := string(must.Get(Timeline(runs))(t))
	for _, test := range []struct{ reason, part string }{
		{"the first run is first on the axis, and its correlation on top", `<circle class="point met" cx="8.32%" cy="22" r="5"></circle>`},
		{"the next is a fifth of the time later", `<line class="path" x1="8.32%" y1="22" x2="26.06%" y2="49.5"></line>`},
		{"the last is at the right end", `<line class="path" x1="26.06%" y1="49.5" x2="97%" y2="77"></line>`},
		{"an interval ends with the axis", `<line class="whisker met" x1="97%" y1="132" x2="97%" y2="31.2"></line>`},
		{"the target is a line", `<line class="limit" x1="0%" y1="49.5" x2="100%" y2="49.5"></line>`},
		{"people have their own line", `<line class="people" x1="26.06%" y1="49.5" x2="97%" y2="22"></line>`},
		{"another model is marked", `<text class="change" x="26.06%" y="12" text-anchor="middle">J</text>`},
		{"other words are marked", `<text class="change" x="97%" y="12" text-anchor="middle">W</text>`},
		{"the axis has days", `<text x="8.32%" y="149" text-anchor="start">2026-01-01</text>`},
		{"it is said in words", `aria-label="Correlation of j with people on scope: 3 runs from 2026-01-01 to 2026-01-21, first 1.00 (0.70 to 0.90), in the run of 2026-01-21 0.40 (-0.90 to 0.90); target 0.7; the people&#39;s own agreement 1.00; changes: 2026-01-05 (the judge), 2026-01-21 (words of the rubric)."`},
	} {
		if !strings.Contains(got, test.part) {
			t.Errorf("%s: %s is missing in\n%s", test.reason, test.part, got)
		}
	}
	checkSection(t, got)
	checkSection(t, string(must.Get(Timeline(runs[:1]))(t))) // a single run is a point
}

// FuzzPictures draws data that a bundle from another program can have.
func FuzzPictures(f *testing.F) {
	data := must.Get(json.Marshal(small().report()))(f)
	f.Add(data)
	f.Add([]byte(`{"outcome":"met","criteria":[{"items":1,"confusion":[[1]]},{"items":1,"confusion":[[],[],[],[],[]]}]}`))
	f.Add([]byte(`{"criteria":[{"name":"<b>","items":-1,"spearman":{"value":1e308},"bias":{"value":-1e308,"low":1,"high":-1}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var r View
		if json.Unmarshal(data, &r) != nil {
			return
		}
		p := must.Get(Section(&r))(t)
		if drawn := string(p); strings.Contains(drawn, "<b>") {
			t.Errorf("an element comes through:\n%s", drawn)
		}
	})
}
