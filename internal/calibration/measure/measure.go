package measure

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// Meter measures runs on a dataset. What the runs have in common is computed once.
type Meter struct {
	dataset *calibration.Dataset
	subject *calibration.Subject
	Options
	firsts   calibration.Firsts
	texts    texts
	runs     map[*calibration.Run]*ofRun
	allAsked []*asked
}

// NewMeter measures on a dataset, which must join the rubric.
func NewMeter(d *calibration.Dataset, s *calibration.Subject, o Options) *Meter {
	return &Meter{
		dataset: d, subject: s, Options: o, firsts: d.FirstAnswers(), texts: texts{},
		runs: map[*calibration.Run]*ofRun{},
	}
}

// Measure measures a run on what was labeled when it asked, or the labels alone if run is nil.
func (meter *Meter) Measure(run *calibration.Run) *Measurement {
	s := meter.subject
	of := meter.countRun(run)
	d := of.asked.then
	m := &Measurement{
		Rubric: Rubric{s.Rubric.ID, s.Rubric.Version, s.Digest},
		Copies: of.copies,
		HasDev: len(meter.dataset.Dev().Items) > 0,
	}
	for _, one := range d.Reaffirmed {
		if one.Digest == s.Criteria[one.Criterion] {
			m.Reaffirmed = append(m.Reaffirmed, one)
		}
	}
	if run != nil {
		m.Judge = new(judge(run, run.Digest == s.Digest))
		m.Coverage = coverage(of.Dataset, run)
	}
	var correlations []agreement.Value
	for i := range s.Rubric.Criteria {
		c := meter.criterion(of, &s.Rubric.Criteria[i], run != nil)
		correlations = append(correlations, c.Spearman.Value)
		m.Criteria = append(m.Criteria, c)
	}
	m.Dataset = Dataset{
		Name: d.Name, LabeledBy: d.LabeledBy, Raters: len(of.raters), Paired: m.pairedItems(), Items: len(d.Items) + d.Unanswered,
		Dev: len(d.Items) - len(of.asked.test), EqualTexts: of.asked.equalTexts(), LabelsDigest: of.asked.digest,
	}
	m.Overall.Mean, m.Overall.Minimum = agreement.Overall(correlations)
	if i := slices.Index(correlations, m.Overall.Minimum); i >= 0 && m.Overall.Minimum.IsDefined() {
		m.Overall.MinimumOf = m.Criteria[i].Name
	}
	m.verdicts(of, s, run != nil, meter.MinimumItems)
	return m
}

// countRun returns what counts for a run, or for the labels alone if run is nil.
func (meter *Meter) countRun(run *calibration.Run) *ofRun {
	if known := meter.runs[run]; known != nil {
		return known
	}
	a := meter.findAsked(run)
	found, renamed := copies(a.hands, a.recorded, run)
	of := &ofRun{a.counts(renamed), found, scoresOf(run)}
	meter.runs[run] = of
	return of
}

func (meter *Meter) findAsked(run *calibration.Run) *asked {
	if run != nil && run.Items == 0 {
		run = nil // an earlier program did not record what was labeled
	}
	for _, known := range meter.allAsked {
		if known.run == run || run != nil && known.run != nil && run.AskedLike(known.run) {
			return known
		}
	}
	then := meter.dataset.AsOf(run)
	only := *then.Test()
	a := &asked{run: run, then: then, digest: then.LabelsDigest(), test: only.Items, distinct: &only}
	only.Items = distinct(only.Items, meter.texts)
	a.hands, a.recorded = handsOf(&only, meter.firsts), answersOf(&only)
	meter.allAsked = append(meter.allAsked, a)
	return a
}

// pairedItems returns how many items the same two raters labeled, for the criterion with the fewest.
func (m *Measurement) pairedItems() int {
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

func (meter *Meter) criterion(run *ofRun, of *rubric.Criterion, hasRun bool) Criterion {
	all := run.labels(of.Name).addScores(run.scores[of.Name])
	p := all.pairsOf()
	c := Criterion{
		Name: of.Name, Fresh: run.AreFresh(of.Name, meter.subject.Criteria[of.Name]),
		Items: len(p.people), Labeled: len(all.items), CannotTell: all.cannotTell, People: all.agree(),
	}
	if c.Labeled > 0 {
		c.Coverage = float64(c.Items) / float64(c.Labeled)
	}
	if few := (agreement.Value{}).AtLeast(c.Items, meter.MinimumItems); !few.IsDefined() {
		c.Estimates = agreement.NoEstimates(few)
	} else {
		c.Estimates = agreement.EstimatePairs(p.judge, p.people, meter.Seed, Resamples)
	}
	c.Confusion = agreement.Confusion(p.judge, p.people)
	c.Verdict = criterionVerdicts(meter.subject.Rubric, of, p)
	people := meter.peopleOf(all.labels)
	if !hasRun {
		all.judge = nil
	}
	c.compare = func() agreement.Compared { return people.Compare(all.judge) }
	for i, r := range people.Raters() {
		c.raters = append(c.raters, ofRater{all.raters[i], r})
	}
	c.Repeats = agreement.SelfAgreement(all.repeats)
	c.Flat = len(p.people) > 0 && slices.Min(p.people) == slices.Max(p.people)
	return c
}

// peopleOf are the raters of a criterion.
func (meter *Meter) peopleOf(l *labels) *agreement.People {
	if l.people == nil {
		l.people = agreement.NewPeople(l.given, meter.MinimumItems, meter.Seed, Resamples)
	}
	return l.people
}

func criterionVerdicts(r *rubric.Rubric, c *rubric.Criterion, p pairs) agreement.Verdicts {
	least, items := r.Minimum(c)-rubric.Tolerance, [][2]bool{}
	for i := range p.people {
		items = append(items, [2]bool{p.judge[i] >= least, p.people[i] >= least})
	}
	return agreement.CompareVerdicts(items)
}
