package calibration

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// withRun adds a run to a dataset.
func withRun(d *Dataset, run *Run) *Dataset {
	d.Judges = []Judge{{Name: run.Judge, Answers: run.Answers}}
	d.asked(nil)
	return d
}

func TestPlan(t *testing.T) {
	three := depth()
	for _, name := range []string{"second", "third"} {
		three.Rubric.Criteria = append(three.Rubric.Criteria, rubric.Criterion{Name: name})
	}
	easy := options
	easy.Target = 0.5
	perfect := options
	perfect.Target = 1
	tuned := labeled(spread(80)...)
	for i := range 10 {
		tuned.Items[i].Split = Dev
	}
	undecided := computed(labeled(spread(25)...), depth(), scored(noisy(spread(25), 0.6, 0)...), options).ItemsNeeded
	late := options
	late.AsOf = "2036-01-01" // the run is too old for a certificate, and its values still count
	for _, test := range []struct {
		name string
		d    *Dataset
		s    *Subject
		o    Options
		want string // the start, or "" for nothing
	}{
		{"no labels yet", labeled(), depth(), options, "A decision takes at least 74 labeled items; there are 0."},
		{"more criteria that must all be met", labeled(), three, options, "A decision takes at least 109 labeled items; there are 0."},
		{"a target that is easier to tell from a good judge", labeled(), depth(), easy, "A decision takes at least 60 labeled items"},
		{"a target that no judge reaches", labeled(), depth(), perfect, "A decision takes at least 10000 labeled items"},
		{"items to tune on do not count", tuned, depth(), options, "A decision takes at least 74 labeled items; there are 70."},
		{"enough", labeled(spread(80)...), depth(), options, ""},
		{"an undecided run", withRun(labeled(spread(25)...), scored(noisy(spread(25), 0.6, 0)...)), depth(), late,
			fmt.Sprintf("Run 2026-11-21 of j is undecided. If the values stay as they are, about %d labeled items would decide; there are 25.", undecided)},
		{"a calibrated run", withRun(labeled(spread(60)...), scored(floats(spread(60))...)), depth(), options, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := Plan(test.d, test.s, test.o); !strings.HasPrefix(got, test.want) || test.want == "" && got != "" {
				t.Errorf("got %q", got)
			}
		})
	}
}
