package report

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/dev/calibrationtest"
)

// decided is the decision about a run that asked about the items and labels of today.
func decided(d *calibration.Dataset, run *calibration.Run) *decide.Decision {
	calibrationtest.Asked(d, run)
	return decide.On(d, calibrationtest.Depth(), decide.Options{Settings: decide.Defaults(), Seed: 1, AsOf: calibrationtest.Today}).Decide(run)
}

// TestStatisticsShowNoItem: statistics reveal nothing about the items.
func TestStatisticsShowNoItem(t *testing.T) {
	d, run := calibrationtest.Labeled(calibrationtest.Spread(40)...), calibrationtest.Scored(calibrationtest.Worsened(calibrationtest.Spread(40), 3)...)
	for i := range d.Items {
		item := &d.Items[i]
		item.ID, item.Artifact = "secret-"+item.ID, "A secret text."
		item.Inputs = map[string]string{"task": "A secret task."}
		item.Labels = map[string]map[string]float64{"secret-rater": item.Labels["r1"]}
		run.Answers[i].Item = item.ID
	}
	report := decided(d, run)
	s := StatisticsOf(d, []*decide.Decision{report})
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
}
