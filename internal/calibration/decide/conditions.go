package decide

import (
	"math"
	"time"

	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/calibration/measure"
)

// decision is that about a run by itself.
func decision(m *measure.Measurement, o Options) *Decision {
	r := &Decision{Measurement: m, Options: o}
	r.check()
	return r
}

// check adds the conditions.
func (r *Decision) check() {
	for i := range r.Criteria {
		r.Outcomes = append(r.Outcomes, r.outcomes(&r.Criteria[i]))
	}
	r.Conditions = append(r.Conditions, r.people(), r.freshness())
	if r.Judge != nil {
		r.Conditions = append(r.Conditions, r.coverage(), r.age(), r.verdict(),
			r.ofCriteria(ConditionLevel, levelOf), r.ofCriteria(ConditionRanking, rankingOf))
	}
	if r.worstOutcome(toGate) == Undecided { // what is not met stays so, whatever is decided
		r.ItemsNeeded = r.neededItems()
	}
}

// people is the condition on the labels of the test items.
func (r *Decision) people() Condition {
	c := Condition{Name: ConditionPeople, Outcome: NotMet}
	var without, few []string
	for i := range r.Criteria {
		switch of := &r.Criteria[i]; {
		case of.Labeled == 0:
			without = append(without, of.Name)
		case of.People.Paired < measure.PairedItems || !of.People.OfPair.IsDefined():
			few = append(few, of.Name)
		}
	}
	switch {
	case r.Dataset.Demonstration():
		c.Causes = []Cause{Demonstration}
	case len(without) > 0:
		c.Causes, c.Criteria = []Cause{Unlabeled}, without
	case len(few) > 0:
		c.Outcome, c.Causes, c.Criteria = Undecided, []Cause{FewPaired}, few
	default:
		c.Outcome = Met
	}
	return c
}

func (r *Decision) freshness() Condition {
	c := Condition{Name: ConditionFreshness, Outcome: Met}
	for _, one := range r.Criteria {
		if one.Labeled > 0 && !one.Fresh {
			c.Criteria = append(c.Criteria, one.Name)
		}
	}
	if len(c.Criteria) > 0 {
		c.Causes = append(c.Causes, StaleLabels)
	}
	switch {
	case r.Judge == nil:
		c.Causes = append(c.Causes, NoJudge)
	case !r.Judge.Fresh:
		c.Causes = append(c.Causes, StaleRun)
	case r.Judge.Unmeasured:
		c.Causes = append(c.Causes, Unmeasured)
	}
	if len(c.Causes) > 0 {
		c.Outcome = NotMet
	}
	return c
}

// AnsweredShare returns the share of the items with a readable answer, for the criterion with the fewest.
func (r *Decision) AnsweredShare() float64 {
	share := r.Coverage.Share
	for _, c := range r.Criteria {
		if c.Labeled > 0 {
			share = min(share, c.Coverage)
		}
	}
	return share
}

func (r *Decision) coverage() Condition {
	c := Condition{Name: ConditionCoverage, Outcome: Met}
	if r.AnsweredShare() < r.MinimumCoverage {
		c.Outcome = NotMet
	}
	return c
}

// Age is how many days old the run is, or -1 if it is of the future.
func (r *Decision) Age() int { return days(r.Judge.Date, r.AsOf) }

func (r *Decision) age() Condition {
	switch days := r.Age(); {
	case days < 0:
		return Condition{Name: ConditionAge, Outcome: NotMet, Causes: []Cause{Future}}
	case days > r.MaximumAge:
		return Condition{Name: ConditionAge, Outcome: NotMet}
	}
	return Condition{Name: ConditionAge, Outcome: Met}
}

// days is how many days there are between two dates, or -1 if one is not a date.
func days(from, to string) int {
	a, errA := time.Parse(time.DateOnly, from)
	b, errB := time.Parse(time.DateOnly, to)
	if errA != nil || errB != nil {
		return -1
	}
	return int(b.Sub(a).Hours() / 24)
}

// verdict checks the two rates that a consumer of passes and fails relies on.
func (r *Decision) verdict() Condition {
	v := &r.Measurement.Verdict
	r.RightPassesOutcome = r.rate(v.Passes(), (*agreement.Verdicts).Passes, r.RightPasses)
	r.RightFailsOutcome = r.rate(v.Fails(), (*agreement.Verdicts).Fails, r.RightFails)
	return Condition{Name: ConditionVerdict, Outcome: worseOf(r.RightPassesOutcome, r.RightFailsOutcome)}
}

// rate is the outcome for a share of right verdicts, which of has of those of a person.
func (r *Decision) rate(
	judge agreement.Share, of func(*agreement.Verdicts) agreement.Share, against agreement.AgainstPeople,
) Outcome {
	e, outcome := judge.Estimate(), Met
	switch {
	case !e.IsDefined() || e.Interval.Low < r.MinimumRate && e.Interval.High >= r.MinimumRate:
		outcome = Undecided
	case e.Interval.High < r.MinimumRate:
		outcome = NotMet
	}
	var own people
	for _, p := range r.Persons {
		share := of(&p.Verdict)
		own.add(share.Whole >= r.MinimumItems, share.Value().Number >= r.MinimumRate)
	}
	return own.limit(outcome, func() agreement.AgainstPeople { return against })
}

// outcomes are those of a criterion.
func (r *Decision) outcomes(c *measure.Criterion) Outcomes {
	var ranking, level people
	for _, p := range r.Persons {
		for _, own := range p.Criteria {
			if own.Criterion == c.Name {
				enough := own.Items >= measure.PairedItems
				ranking.add(enough && own.Correlation.IsDefined(), own.Correlation.Number >= r.Target)
				level.add(enough && own.Severity.IsDefined(), math.Abs(own.Severity.Number) <= r.MaximumBias)
			}
		}
	}
	o := Outcomes{
		Ranking: ranking.limit(r.rankOutcome(c), func() agreement.AgainstPeople { return c.Compare().Correlation }),
		Level:   level.limit(r.level(c), func() agreement.AgainstPeople { return c.Compare().Level }),
	}
	o.Outcome = worseOf(o.Ranking, o.Level)
	return o
}

// people counts those who have a value among the others, and those of them who reach a limit.
type people struct{ all, reach int }

func (p *people) add(has, reaches bool) {
	if has {
		p.all++
		if reaches {
			p.reach++
		}
	}
}

// limit is that the labels can't tell, if no person reaches what the judge does not reach, and
// the judge is not worse than they are.
func (p people) limit(o Outcome, compared func() agreement.AgainstPeople) Outcome {
	if o == Met || p.all < 2 || p.reach > 0 {
		return o
	}
	if against := compared(); against.Difference.IsDefined() && against.JudgeStanding() != agreement.Worse {
		return CannotTell
	}
	return o
}

func (r *Decision) level(c *measure.Criterion) Outcome {
	i, most := c.Bias.Interval, r.MaximumBias
	switch {
	case !c.Bias.IsDefined() || !i.IsDefined():
		return Undecided
	case i.Low >= -most && i.High <= most:
		return Met
	case i.Low > most || i.High < -most:
		return NotMet
	}
	return Undecided
}

func (r *Decision) rankOutcome(c *measure.Criterion) Outcome {
	i, target := c.Spearman.Interval, r.Target
	switch {
	case c.Items < r.MinimumItems || c.Flat:
		return Undecided
	case !c.Spearman.IsDefined():
		return NotMet // a judge that always gives the same score
	case !i.IsDefined() || i.High >= target && hangsOnFew(i):
		return Undecided
	case i.Low >= target:
		return Met
	case i.High < target:
		return NotMet
	}
	return Undecided
}

// hangsOnFew reports whether a correlation depends on so few items that the interval,
// which leaves out the samples without a value, would end elsewhere if these counted.
// What has no value never reaches a target.
func hangsOnFew(i agreement.Interval) bool {
	const below = 0.025 // the share of samples below a 95% interval
	return float64(i.Failed) > below*float64(i.Resamples)
}

func levelOf(o Outcomes) Outcome   { return o.Level }
func rankingOf(o Outcomes) Outcome { return o.Ranking }

// ofCriteria is a condition on every criterion.
func (r *Decision) ofCriteria(name ConditionName, of func(Outcomes) Outcome) Condition {
	c := Condition{Name: name, Outcome: Met}
	for i, o := range r.Outcomes {
		if outcome := of(o); severity[outcome] > severity[c.Outcome] {
			c.Outcome, c.Criteria = outcome, nil
		}
		if of(o) == c.Outcome && c.Outcome != Met {
			c.Criteria = append(c.Criteria, r.Criteria[i].Name)
		}
	}
	return c
}

// wrongValues returns the point estimates of a use that are on the wrong side of their limit, unless the
// labels can't tell.
func (r *Decision) wrongValues(u use) (values []Value) {
	add := func(v agreement.Value, wrong bool, o Outcome, kind UseKind, criterion string) {
		if v.IsDefined() && wrong && o != CannotTell {
			values = append(values, Value{kind, criterion})
		}
	}
	for i, c := range r.Criteria {
		add(c.Spearman.Value, c.Spearman.Number < r.Target, r.Outcomes[i].Ranking, Correlation, c.Name)
		add(c.Bias.Value, u == toGate && math.Abs(c.Bias.Number) > r.MaximumBias, r.Outcomes[i].Level, Bias, c.Name)
	}
	passes, fails := r.Measurement.Verdict.RightPasses.Value, r.Measurement.Verdict.RightFails.Value
	add(passes, u == toGate && passes.Number < r.MinimumRate, r.RightPassesOutcome, RightPasses, "")
	add(fails, u == toGate && fails.Number < r.MinimumRate, r.RightFailsOutcome, RightFails, "")
	return values
}
