package calibration

import (
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
)

// Numbers say how much evidence of a dataset counts, and how well each judge agrees with
// people in its newest run.
type Numbers struct {
	Items   int            `json:"items"`
	Raters  int            `json:"raters"`
	Removed int            `json:"removed"` // items, by exceptions; known only in a bundle
	Judges  []JudgeNumbers `json:"judges"`
}

// JudgeNumbers is the lowest correlation over the criteria in a run.
type JudgeNumbers struct {
	Name        string          `json:"name"`
	Run         string          `json:"run"`
	Correlation agreement.Value `json:"correlation"`
}

// NumbersChange is what the evidence of a dataset says before and after a change; nil where
// there is no dataset.
type NumbersChange struct {
	Dataset string   `json:"dataset"`
	Before  *Numbers `json:"before"`
	After   *Numbers `json:"after"`
}

// Numbers are those of the dataset.
func (d *Dataset) Numbers() *Numbers {
	n := &Numbers{Items: len(d.test().Items), Raters: len(d.Raters()), Judges: []JudgeNumbers{}}
	for i := range d.Judges {
		run := d.Judges[i].Newest()
		if run == nil {
			continue
		}
		var correlations []agreement.Value
		for _, c := range d.Criteria {
			p := d.asOf(run).test().of(c.Name, run).paired()
			correlations = append(correlations, agreement.Spearman(p.judge, p.people).AtLeast(len(p.items), Defaults().MinimumItems))
		}
		_, lowest := agreement.Overall(correlations)
		n.Judges = append(n.Judges, JudgeNumbers{run.Judge, run.Name, lowest})
	}
	return n
}

// Numbers are those of the first report on each judge.
func (s *Statistics) Numbers() *Numbers {
	n := &Numbers{Removed: s.Dataset.Removed, Judges: []JudgeNumbers{}}
	for i := range s.Reports {
		r := &s.Reports[i]
		n.Items, n.Raters = r.Dataset.Test(), r.Dataset.Raters
		if j := r.Judge; j != nil && !slices.ContainsFunc(n.Judges, func(other JudgeNumbers) bool { return other.Name == j.Name }) {
			n.Judges = append(n.Judges, JudgeNumbers{j.Name, j.Run, r.Overall.Minimum})
		}
	}
	return n
}

// String says in a line what changed.
func (c *NumbersChange) String() string {
	return fmt.Sprintf("%s → %s", c.Before.text(), c.After.text())
}

func (n *Numbers) text() string {
	if n == nil {
		return "no dataset"
	}
	text := fmt.Sprintf("items %d, raters %d", n.Items, n.Raters)
	if n.Removed > 0 {
		text += fmt.Sprintf(", removed items %d", n.Removed)
	}
	for _, j := range n.Judges {
		correlation := "unknown"
		if j.Correlation.Defined() {
			correlation = fmt.Sprintf("%.2f", j.Correlation.Number)
		}
		text += fmt.Sprintf(", correlation of %s %s (run %s)", j.Name, correlation, j.Run)
	}
	return text
}
