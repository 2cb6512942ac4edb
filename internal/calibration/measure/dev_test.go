package measure

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/dev/calibrationtest"
)

// TestDevIsAboutDevItems only, compares the mean of repeats, and keeps the order of the judges.
func TestDevIsAboutDevItems(t *testing.T) {
	d := calibrationtest.Labeled(5, 1, 3, 2)
	for i, split := range []string{"dev", "dev", "", "test"} {
		d.Items[i].Split = split
	}
	d.Items[0].Labels["r2"]["clarity"] = 4
	scored := func(judge string, scores ...float64) *calibration.Run {
		run := &calibration.Run{Name: "a", Judge: judge, Model: "m", Date: "2026-11-21", Digest: calibrationtest.Words}
		for i, score := range scores {
			item := d.Items[i/2].ID
			run.Answers = append(run.Answers, calibration.Answer{
				Run: "a", Item: item, Repeat: 1 + i%2, Scores: map[string]float64{"clarity": score}, Reasons: map[string]string{"clarity": judge + " on " + item},
			})
		}
		return run
	}
	// z is right about the first item on average, and far off on the last two, which do not matter.
	z, a := scored("z", 4, 5, 2, 3, 1, 1, 5, 5), scored("a", 3, 4)
	dev, err := DevOf(d, calibrationtest.Depth(), []*calibration.Run{z, a})
	if err != nil {
		t.Fatal(err)
	}
	number := func(x float64) *float64 { return &x }
	want := []Disagreement{
		{
			Item: "i001", Criterion: "clarity", Artifact: "text 1", Labels: map[string]float64{"r1": 1, "r2": 1}, People: 1,
			Judges: []DevScore{{number(2.5), "z on i001"}, {}},
		},
		{
			Item: "i000", Criterion: "clarity", Artifact: "text 0", Labels: map[string]float64{"r1": 5, "r2": 4}, People: 4.5,
			Judges: []DevScore{{number(4.5), "z on i000"}, {number(3.5), "a on i000"}},
		},
	}
	if diff := cmp.Diff(want, dev.Disagreements); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]DevCriterion{{"clarity", []DevCount{{2, 1}, {1, 1}}}}, dev.Criteria); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	if dev.Dataset.Items != 2 || len(dev.Judges) != 2 || dev.Judges[0].Name != "z" {
		t.Errorf("%+v, judges %+v", dev.Dataset, dev.Judges)
	}
}
