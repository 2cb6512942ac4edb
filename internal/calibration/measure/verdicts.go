package measure

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// scores are those of an item by criterion.
type scores map[string]float64

// passes reports whether an item passes by its scores, if none is missing.
func (s scores) passes(r *rubric.Rubric) (passed, known bool) {
	v, err := r.Verdict(s, nil)
	return err == nil && v.Passed, err == nil
}

// byItem are the mean scores of a run.
func byItem(criteria []string, run *calibration.Run) map[string]scores {
	all := map[string]scores{}
	for _, name := range criteria {
		for item, repeats := range scoresOf(run, name) {
			if all[item] == nil {
				all[item] = scores{}
			}
			all[item][name] = agreement.Mean(repeats)
		}
	}
	return all
}

// verdicts compares whether items pass by their scores and by the mean of their labels, for the
// items that have every label and every score.
func verdicts(d *calibration.Dataset, s *calibration.Subject, raters []string, judge map[string]scores) agreement.Verdicts {
	var items [][2]bool
	for i := range d.Items {
		item := &d.Items[i]
		people := labelsOf(item, s, raters, func(string) bool { return true })
		passed, answered := judge[item.ID].passes(s.Rubric)
		passedByPeople, labeled := people.passes(s.Rubric)
		if answered && labeled {
			items = append(items, [2]bool{passed, passedByPeople})
		}
	}
	return agreement.CompareVerdicts(items)
}

// labelsOf are the mean labels of those raters that count.
func labelsOf(item *calibration.Item, s *calibration.Subject, raters []string, counts func(rater string) bool) scores {
	means := scores{}
	for i := range s.Rubric.Criteria {
		name, sum, n := s.Rubric.Criteria[i].Name, 0.0, 0
		for _, rater := range raters {
			if label, ok := item.Labels[rater][name]; ok && counts(rater) {
				sum, n = sum+label, n+1
			}
		}
		if n > 0 {
			means[name] = sum / float64(n)
		}
	}
	return means
}

// opinions are whether each item passes by each rater, by the mean of the others, and by the
// judge, for the items that the judge answered. There is a column for each of the raters. Without a
// judge, judge is nil, and all items have the opinions of raters.
func (meter *Meter) opinions(d *counted, raters []string, judge map[string]scores) [][]agreement.Opinion {
	key := d.digest
	if meter.among[key] == nil {
		meter.among[key] = opinionsOf(d.Dataset, meter.subject, raters)
	}
	rows := make([][]agreement.Opinion, len(d.Items))
	for i, row := range meter.among[key] {
		passed, answered := judge[d.Items[i].ID].passes(meter.subject.Rubric)
		rows[i] = slices.Clone(row)
		for j := range rows[i] {
			rows[i][j].Given, rows[i][j].Judge = row[j].Given && (answered || judge == nil), passed
		}
	}
	return rows
}

// opinionsOf are those of people among themselves.
func opinionsOf(d *calibration.Dataset, s *calibration.Subject, raters []string) [][]agreement.Opinion {
	rows := make([][]agreement.Opinion, len(d.Items))
	for i := range d.Items {
		item := &d.Items[i]
		rows[i] = make([]agreement.Opinion, len(raters))
		for j, rater := range raters {
			if item.Labels[rater] == nil {
				continue
			}
			own, labeled := labelsOf(item, s, raters, func(one string) bool { return one == rater }).passes(s.Rubric)
			others, known := labelsOf(item, s, raters, func(one string) bool { return one != rater }).passes(s.Rubric)
			rows[i][j] = agreement.Opinion{Given: labeled && known, Rater: own, Others: others}
		}
	}
	return rows
}

// persons are the raters with what each criterion and the verdict say about them.
func persons(raters []string, criteria []Criterion, verdicts []agreement.Verdicts) []Person {
	all := []Person{}
	for i, rater := range raters {
		p := Person{Rater: rater, Criteria: []Rater{}, Verdict: verdicts[i]}
		for _, c := range criteria {
			if at := slices.IndexFunc(c.raters, func(r ofRater) bool { return r.name == rater }); at >= 0 {
				p.Criteria = append(p.Criteria, Rater{c.Name, c.raters[at].Rater})
			}
		}
		all = append(all, p)
	}
	return all
}
