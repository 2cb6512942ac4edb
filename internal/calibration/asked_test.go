package calibration

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAskedLike: runs that asked about the same labels have the same dataset, and only they share what
// follows from it.
func TestAskedLike(t *testing.T) {
	d := &Dataset{}
	for _, id := range []string{"a", "b", "c"} {
		d.Items = append(d.Items, Item{ID: id, Labels: map[string]map[string]float64{"r1": {"tone": 3}, "r2": {"tone": 4}}})
	}
	asked := func(edit func(r *Run)) *Run {
		r := &Run{Items: 3}
		for i := range d.Items {
			r.Answers = append(r.Answers, Answer{Item: d.Items[i].ID, Repeat: 1, Line: i + 1, Labels: d.Items[i].AnsweredCriteria()})
		}
		edit(r)
		return r
	}
	first := asked(func(*Run) {})
	for _, tt := range []struct {
		reason string
		edit   func(r *Run)
		want   bool
	}{
		{"the same", func(*Run) {}, true},
		{"after an attempt that took a line of its own", func(r *Run) {
			r.Answers[1].Line, r.Answers[2].Line = 3, 4
		}, true},
		{"with repeats", func(r *Run) {
			again := r.Answers[2]
			again.Repeat, again.Line = 2, 4
			r.Answers = append(r.Answers, again)
		}, true},
		{"before a label was there", func(r *Run) {
			r.Answers[0].Labels = maps.Clone(r.Answers[0].Labels)
			delete(r.Answers[0].Labels, "r2")
		}, false},
		{"in another order", func(r *Run) { r.Answers[0].Line, r.Answers[1].Line = 2, 1 }, false},
		{"not about all items", func(r *Run) { r.Answers = r.Answers[:2] }, false},
		{"when there were more items", func(r *Run) { r.Items = 4 }, false},
	} {
		run := asked(tt.edit)
		if got := run.AskedLike(first); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.reason, got, tt.want)
		}
		if diff := cmp.Diff(d.AsOf(first).Items, d.AsOf(run).Items); tt.want && diff != "" {
			t.Errorf("%s, but the items differ (-first +other):\n%s", tt.reason, diff)
		}
	}
}
