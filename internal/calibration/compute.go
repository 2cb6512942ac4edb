package calibration

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// Resamples is the number of bootstrap resamples of an interval.
const Resamples = 2000

// Seed is the seed of intervals that are shown: a choice would let a user look for a lucky one.
const Seed = 1

// Options are the settings of a report.
type Options struct {
	Settings
	// Seed determines the resamples: the same seed gives the same intervals.
	Seed uint64
	// AsOf is the date, such as 2026-11-21, at which the age of a run is measured.
	AsOf string
}

// Compute computes the report on a run of a judge, or on the labels alone if run is
// nil. The dataset must join the rubric; see Joins.
func Compute(d *Dataset, s *Subject, run *Run, o Options) *Report {
	if run == nil {
		r := d.report(s, nil, o)
		r.Rank = Permission{NotMet, "No judge has answered."}
		r.Gate = r.Rank
		return r
	}
	return d.series(s, run, o).certified()
}

// report computes the report on a run by itself, on what was labeled when it asked.
func (d *Dataset) report(s *Subject, run *Run, o Options) *Report {
	d = d.asOf(run)
	test := d.test()
	people, paired := test.people(s)
	r := &Report{
		Rubric:   RubricReference{s.Rubric.ID, s.Rubric.Version, s.Digest},
		Dataset:  DatasetReference{d.Name, d.LabeledBy, len(d.Raters()), paired, len(d.Items) + d.unanswered, len(d.Items) - len(test.Items), d.LabelsDigest()},
		Settings: SettingsUsed{o.Settings, o.Seed, Resamples}, AsOf: o.AsOf, Messages: []string{}, Worst: []Disagreement{},
		Conditions: []Condition{people},
	}
	for _, one := range d.Reaffirmed {
		if one.Digest == s.Criteria[one.Criterion] {
			r.Reaffirmed = append(r.Reaffirmed, one)
		}
	}
	if run != nil {
		r.Judge = new(reference(run, run.Digest == s.Digest))
		r.Coverage = coverage(test, run)
	}
	var correlations []agreement.Value
	for i := range s.Rubric.Criteria {
		c := criterion(test, s, &s.Rubric.Criteria[i], run, o)
		correlations = append(correlations, c.Spearman.Value)
		r.Criteria = append(r.Criteria, c)
	}
	r.Overall.Mean, r.Overall.Minimum = agreement.Overall(correlations)
	if i := slices.Index(correlations, r.Overall.Minimum); i >= 0 {
		r.Overall.MinimumOf = r.Criteria[i].Name
	}
	r.Verdict = verdicts(test, s, r.Criteria)
	r.Worst = worst(r.Criteria, run)
	r.check(run)
	return r
}

// coverage counts the answers of a run. An item with two readable answers out of three that
// the run asks for counts as two thirds.
func coverage(d *Dataset, run *Run) Coverage {
	c := Coverage{Answers: len(run.Answers), Attempts: run.unavailable, Unavailable: run.unavailable}
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
	if all := len(d.Items) + d.unanswered; all > 0 {
		c.Share = sum / float64(all)
	}
	return c
}

func criterion(d *Dataset, s *Subject, of *rubric.Criterion, run *Run, o Options) Criterion {
	all := d.of(of.Name, run)
	p := all.paired()
	c := Criterion{
		Name: of.Name, Fresh: d.Fresh(of.Name, s.Criteria[of.Name]),
		Items: len(p.items), Labeled: len(all.items), CannotTell: d.cannotTell(of.Name), pairs: p,
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
	c.flat = len(p.people) > 0 && slices.Min(p.people) == slices.Max(p.people)
	c.Baseline = agreement.MostCommonLabel(p.people)
	return c
}

// people is how raters agree with each other on all items that they labeled.
func people(r *ratings, run *Run, o Options) RaterAgreement {
	icc, judge := agreement.ICC(r.labels), r.judge
	if run == nil {
		judge = nil
	}
	return RaterAgreement{
		Raters: len(r.raters), Alpha: agreement.OrdinalAlpha(r.labels), ICC: icc,
		EqualTerms: agreement.LeaveOneOut(r.labels, judge, o.MinimumItems), Attainable: agreement.Attainable(icc),
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
func verdicts(d *Dataset, s *Subject, criteria []Criterion) agreement.Verdicts {
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

const shownDisagreements = 5

func worst(criteria []Criterion, run *Run) []Disagreement {
	all := []Disagreement{}
	for i := range criteria {
		p := criteria[i].pairs
		for j, item := range p.items {
			if math.Abs(p.judge[j]-p.people[j]) >= 1 {
				all = append(all, Disagreement{item.ID, criteria[i].Name, p.judge[j], p.people[j], item.Artifact, ""})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Disagreement) int {
		return cmp.Compare(math.Abs(b.Judge-b.People), math.Abs(a.Judge-a.People))
	})
	all = all[:min(len(all), shownDisagreements)]
	for i := range all {
		for _, a := range run.Answers { // the first reason of the judge
			if d := &all[i]; a.Item == d.Item {
				d.Reason = cmp.Or(d.Reason, a.Reasons[d.Criterion])
			}
		}
	}
	return all
}

// LabelsDigest returns a digest, "sha256:" and 64 hexadecimal digits, of the items,
// their labels, and the wording that was labeled. Reports with the same digest are
// about the same labels.
func (d *Dataset) LabelsDigest() string {
	h := sha256.New()
	enc := json.NewEncoder(h)
	// Map keys are written in order, and a hash never fails.
	_ = enc.Encode(d.Criteria)
	_ = enc.Encode(d.Reaffirmed)
	for i := range d.Items {
		_ = enc.Encode(&d.Items[i])
	}
	return fmt.Sprintf("sha256:%x", h.Sum(nil))
}

// Subject is a rubric with the digests of the wording that a judge reads.
type Subject struct {
	Rubric *rubric.Rubric
	// Digest is the judge digest of the whole rubric, and Criteria has that of
	// each criterion by its name.
	Digest   string
	Criteria map[string]string
}

// NewSubject returns the rubric of a document, or an error if the document is not a
// valid rubric.
func NewSubject(d *document.Document) (*Subject, error) {
	r := d.Rubric()
	if r == nil {
		return nil, fmt.Errorf("%s is not a valid rubric", d.File.Path)
	}
	digests, err := d.JudgeDigests()
	if err != nil {
		return nil, err
	}
	return &Subject{Rubric: r, Digest: digests.Whole, Criteria: digests.Parts}, nil
}

// Names returns the names of those criteria of the rubric that are what a function says, in
// its order; all if it is nil.
func (s *Subject) Names(are func(name string) bool) []string {
	var names []string
	for i := range s.Rubric.Criteria {
		if name := s.Rubric.Criteria[i].Name; are == nil || are(name) {
			names = append(names, name)
		}
	}
	return names
}

// Joins reports whether the rubric names the dataset and the dataset applies to the
// rubric.
func (d *Dataset) Joins(s *Subject) bool {
	return NameOf(s.Rubric.CalibrationDataset) == d.Name && slices.Contains(d.AppliesTo, s.Rubric.ID)
}

// Settings are the conditions under which a judge counts as calibrated. The tags are
// the keys of the configuration.
type Settings struct {
	// Target is the lowest Spearman correlation for each criterion, from 0 to 1.
	Target float64 `json:"target"`
	// MinimumItems is the number of items below which no correlation is reported.
	MinimumItems int `json:"minimum_items"`
	// EnoughItems is the number of items below which a warning says that intervals
	// are wide.
	EnoughItems int `json:"enough_items"`
	// MinimumCoverage is the share of the items, from 0 to 1, for which a judge must
	// give readable answers.
	MinimumCoverage float64 `json:"minimum_coverage"`
	// MaximumBias is how many points the mean score of a judge may differ from people's
	// on each criterion, in the whole interval.
	MaximumBias float64 `json:"maximum_bias"`
	// MinimumRate is the lowest share, 0 to 1, of the items that people pass which the
	// judge passes, and of those that people fail which it fails, in the whole interval.
	MinimumRate float64 `json:"minimum_rate"`
	// MaximumAge is how many days old a run may be.
	MaximumAge int `json:"maximum_age_days"`
}

// Defaults returns the default settings.
func Defaults() Settings {
	return Settings{Target: 0.7, MinimumItems: 10, EnoughItems: 30, MinimumCoverage: 0.95, MaximumBias: 0.5, MinimumRate: 0.7, MaximumAge: 35}
}
