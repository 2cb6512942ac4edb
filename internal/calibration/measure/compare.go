package measure

import (
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
)

// Comparison compares two runs of one judge, by the same words, on the same items.
type Comparison struct {
	Before   Judge               `json:"before"`
	After    Judge               `json:"after"`
	Criteria []ComparedCriterion `json:"criteria"`
	// Changed reports whether any criterion changed, and Worse whether one became worse.
	Changed bool `json:"changed"`
	Worse   bool `json:"worse"`
}

// ComparedCriterion is the difference on one criterion over the items that both runs
// answered.
type ComparedCriterion struct {
	Name  string `json:"name"`
	Items int    `json:"items"`
	// Before and After are the Spearman correlations with people.
	Before agreement.Value `json:"before"`
	After  agreement.Value `json:"after"`
	// Correlation is After minus Before.
	Correlation Difference `json:"correlation"`
	// Shift is the mean change of the scores in points, after minus before.
	Shift Difference `json:"shift"`
	// Changed reports whether either exceeds chance and the judge's own noise, and Worse
	// whether that means less correlation or a larger bias.
	Changed bool   `json:"changed"`
	Worse   bool   `json:"worse"`
	Reason  string `json:"reason"`
}

// Difference is a difference with its paired interval and its noise.
type Difference struct {
	agreement.Estimate
	// Noise is the size that a difference has by chance alone: if the answers of
	// both runs to an item were dealt out at random, all but Chance of the deals
	// would stay below it.
	Noise agreement.Value
}

// MarshalJSON writes {"value":0.1,"low":-0.1,"high":0.3,"noise":0.2}, or
// {"undefined":"…"}.
func (d Difference) MarshalJSON() ([]byte, error) {
	fields := d.Fields()
	if d.Noise.Defined() {
		fields["noise"] = d.Noise.Number
	}
	return json.Marshal(fields)
}

// chance is the share of comparisons of equivalent runs that report a change.
const chance = 0.05

// Compare compares two runs on the test items that both answered, for each criterion of the
// dataset, by what was labeled when the later one asked.
func Compare(d *calibration.Dataset, before, after *calibration.Run, o Options) *Comparison {
	d = countedOf(d, after).Dataset
	c := &Comparison{
		Before:   judge(before, before.Digest == after.Digest),
		After:    judge(after, true),
		Criteria: []ComparedCriterion{},
	}
	for _, labeled := range d.Criteria {
		// The chance is divided among two tests for each criterion.
		one := bothAnswered(d, labeled.Name, before, after).compare(labeled.Name, o, chance/float64(2*len(d.Criteria)))
		c.Changed, c.Worse = c.Changed || one.Changed, c.Worse || one.Worse
		c.Criteria = append(c.Criteria, one)
	}
	return c
}

// deals are the answers of two runs to the same items.
type deals struct {
	people        []float64
	before, after agreement.Ratings // the repeats
}

func bothAnswered(d *calibration.Dataset, criterion string, before, after *calibration.Run) *deals {
	all, other := ratingsOf(d, criterion, before), ratingsOf(d, criterion, after)
	b := &deals{}
	for i := range all.items {
		if len(all.repeats[i]) > 0 && len(other.repeats[i]) > 0 {
			b.people = append(b.people, all.people[i])
			b.before, b.after = append(b.before, all.repeats[i]), append(b.after, other.repeats[i])
		}
	}
	return b
}

// compare compares two runs with tests at the given significance level.
func (b *deals) compare(name string, o Options, level float64) ComparedCriterion {
	n := len(b.people)
	before, after := b.before.Means(), b.after.Means()
	c := ComparedCriterion{
		Name: name, Items: n,
		Before: agreement.Spearman(before, b.people).AtLeast(n, o.MinimumItems),
		After:  agreement.Spearman(after, b.people).AtLeast(n, o.MinimumItems),
	}
	if n < o.MinimumItems {
		few := agreement.Value{}.AtLeast(n, o.MinimumItems)
		none := Difference{few.NoEstimate(), few}
		c.Correlation, c.Shift = none, none
		c.Reason = fmt.Sprintf("%s: %s.", name, few.Undefined)
		return c
	}
	of := agreement.Bootstrap(n, o.Seed, Resamples, agreement.Difference(agreement.SpearmanStatistic(before, b.people), agreement.SpearmanStatistic(after, b.people)),
		agreement.BiasStatistic(after, before))
	c.Correlation.Estimate, c.Shift.Estimate = of[0], of[1]
	c.Correlation.Noise, c.Shift.Noise = b.noise(o.Seed, level)
	c.Changed, c.Reason = c.decide()
	then, now := agreement.Bias(before, b.people), agreement.Bias(after, b.people)
	c.Worse = c.Correlation.beyondNoise() && c.Correlation.Number < 0 ||
		c.Shift.beyondNoise() && math.Abs(now.Number) > math.Abs(then.Number)
	return c
}

// noise assigns the answers to each item to the two runs at random and returns the
// differences that only a share level of the assignments exceeds. If the runs are
// equivalent, every assignment is as likely as the recorded one (a permutation test;
// Good 2005, Permutation, Parametric and Bootstrap Tests of Hypotheses, section 3.2),
// so the result includes the judge's own noise.
func (b *deals) noise(seed uint64, level float64) (correlation, shift agreement.Value) {
	generator := rand.NewPCG(seed, 1)
	before, after := make([]float64, len(b.people)), make([]float64, len(b.people))
	var correlations, shifts []float64
	for range Resamples {
		sum := 0.0
		for i := range b.people {
			pool := slices.Concat(b.before[i], b.after[i])
			shuffle(generator, pool)
			before[i], after[i] = agreement.Mean(pool[:len(b.before[i])]), agreement.Mean(pool[len(b.before[i]):])
			sum += after[i] - before[i]
		}
		shifts = append(shifts, math.Abs(sum/float64(len(b.people))))
		then, now := agreement.Spearman(before, b.people), agreement.Spearman(after, b.people)
		if then.Defined() && now.Defined() {
			correlations = append(correlations, math.Abs(now.Number-then.Number))
		}
	}
	return upper(correlations, level), upper(shifts, level)
}

// shuffle is a Fisher-Yates shuffle on the generator's bits, whose stream is fixed;
// rand.Shuffle can change between versions of Go.
func shuffle(generator *rand.PCG, numbers []float64) {
	for i := len(numbers) - 1; i > 0; i-- {
		j, _ := bits.Mul64(generator.Uint64(), uint64(i+1))
		numbers[i], numbers[j] = numbers[j], numbers[i]
	}
}

// upper returns the number that a share level of the numbers exceeds.
func upper(numbers []float64, level float64) agreement.Value {
	if len(numbers) < Resamples/2 {
		return agreement.Value{Undefined: "the correlation has no value in most random assignments"}
	}
	slices.Sort(numbers)
	at := int(math.Ceil(float64(len(numbers))*(1-level))) - 1
	return agreement.Value{Number: numbers[min(max(at, 0), len(numbers)-1)]}
}

func (d *Difference) beyondNoise() bool {
	const rounding = 1e-9
	if !d.Defined() || !d.Interval.Defined() || d.Interval.Low <= 0 && d.Interval.High >= 0 {
		return false
	}
	return d.Noise.Defined() && math.Abs(d.Number) > d.Noise.Number+rounding
}

func (c *ComparedCriterion) decide() (bool, string) {
	agree := fmt.Sprintf("agreement with people %s, then %s", shown(c.Before), shown(c.After))
	switch {
	case c.Correlation.beyondNoise():
		return true, fmt.Sprintf("%s: %s, a difference of %s, which is more than the judge's own noise explains.", c.Name, agree, c.Correlation.Signed())
	case c.Shift.beyondNoise():
		return true, fmt.Sprintf("%s: scores differ on average by %s, which is more than the judge's own noise explains; %s.", c.Name, c.Shift.Signed(), agree)
	}
	return false, fmt.Sprintf("%s: no difference beyond the judge's own noise; %s.", c.Name, agree)
}

func shown(v agreement.Value) string {
	if !v.Defined() {
		return "undefined (" + v.Undefined + ")"
	}
	return v.Text()
}
