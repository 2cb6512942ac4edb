package ruleset

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// InputError lists everything that prevents a rule set from being applied. Then there is
// no score, neither pass nor fail. Lists of IDs are sorted.
type InputError struct {
	RuleSetID string
	// Phase is the requested phase. If it does not exist, UnknownPhase is true, and
	// Missing and Inactive are meaningless.
	Phase        Phase
	UnknownPhase bool
	// Definition has a phrase for each problem that makes the rule set itself
	// unusable.
	Definition []string
	// Missing are the active rules without a result.
	Missing []string
	// Unknown are the IDs with a result that are not rules.
	Unknown []string
	// Inactive are the rules with a result that are not active in the phase.
	Inactive []string
	// Invalid are the results with an unknown verdict, or skipped without a reason.
	Invalid []InvalidResult
}

// InvalidResult is a result that can't be used.
type InvalidResult struct {
	ID     string
	Result Result
}

// Error lists all problems with the expected values.
func (e *InputError) Error() string {
	parts := slices.Clone(e.Definition)
	if e.UnknownPhase {
		parts = append(parts, fmt.Sprintf("the phase %q does not exist (expected A or B)", e.Phase))
	}
	if len(e.Missing) > 0 {
		parts = append(parts, fmt.Sprintf("no result for %s (every rule active in phase %s needs one)",
			quoted(e.Missing), e.Phase))
	}
	if len(e.Unknown) > 0 {
		parts = append(parts, fmt.Sprintf("a result for %s (the rule set has no such rule)", quoted(e.Unknown)))
	}
	if len(e.Inactive) > 0 {
		parts = append(parts, fmt.Sprintf("a result for %s (not active in phase %s)", quoted(e.Inactive), e.Phase))
	}
	for _, r := range e.Invalid {
		if r.Result.Verdict == VerdictSkipped {
			parts = append(parts, fmt.Sprintf("%q is skipped without a reason", r.ID))
		} else {
			parts = append(parts, fmt.Sprintf("verdict %q for %q (expected pass, fail, or skipped)", r.Result.Verdict, r.ID))
		}
	}
	return fmt.Sprintf("rule set %q can't be applied: %s", e.RuleSetID, strings.Join(parts, "; "))
}

// checkInput returns an error for input that Score refuses.
func (s *RuleSet) checkInput(phase Phase, results map[string]Result) error {
	e := &InputError{
		RuleSetID:    s.ID,
		Phase:        phase,
		UnknownPhase: phase != PhaseA && phase != PhaseB,
		Definition:   s.problems(),
	}
	known := make(map[string]bool, len(s.Rules))
	for i := range s.Rules {
		r := &s.Rules[i]
		if known[r.ID] {
			continue // reported with the definition
		}
		known[r.ID] = true
		result, ok := results[r.ID]
		switch active := r.activeIn(phase); {
		case !ok && active:
			e.Missing = append(e.Missing, r.ID)
		case ok && !active && !e.UnknownPhase:
			e.Inactive = append(e.Inactive, r.ID)
		case ok && !result.valid():
			e.Invalid = append(e.Invalid, InvalidResult{r.ID, result})
		}
	}
	for _, id := range slices.Sorted(maps.Keys(results)) {
		if !known[id] {
			e.Unknown = append(e.Unknown, id)
		}
	}
	slices.Sort(e.Missing)
	slices.Sort(e.Inactive)
	slices.SortFunc(e.Invalid, func(a, b InvalidResult) int { return cmp.Compare(a.ID, b.ID) })
	if e.UnknownPhase || len(e.Definition)+len(e.Missing)+len(e.Unknown)+len(e.Inactive)+len(e.Invalid) > 0 {
		return e
	}
	return nil
}

// valid reports whether a result has a known verdict, with a reason if required.
func (r Result) valid() bool {
	switch r.Verdict {
	case VerdictPass, VerdictFail:
		return true
	case VerdictSkipped:
		return strings.TrimSpace(r.Reason) != ""
	}
	return false
}

// problems returns the problems that make the rule set unusable. It checks only what a
// score depends on: a usable rule set can still violate the schema.
func (s *RuleSet) problems() []string {
	var problems []string
	add := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	if len(s.Rules) == 0 {
		add("the rule set has no rules")
	}
	if t := s.Scoring.PassThreshold; !(t >= 0 && t <= 1) {
		add("pass_threshold is %v, expected 0 to 1", t)
	}
	count := make(map[string]int, len(s.Rules))
	weights := make([]float64, len(s.Rules))
	for i := range s.Rules {
		r := &s.Rules[i]
		weights[i] = r.counted()
		count[r.ID]++
		if r.ID == "" {
			add("rule %d has no ID", i+1)
		} else if count[r.ID] == 2 {
			add("the ID %q is used more than once", r.ID)
		}
		if !slices.Contains([]Severity{SeverityFail, SeverityWarn, SeverityInfo}, r.Severity) {
			add("rule %q has severity %q, expected fail, warn, or info", r.ID, r.Severity)
		}
		if r.Phase != PhaseA && r.Phase != PhaseB {
			add("rule %q has phase %q, expected A or B", r.ID, r.Phase)
		}
		// If all weights were 0, an artifact that breaks every rule would score 1.
		if math.IsNaN(r.Weight) || math.IsInf(r.Weight, 0) || r.Weight < 0 || r.Weight == 0 && r.Severity != SeverityInfo {
			add("rule %q has weight %v, expected a finite number above 0 (0 only for info)", r.ID, r.Weight)
		}
	}
	if len(problems) == 0 && math.IsInf(sum(weights), 0) {
		add("the sum of the weights is too large")
	}
	return problems
}

// quoted lists untrusted IDs.
func quoted(ids []string) string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = strconv.Quote(id)
	}
	return strings.Join(list, ", ")
}
