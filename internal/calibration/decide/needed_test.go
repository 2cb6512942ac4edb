package decide

import (
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
		name        string
		d           *calibration.Dataset
		s           *calibration.Subject
		o           Options
		needed, has int // 0 if there are enough
	}{
		{"no labels yet", calibrationtest.Labeled(), calibrationtest.Depth(), options, 74, 0},
		{"more criteria that must all be met", calibrationtest.Labeled(), three, options, 109, 0},
		{"a target that is easier to tell from a good judge", calibrationtest.Labeled(), calibrationtest.Depth(), easy, 60, 0},
		{"a target that no judge reaches", calibrationtest.Labeled(), calibrationtest.Depth(), perfect, TooMany, 0},
		{"items to tune on do not count", tuned, calibrationtest.Depth(), options, 74, 70},
		{"enough", calibrationtest.Labeled(calibrationtest.Spread(80)...), calibrationtest.Depth(), options, 0, 0},
		{"an undecided run", withRun(calibrationtest.Labeled(calibrationtest.Spread(25)...), calibrationtest.Scored(calibrationtest.Noisy(calibrationtest.Spread(25), 0.6, 0)...)), calibrationtest.Depth(), late, undecided, 25},
		{"a calibrated run", withRun(calibrationtest.Labeled(calibrationtest.Spread(60)...), calibrationtest.Scored(calibrationtest.Floats(calibrationtest.Spread(60))...)), calibrationtest.Depth(), options, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			var needed, has int
			if p := On(test.d, test.s, test.o).Plan(); p != nil && p.Undecided != nil {
				needed, has = p.Undecided.ItemsNeeded, p.Undecided.LabeledItems()
			} else if p != nil {
				needed, has = p.Needed, p.Has
			}
			if needed != test.needed || has != test.has {
				t.Errorf("it takes %d items, and has %d, want %d and %d", needed, has, test.needed, test.has)
			}
		})
	}
}
