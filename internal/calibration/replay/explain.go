package replay

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// place is where a pattern hits a text.
type place struct {
	text string
	line int // from 1
}

func (p place) String() string { return fmt.Sprintf("%s in line %d", schema.Quote(p.text), p.line) }

// places returns the first hit in an item of each negative criterion.
func places(m *rubric.Matcher, item *calibration.Item) (map[string]place, error) {
	found, err := m.Hits(item.Artifact)
	if err != nil {
		return nil, fmt.Errorf("item %s: %w", item.ID, err)
	}
	first := map[string]rubric.Hit{}
	for _, h := range found {
		if other, ok := first[h.Name]; !ok || h.Start < other.Start {
			first[h.Name] = h
		}
	}
	if len(first) == 0 {
		return nil, nil
	}
	text := []rune(rubric.Normalize(item.Artifact))
	out := map[string]place{}
	for name, h := range first {
		line := 1 + strings.Count(string(text[:h.Start]), "\n")
		out[name] = place{string(text[h.Start:h.End]), line}
	}
	return out, nil
}

// names returns the negative criteria with a hit, sorted.
func names(hit map[string]place) []string { return slices.Sorted(maps.Keys(hit)) }

// explanation explains a verdict that flips.
type explanation struct {
	*comparison
	was, is *rubric.Verdict
	hits    *hits
}

// reasons returns the reasons of the failing verdict: why the item fails now, or why it
// failed before.
func (e *explanation) reasons() []Reason {
	failed := e.is
	if e.is.Passed {
		failed = e.was
	}
	var out []Reason
	for _, r := range failed.Reasons {
		switch r.Kind {
		case rubric.ReasonCriterion:
			out = append(out, Reason{Criterion, r.Name, e.criterion(r)})
		case rubric.ReasonOverall:
			out = append(out, Reason{Overall, "", e.overall()})
		case rubric.ReasonHit:
			out = append(out, Reason{NegativeCriterion, r.Name, e.negative(r.Name)})
		}
	}
	return out
}

// criterion explains a criterion that fails on one side.
func (e *explanation) criterion(r rubric.Reason) string {
	before, after := find(e.base, r.Name), find(e.head, r.Name)
	short := fmt.Sprintf("%s was below the minimum %s", shown(r.Score, r.Minimum), decimal(r.Minimum))
	switch {
	case e.is.Passed && after == nil:
		return fmt.Sprintf("%s was removed: %s", r.Name, short)
	case e.is.Passed && after.Weight != rubric.Essential:
		return fmt.Sprintf("%s is no longer essential: %s", r.Name, short)
	case e.is.Passed:
		minimum := e.head.Minimum(after)
		return fmt.Sprintf("%s: %s was below the minimum %s and reaches the new minimum %s", r.Name, shown(r.Score, r.Minimum, minimum), decimal(r.Minimum), decimal(minimum))
	case before == nil:
		return fmt.Sprintf("%s is new: %s is below the minimum %s", r.Name, shown(r.Score, r.Minimum), decimal(r.Minimum))
	case before.Weight != rubric.Essential:
		return fmt.Sprintf("%s is now essential: %s is below the minimum %s", r.Name, shown(r.Score, r.Minimum), decimal(r.Minimum))
	}
	minimum := e.base.Minimum(before)
	return fmt.Sprintf("%s: %s reached the minimum %s and is below the new minimum %s", r.Name, shown(r.Score, r.Minimum, minimum), decimal(minimum), decimal(r.Minimum))
}

// overall explains the overall score, which differs if criteria were added or removed.
func (e *explanation) overall() string {
	was, is := e.was, e.is
	before, after := shown(was.Overall, was.PassThreshold, is.PassThreshold), shown(is.Overall, was.PassThreshold, is.PassThreshold)
	switch {
	case is.Passed && is.PassThreshold == 0:
		return fmt.Sprintf("the overall score: %s was below the pass threshold %s, which was removed", before, decimal(was.PassThreshold))
	case is.Passed && was.Overall == is.Overall:
		return fmt.Sprintf("the overall score: %s was below the pass threshold %s and reaches the new threshold %s", before, decimal(was.PassThreshold), decimal(is.PassThreshold))
	case is.Passed:
		return fmt.Sprintf("the overall score: %s was below the pass threshold %s; the new score %s reaches %s", before, decimal(was.PassThreshold), after, decimal(is.PassThreshold))
	case was.PassThreshold == 0:
		return fmt.Sprintf("the overall score: %s is below the pass threshold %s, which is new", after, decimal(is.PassThreshold))
	case was.Overall == is.Overall:
		return fmt.Sprintf("the overall score: %s reached the pass threshold %s and is below the new threshold %s", before, decimal(was.PassThreshold), decimal(is.PassThreshold))
	}
	return fmt.Sprintf("the overall score: %s reached the pass threshold %s; the new score %s is below %s", before, decimal(was.PassThreshold), after, decimal(is.PassThreshold))
}

// negative explains a negative criterion.
func (e *explanation) negative(name string) string {
	was, wasHit := e.hits.base[name]
	is, isHit := e.hits.head[name]
	switch {
	case e.is.Passed && isHit:
		return fmt.Sprintf("%s matches %s, which no longer fails the rubric", name, is)
	case e.is.Passed && findNegative(e.head, name) == nil:
		return fmt.Sprintf("%s was removed; it matched %s", name, was)
	case e.is.Passed:
		return fmt.Sprintf("%s no longer matches %s", name, was)
	case wasHit:
		return fmt.Sprintf("%s matches %s, which now fails the rubric", name, is)
	}
	return fmt.Sprintf("%s matches %s", name, is)
}

// decimal formats a minimum with at least one decimal: 3.0, 3.25.
func decimal(x float64) string {
	text := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// shown formats a score with enough decimals, at least one, to show on which side of the
// minimums it is: 3.4999 is not shown as 3.5.
func shown(score float64, minimums ...float64) string {
	for places := 1; places <= 9; places++ {
		text := strconv.FormatFloat(score, 'f', places, 64)
		read, err := strconv.ParseFloat(text, 64)
		right := err == nil
		for _, minimum := range minimums {
			right = right && reaches(read, minimum) == reaches(score, minimum)
		}
		if right && (places >= 2 || read == score) {
			return decimal(read)
		}
	}
	return decimal(score)
}
