package rubric

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// InputError lists everything that prevents a rubric from being applied. Then there is no
// verdict, neither pass nor fail. Lists of names are sorted.
type InputError struct {
	RubricID string
	// Definition has a phrase for each problem that makes the rubric itself unusable.
	Definition []string
	// Missing are the criteria without a score.
	Missing []string
	// Unknown are the scored names that are not criteria.
	Unknown []string
	// Invalid are the scores that are not numbers from 1 to 5.
	Invalid []InvalidScore
	// UnknownHits are the hits that are not negative criteria.
	UnknownHits []string
}

// InvalidScore is a score that is not on the scale or not a finite number.
type InvalidScore struct {
	Name  string
	Score float64
}

// Error lists all problems with the expected values.
func (e *InputError) Error() string {
	parts := slices.Clone(e.Definition)
	if len(e.Missing) > 0 {
		parts = append(parts, "no score for "+quoted(e.Missing)+" (every criterion needs one)")
	}
	if len(e.Unknown) > 0 {
		parts = append(parts, "a score for "+quoted(e.Unknown)+" (the rubric has no such criterion)")
	}
	for _, s := range e.Invalid {
		parts = append(parts, fmt.Sprintf("score %v for %q (expected 1 to 5)", s.Score, s.Name))
	}
	if len(e.UnknownHits) > 0 {
		parts = append(parts, "a hit of "+quoted(e.UnknownHits)+" (the rubric has no such negative criterion)")
	}
	return fmt.Sprintf("rubric %q can't be applied: %s", e.RubricID, strings.Join(parts, "; "))
}

// orNil returns e, or nil if e lists no problems.
func (e *InputError) orNil() error {
	if len(e.Definition)+len(e.Missing)+len(e.Unknown)+len(e.Invalid)+len(e.UnknownHits) == 0 {
		return nil
	}
	return e
}

// checkInput returns an error for input that Verdict refuses.
func (r *Rubric) checkInput(scores map[string]float64, hits []string) error {
	e := &InputError{
		RubricID:   r.ID,
		Definition: append(r.criteriaProblems(), r.negativeProblems()...),
	}
	known := make(map[string]bool, len(r.Criteria))
	for _, c := range r.Criteria {
		if known[c.Name] {
			continue // reported with the definition
		}
		known[c.Name] = true
		if score, ok := scores[c.Name]; !ok {
			e.Missing = append(e.Missing, c.Name)
		} else if !onScale(score) {
			e.Invalid = append(e.Invalid, InvalidScore{c.Name, score})
		}
	}
	slices.Sort(e.Missing)
	slices.SortFunc(e.Invalid, func(a, b InvalidScore) int { return cmp.Compare(a.Name, b.Name) })
	for _, name := range slices.Sorted(maps.Keys(scores)) {
		if !known[name] {
			e.Unknown = append(e.Unknown, name)
		}
	}
	for _, name := range hits {
		if !slices.ContainsFunc(r.NegativeCriteria, func(n NegativeCriterion) bool { return n.Name == name }) {
			e.UnknownHits = append(e.UnknownHits, name)
		}
	}
	slices.Sort(e.UnknownHits)
	e.UnknownHits = slices.Compact(e.UnknownHits)
	return e.orNil()
}

// criteriaProblems returns the problems that make criteria and scoring unusable. It checks
// only what a verdict depends on: a usable rubric can still violate the schema.
func (r *Rubric) criteriaProblems() []string {
	var problems []string
	if len(r.Criteria) == 0 {
		problems = append(problems, "the rubric has no criteria")
	}
	names := make([]string, len(r.Criteria))
	for i, c := range r.Criteria {
		names[i] = c.Name
		if c.Weight != Essential && c.Weight != Important {
			problems = append(problems, fmt.Sprintf("criterion %q has weight %q, expected essential or important",
				c.Name, c.Weight))
		}
		if w := c.RelativeWeight; !(w >= 0 && w <= MaxRelativeWeight) { // as for NaN; 0 is the default
			problems = append(problems, fmt.Sprintf("criterion %q has relative weight %v, expected above 0 and at most %v",
				c.Name, w, MaxRelativeWeight))
		}
		if !onScale(c.Threshold) {
			problems = append(problems, fmt.Sprintf("criterion %q has threshold %v, expected 1 to 5", c.Name, c.Threshold))
		}
	}
	problems = append(problems, nameProblems("criterion", names)...)
	for _, s := range []struct {
		key   string
		value float64
	}{
		{"pass_threshold", r.Scoring.PassThreshold},
		{"essential_minimum", r.Scoring.EssentialMinimum},
	} {
		if s.value != 0 && !onScale(s.value) {
			problems = append(problems, fmt.Sprintf("%s is %v, expected 1 to 5 or none", s.key, s.value))
		}
	}
	return problems
}

// negativeProblems returns the problems of negative criteria, except for patterns.
func (r *Rubric) negativeProblems() []string {
	var problems []string
	names := make([]string, len(r.NegativeCriteria))
	for i, n := range r.NegativeCriteria {
		names[i] = n.Name
		if e := n.effect(); e != EffectFail && e != EffectReport {
			problems = append(problems, fmt.Sprintf("negative criterion %q has effect %q, expected fail or report", n.Name, e))
		}
	}
	return append(problems, nameProblems("negative criterion", names)...)
}

// nameProblems returns the problems of missing and repeated names of one kind.
func nameProblems(kind string, names []string) []string {
	var problems []string
	count := make(map[string]int, len(names))
	for i, name := range names {
		count[name]++
		switch {
		case name == "":
			problems = append(problems, fmt.Sprintf("%s %d has no name", kind, i+1))
		case count[name] == 2:
			problems = append(problems, fmt.Sprintf("the name of %s %q is used more than once", kind, name))
		}
	}
	return problems
}

// onScale reports whether a score is on the scale. It is exact, so that a judge's mistake
// such as a score slightly above 5 is never hidden, and false for NaN.
func onScale(score float64) bool { return score >= MinScore && score <= MaxScore }

// quoted lists untrusted names.
func quoted(names []string) string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = strconv.Quote(name)
	}
	return strings.Join(list, ", ")
}
