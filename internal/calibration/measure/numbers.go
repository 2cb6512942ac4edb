package measure

import (
	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
)

// Numbers say how much evidence of a dataset counts, and how well each judge agrees with
// people in its newest run.
type Numbers struct {
	Items  int `json:"items"`
	Raters int `json:"raters"`
	// Removed are the items that were removed through exceptions; only known in bundles.
	Removed int            `json:"removed"`
	Judges  []JudgeNumbers `json:"judges"`
}

// JudgeNumbers is the lowest correlation over the criteria in a run.
type JudgeNumbers struct {
	Name        string          `json:"name"`
	Model       string          `json:"model"`
	Run         string          `json:"run"`
	Correlation agreement.Value `json:"correlation"`
}

// NumbersOf are those of a dataset. A judge with fewer items than required has no correlation.
func NumbersOf(d *calibration.Dataset, minimumItems int) *Numbers {
	meter := NewMeter(d, nil, Options{})
	all := meter.countRun(nil)
	n := &Numbers{Items: len(all.Items), Raters: len(all.raters), Judges: []JudgeNumbers{}}
	for i := range d.Judges {
		run := d.Judges[i].NewestRun()
		if run == nil {
			continue
		}
		var correlations []agreement.Value
		of := meter.countRun(run)
		for _, c := range d.Criteria {
			p := of.labels(c.Name).addScores(of.scores[c.Name]).pairsOf()
			correlations = append(correlations, agreement.Spearman(p.judge, p.people).AtLeast(len(p.people), minimumItems))
		}
		_, lowest := agreement.Overall(correlations)
		n.Judges = append(n.Judges, JudgeNumbers{run.Judge, run.Model, run.Name, lowest})
	}
	return n
}
