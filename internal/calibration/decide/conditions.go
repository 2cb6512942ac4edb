package decide

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/calibration/measure"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// Condition is one of those that a judge must meet to count as calibrated.
type Condition struct {
	Name    ConditionName `json:"name"`
	Outcome Outcome       `json:"outcome"`
	// Reason says in a sentence or two why, and what to do.
	Reason string `json:"reason"`
}

// ConditionName names a condition.
type ConditionName string

// The conditions, the one that matters most first: what is wrong with labels, words, or
// answers makes every number below meaningless.
const (
	ConditionPeople    ConditionName = "people"    // people labeled who did not write the rubric, two of them the same items
	ConditionFreshness ConditionName = "freshness" // labels and run are of today's words
	ConditionCoverage  ConditionName = "coverage"  // nearly all items have a readable answer
	ConditionAge       ConditionName = "age"       // the run is not old
	ConditionVerdict   ConditionName = "verdict"   // the judge is right about passes and about fails
	ConditionLevel     ConditionName = "level"     // the judge is not more lenient or strict than people
	ConditionRanking   ConditionName = "ranking"   // the judge orders items as people do
)

// Outcome is what is known of a condition.
type Outcome string

const (
	// Met: the whole interval is where it must be.
	Met Outcome = "met"
	// Undecided: there are too few items to tell.
	Undecided Outcome = "undecided"
	// NotMet: the whole interval is where it must not be, or there can be no value.
	NotMet Outcome = "not_met"
)

var worse = map[Outcome]int{Met: 0, LibraryLimits: 1, Undecided: 2, NotMet: 3}

func worseOf(a, b Outcome) Outcome {
	if worse[a] >= worse[b] {
		return a
	}
	return b
}

// check adds the conditions, and says what they mean.
func (r *Decision) check() {
	for i := range r.Criteria {
		c := &r.Criteria[i]
		ranking, level := r.ranking(c), r.level(c)
		r.Outcomes = append(r.Outcomes, Outcomes{ranking, level, worseOf(ranking, level)})
	}
	r.Conditions = append(r.Conditions, r.people(), r.freshness())
	if r.Judge != nil {
		r.Conditions = append(r.Conditions, r.answered(), r.age(), r.verdict(), r.levels(), r.rankings())
	}
	if r.Outcome = r.worst(toGate); r.Outcome != Undecided { // what is not met stays so, whatever is decided
		r.ItemsNeeded = 0
	}
	r.Messages = append(r.Messages, slices.Concat(r.Reasons(NotMet), r.Reasons(Undecided))...)
	if r.ItemsNeeded > 0 {
		r.Messages = append(r.Messages, r.neededText(r.ItemsNeeded))
	}
	var unsure []string
	for _, c := range r.Criteria {
		if c.CannotTell > 0 {
			unsure = append(unsure, fmt.Sprintf("%s %d", c.Name, c.CannotTell))
		}
	}
	if len(unsure) > 0 {
		r.Messages = append(r.Messages, fmt.Sprintf("Raters answered that the item does not let them tell: %s. These answers count as missing labels. If they are many, clarify the criterion or show raters more context.", strings.Join(unsure, ", ")))
	}
}

// Demonstration is the sentence about labels that are not by people, which every output
// about them has once, or "".
func Demonstration(l calibration.Labeler) string {
	switch l {
	case calibration.Authors:
		return "This is a demonstration: the authors of the rubric gave the labels."
	case calibration.Model:
		return "This is a demonstration: a language model gave the labels."
	}
	return ""
}

// people is the condition on the labels of the test items.
func (r *Decision) people() Condition {
	c := Condition{Name: ConditionPeople, Outcome: NotMet}
	var without, few []string
	for i := range r.Criteria {
		switch of := &r.Criteria[i]; {
		case of.Labeled == 0:
			without = append(without, of.Name)
		case of.People.Paired < measure.PairedItems:
			few = append(few, fmt.Sprintf("%s %d", of.Name, of.People.Paired))
		case !of.People.OfPair.Defined():
			few = append(few, fmt.Sprintf("%s %d (%s)", of.Name, of.People.Paired, of.People.OfPair.Undefined))
		}
	}
	copies := ""
	if r.Copies.SameRaters+r.Copies.SameAsJudge > 0 {
		copies = " Labels that are those of another rater or of a judge do not count: raters must not see them."
	}
	demonstration := Demonstration(r.Dataset.LabeledBy)
	switch {
	case demonstration != "":
		c.Reason = demonstration + " To calibrate a judge, have people label the items who did not write the rubric (`rubric calibrate sheet`)."
	case len(without) > 0:
		c.Reason = fmt.Sprintf("No item has a label for %s. Have people label the items (`rubric calibrate sheet`).%s", schema.Or(without, "and"), copies)
	case len(few) > 0:
		c.Outcome, c.Reason = Undecided, fmt.Sprintf("Too few items are labeled by the same two raters to know how far people agree: %s; at least %d are required for each criterion. Have a second person label (`rubric calibrate sheet`).%s", strings.Join(few, ", "), measure.PairedItems, copies)
	default:
		c.Outcome, c.Reason = Met, fmt.Sprintf("People labeled the items who did not write the rubric, and the same two labeled %d or more.", r.Dataset.Paired)
	}
	return c
}

func (r *Decision) freshness() Condition {
	c := Condition{ConditionFreshness, Met, "Labels and answers are for the rubric's current words."}
	var stale []string
	for _, one := range r.Criteria {
		if one.Labeled > 0 && !one.Fresh {
			stale = append(stale, one.Name)
		}
	}
	var reasons []string
	if len(stale) > 0 {
		reasons = append(reasons, fmt.Sprintf("The words of %s have changed since the items were labeled. Label the items again, or confirm the labels if they still hold (`rubric reaffirm %s --reason TEXT`).", schema.Or(stale, "and"), r.Dataset.Name))
	}
	switch {
	case r.Judge == nil:
		reasons = append(reasons, "No judge has answered. Ask one (`rubric calibrate run`).")
	case !r.Judge.Fresh:
		reasons = append(reasons, fmt.Sprintf("The rubric's words have changed since run %s of %s. Run the judge again (`rubric calibrate run`).", r.Judge.Run, r.Judge.Name))
	case r.Judge.Unmeasured:
		reasons = append(reasons, fmt.Sprintf("Run %s is by an earlier program, which did not record the labels that it was measured against. Run the judge again (`rubric calibrate run`).", r.Judge.Run))
	}
	if len(reasons) > 0 {
		c.Outcome, c.Reason = NotMet, strings.Join(reasons, " ")
	}
	return c
}

func (r *Decision) answered() Condition {
	share := r.Coverage.Share
	for _, c := range r.Criteria {
		if c.Labeled > 0 {
			share = min(share, c.Coverage)
		}
	}
	least := r.MinimumCoverage
	if share >= least {
		return Condition{ConditionCoverage, Met, fmt.Sprintf("The judge answered %s of the items readably.", percent(share))}
	}
	return Condition{ConditionCoverage, NotMet, fmt.Sprintf("The judge answered %s of the items readably, and at least %s is required; of %d attempts, %d gave no answer that could be read, and the judge was unavailable in %d. Fix the judge, and run it again.",
		percent(share), percent(least), r.Coverage.Attempts, r.Coverage.Unreadable, r.Coverage.Unavailable)}
}

func (r *Decision) age() Condition {
	days := days(r.Judge.Date, r.AsOf)
	switch {
	case days < 0:
		return Condition{ConditionAge, NotMet, fmt.Sprintf("The run is dated %q, which is after %s. Correct the date.", r.Judge.Date, r.AsOf)}
	case days > r.MaximumAge:
		return Condition{ConditionAge, NotMet, fmt.Sprintf("The run is %d days old (%s), and at most %d days are allowed. Run the judge again.", days, r.Judge.Date, r.MaximumAge)}
	}
	return Condition{ConditionAge, Met, fmt.Sprintf("The run is %d days old.", days)}
}

// verdict checks the two rates that a consumer of passes and fails relies on.
func (r *Decision) verdict() Condition {
	v, target := &r.Verdict, r.MinimumRate
	c := Condition{ConditionVerdict, Met, fmt.Sprintf("The judge passes %s of what people pass, and fails %s of what people fail.", rate(v.RightPasses), rate(v.RightFails))}
	var wrong, few []string
	for _, side := range []struct {
		of         agreement.Share
		does, what string
	}{{v.Passes(), "passes", "pass"}, {v.Fails(), "fails", "fail"}} {
		e := side.of.Estimate()
		text := fmt.Sprintf("it %s %d of the %d items that people %s", side.does, side.of.Part, side.of.Whole, side.what)
		if e.Interval.Defined() {
			text += fmt.Sprintf(" (%s to %s)", two(e.Interval.Low), two(e.Interval.High))
		}
		switch {
		case !e.Defined() || e.Interval.Low < target && e.Interval.High >= target:
			few = append(few, text)
			r.ItemsNeeded = max(r.ItemsNeeded, neededForRate(side.of, v.Items(), target))
		case e.Interval.High < target:
			wrong = append(wrong, text)
		}
	}
	required := fmt.Sprintf("the rate must be at least %s in its whole interval", two(target))
	switch {
	case len(wrong) > 0:
		c.Outcome, c.Reason = NotMet, fmt.Sprintf("The judge's verdict differs from people's: %s; %s. Look at the worst disagreements, and at thresholds that many scores are close to.", strings.Join(wrong, ", and "), required)
	case len(few) > 0:
		c.Outcome, c.Reason = Undecided, fmt.Sprintf("Too few items to decide whether the judge's verdict is right: %s; %s.", strings.Join(few, ", and "), required)
	}
	return c
}

func rate(e agreement.Estimate) string {
	if !e.Defined() {
		return "none"
	}
	return percent(e.Number)
}

func (r *Decision) level(c *measure.Criterion) Outcome {
	i, most := c.Bias.Interval, r.MaximumBias
	switch {
	case !c.Bias.Defined() || !i.Defined():
		return Undecided
	case i.Low >= -most && i.High <= most:
		return Met
	case i.Low > most || i.High < -most:
		return NotMet
	}
	return Undecided
}

func (r *Decision) levels() Condition {
	most := r.MaximumBias
	return r.criteria(ConditionLevel, agreement.Estimate.Signed, phrases{
		met:    fmt.Sprintf("On every criterion, the judge scores within %s points of people.", two(most)),
		notMet: fmt.Sprintf("The judge's scores are too high or too low: %%s; on average they must be within %s points of people's. Tell the judge how strict each level is.", two(most)),
		few:    fmt.Sprintf("Too few items to decide whether the judge's scores are too high or too low: %%s; the whole interval must be within %s points.", two(most)),
	}, func(c *measure.Criterion, o Outcomes) (Outcome, *agreement.Estimate, int) {
		return o.Level, &c.Bias, neededForBias(&c.Bias, c.Items, most)
	})
}

func (r *Decision) ranking(c *measure.Criterion) Outcome {
	i, target := c.Spearman.Interval, r.Target
	switch {
	case c.Items < r.MinimumItems || c.Flat:
		return Undecided
	case !c.Spearman.Defined():
		return NotMet // a judge that always gives the same score
	case !i.Defined() || i.High >= target && hangsOnFew(i):
		return Undecided
	case i.Low >= target:
		return Met
	case i.High < target:
		return NotMet
	}
	return Undecided
}

func (r *Decision) rankings() Condition {
	target := r.Target
	c := r.criteria(ConditionRanking, agreement.Estimate.Text, phrases{
		met:    fmt.Sprintf("On every criterion, the judge orders the items as people do: the correlations reach %s.", two(target)),
		notMet: fmt.Sprintf("The judge orders the items differently from people: %%s; the correlation must be at least %s.", two(target)),
		few:    fmt.Sprintf("Too few items to decide whether the judge orders the items as people do: %%s; the whole interval must be at least %s.", two(target)),
	}, func(c *measure.Criterion, o Outcomes) (Outcome, *agreement.Estimate, int) {
		return o.Ranking, &c.Spearman, itemsNeeded(c.Spearman.Number, target, 0)
	})
	if c.Outcome == NotMet {
		c.Reason += " " + r.advice()
	}
	return c
}

func (r *Decision) advice() string {
	var noisy []string
	for i, c := range r.Criteria {
		if a := c.People.Attainable; r.Outcomes[i].Ranking == NotMet && a.Defined() && a.Number < r.Target {
			noisy = append(noisy, fmt.Sprintf("%s (%s)", c.Name, a.Text()))
		}
	}
	if len(noisy) > 0 {
		return fmt.Sprintf("The labels are too noisy for any judge to be expected to reach the target on %s: clarify the criterion, or have more people label each item.", schema.Or(noisy, "and"))
	}
	return "Look at the worst disagreements, then at the judge's instructions."
}

// phrases are the sentences of a condition on every criterion; %s stands for the list of
// those that do not meet it.
type phrases struct{ met, notMet, few string }

// criteria is a condition on every criterion. of has its outcome there, the statistic that
// decides it, and how many items would decide.
func (r *Decision) criteria(name ConditionName, text func(agreement.Estimate) string, p phrases, of func(*measure.Criterion, Outcomes) (Outcome, *agreement.Estimate, int)) Condition {
	condition := Condition{name, Met, p.met}
	var list []string // of the criteria with the worst outcome
	for i := range r.Criteria {
		c := &r.Criteria[i]
		outcome, e, needed := of(c, r.Outcomes[i])
		if outcome == Undecided {
			r.ItemsNeeded = max(r.ItemsNeeded, needed)
		}
		if worse[outcome] > worse[condition.Outcome] {
			condition.Outcome, list = outcome, nil
		}
		switch {
		case outcome != condition.Outcome:
		case !e.Defined():
			list = append(list, fmt.Sprintf("%s (%s)", c.Name, e.Undefined))
		case !e.Interval.Defined():
			list = append(list, fmt.Sprintf("%s %s (no interval: %s)", c.Name, text(*e), e.Interval.Undefined))
		default:
			list = append(list, c.Name+" "+text(*e))
		}
	}
	switch condition.Outcome {
	case NotMet:
		condition.Reason = fmt.Sprintf(p.notMet, strings.Join(list, ", "))
	case Undecided:
		condition.Reason = fmt.Sprintf(p.few, strings.Join(list, ", "))
	}
	return condition
}

// hangsOnFew reports whether a correlation depends on so few items that the interval,
// which leaves out the samples without a value, would end elsewhere if these counted.
// What has no value never reaches a target.
func hangsOnFew(i agreement.Interval) bool {
	const below = 0.025 // the share of samples below a 95% interval
	return float64(i.Failed) > below*float64(i.Resamples)
}

// Reasons are those of the conditions with an outcome, the one that matters most first.
func (r *Decision) Reasons(outcome Outcome) (reasons []string) {
	for _, c := range r.Conditions {
		if c.Outcome == outcome {
			reasons = append(reasons, c.Reason)
		}
	}
	return reasons
}

// with are the names of the conditions of a use that have an outcome.
func (r *Decision) with(outcome Outcome, u use) (names []string) {
	for _, c := range r.Conditions {
		if c.Outcome == outcome && u.needs(c.Name) {
			names = append(names, string(c.Name))
		}
	}
	return names
}

// outcome is the worst of the conditions of a use.
func (r *Decision) worst(u use) Outcome {
	worst := Met
	for _, c := range r.Conditions {
		if u.needs(c.Name) {
			worst = worseOf(worst, c.Outcome)
		}
	}
	return worst
}

// wrong are the point estimates of a use that are on the wrong side of their limit.
func (r *Decision) wrong(u use) (names []string) {
	add := func(v agreement.Value, wrong bool, name string) {
		if v.Defined() && wrong {
			names = append(names, name)
		}
	}
	for _, c := range r.Criteria {
		add(c.Spearman.Value, c.Spearman.Number < r.Target, "the correlation of "+c.Name)
		add(c.Bias.Value, u == toGate && math.Abs(c.Bias.Number) > r.MaximumBias, "the bias of "+c.Name)
	}
	passes, fails := r.Verdict.RightPasses.Value, r.Verdict.RightFails.Value
	add(passes, u == toGate && passes.Number < r.MinimumRate, "right passes")
	add(fails, u == toGate && fails.Number < r.MinimumRate, "right fails")
	return names
}
