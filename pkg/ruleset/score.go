package ruleset

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Tolerance is the tolerance of the comparison of a score: it reaches a threshold if
// score >= threshold - Tolerance, in IEEE double arithmetic. It absorbs the rounding of
// quotients, so that all languages agree.
const Tolerance = 1e-9

// Verdict is the verdict on one rule.
type Verdict string

const (
	// VerdictPass means that the artifact follows the rule.
	VerdictPass Verdict = "pass"
	// VerdictFail means that the artifact violates the rule.
	VerdictFail Verdict = "fail"
	// VerdictSkipped means that the rule could not be evaluated. It requires a
	// reason, and counts as active and not passed.
	VerdictSkipped Verdict = "skipped"
)

// Result is the verdict on one rule with its reason.
type Result struct {
	Verdict Verdict `json:"verdict"`
	// Reason explains the verdict. It is required for VerdictSkipped.
	Reason string `json:"reason,omitempty"`
}

// Score is the result of applying a rule set to an artifact, with its reasons.
type Score struct {
	Passed bool  `json:"passed"`
	Phase  Phase `json:"phase"`
	// Score is PassedWeight / ActiveWeight, from 0 to 1; 1 if ActiveWeight is 0.
	Score float64 `json:"score"`
	// PassedWeight is the weight of the active rules that pass, and ActiveWeight the
	// weight of all active rules, both without info rules.
	PassedWeight float64 `json:"passed_weight"`
	ActiveWeight float64 `json:"active_weight"`
	// Threshold is the pass threshold of the rule set.
	Threshold float64 `json:"threshold"`
	// Rules has one outcome for each active rule, in the rule set's order.
	Rules []Outcome `json:"rules"`
	// Blocking are the IDs of the rules with severity fail that do not pass, in the
	// rule set's order.
	Blocking []string `json:"blocking"`
	// Reasons say why the artifact does not pass: blocking rules first, then the
	// score. It is empty exactly if Passed is true.
	Reasons []Reason `json:"reasons"`
}

// Outcome is the outcome of one active rule.
type Outcome struct {
	ID       string   `json:"id"`
	Severity Severity `json:"severity"`
	// Weight is the rule's share of ActiveWeight, 0 for an info rule.
	Weight  float64 `json:"weight"`
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason,omitempty"`
}

// Reason is one reason why an artifact does not pass.
type Reason struct {
	Kind ReasonKind `json:"kind"`
	// Rule is the ID of a blocking rule and Explanation the reason of its verdict,
	// if any. Both are empty for ReasonScore.
	Rule        string `json:"rule,omitempty"`
	Explanation string `json:"explanation,omitempty"`
	// Score and Threshold are the actual and the required score for ReasonScore,
	// otherwise 0.
	Score     float64 `json:"score,omitempty"`
	Threshold float64 `json:"threshold,omitempty"`
}

// ReasonKind is the kind of a reason.
type ReasonKind string

const (
	// ReasonFailed means that a rule with severity fail failed.
	ReasonFailed ReasonKind = "rule_failed"
	// ReasonSkipped means that a rule with severity fail was skipped.
	ReasonSkipped ReasonKind = "rule_skipped"
	// ReasonScore means that the score is below the threshold.
	ReasonScore ReasonKind = "score_below_threshold"
)

// String returns the reason as a sentence without a period.
func (r Reason) String() string {
	var text string
	switch r.Kind {
	case ReasonFailed:
		text = fmt.Sprintf("the rule %s must pass but failed", r.Rule)
	case ReasonSkipped:
		text = fmt.Sprintf("the rule %s must pass but was skipped", r.Rule)
	case ReasonScore:
		text = fmt.Sprintf("the score must reach %[2]s, got %[1]s", below(r.Score, r.Threshold), decimal(r.Threshold))
	default:
		text = string(r.Kind)
	}
	if r.Explanation != "" {
		text += ": " + r.Explanation
	}
	return text
}

// Score evaluates the results of the rules that are active in a phase, by ID:
//
//	score  = sum(weights of the rules that pass) / sum(weights of all active rules)
//	passed = (score >= threshold) and (every rule with severity fail passes)
//
// Info rules are not in either sum, whatever their weight, but require a result like all
// active rules. If only info rules are active, the score is 1. The comparison allows
// Tolerance.
//
// The error is an *InputError that lists every missing, unknown, inactive, or invalid
// result, an unknown phase, and every problem that makes the rule set unusable.
func (s *RuleSet) Score(phase Phase, results map[string]Result) (Score, error) {
	if err := s.checkInput(phase, results); err != nil {
		return Score{}, err
	}
	score := Score{
		Phase:     phase,
		Threshold: s.Scoring.PassThreshold,
		Rules:     []Outcome{},
		Blocking:  []string{},
		Reasons:   []Reason{},
	}
	var passed, active []float64
	for _, rule := range s.Active(phase) {
		result, weight := results[rule.ID], rule.counted()
		score.Rules = append(score.Rules, Outcome{rule.ID, rule.Severity, weight, result.Verdict, result.Reason})
		active = append(active, weight)
		if result.Verdict == VerdictPass {
			passed = append(passed, weight)
		} else if rule.Severity == SeverityFail {
			score.Blocking = append(score.Blocking, rule.ID)
			kind := ReasonFailed
			if result.Verdict == VerdictSkipped {
				kind = ReasonSkipped
			}
			score.Reasons = append(score.Reasons, Reason{Kind: kind, Rule: rule.ID, Explanation: result.Reason})
		}
	}
	score.PassedWeight, score.ActiveWeight = sum(passed), sum(active)
	score.Score = 1
	if score.ActiveWeight > 0 {
		score.Score = score.PassedWeight / score.ActiveWeight
	}
	if !reaches(score.Score, score.Threshold) {
		score.Reasons = append(score.Reasons, Reason{Kind: ReasonScore, Score: score.Score, Threshold: score.Threshold})
	}
	score.Passed = len(score.Reasons) == 0
	return score, nil
}

// counted returns the weight of the rule in the score.
func (r *Rule) counted() float64 {
	if r.Severity == SeverityInfo {
		return 0
	}
	return r.Weight
}

// reaches reports whether a score reaches a threshold, within Tolerance.
func reaches(score, threshold float64) bool { return score >= threshold-Tolerance }

// sum adds the weights in ascending order, so that the order of the rules can't change
// the last bit.
func sum(weights []float64) float64 {
	slices.Sort(weights)
	total := 0.0
	for _, w := range weights {
		total += w
	}
	return total
}

// decimal formats a number without an exponent and trailing zeros.
func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// below formats a score below a threshold with two decimals, or with as many as needed to
// show that it is below: 0.7999 is not shown as 0.8.
func below(score, threshold float64) string {
	for places := 2; places <= 9; places++ {
		text := strconv.FormatFloat(score, 'f', places, 64)
		if shown, err := strconv.ParseFloat(text, 64); err == nil && shown < threshold {
			return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
		}
	}
	return decimal(score)
}
