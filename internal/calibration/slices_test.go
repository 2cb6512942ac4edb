package calibration

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// lenient is a judge that scores german items one point higher than people.
func lenient(change func(i int, item *Item)) (*Dataset, *Run) {
	labels := spread(40)
	d, scores := labeled(labels...), floats(labels)
	for i := range d.Items {
		change(i, &d.Items[i])
		if slices.Contains(d.Items[i].Tags, "german") {
			scores[i] = min(5, scores[i]+1)
		}
	}
	run := scored(scores...)
	d.Judges = []Judge{{Name: "j", Answers: run.Answers}}
	return d, run
}

// TestSlices: the slice that the judge scores differently comes first, a slice of few
// items has a count only, and items that prompts were tuned on do not count.
func TestSlices(t *testing.T) {
	d, run := lenient(func(i int, item *Item) {
		item.Tags = []string{"all", "all"}
		if i%2 == 0 {
			item.Tags = append(item.Tags, "german")
		}
		if i < 9 {
			item.Tags = append(item.Tags, "few")
		}
		if i >= 35 {
			item.Split = "dev"
		}
	})
	r := Track(d, depth(), run, options)
	var got []string
	for _, s := range r.Slices {
		c := s.Criteria[0]
		got = append(got, fmt.Sprintf("%s %d, verdict %.2f %s, bias %.2f %s of %d", s.Tag, s.Items, s.Verdict.Number, s.Verdict.Undefined, c.Bias.Number, c.Bias.Undefined, c.Items))
	}
	want := []string{
		"german 18, verdict 0.83 , bias 0.78  of 18",
		"all 35, verdict 0.91 , bias 0.40  of 35",
		"few 9, verdict 0.00 9 items, at least 10 required, bias 0.00 9 items, at least 10 required of 9",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if all := r.Slices[1].Criteria[0].Bias; math.Abs(all.Number-r.Criteria[0].Bias.Number) > 1e-12 {
		t.Errorf("a slice of all items has another bias, %v, than the report, %v", all, r.Criteria[0].Bias)
	}
}

// TestSlicesDecideNothing: tags and the length of texts change nothing but what is shown
// about them, and a bundle has neither, because a tag can name a customer.
func TestSlicesDecideNothing(t *testing.T) {
	d, run := lenient(func(i int, item *Item) {
		if i%2 == 0 {
			item.Tags, item.Artifact = []string{"german"}, strings.Repeat("ü", 500-i)
		}
	})
	r := Track(d, depth(), run, options)
	length := r.Criteria[0].Length
	if len(r.Slices) != 1 || length == nil || length.Interval.Low <= 0 {
		t.Fatalf("slices %v, length %v", r.Slices, length)
	}
	shown := marshal(t, d.Statistics([]*Report{Compute(d, depth(), run, options)}))
	for i := range d.Items {
		d.Items[i].Tags, d.Items[i].Artifact = nil, "x"
	}
	plain := Track(d, depth(), run, options)
	if diff := cmp.Diff(plain.Conditions, r.Conditions); diff != "" || plain.Slices != nil {
		t.Errorf("%v %s", plain.Slices, diff)
	}
	if strings.Contains(shown, "german") || strings.Contains(shown, `"length"`) {
		t.Error("a bundle has the slices:", shown)
	}
	if e := plain.Criteria[0].Length; e.Undefined != "all lengths are the same" {
		t.Error("texts of one length:", e)
	}
}
