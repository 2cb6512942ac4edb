package intake

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// threshold is the lowest passing score of a criterion, from 1 to 5, or "" with a remark that says what to
// write. placed says where the levels of the criterion are.
func (r *Reader) threshold(c *Criterion, whole levels.Declared, placed levels.Placed) string {
	if c.Threshold == "" {
		return ""
	}
	score := r.scoreFrom(c.Threshold, c.Levels, c.Scale, whole, placed)
	if score == "" {
		why := "the scale differs"
		if len(c.Levels) > 0 && !slices.ContainsFunc(c.Levels, func(l levels.Level) bool { return !l.IsNamed() }) {
			why = "the levels have no numbers, so its scale is unknown"
		}
		r.AddDropped(c.thresholdAt(), fmt.Sprintf("The threshold %s is dropped: %s. Set threshold with --set, from 1 to 5.",
			schema.Quote(c.Threshold), why))
	}
	return score
}

func (c *Criterion) thresholdAt() string {
	if c.thresholdPlace != "" {
		return c.thresholdPlace
	}
	return c.Place
}

// scoreFrom is a text of a file as a score from 1 to 5, or "" if its scale differs: that of a level with an
// anchor, or one of the same scale.
func (r *Reader) scoreFrom(text string, all []levels.Level, own, whole levels.Declared, placed levels.Placed) string {
	value, isNumber := Quantity(text)
	isShare := strings.HasSuffix(strings.TrimSpace(text), "%")
	i := slices.IndexFunc(all, func(l levels.Level) bool { return l.Name != "" && Fold(l.Name) == Fold(text) })
	if i >= 0 && placed.Scores[i] > 0 {
		return fmt.Sprint(placed.Scores[i])
	}
	switch {
	case !isNumber || isShare:
		return ""
	case r.areShares() && value <= 1:
		if !(levels.Ladder{Levels: all}).IsOwn() {
			return ""
		}
		// DeepEval divides the distance from the lowest score by the range of the scores.
		return schema.Plain(math.Round((1+4*value)*1e9) / 1e9)
	case len(all) > 0:
		return scoreIn(value, all, placed)
	case value < 1 || value > 5:
		return ""
	case isOneToFive(own) || !own.IsKnown && (isOneToFive(whole) || !whole.IsKnown && value > 1):
		return schema.Plain(value)
	}
	return ""
}

// scoreIn is a value on the scale of levels as a score from 1 to 5, or "".
func scoreIn(value float64, all []levels.Level, placed levels.Placed) string {
	if value > 0 && value < 1 && isFraction(value, all) {
		return "" // of a share, or of a score: the file does not say it
	}
	if score, ok := placed.Value(value); ok {
		return schema.Plain(round(score))
	}
	return ""
}

// isFraction reports whether a number is between the levels of a scale with whole numbers above 1.
func isFraction(value float64, all []levels.Level) bool {
	above := false
	for _, l := range all {
		if !l.IsNamed() && l.Low == value {
			return false
		}
		above = above || !l.IsNamed() && l.High > 1
	}
	return above
}

func isOneToFive(d levels.Declared) bool { return d.IsKnown && d.Low == 1 && d.High == 5 }

// areShares reports whether thresholds are shares of the range of scores.
func (r *Reader) areShares() bool { return r.Format == "deepeval" }

// byPhase matches thresholds for each phase of a rule set.
var byPhase = lazy.Expr(`(?i)^\s*(?:phase\s*)?A\s*[:=]\s*([0-9]+(?:\.[0-9]+)?\s*%?)\s*[,;/ ]\s*(?:phase\s*)?B\s*[:=]\s*([0-9]+(?:\.[0-9]+)?\s*%?)\s*$`)

// passThreshold is the pass threshold of a draft, or "" with a remark that says what to write.
func (r *Reader) passThreshold(d *Draft, kind *document.Kind, placed []levels.Placed) string {
	if d.PassThreshold == "" {
		return ""
	}
	value, isNumber := Quantity(d.PassThreshold)
	if m := byPhase().FindStringSubmatch(d.PassThreshold); m != nil {
		first, _ := Quantity(m[1])
		second, _ := Quantity(m[2])
		if first != second {
			r.AddDropped(d.passAt(), fmt.Sprintf("The thresholds %s are dropped: a rule set has one for both phases. Set pass_threshold with --set, such as --set pass_threshold=%s.",
				schema.Quote(d.PassThreshold), schema.Plain(max(first, second))))
			return ""
		}
		value, isNumber = first, true
	}
	if kind == &document.RuleSet {
		return r.passShare(d, value, isNumber)
	}
	score := r.passScore(d, placed)
	if score == "" {
		r.AddDropped(d.passAt(), fmt.Sprintf("The threshold %s is dropped: the scale differs. Set pass_threshold with --set, from 1 to 5.",
			schema.Quote(d.PassThreshold)))
	}
	return score
}

// passShare is the pass threshold of a rule set: a share of the weights.
func (r *Reader) passShare(d *Draft, value float64, isNumber bool) string {
	switch {
	case isNumber && value > 1 && value <= 100 && (strings.HasSuffix(d.PassThreshold, "%") || value > 5):
		r.AddDerived(d.passAt(), fmt.Sprintf("The threshold %s became %s: that of a rule set is a share of the weights.",
			schema.Quote(d.PassThreshold), schema.Plain(value/100)))
		return schema.Plain(value / 100)
	case isNumber && value >= 0 && value <= 1:
		return schema.Plain(value)
	}
	r.AddDropped(d.passAt(), fmt.Sprintf("The threshold %s is dropped: that of a rule set is a share. Set pass_threshold with --set, from 0 to 1.",
		schema.Quote(d.PassThreshold)))
	return ""
}

// passScore is the pass threshold of a rubric, if it is one score on the scales of all criteria.
func (r *Reader) passScore(d *Draft, placed []levels.Placed) string {
	score := ""
	inPoints := slices.ContainsFunc(d.Criteria, func(c Criterion) bool { return c.Points != "" || c.Pointed })
	if len(d.Criteria) > 0 && !inPoints { // a sum of points has another scale
		scores := map[string]bool{}
		for i := range d.Criteria {
			c := &d.Criteria[i]
			score = r.scoreFrom(d.PassThreshold, c.Levels, c.Scale, d.Scale, placed[i])
			scores[score] = true
		}
		if len(scores) > 1 {
			score = ""
		}
	}
	return score
}

func (d *Draft) passAt() string {
	if d.PassPlace != "" {
		return d.PassPlace
	}
	return d.Place
}
