package measure

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// Meter measures runs on a dataset. What people are among themselves is measured once.
type Meter struct {
	dataset *calibration.Dataset
	subject *calibration.Subject
	Options
	runs    []calibration.Run
	texts   texts
	counts  map[string]*counted              // by judge and run
	people  map[string]*agreement.People     // by what counts, and criterion
	among   map[string][][]agreement.Opinion // of people, by what counts
	similar map[string]int                   // by what counts
}

// NewMeter measures on a dataset, which must join the rubric.
func NewMeter(d *calibration.Dataset, s *calibration.Subject, o Options) *Meter {
	return &Meter{d, s, o, nil, texts{}, map[string]*counted{}, map[string]*agreement.People{}, map[string][][]agreement.Opinion{}, map[string]int{}}
}

// Measure measures a run on what was labeled when it asked, or the labels alone if run is nil.
func (meter *Meter) Measure(run *calibration.Run) *Measurement {
	s := meter.subject
	counts := meter.counted(run)
	test, d := counts.Dataset, counts.then
	m := &Measurement{
		Rubric: Rubric{s.Rubric.ID, s.Rubric.Version, s.Digest},
		Copies: counts.copies,
		HasDev: len(meter.dataset.Dev().Items) > 0,
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
		c := meter.criterion(counts, &s.Rubric.Criteria[i], run)
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
	raters, judge := test.Raters(), byItem(s.Names(nil), run)
	m.Verdict = verdicts(test, s, raters, judge)
	against := agreement.CompareOpinions(meter.opinions(counts, raters, judge), meter.MinimumItems)
	m.RightPasses, m.RightFails = against.RightPasses, against.RightFails
	if run == nil {
		against = agreement.CompareOpinions(meter.opinions(counts, raters, nil), meter.MinimumItems)
	}
	m.Persons = persons(raters, m.Criteria, against.Raters)
	return m
}

// counted is the dataset as it counts for a run.
func (meter *Meter) counted(run *calibration.Run) *counted {
	key := ""
	if run != nil {
		key = run.Judge + " " + run.Name
	}
	if meter.counts[key] == nil {
		meter.counts[key] = countedOf(meter.dataset, run, meter.texts)
	}
	return meter.counts[key]
}

// allRuns are those of all judges.
func (meter *Meter) allRuns() []calibration.Run {
	if meter.runs == nil {
		for i := range meter.dataset.Judges {
			meter.runs = append(meter.runs, meter.dataset.Judges[i].Runs()...)
		}
	}
	return meter.runs
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

func (meter *Meter) criterion(counts *counted, of *rubric.Criterion, run *calibration.Run) Criterion {
	d := counts.Dataset
	all := ratingsOf(d, of.Name, run)
	p := all.paired()
	c := Criterion{
		Name: of.Name, Fresh: d.Fresh(of.Name, meter.subject.Criteria[of.Name]),
		Items: len(p.items), Labeled: len(all.items), CannotTell: cannotTell(d, of.Name), pairs: p,
	}
	if c.Labeled > 0 {
		c.Coverage = float64(c.Items) / float64(c.Labeled)
	}
	if few := (agreement.Value{}).AtLeast(c.Items, meter.MinimumItems); !few.Defined() {
		c.Estimates = agreement.NoEstimates(few)
	} else {
		c.Estimates = agreement.EstimatePairs(p.judge, p.people, meter.Seed, Resamples)
	}
	c.Confusion = agreement.Confusion(p.judge, p.people)
	c.Verdict = criterionVerdicts(meter.subject.Rubric, of, p)
	pair := all.pair()
	c.People = People{len(all.raters), agreement.OrdinalAlpha(all.labels), len(pair), agreement.OrdinalAlpha(pair)}
	people := meter.peopleOf(all, counts.digest+" "+of.Name)
	if run == nil {
		all.judge = nil
	}
	c.compare = func() agreement.Compared { return people.Against(all.judge) }
	for i, r := range people.Raters() {
		c.raters = append(c.raters, ofRater{all.raters[i], r})
	}
	c.Repeats = agreement.SelfAgreement(all.repeats)
	c.Flat = len(p.people) > 0 && slices.Min(p.people) == slices.Max(p.people)
	return c
}

// peopleOf are the raters of a criterion, the same for all runs that asked about the same labels.
func (meter *Meter) peopleOf(r *ratings, key string) *agreement.People {
	if meter.people[key] == nil {
		meter.people[key] = agreement.NewPeople(r.labels, meter.MinimumItems, meter.Seed, Resamples)
	}
	return meter.people[key]
}

func criterionVerdicts(r *rubric.Rubric, c *rubric.Criterion, p *ratings) agreement.Verdicts {
	least, items := r.Minimum(c)-rubric.Tolerance, [][2]bool{}
	for i := range p.items {
		items = append(items, [2]bool{p.judge[i] >= least, p.people[i] >= least})
	}
	return agreement.CompareVerdicts(items)
}
