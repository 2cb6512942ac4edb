package calibration

import (
	"fmt"
	"math"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// conclude sets the outcomes and the messages that explain them.
func (r *Report) conclude(s *Subject) {
	r.Outcome = Met
	for i := range r.Criteria {
		c := &r.Criteria[i]
		c.Outcome, c.Reason = r.judge(c)
		if worse[c.Outcome] > worse[r.Outcome] {
			r.Outcome = c.Outcome
		}
	}
	if r.Judge == nil || !r.Judge.Fresh || r.Coverage.Share < r.Settings.MinimumCoverage {
		r.Outcome = Refused
	}
	r.Calibrated = r.Outcome == Met && r.Dataset.LabelledBy == People
	r.say()
}

// judge compares a criterion with the target.
func (r *Report) judge(c *Criterion) (Outcome, string) {
	target := r.Settings.Target
	value, interval := c.Spearman.Value, c.Spearman.Interval
	switch {
	case c.Labelled == 0:
		return Refused, fmt.Sprintf("%s: there are no labels.", c.Name)
	case !c.Fresh:
		return Refused, fmt.Sprintf("%s: the labels are for a different wording. Label the items again, or reaffirm the labels in %s if they are still valid.", c.Name, DatasetFile)
	case r.Judge == nil:
		return Refused, fmt.Sprintf("%s: %d %s labeled, but no judge has answered.", c.Name, c.Labelled, map[bool]string{true: "item is", false: "items are"}[c.Labelled == 1])
	case !r.Judge.Fresh:
		return Refused, fmt.Sprintf("%s: the judge read a different wording of the rubric.", c.Name)
	case c.Coverage < r.Settings.MinimumCoverage:
		return Refused, fmt.Sprintf("%s: the judge gave readable answers for only %d of %d items, and at least %s is required. Fix the judge and run it again.", c.Name, c.Items, c.Labelled, percent(r.Settings.MinimumCoverage))
	case !value.Defined():
		return Refused, fmt.Sprintf("%s: there is no correlation: %s.", c.Name, value.Undefined)
	case interval.Undefined != "":
		return Refused, fmt.Sprintf("%s: %s, and there is no interval: %s.", c.Name, two(value.Number), interval.Undefined)
	case interval.High >= target && hangsOnFew(interval):
		return Undecided, fmt.Sprintf("%s: %s, but %d of %d random samples of the items have no correlation, because nearly all labels or scores are the same: too few items to tell. Label items with other levels.", c.Name, two(value.Number), interval.Failed, interval.Resamples)
	case interval.Low >= target:
		return Met, fmt.Sprintf("%s: %s (%s to %s) reaches the target %s.", c.Name, two(value.Number), two(interval.Low), two(interval.High), two(target))
	case interval.High < target:
		return NotMet, fmt.Sprintf("%s: %s (%s to %s) is below the target %s. %s", c.Name, two(value.Number), two(interval.Low), two(interval.High), two(target), advice(c, target))
	}
	return Undecided, fmt.Sprintf("%s: %s, but the interval %s to %s spans the target %s: too few items to tell. %s", c.Name, two(value.Number), two(interval.Low), two(interval.High), two(target), needed(c, target))
}

// hangsOnFew reports whether the correlation depends on so few items that the samples
// without them, which the interval leaves out, would move the end of the interval. A
// sample without a value never reaches the target.
func hangsOnFew(i agreement.Interval) bool {
	const below = 0.025 // the share of samples below a 95% interval
	return float64(i.Failed) > below*float64(i.Resamples)
}

// advice says what to check if the target is not met.
func advice(c *Criterion, target float64) string {
	if ceiling := c.People.Ceiling; ceiling.Defined() && ceiling.Number < target {
		return fmt.Sprintf("People reach only %s with each other. Fix the criterion or the labels before the judge.", two(ceiling.Number))
	}
	if bias := c.Bias; bias.Defined() && math.Abs(bias.Number) >= 0.5 {
		return fmt.Sprintf("The judge scores %s by %s on average. Check the worst disagreements, then the judge's prompt.", map[bool]string{true: "higher", false: "lower"}[bias.Number > 0], two(math.Abs(bias.Number)))
	}
	return "Check the worst disagreements, then the judge's prompt."
}

// needed says how many items are needed for a decision if the correlation stays the same.
func needed(c *Criterion, target float64) string {
	n := itemsNeeded(c.Spearman.Number, target)
	if n == 0 || n > 10_000 {
		return fmt.Sprintf("The value is so close to the target that more than the current %d items would hardly help.", c.Items)
	}
	return fmt.Sprintf("If the value stays the same, about %d labeled items are needed for a decision; there are %d.", max(n, c.Items+1), c.Items)
}

// itemsNeeded returns how many items make the interval of a correlation end at the
// target, by the variance of Bonett and Wright (2000), or 0 if no number does.
func itemsNeeded(correlation, target float64) int {
	const normal = 1.959964 // two-sided 95%
	distance := math.Atanh(correlation) - math.Atanh(target)
	if distance == 0 || math.IsNaN(distance) {
		return 0
	}
	n := 3 + (1+correlation*correlation/2)*math.Pow(normal/distance, 2)
	if math.IsInf(n, 0) || n > math.MaxInt32 {
		return 0
	}
	return int(math.Ceil(n))
}

// obstacles returns the reasons why the report as a whole does not count, regardless of
// its numbers.
func (r *Report) obstacles() []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	switch {
	case r.Judge == nil:
		say("No run of a judge is recorded for this dataset. Run `rubric calibrate run` to ask a judge.")
	case !r.Judge.Fresh:
		say("The run %s of %s is for a different wording of the rubric, so its numbers do not apply to the current one. Run the judge again.", r.Judge.Run, r.Judge.Name)
	case r.Coverage.Share < r.Settings.MinimumCoverage:
		say("The judge gave readable answers for %s of the items, and at least %s is required. %d of %d answers could not be read.", percent(r.Coverage.Share), percent(r.Settings.MinimumCoverage), r.Coverage.Unreadable, r.Coverage.Answers)
	}
	switch r.Dataset.LabelledBy {
	case Authors:
		say("The labels are by the authors of the rubric. Agreement with the authors does not show agreement with people, so it never counts as calibrated.")
	case Model:
		say("The labels are by a language model. Agreement between models does not show agreement with people, so it never counts as calibrated.")
	}
	return out
}

// say adds the messages of the report.
func (r *Report) say() {
	r.Messages = append(r.Messages, r.obstacles()...)
	if r.Judge == nil {
		return
	}
	by := map[Outcome][]string{}
	for _, c := range r.Criteria {
		by[c.Outcome] = append(by[c.Outcome], c.Name)
	}
	for _, o := range []struct {
		outcome Outcome
		says    string
	}{
		{Refused, "can't be compared with the target"}, {NotMet, "below the target"}, {Undecided, "too few items to tell"}, {Met, "target met"},
	} {
		if names := by[o.outcome]; len(names) > 0 {
			r.Messages = append(r.Messages, fmt.Sprintf("%s: %s.", strings.ToUpper(o.says[:1])+o.says[1:], schema.Or(names, "and")))
		}
	}
	if few := r.few(); few != "" {
		r.Messages = append(r.Messages, few)
	}
}

// few returns a warning if there are so few items that the intervals are wide.
func (r *Report) few() string {
	least := math.MaxInt
	for _, c := range r.Criteria {
		least = min(least, c.Items)
	}
	if len(r.Criteria) == 0 || least >= r.Settings.EnoughItems || least < r.Settings.MinimumItems {
		return ""
	}
	return fmt.Sprintf("With %d items, the intervals are wide. Label at least %d items.", least, r.Settings.EnoughItems)
}

// two formats a number with two decimals and an ASCII minus sign.
func two(x float64) string {
	text := fmt.Sprintf("%.2f", x)
	if text == "-0.00" {
		return "0.00"
	}
	return text
}

// percent formats a share with at most one decimal, rounded down: a share below a
// minimum never looks sufficient.
func percent(share float64) string {
	return fmt.Sprintf("%g%%", math.Floor(1000*share+1e-6)/10)
}
