package replay

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// reasons returns the reasons of the failing verdict on an item: why it fails now, or why it
// failed before.
func (c *comparison) reasons(was, is *rubric.Verdict, item int) []Reason {
	e := explanation{c, was, is, "reached", "is below"}
	failed := is
	if is.Passed {
		e.before, e.after, failed = "was below", "reaches", was
	}
	var out []Reason
	for _, r := range failed.Reasons {
		switch r.Kind {
		case rubric.ReasonCriterion:
			out = append(out, Reason{Criterion, render.Optional(r.Name), e.criterion(r)})
		case rubric.ReasonOverall:
			out = append(out, Reason{Overall, "", e.explainOverall()})
		case rubric.ReasonHit:
			out = append(out, Reason{NegativeCriterion, render.Optional(r.Name), e.explainNegative(r.Name, item)})
		}
	}
	return out
}

type explanation struct {
	*comparison
	was, is *rubric.Verdict
	// before and after say where a score was and is.
	before, after string
}

func (e *explanation) criterion(r rubric.Reason) string {
	other, missing, weaker, below := e.base, "is new", "is now essential", e.after
	if e.is.Passed {
		other, missing, weaker, below = e.head, "was removed", "is no longer essential", e.before
	}
	c := other.criteria[r.Name]
	if c == nil || c.Weight != rubric.Essential {
		if c == nil {
			weaker = missing
		}
		return fmt.Sprintf("%s %s: %s %s the minimum %s", r.Name, weaker, shown(r.Score, r.Minimum), below,
			schema.Decimal(r.Minimum))
	}
	was, is := other.Rubric.Minimum(c), r.Minimum
	if e.is.Passed {
		was, is = is, was
	}
	return fmt.Sprintf("%s: %s %s the minimum %s and %s the new minimum %s",
		r.Name, shown(r.Score, was, is), e.before, schema.Decimal(was), e.after, schema.Decimal(is))
}

// explainOverall explains the overall score, which differs if criteria were added or removed, or count
// differently.
func (e *explanation) explainOverall() string {
	from, to := e.was.PassThreshold, e.is.PassThreshold
	was, is := shown(e.was.Overall, from, to), shown(e.is.Overall, from, to)
	switch {
	case to == 0:
		return fmt.Sprintf("the overall score: %s was below the pass threshold %s, which was removed",
			was, schema.Decimal(from))
	case from == 0:
		return fmt.Sprintf("the overall score: %s is below the pass threshold %s, which is new", is, schema.Decimal(to))
	case e.was.Overall == e.is.Overall:
		return fmt.Sprintf("the overall score: %s %s the pass threshold %s and %s the new threshold %s",
			was, e.before, schema.Decimal(from), e.after, schema.Decimal(to))
	}
	return fmt.Sprintf("the overall score: %s %s the pass threshold %s; the new score %s %s %s",
		was, e.before, schema.Decimal(from), is, e.after, schema.Decimal(to))
}

func (e *explanation) explainNegative(name string, item int) string {
	was, wasHit := e.base.hits[item][name]
	is, isHit := e.head.hits[item][name]
	switch {
	case e.is.Passed && isHit:
		return fmt.Sprintf("%s matches %s, which no longer fails the rubric", name, is)
	case e.is.Passed && e.head.negatives[name] == nil:
		return fmt.Sprintf("%s was removed; it matched %s", name, was)
	case e.is.Passed:
		return fmt.Sprintf("%s no longer matches %s", name, was)
	case wasHit:
		return fmt.Sprintf("%s matches %s, which now fails the rubric", name, is)
	}
	return fmt.Sprintf("%s matches %s", name, is)
}

// shown formats a score with two decimals, or more if these show on which side of the
// minimums it is: 3.4999 is not shown as 3.5.
func shown(score float64, minimums ...float64) string {
	for places := 2; places <= 9; places++ {
		read, _ := strconv.ParseFloat(strconv.FormatFloat(score, 'f', places, 64), 64) // it is a number
		misleads := func(minimum float64) bool { return reaches(read, minimum) != reaches(score, minimum) }
		if !slices.ContainsFunc(minimums, misleads) {
			return schema.Decimal(read)
		}
	}
	return schema.Decimal(score)
}
