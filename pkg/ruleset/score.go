package ruleset

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Tolerance is what the comparison of a score allows: it reaches a threshold if
// score >= threshold - Tolerance, in IEEE double arithmetic. It absorbs the
// rounding of quotients, so that 0.8 is 0.8 in every language.
const Tolerance = 1e-9

// Verdict is how one rule came out.
type Verdict string

const (
	// VerdictPass: the artifact keeps the rule.
	VerdictPass Verdict = "pass"
	// VerdictFail: the artifact breaks the rule.
	VerdictFail Verdict = "fail"
	// VerdictSkipped: the rule could not be evaluated. It needs a reason, and counts
	// as active and not passed.
	VerdictSkipped Verdict = "skipped"
)

// Result is the verdict on one rule, and what was seen.
type Result struct {
	Verdict Verdict `json:"verdict"`
	// Reason explains the verdict; VerdictSkipped needs one.
	Reason string `json:"reason,omitempty"`
}

// Score is how an artifact came out, and why.
type Score struct {
	Passed bool  `json:"passed"`
	Phase  Phase `json:"phase"`
	// Score is PassedWeight / ActiveWeight, from 0 to 1; 1 if ActiveWeight is 0.
	Score float64 `json:"score"`
	// PassedWeight and ActiveWeight are the weights of the active rules that
	// pass and of all of them, info rules left out.
	PassedWeight float64 `json:"passed_weight"`
	ActiveWeight float64 `json:"active_weight"`
	// Threshold is the rule set's.
	Threshold float64 `json:"threshold"`
	// Rules has one outcome per active rule, in the rule set's order.
	Rules []Outcome `json:"rules"`
	// Blocking are the IDs of the rules with severity fail that do not pass,
	// in the rule set's order.
	Blocking []string `json:"blocking"`
	// Reasons say why the artifact does not pass: blocking rules first, then
	// the score. It is empty exactly if Passed is true.
	Reasons []Reason `json:"reasons"`
}

// Outcome is how one active rule came out.
type Outcome struct {
	ID       string   `json:"id"`
	Severity Severity `json:"severity"`
	// Weight is what the rule counts in ActiveWeight: 0 for an info rule.
	Weight  float64 `json:"weight"`
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason,omitempty"`
}

// Reason is one thing that keeps an artifact from passing.
type Reason struct {
	Kind ReasonKind `json:"kind"`
	// Rule and Explanation are the ID of a blocking rule and the reason given
	// with its verdict, if any; empty for ReasonScore.
	Rule        string `json:"rule,omitempty"`
	Explanation string `json:"explanation,omitempty"`
	// Score and Threshold are those of the Score for ReasonScore, else 0.
	Score     float64 `json:"score,omitempty"`
	Threshold float64 `json:"threshold,omitempty"`
}

// ReasonKind tells the reasons apart.
type ReasonKind string

const (
	// ReasonFailed: a rule with severity fail failed.
	ReasonFailed ReasonKind = "rule_failed"
	// ReasonSkipped: a rule with severity fail was skipped.
	ReasonSkipped ReasonKind = "rule_skipped"
	// ReasonScore: the score is below the threshold.
	ReasonScore ReasonKind = "score_below_threshold"
)

// String says the reason in a plain sentence without a full stop.
func (r Reason) String() string {
	var text string
	switch r.Kind {
	case ReasonFailed:
		text = fmt.Sprintf("the rule %s failed and has to pass", r.Rule)
	case ReasonSkipped:
		text = fmt.Sprintf("the rule %s was skipped and has to pass", r.Rule)
	case ReasonScore:
		text = fmt.Sprintf("the score is %s and needs to be at least %s", below(r.Score, r.Threshold), decimal(r.Threshold))
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
// Info rules count in neither sum, whatever their weight, but need a result like
// every active rule. If only they are active, the score is 1. The comparison
// allows Tolerance.
//
// The error is an *InputError that names every missing, unknown, inactive or
// invalid result, an unknown phase, and what makes the rule set unusable.
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
			score.Reasons = append(score.Reasons, blockedBy(rule.ID, result))
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

// counted is the weight of the rule in the score.
func (r *Rule) counted() float64 {
	if r.Severity == SeverityInfo {
		return 0
	}
	return r.Weight
}

// blockedBy is the reason that a rule with severity fail gives if it does not
// pass.
func blockedBy(id string, result Result) Reason {
	kind := ReasonFailed
	if result.Verdict == VerdictSkipped {
		kind = ReasonSkipped
	}
	return Reason{Kind: kind, Rule: id, Explanation: result.Reason}
}

// reaches compares as Tolerance says.
func reaches(score, threshold float64) bool { return score >= threshold-Tolerance }

// sum sorts the weights and adds them in ascending order, so that the order of
// rules can't change the last bit.
func sum(weights []float64) float64 {
	slices.Sort(weights)
	total := 0.0
	for _, w := range weights {
		total += w
	}
	return total
}

// decimal writes a number as an author would.
func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// below writes a score that is below a threshold with two decimals, or with as
// many as show that it is below: 0.7999 is not shown as 0.8.
func below(score, threshold float64) string {
	for places := 2; places <= 9; places++ {
		text := strconv.FormatFloat(score, 'f', places, 64)
		if shown, err := strconv.ParseFloat(text, 64); err == nil && shown < threshold {
			return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
		}
	}
	return decimal(score)
}
