package measure

import (
	"math"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
)

// Comparison compares two runs of one judge, by the same words, on the same items.
type Comparison struct {
	Before   Judge              `json:"before"`
	After    Judge              `json:"after"`
	Criteria []ChangedCriterion `json:"criteria"`
	// Changed reports whether any criterion changed, and Worse whether one became worse.
	Changed bool `json:"changed"`
	Worse   bool `json:"worse"`
}

// ChangedCriterion is the difference on one criterion over the items that both runs answered.
type ChangedCriterion struct {
	Name  string `json:"name"`
	Items int    `json:"items"`
	// Before and After are the Spearman correlations with people.
	Before agreement.Value `json:"before"`
	After  agreement.Value `json:"after"`
	// Correlation is After minus Before.
	Correlation agreement.Estimate `json:"correlation"`
	// Shift is the mean change of the scores in points, after minus before.
	Shift agreement.Estimate `json:"shift"`
	// Changed says which of the two changed: its interval, which is so wide that 95% of the
	// comparisons of equal runs show no change at all, does not include 0.
	Changed What `json:"changed"`
	// Worse means that the judge agrees less with people than before.
	Worse bool `json:"worse"`
}

// What changed between two runs.
type What string

// If both changed, it is the correlation.
const (
	Nothing     What = "nothing"
	Correlation What = "correlation"
	Shift       What = "shift"
)

// chance is the share of comparisons of equivalent runs that report a change.
const chance = 0.05

// Compare compares two runs on the test items that both answered, for each criterion of the
// dataset, by what was labeled when the later one asked.
func (meter *Meter) Compare(before, after *calibration.Run) *Comparison {
	of, then := meter.countRun(after), meter.countRun(before)
	c := &Comparison{
		Before:   judge(before, before.Digest == after.Digest),
		After:    judge(after, true),
		Criteria: []ChangedCriterion{},
	}
	for _, labeled := range of.Criteria {
		people := of.labels(labeled.Name)
		both := bothAnswered(people.addScores(then.scores[labeled.Name]), people.addScores(of.scores[labeled.Name]))
		// The chance is divided among two differences for each criterion.
		one := both.compare(labeled.Name, meter.Options, chance/float64(2*len(of.Criteria)))
		c.Changed, c.Worse = c.Changed || one.Changed != Nothing, c.Worse || one.Worse
		c.Criteria = append(c.Criteria, one)
	}
	return c
}

// both are the labels of the items that two runs answered, and the mean answers.
type both struct{ people, before, after []float64 }

func bothAnswered(before, after *ratings) *both {
	b := &both{}
	for i, mean := range after.means {
		if !math.IsNaN(before.judge[i] + after.judge[i]) {
			b.people = append(b.people, mean)
			b.before = append(b.before, before.judge[i])
			b.after = append(b.after, after.judge[i])
		}
	}
	return b
}

// compare computes intervals that miss the difference with the given probability.
func (b *both) compare(name string, o Options, miss float64) ChangedCriterion {
	n := len(b.people)
	c := ChangedCriterion{
		Name: name, Items: n, Changed: Nothing,
		Before: agreement.Spearman(b.before, b.people).AtLeast(n, o.MinimumItems),
		After:  agreement.Spearman(b.after, b.people).AtLeast(n, o.MinimumItems),
	}
	if few := (agreement.Value{}).AtLeast(n, o.MinimumItems); !few.IsDefined() {
		c.Correlation, c.Shift = few.NoEstimate(), few.NoEstimate()
		return c
	}
	of := agreement.Bootstrap(n, o.Seed, Resamples,
		agreement.Difference(agreement.SpearmanStatistic(b.before, b.people), agreement.SpearmanStatistic(b.after, b.people)),
		agreement.BiasStatistic(b.after, b.before))
	c.Correlation, c.Shift = widened(of[0], miss), widened(of[1], miss)
	switch {
	case changed(c.Correlation):
		c.Changed = Correlation
	case changed(c.Shift):
		c.Changed = Shift
	}
	then, now := agreement.Bias(b.before, b.people), agreement.Bias(b.after, b.people)
	c.Worse = changed(c.Correlation) && c.Correlation.Number < 0 ||
		changed(c.Shift) && math.Abs(now.Number) > math.Abs(then.Number)
	return c
}

// widened has the interval that misses the difference with a smaller probability than one of 95%:
// its ends are as many standard errors farther away as those of a normal distribution. The tails
// of resamples have too few to read them off.
func widened(e agreement.Estimate, miss float64) agreement.Estimate {
	if e.IsDefined() && e.Interval.IsDefined() {
		farther := math.Erfinv(1-miss) / math.Erfinv(0.95)
		e.Interval.Low = e.Number - farther*(e.Number-e.Interval.Low)
		e.Interval.High = e.Number + farther*(e.Interval.High-e.Number)
	}
	return e
}

// changed reports whether a difference is none of chance and the judge's own noise.
func changed(d agreement.Estimate) bool {
	const rounding = 1e-9
	return d.IsDefined() && d.Interval.IsDefined() && (d.Interval.Low > rounding || d.Interval.High < -rounding)
}
