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
	text string // what it hits
	line int    // from 1
}

func (p place) String() string { return fmt.Sprintf("%s in line %d", schema.Quote(p.text), p.line) }

// places are the first place of each negative criterion that hits an item.
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

// names are the negative criteria that are hit.
func names(hit map[string]place) []string { return slices.Sorted(maps.Keys(hit)) }

// explanation is a verdict that flips.
type explanation struct {
	*comparison
	was, is *rubric.Verdict
	hits    *hits
}

// reasons are those of the verdict that fails: what fails now, or what failed.
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

// criterion says what a side has of a criterion that the other fails by.
func (e *explanation) criterion(r rubric.Reason) string {
	before, after := find(e.base, r.Name), find(e.head, r.Name)
	short := fmt.Sprintf("%s was not enough for %s", shown(r.Score, r.Minimum), decimal(r.Minimum))
	switch {
	case e.is.Passed && after == nil:
		return fmt.Sprintf("%s is gone: %s", r.Name, short)
	case e.is.Passed && after.Weight != rubric.Essential:
		return fmt.Sprintf("%s is no longer essential: %s", r.Name, short)
	case e.is.Passed:
		minimum := e.head.Minimum(after)
		return fmt.Sprintf("%s: %s was not enough for %s and is for %s", r.Name, shown(r.Score, r.Minimum, minimum), decimal(r.Minimum), decimal(minimum))
	case before == nil:
		return fmt.Sprintf("%s is new: %s is not enough for %s", r.Name, shown(r.Score, r.Minimum), decimal(r.Minimum))
	case before.Weight != rubric.Essential:
		return fmt.Sprintf("%s is essential now: %s is not enough for %s", r.Name, shown(r.Score, r.Minimum), decimal(r.Minimum))
	}
	minimum := e.base.Minimum(before)
	return fmt.Sprintf("%s: %s was enough for %s and is not for %s", r.Name, shown(r.Score, r.Minimum, minimum), decimal(minimum), decimal(r.Minimum))
}

// overall says the same of the overall score, which is another one where criteria
// were added or removed.
func (e *explanation) overall() string {
	was, is := e.was, e.is
	before, after := shown(was.Overall, was.PassThreshold, is.PassThreshold), shown(is.Overall, was.PassThreshold, is.PassThreshold)
	switch {
	case is.Passed && is.PassThreshold == 0:
		return fmt.Sprintf("the overall score: %s was not enough for %s, and none is asked for now", before, decimal(was.PassThreshold))
	case is.Passed && was.Overall == is.Overall:
		return fmt.Sprintf("the overall score: %s was not enough for %s and is for %s", before, decimal(was.PassThreshold), decimal(is.PassThreshold))
	case is.Passed:
		return fmt.Sprintf("the overall score: %s was not enough for %s, and %s is for %s", before, decimal(was.PassThreshold), after, decimal(is.PassThreshold))
	case was.PassThreshold == 0:
		return fmt.Sprintf("the overall score: %s is not enough for %s, and none was asked for before", after, decimal(is.PassThreshold))
	case was.Overall == is.Overall:
		return fmt.Sprintf("the overall score: %s was enough for %s and is not for %s", before, decimal(was.PassThreshold), decimal(is.PassThreshold))
	}
	return fmt.Sprintf("the overall score: %s was enough for %s, and %s is not for %s", before, decimal(was.PassThreshold), after, decimal(is.PassThreshold))
}

// negative says the same of a negative criterion.
func (e *explanation) negative(name string) string {
	was, wasHit := e.hits.base[name]
	is, isHit := e.hits.head[name]
	switch {
	case e.is.Passed && isHit:
		return fmt.Sprintf("hits %s with %s, which is now only reported", name, is)
	case e.is.Passed && findNegative(e.head, name) == nil:
		return fmt.Sprintf("%s is gone, which it hit with %s", name, was)
	case e.is.Passed:
		return fmt.Sprintf("no longer hits %s with %s", name, was)
	case wasHit:
		return fmt.Sprintf("hits %s with %s, which before was only reported", name, is)
	}
	return fmt.Sprintf("hits %s with %s", name, is)
}

// decimal writes a minimum as people do: 3.0, 3.25.
func decimal(x float64) string {
	text := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// shown writes a score with as many decimals, at least one, as show on which side
// of the minimums it is: 3.4999 is not shown as 3.5.
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
