package measure

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// Of measures a run on what was labeled when it asked, or the labels alone if run is nil. The
// dataset must join the rubric.
func Of(d *calibration.Dataset, s *calibration.Subject, run *calibration.Run, o Options) *Measurement {
	counts := countedOf(d, run)
	test := counts.Dataset
	d = d.AsOf(run)
	m := &Measurement{
		Rubric: Rubric{s.Rubric.ID, s.Rubric.Version, s.Digest},
		Copies: counts.copies,
	}
	for _, one := range d.Reaffirmed {
		if one.Digest == s.Criteria[one.Criterion] {
			m.Reaffirmed = append(m.Reaffirmed, one)
		}
	}
	if run != nil {
		m.Judge = new(judge(run, run.Digest == s.Digest))
		m.Coverage = coverage(test, run)
	}
	var correlations []agreement.Value
	for i := range s.Rubric.Criteria {
		c := criterion(test, s, &s.Rubric.Criteria[i], run, o)
		correlations = append(correlations, c.Spearman.Value)
		m.Criteria = append(m.Criteria, c)
	}
	m.Dataset = Dataset{
		Name: d.Name, LabeledBy: d.LabeledBy, Raters: len(test.Raters()), Paired: m.paired(), Items: len(d.Items) + d.Unanswered,
		Dev: len(d.Items) - len(d.Test().Items), EqualTexts: counts.equalTexts, LabelsDigest: d.LabelsDigest(),
	}
	m.Overall.Mean, m.Overall.Minimum = agreement.Overall(correlations)
	if i := slices.Index(correlations, m.Overall.Minimum); i >= 0 {
		m.Overall.MinimumOf = m.Criteria[i].Name
	}
	m.Verdict = verdicts(test, s, m.Criteria)
	return m
}

// paired is how many items the same two raters labeled, for the criterion with the fewest.
func (m *Measurement) paired() int {
	fewest := 0
	for i, c := range m.Criteria {
		if i == 0 || c.People.Paired < fewest {
			fewest = c.People.Paired
		}
	}
	return fewest
}

// coverage counts the answers of a run. An item with two readable answers out of three that
// the run asks for counts as two thirds.
func coverage(d *calibration.Dataset, run *calibration.Run) Coverage {
	c := Coverage{Answers: len(run.Answers), Attempts: run.Unavailable, Unavailable: run.Unavailable}
	readable := map[string]int{}
	for _, a := range run.Answers {
		switch {
		case a.Error == "":
			c.Attempts++
			readable[a.Item]++
		case a.Unavailable == "":
			c.Attempts++
			c.Unreadable++
		}
	}
	sum := 0.0
	for i := range d.Items {
		sum += float64(readable[d.Items[i].ID]) / float64(run.Identity().Repeats)
	}
	if all := len(d.Items) + d.Unanswered; all > 0 {
		c.Share = sum / float64(all)
	}
	return c
}

func criterion(d *calibration.Dataset, s *calibration.Subject, of *rubric.Criterion, run *calibration.Run, o Options) Criterion {
	all := ratingsOf(d, of.Name, run)
	p := all.paired()
	c := Criterion{
		Name: of.Name, Fresh: d.Fresh(of.Name, s.Criteria[of.Name]),
		Items: len(p.items), Labeled: len(all.items), CannotTell: cannotTell(d, of.Name), pairs: p,
	}
	if c.Labeled > 0 {
		c.Coverage = float64(c.Items) / float64(c.Labeled)
	}
	if few := (agreement.Value{}).AtLeast(c.Items, o.MinimumItems); !few.Defined() {
		c.Estimates = agreement.NoEstimates(few)
	} else {
		c.Estimates = agreement.EstimatePairs(p.judge, p.people, o.Seed, Resamples)
	}
	c.Confusion = agreement.Confusion(p.judge, p.people)
	c.Verdict = criterionVerdicts(s.Rubric, of, p)
	c.People = people(all, run, o)
	c.Repeats = agreement.SelfAgreement(all.repeats)
	c.Flat = len(p.people) > 0 && slices.Min(p.people) == slices.Max(p.people)
	c.Baseline = agreement.MostCommonLabel(p.people)
	return c
}

// people is how raters agree with each other on all items that they labeled.
func people(r *ratings, run *calibration.Run, o Options) People {
	icc, judge, pair := agreement.ICC(r.labels), r.judge, r.pair()
	if run == nil {
		judge = nil
	}
	return People{
		Raters: len(r.raters), Alpha: agreement.OrdinalAlpha(r.labels), ICC: icc,
		EqualTerms: agreement.LeaveOneOut(r.labels, judge, o.MinimumItems), Attainable: agreement.Attainable(icc),
		Paired: len(pair), OfPair: agreement.OrdinalAlpha(pair),
	}
}

func criterionVerdicts(r *rubric.Rubric, c *rubric.Criterion, p *ratings) agreement.Verdicts {
	least, items := r.Minimum(c)-rubric.Tolerance, [][2]bool{}
	for i := range p.items {
		items = append(items, [2]bool{p.judge[i] >= least, p.people[i] >= least})
	}
	return agreement.CompareVerdicts(items)
}

// verdicts compares whether items pass by their scores and by their labels, for the items
// that have every label and every score.
func verdicts(d *calibration.Dataset, s *calibration.Subject, criteria []Criterion) agreement.Verdicts {
	type scores = map[string]float64
	judgeBy, peopleBy := map[string]scores{}, map[string]scores{}
	for i := range d.Items {
		judgeBy[d.Items[i].ID], peopleBy[d.Items[i].ID] = scores{}, scores{}
	}
	for i := range criteria {
		p := criteria[i].pairs
		for j, item := range p.items {
			judgeBy[item.ID][criteria[i].Name], peopleBy[item.ID][criteria[i].Name] = p.judge[j], p.people[j]
		}
	}
	var items [][2]bool
	for i := range d.Items {
		id := d.Items[i].ID
		j, errJudge := s.Rubric.Verdict(judgeBy[id], nil)
		p, errPeople := s.Rubric.Verdict(peopleBy[id], nil)
		if errJudge == nil && errPeople == nil { // else a score is missing
			items = append(items, [2]bool{j.Passed, p.Passed})
		}
	}
	return agreement.CompareVerdicts(items)
}
