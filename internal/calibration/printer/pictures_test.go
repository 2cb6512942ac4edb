package printer

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// TestAnIntervalThatLeavesTheAxisEndsInAnArrow: it is not cut off in silence.
func TestAnIntervalThatLeavesTheAxisEndsInAnArrow(t *testing.T) {
	for _, test := range []struct {
		low, high float64
		arrows    int
	}{{0.2, 0.8, 0}, {-0.5, 0.8, 1}, {-0.2, 1, 0}, {-0.9, 1.5, 2}} {
		estimate := agreement.Estimate{Value: agreement.Value{Number: 0.3}, Interval: agreement.Interval{Low: test.low, High: test.high}}
		c := intervalChart{ID: "c", Scale: chartScale(-0.2, 1), Rows: []intervalRow{{Name: "clarity", Estimate: &estimate, Ceiling: noCeiling}}}
		if got := strings.Count(string(must.Get(filled("intervals", &c))(t)), `class="beyond"`); got != test.arrows {
			t.Errorf("%v to %v has %d arrows, want %d", test.low, test.high, got, test.arrows)
		}
	}
}

// TestATimelineHasTheRunsThatHaveANumber: dates and numbers come from a file of the library.
func TestATimelineHasTheRunsThatHaveANumber(t *testing.T) {
	record := func(date, version string, correlation agreement.Value) calibration.Record {
		of := agreement.Estimate{Value: correlation, Interval: agreement.Interval{Low: correlation.Number - 0.1, High: correlation.Number + 0.1, Undefined: correlation.Undefined}}
		return calibration.Record{Date: date, Judge: calibration.JudgeReference{Name: "<b>steady"}, Rubric: calibration.RubricReference{Version: version}, Criteria: []calibration.RecordedCriterion{{Name: "<i>clarity", Spearman: of}}}
	}
	none := agreement.Value{Undefined: "there are no items"}
	for _, test := range []struct {
		records []calibration.Record
		dots    int
		says    string
	}{
		{nil, 0, ""},
		{[]calibration.Record{record("2026-01-02", "1.0.0", none), record("someday", "1.0.0", agreement.Value{Number: 0.5})}, 0, ""},
		{[]calibration.Record{record("2026-01-02", "1.0.0", agreement.Value{Number: 0.5})}, 1, "The target is 0. 2026-01-02, version 1.0.0: 0.50 (0.40 to 0.60)."},
		{[]calibration.Record{record("2026-03-02", "1.1.0", agreement.Value{Number: -0.5}), record("2026-01-02", "1.0.0", agreement.Value{Number: 0.5})}, 2, "2026-01-02, version 1.0.0: 0.50 (0.40 to 0.60). 2026-03-02, version 1.1.0: -0.50 (-0.60 to -0.40)."},
	} {
		got := string(must.Get(Timeline("runs", test.records))(t))
		if strings.Count(got, "<circle") != test.dots || !strings.Contains(got, test.says) || (got == "") != (test.dots == 0) || strings.Contains(got, "NaN") {
			t.Errorf("got %s", got)
		}
	}
}

// TestJudgesHaveTimelinesOfTheirOwn, those of a criterion side by side, so that no line or interval
// is taken for that of another judge.
func TestJudgesHaveTimelinesOfTheirOwn(t *testing.T) {
	var records []calibration.Record
	for _, judge := range []string{"steady", "generous"} {
		for _, date := range []string{"2026-01-02", "2026-02-02"} {
			r := calibration.Record{Date: date, Judge: calibration.JudgeReference{Name: judge}, Rubric: calibration.RubricReference{Version: "1.0.0"}}
			for _, name := range []string{"clarity", "scope"} {
				of := agreement.Estimate{Value: agreement.Value{Number: 0.5}, Interval: agreement.Interval{Low: 0.4, High: 0.6}}
				r.Criteria = append(r.Criteria, calibration.RecordedCriterion{Name: name, Spearman: of, Outcome: calibration.NotMet})
			}
			records = append(records, r)
		}
	}
	got := string(must.Get(Timeline("runs", records))(t))
	var order []string
	for _, caption := range regexp.MustCompile(`<figcaption><strong><bdi>(.*?)</bdi></strong> by <bdi>(.*?)</bdi>`).FindAllStringSubmatch(got, -1) {
		order = append(order, caption[1]+" "+caption[2])
	}
	if want := []string{"clarity steady", "clarity generous", "scope steady", "scope generous"}; !slices.Equal(order, want) {
		t.Errorf("got %q, want %q", order, want)
	}
	for part, n := range map[string]int{`class="trend"`: 4, `class="whisker not_met"`: 8, `id="runs-4-title"`: 1} {
		if strings.Count(got, part) != n {
			t.Errorf("%s is there %d times, want %d", part, strings.Count(got, part), n)
		}
	}
}

// FuzzPictures draws data that a bundle from another program can have.
func FuzzPictures(f *testing.F) {
	data := must.Get(json.Marshal(small().report()))(f)
	f.Add(data)
	f.Add([]byte(`{"outcome":"met","criteria":[{"items":1,"confusion":[[1]]},{"items":1,"confusion":[[],[],[],[],[]]}]}`))
	f.Add([]byte(`{"criteria":[{"name":"<b>","items":-1,"spearman":{"value":1e308},"bias":{"value":-1e308,"low":1,"high":-1}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var r calibration.Report
		if json.Unmarshal(data, &r) != nil {
			return
		}
		p := must.Get(Section("c", &r))(t)
		if drawn := string(p); strings.Contains(drawn, "<b>") {
			t.Errorf("an element comes through:\n%s", drawn)
		}
	})
}
