package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/calibration/measure"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// words says in English what was decided.
type words struct{ *decide.Decision }

// Demonstration is the sentence about labels that are not by people, which every output
// about them has once, or "".
func Demonstration(l calibration.Labeler) string {
	if who := labeler[l]; who != "" {
		return "This is a demonstration: " + who + " gave the labels."
	}
	return ""
}

var labeler = map[calibration.Labeler]string{
	calibration.Authors: "the authors of the rubric", calibration.Model: "a language model",
}

// condition is a clause about a condition, such as "it answered 90% of the items readably".
func (w words) condition(c *decide.Condition) string {
	switch c.Name {
	case decide.ConditionPeople:
		return w.people(c)
	case decide.ConditionFreshness:
		return w.freshness(c)
	case decide.ConditionCoverage:
		return w.coverage(c)
	case decide.ConditionAge:
		return w.age(c)
	case decide.ConditionVerdict:
		return w.verdict(c)
	case decide.ConditionLevel:
		return w.level(c)
	}
	return w.explainRanking(c)
}

func (w words) people(c *decide.Condition) string {
	if c.Outcome == decide.Met {
		return fmt.Sprintf("people labeled the items who did not write the rubric, and the same two labeled %d or more", w.Dataset.Paired)
	}
	switch c.Causes[0] {
	case decide.Demonstration:
		return labeler[w.Dataset.LabeledBy] + " gave the labels"
	case decide.Unlabeled:
		return "no item has a label for " + schema.Or(c.Criteria, "and")
	}
	var clauses []string
	few, same := w.fewPaired(c.Criteria)
	if len(few) > 0 {
		copies := ""
		if w.Copies.SameRaters+w.Copies.SameAsJudge > 0 {
			copies = " (labels that are those of another rater or of a judge do not count)"
		}
		list := w.list(few, func(of *measure.Criterion) string { return fmt.Sprint(of.People.Paired) })
		clauses = append(clauses, fmt.Sprintf("too few items are labeled by the same two people to know how far people agree: %s, and at least %d are required%s",
			list, measure.PairedItems, copies))
	}
	if len(same) > 0 {
		list := w.list(same, func(of *measure.Criterion) string { return "(" + of.People.OfPair.Undefined + ")" })
		clauses = append(clauses, "the labels do not show how far people agree: "+list)
	}
	return strings.Join(clauses, ", and ")
}

// fewPaired divides criteria into those with too few items that the same two people labeled, and
// those with enough, whose labels nevertheless show nothing.
func (w words) fewPaired(criteria []string) (few, same []string) {
	for i := range w.Criteria {
		switch c := &w.Criteria[i]; {
		case !slices.Contains(criteria, c.Name):
		case c.People.Paired < measure.PairedItems:
			few = append(few, c.Name)
		default:
			same = append(same, c.Name)
		}
	}
	return few, same
}

func (w words) freshness(c *decide.Condition) string {
	clauses := []string{}
	for _, cause := range c.Causes {
		clauses = append(clauses, map[decide.Cause]string{
			decide.StaleLabels: fmt.Sprintf("the words of %s have changed since the items were labeled",
				schema.Or(c.Criteria, "and")),
			decide.NoJudge:    "no judge has answered",
			decide.StaleRun:   fmt.Sprintf("the rubric's words have changed since run %s of %s", w.run(), w.name()),
			decide.Unmeasured: fmt.Sprintf("run %s does not record the labels that it was measured against", w.run()),
		}[cause])
	}
	if len(clauses) == 0 {
		return "labels and answers are for the rubric's current words"
	}
	return strings.Join(clauses, ", and ")
}

func (w words) run() string {
	if w.Judge == nil {
		return ""
	}
	return w.Judge.Run
}

func (w words) name() string {
	if w.Judge == nil {
		return ""
	}
	return w.Judge.Name
}

func (w words) coverage(c *decide.Condition) string {
	text := fmt.Sprintf("it answered %s of the items readably", percent(w.AnsweredShare()))
	if c.Outcome == decide.Met {
		return text
	}
	of := w.Decision.Coverage
	return fmt.Sprintf("%s, and at least %s is required; of %d attempts, %d gave no answer that could be read, and the judge was unavailable in %d",
		text, percent(w.MinimumCoverage), of.Attempts, of.Unreadable, of.Unavailable)
}

func (w words) age(c *decide.Condition) string {
	switch {
	case len(c.Causes) > 0:
		return fmt.Sprintf("run %s is dated %q, which is after %s", w.Judge.Run, w.Judge.Date, w.AsOf)
	case c.Outcome == decide.Met:
		return fmt.Sprintf("run %s is %d days old", w.Judge.Run, w.Age())
	}
	return fmt.Sprintf("run %s is %d days old, and at most %d days are allowed", w.Judge.Run, w.Age(), w.MaximumAge)
}

// side is one of the two rates of a verdict.
type side struct {
	outcome decide.Outcome
	right   agreement.Share
	// people is what people do with the items, does what a judge does that is right, and not what
	// one does that is wrong.
	people, does, not string
}

// sides are those of the verdict with an outcome.
func (w words) sides(o decide.Outcome) (sides []side) {
	v := &w.Measurement.Verdict
	for _, s := range []side{
		{w.RightPassesOutcome, v.Passes(), "pass", "passes", "fails"},
		{w.RightFailsOutcome, v.Fails(), "fail", "fails", "passes"},
	} {
		if s.outcome == o {
			sides = append(sides, s)
		}
	}
	return sides
}

func (w words) verdict(c *decide.Condition) string {
	if v := &w.Measurement.Verdict; v.Passes().Whole+v.Fails().Whole == 0 {
		return "no item has every label and every score, so that there are no verdicts to compare"
	}
	var clauses []string
	least := percent(w.MinimumRate)
	for _, s := range w.sides(c.Outcome) {
		right, all := s.right.Part, s.right.Whole
		if s.outcome == decide.Undecided && all == 0 {
			clauses = append(clauses, fmt.Sprintf("people %s none of the items, so that nobody can tell if it %s what they %s",
				s.people, s.does, s.people))
			continue
		}
		clauses = append(clauses, map[decide.Outcome]string{
			decide.Met:    fmt.Sprintf("it %s %d of %d items that people %s", s.does, right, all, s.people),
			decide.NotMet: fmt.Sprintf("it %s %d of %d items that people %s", s.not, all-right, all, s.people),
			decide.Undecided: fmt.Sprintf("there are too few items that people %s to tell if it %s at least %s of them (it %s %d of %d)",
				s.people, s.does, least, s.does, right, all),
			decide.CannotTell: fmt.Sprintf("no person %s at least %s of what the others %s, and the judge is not worse than they are",
				s.does, least, s.people),
		}[c.Outcome])
	}
	return strings.Join(clauses, ", and ")
}

func (w words) level(c *decide.Condition) string {
	most := two(w.MaximumBias)
	return w.limit(c, limit{
		met:       fmt.Sprintf("on every criterion, it scores within %s points of people on average", most),
		notMet:    fmt.Sprintf("on average, its scores are more than %s points from people's", most),
		toTell:    fmt.Sprintf("its scores are on average within %s points of people's", most),
		noPerson:  fmt.Sprintf("no person's labels are on average within %s points of the others'", most),
		isNoWorse: "the judge is not farther away than they are",
		value:     func(of *measure.Criterion) string { return shown(of.Bias, agreement.Estimate.SignedText) },
	})
}

func (w words) explainRanking(c *decide.Condition) string {
	target := two(w.Target)
	return w.limit(c, limit{
		met:       fmt.Sprintf("on every criterion, it orders the items as people do: the correlations reach %s", target),
		notMet:    fmt.Sprintf("it orders the items differently from people, and the correlation must be at least %s", target),
		toTell:    fmt.Sprintf("its correlation with people is at least %s", target),
		noPerson:  fmt.Sprintf("no person reaches a correlation of %s with the others", target),
		isNoWorse: "the judge is not worse than they are",
		value:     func(of *measure.Criterion) string { return shown(of.Spearman, agreement.Estimate.Text) },
	})
}

// limit has clauses about what each criterion must reach.
type limit struct {
	met, notMet, toTell, noPerson, isNoWorse string
	value                                    func(*measure.Criterion) string
}

func (w words) limit(c *decide.Condition, say limit) string {
	switch c.Outcome {
	case decide.Met:
		return say.met
	case decide.CannotTell:
		return fmt.Sprintf("%s on %s, and %s", say.noPerson, schema.Or(c.Criteria, "and"), say.isNoWorse)
	}
	list := w.list(c.Criteria, say.value)
	if c.Outcome == decide.NotMet {
		return say.notMet + ": " + list
	}
	return fmt.Sprintf("there are too few items to tell if %s: %s", say.toTell, list)
}

// list has criteria, each with what a function says.
func (w words) list(criteria []string, say func(*measure.Criterion) string) string {
	var list []string
	for i := range w.Criteria {
		c := &w.Criteria[i]
		for _, name := range criteria {
			if name == c.Name {
				list = append(list, name+" "+say(c))
			}
		}
	}
	return strings.Join(list, ", ")
}

// shown is an estimate, or why there is none.
func shown(e agreement.Estimate, text func(agreement.Estimate) string) string {
	switch {
	case !e.IsDefined():
		return "(" + e.Undefined + ")"
	case !e.Interval.IsDefined():
		return text(e) + " (no interval: " + e.Interval.Undefined + ")"
	}
	return text(e)
}

// sentence is a clause as a sentence.
func sentence(clause string) string {
	first, size := utf8.DecodeRuneInString(clause)
	return string(unicode.ToUpper(first)) + clause[size:] + "."
}

// two is a number with two decimals.
func two(x float64) string { return agreement.Value{Number: x}.Text() }

// percent is a share with at most one decimal, rounded down, so that what is too
// little never looks like enough.
func percent(share float64) string {
	return fmt.Sprintf("%g%%", math.Floor(1000*share+1e-6)/10)
}
