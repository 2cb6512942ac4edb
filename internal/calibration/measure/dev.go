package measure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
)

// Dev is how judges and people disagree on the items of a dataset that were put aside for tuning.
// It has texts, which a measurement on the other items never has.
type Dev struct {
	Rubric  Rubric     `json:"rubric"`
	Dataset DevDataset `json:"dataset"`
	// Judges are compared side by side, each with one run.
	Judges []Judge `json:"judges"`
	// Criteria are in the rubric's order.
	Criteria []DevCriterion `json:"criteria"`
	// Disagreements are those of a point or more by any of the judges, largest first.
	Disagreements []Disagreement `json:"disagreements"`
}

// DevDataset identifies the dataset, and counts its dev items and their raters.
type DevDataset struct {
	Name      string              `json:"name"`
	LabeledBy calibration.Labeler `json:"labeled_by"`
	Raters    int                 `json:"raters"`
	Items     int                 `json:"items"`
}

// DevCriterion counts disagreements on a criterion, for each of the judges in their order.
type DevCriterion struct {
	Name   string     `json:"name"`
	Judges []DevCount `json:"judges"`
}

// isAnswered reports whether a judge has a score for an item.
func (c DevCriterion) isAnswered() bool {
	return slices.ContainsFunc(c.Judges, func(count DevCount) bool { return count.Items > 0 })
}

// DevCount counts the items with a label and a score, and those where both differ by a point or
// more.
type DevCount struct {
	Items int `json:"items"`
	Apart int `json:"apart"`
}

// Disagreement is an item that a judge and people score differently on a criterion.
type Disagreement struct {
	Item      string            `json:"item"`
	Criterion string            `json:"criterion"`
	Artifact  string            `json:"artifact"`
	Inputs    map[string]string `json:"inputs,omitempty"`
	// Labels are those of each rater, and People is their mean.
	Labels map[string]float64 `json:"labels"`
	People float64            `json:"people"`
	// Judges are in the order of all judges; one without a score has null.
	Judges []DevScore `json:"judges"`
}

// DevScore is the score of a judge, the mean of its repeats, and the first reason for it.
type DevScore struct {
	Score  *float64 `json:"score"`
	Reason string   `json:"reason,omitempty"`
}

// apart is the difference from which on a judge and people disagree.
const apart = 1

// DevOf compares runs, one of each judge, with people on the dev items of a dataset, which must
// join the rubric.
func DevOf(d *calibration.Dataset, s *calibration.Subject, runs []*calibration.Run) (*Dev, error) {
	only := d.Dev()
	if len(only.Items) == 0 {
		return nil, fmt.Errorf("%s has no dev items. Put some of the next items aside: rubric calibrate import --dev 0.3", d.Name)
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("no judge has answered the items of %s. Ask one: rubric calibrate run", d.Name)
	}
	dev := &Dev{
		Rubric:        Rubric{s.Rubric.ID, s.Rubric.Version, s.Digest},
		Dataset:       DevDataset{d.Name, d.LabeledBy, len(only.Raters()), len(only.Items)},
		Disagreements: []Disagreement{},
	}
	for _, run := range runs {
		dev.Judges = append(dev.Judges, judge(run, run.Digest == s.Digest))
	}
	for _, c := range s.Rubric.Criteria {
		dev.add(only, c.Name, runs)
	}
	if !slices.ContainsFunc(dev.Criteria, DevCriterion.isAnswered) {
		return nil, fmt.Errorf("no judge has answered the dev items of %s. Ask one: rubric calibrate run", d.Name)
	}
	slices.SortStableFunc(dev.Disagreements, func(a, b Disagreement) int { return cmp.Compare(b.largestDifference(), a.largestDifference()) })
	return dev, nil
}

// add adds what the runs disagree with people on about a criterion.
func (dev *Dev) add(d *calibration.Dataset, criterion string, runs []*calibration.Run) {
	counts := make([]DevCount, len(runs))
	all := map[string]*Disagreement{}
	labels := labelsOf(d, criterion)
	for i, run := range runs {
		p := labels.addScores(scoresOf(run)[criterion])
		for j, item := range p.items {
			if all[item.ID] == nil {
				all[item.ID] = newDisagreement(item, criterion, p.means[j], len(runs))
			}
			if math.IsNaN(p.judge[j]) {
				continue
			}
			all[item.ID].Judges[i] = DevScore{&p.judge[j], reasonOf(run, item.ID, criterion)}
			counts[i].Items++
			if math.Abs(p.judge[j]-p.means[j]) >= apart {
				counts[i].Apart++
			}
		}
	}
	dev.Criteria = append(dev.Criteria, DevCriterion{criterion, counts})
	for _, item := range d.Items {
		if one := all[item.ID]; one != nil && one.largestDifference() >= apart {
			dev.Disagreements = append(dev.Disagreements, *one)
		}
	}
}

func newDisagreement(item *calibration.Item, criterion string, people float64, judges int) *Disagreement {
	one := &Disagreement{
		Item: item.ID, Criterion: criterion, Artifact: item.Artifact, Inputs: item.Inputs,
		Labels: map[string]float64{}, People: people, Judges: make([]DevScore, judges),
	}
	for rater, labels := range item.Labels {
		if label, ok := labels[criterion]; ok {
			one.Labels[rater] = label
		}
	}
	return one
}

// largestDifference returns by how much the judge with the largest difference differs from people.
func (d *Disagreement) largestDifference() (most float64) {
	for _, of := range d.Judges {
		if of.Score != nil {
			most = max(most, math.Abs(*of.Score-d.People))
		}
	}
	return most
}

// reasonOf is the first reason of a judge for its score, or "".
func reasonOf(run *calibration.Run, item, criterion string) string {
	for _, a := range run.Answers {
		if reason := a.Reasons[criterion]; a.Item == item && reason != "" {
			return reason
		}
	}
	return ""
}
