package importing

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
func (r *reader) threshold(c *criterion, whole levels.Declared, placed levels.Placed) string {
	if c.threshold == "" {
		return ""
	}
	score := r.scoreFrom(c.threshold, c.levels, c.scale, whole, placed)
	if score == "" {
		why := "the scale differs"
		if len(c.levels) > 0 && !slices.ContainsFunc(c.levels, func(l levels.Level) bool { return !l.IsNamed() }) {
			why = "the levels have no numbers, so its scale is unknown"
		}
		r.dropped(c.thresholdAt(), fmt.Sprintf("The threshold %s is dropped: %s. Set threshold with --set, from 1 to 5.", schema.Quote(c.threshold), why))
	}
	return score
}

func (c *criterion) thresholdAt() string {
	if c.thresholdPlace != "" {
		return c.thresholdPlace
	}
	return c.place
}

// scoreFrom is a text of a file as a score from 1 to 5, or "" if its scale differs: that of a level with an
// anchor, or one of the same scale.
func (r *reader) scoreFrom(text string, all []levels.Level, own, whole levels.Declared, placed levels.Placed) string {
	value, isNumber := quantity(text)
	isShare := strings.HasSuffix(strings.TrimSpace(text), "%")
	if i := slices.IndexFunc(all, func(l levels.Level) bool { return l.Name != "" && fold(l.Name) == fold(text) }); i >= 0 && placed.Scores[i] > 0 {
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
	case len(all) > 0 && value > 0 && value < 1 && isFraction(value, all):
		return "" // of a share, or of a score: the file does not say it
	case len(all) > 0:
		if score, ok := placed.Value(value); ok {
			return schema.Plain(round(score))
		}
		return ""
	case isOneToFive(own) || !own.IsKnown && (isOneToFive(whole) || !whole.IsKnown && value > 1):
		if value >= 1 && value <= 5 {
			return schema.Plain(value)
		}
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
func (r *reader) areShares() bool { return r.Format == "deepeval" }

// byPhase matches thresholds for each phase of a rule set.
var byPhase = lazy.Expr(`(?i)^\s*(?:phase\s*)?A\s*[:=]\s*([0-9]+(?:\.[0-9]+)?\s*%?)\s*[,;/ ]\s*(?:phase\s*)?B\s*[:=]\s*([0-9]+(?:\.[0-9]+)?\s*%?)\s*$`)

// passThreshold is the pass threshold of a draft, or "" with a remark that says what to write.
func (r *reader) passThreshold(d *draft, kind *document.Kind, placed []levels.Placed) string {
	if d.passThreshold == "" {
		return ""
	}
	value, isNumber := quantity(d.passThreshold)
	if m := byPhase().FindStringSubmatch(d.passThreshold); m != nil {
		first, _ := quantity(m[1])
		second, _ := quantity(m[2])
		if first != second {
			r.dropped(d.passAt(), fmt.Sprintf("The thresholds %s are dropped: a rule set has one for both phases. Set pass_threshold with --set, such as --set pass_threshold=%s.", schema.Quote(d.passThreshold), schema.Plain(max(first, second))))
			return ""
		}
		value, isNumber = first, true
	}
	if kind == &document.RuleSet {
		switch {
		case isNumber && value > 1 && value <= 100 && (strings.HasSuffix(d.passThreshold, "%") || value > 5):
			r.derived(d.passAt(), fmt.Sprintf("The threshold %s became %s: that of a rule set is a share of the weights.", schema.Quote(d.passThreshold), schema.Plain(value/100)))
			return schema.Plain(value / 100)
		case isNumber && value >= 0 && value <= 1:
			return schema.Plain(value)
		}
		r.dropped(d.passAt(), fmt.Sprintf("The threshold %s is dropped: that of a rule set is a share. Set pass_threshold with --set, from 0 to 1.", schema.Quote(d.passThreshold)))
		return ""
	}
	score := ""
	inPoints := slices.ContainsFunc(d.criteria, func(c criterion) bool { return c.points != "" || c.pointed })
	if len(d.criteria) > 0 && !inPoints { // a sum of points has another scale
		scores := map[string]bool{}
		for i := range d.criteria {
			c := &d.criteria[i]
			score = r.scoreFrom(d.passThreshold, c.levels, c.scale, d.scale, placed[i])
			scores[score] = true
		}
		if len(scores) > 1 {
			score = ""
		}
	}
	if score == "" {
		r.dropped(d.passAt(), fmt.Sprintf("The threshold %s is dropped: the scale differs. Set pass_threshold with --set, from 1 to 5.", schema.Quote(d.passThreshold)))
	}
	return score
}

func (d *draft) passAt() string {
	if d.passPlace != "" {
		return d.passPlace
	}
	return d.place
}
