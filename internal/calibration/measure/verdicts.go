package measure

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// scores are those of an item by criterion.
type scores map[string]float64

// passes is whether an item passes by its scores, if none is missing.
func (s scores) passes(r *rubric.Rubric) passes {
	v, err := r.Verdict(s, nil)
	return passes{err == nil && v.Passed, err == nil}
}

// verdicts compares the judge with people on whether items pass. Without a judge, the persons are
// compared on all items.
func (m *Measurement) verdicts(of *ofRun, s *calibration.Subject, hasJudge bool, floor int) {
	judge := of.judgePasses(s)
	m.Verdict = compareVerdicts(of.peoplePass(s), judge)
	against := agreement.CompareOpinions(of.withJudge(s, judge), floor)
	m.RightPasses, m.RightFails = against.RightPasses, against.RightFails
	if !hasJudge {
		against = agreement.CompareOpinions(of.among(s), floor)
	}
	m.Persons = persons(of.raters, m.Criteria, against.Raters)
}

// compareVerdicts compares whether items pass by their scores and by the mean of their labels, for
// the items that have every label and every score.
func compareVerdicts(people, judge []passes) agreement.Verdicts {
	var items [][2]bool
	for i, by := range judge {
		if by.known && people[i].known {
			items = append(items, [2]bool{by.passed, people[i].passed})
		}
	}
	return agreement.CompareVerdicts(items)
}

// judgePasses is, by item, whether it passes by the mean scores of the run.
func (of *ofRun) judgePasses(s *calibration.Subject) []passes {
	all := make([]passes, len(of.Items))
	for i := range of.Items {
		means := scores{}
		for _, name := range s.Names(nil) {
			if repeats := of.scores[name][of.Items[i].ID]; len(repeats) > 0 {
				means[name] = agreement.Mean(repeats)
			}
		}
		all[i] = means.passes(s.Rubric)
	}
	return all
}

// peoplePass is, by item, whether it passes by the mean of its labels.
func (c *counted) peoplePass(s *calibration.Subject) []passes {
	if c.passes == nil {
		c.passes = make([]passes, len(c.Items))
		for i := range c.Items {
			c.passes[i] = c.meansOf(i, s, func(string) bool { return true }).passes(s.Rubric)
		}
	}
	return c.passes
}

// meansOf are the mean labels of an item by some raters.
func (c *counted) meansOf(item int, s *calibration.Subject, counts func(rater string) bool) scores {
	means := scores{}
	for i := range s.Rubric.Criteria {
		name, sum, n := s.Rubric.Criteria[i].Name, 0.0, 0
		for _, rater := range c.raters {
			if label, ok := c.Items[item].Labels[rater][name]; ok && counts(rater) {
				sum, n = sum+label, n+1
			}
		}
		if n > 0 {
			means[name] = sum / float64(n)
		}
	}
	return means
}

// withJudge are whether each item passes by each rater, by the mean of the others, and by the
// judge, for the items that the judge answered. There is a column for each of the raters.
func (c *counted) withJudge(s *calibration.Subject, judge []passes) [][]agreement.Opinion {
	rows := make([][]agreement.Opinion, len(c.Items))
	for i, row := range c.among(s) {
		rows[i] = slices.Clone(row)
		for j := range row {
			rows[i][j].Given, rows[i][j].Judge = row[j].Given && judge[i].known, judge[i].passed
		}
	}
	return rows
}

// among are the opinions of people among themselves.
func (c *counted) among(s *calibration.Subject) [][]agreement.Opinion {
	if c.opinions != nil {
		return c.opinions
	}
	c.opinions = make([][]agreement.Opinion, len(c.Items))
	for i := range c.Items {
		c.opinions[i] = make([]agreement.Opinion, len(c.raters))
		for j, rater := range c.raters {
			if c.Items[i].Labels[rater] == nil {
				continue
			}
			own := c.meansOf(i, s, func(one string) bool { return one == rater }).passes(s.Rubric)
			others := c.meansOf(i, s, func(one string) bool { return one != rater }).passes(s.Rubric)
			c.opinions[i][j] = agreement.Opinion{Given: own.known && others.known, Rater: own.passed, Others: others.passed}
		}
	}
	return c.opinions
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
