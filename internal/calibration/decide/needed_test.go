package decide

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/dev/calibrationtest"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// withRun adds a run to a dataset.
func withRun(d *calibration.Dataset, run *calibration.Run) *calibration.Dataset {
	d.Judges = []calibration.Judge{{Name: run.Judge, Answers: run.Answers}}
	calibrationtest.Asked(d, nil)
	return d
}

func TestPlan(t *testing.T) {
	three := calibrationtest.Depth()
	for _, name := range []string{"second", "third"} {
		three.Rubric.Criteria = append(three.Rubric.Criteria, rubric.Criterion{Name: name})
	}
	easy := options
	easy.Target = 0.5
	perfect := options
	perfect.Target = 1
	tuned := calibrationtest.Labeled(calibrationtest.Spread(80)...)
	for i := range 10 {
		tuned.Items[i].Split = calibration.Dev
	}
	undecided := computed(calibrationtest.Labeled(calibrationtest.Spread(25)...), calibrationtest.Depth(), calibrationtest.Scored(calibrationtest.Noisy(calibrationtest.Spread(25), 0.6, 0)...), options).ItemsNeeded
	late := options
	late.AsOf = "2036-01-01" // the run is too old for a certificate, and its values still count
	for _, test := range []struct {
		name string
		d    *calibration.Dataset
		s    *calibration.Subject
		o    Options
		want string // the start, or "" for nothing
	}{
		{"no labels yet", calibrationtest.Labeled(), calibrationtest.Depth(), options, "A decision takes at least 74 labeled items; there are 0."},
		{"more criteria that must all be met", calibrationtest.Labeled(), three, options, "A decision takes at least 109 labeled items; there are 0."},
		{"a target that is easier to tell from a good judge", calibrationtest.Labeled(), calibrationtest.Depth(), easy, "A decision takes at least 60 labeled items"},
		{"a target that no judge reaches", calibrationtest.Labeled(), calibrationtest.Depth(), perfect, "A decision takes at least 10000 labeled items"},
		{"items to tune on do not count", tuned, calibrationtest.Depth(), options, "A decision takes at least 74 labeled items; there are 70."},
		{"enough", calibrationtest.Labeled(calibrationtest.Spread(80)...), calibrationtest.Depth(), options, ""},
		{"an undecided run", withRun(calibrationtest.Labeled(calibrationtest.Spread(25)...), calibrationtest.Scored(calibrationtest.Noisy(calibrationtest.Spread(25), 0.6, 0)...)), calibrationtest.Depth(), late,
			fmt.Sprintf("Run 2026-11-21 of j is undecided. If the values stay as they are, about %d labeled items would decide; there are 25.", undecided)},
		{"a calibrated run", withRun(calibrationtest.Labeled(calibrationtest.Spread(60)...), calibrationtest.Scored(calibrationtest.Floats(calibrationtest.Spread(60))...)), calibrationtest.Depth(), options, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := Plan(test.d, test.s, test.o); !strings.HasPrefix(got, test.want) || test.want == "" && got != "" {
				t.Errorf("got %q", got)
			}
		})
	}
}
