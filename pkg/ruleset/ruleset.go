// Package ruleset holds the plain model of a rule set and computes, from the
// verdicts on its rules, the score of an artifact and whether it passes.
//
// It promises:
//
//   - encoding/json decodes the canonical JSON of a rule set into RuleSet and
//     loses nothing. Decoding is not checking: rubric-lint does that.
//   - Score is a pure function. The same rule set and results give the same
//     score on every machine, and implementations in other languages can give
//     it too, because the arithmetic and its tolerance are fixed.
//   - Nothing doubtful passes: a result that is missing, unknown or malformed
//     or an unusable rule set is an error that names all of it.
//
// Running the checks of a rule is not part of it.
package ruleset

import "strings"

// RuleSet is the rules that an artifact of one type is evaluated by. For a task
// type it is the base template.
type RuleSet struct {
	// ID is unique in the library, among rubrics too. If it ends in _vN, N is
	// the major version, and _v1 also stands for drafts (0.x.y).
	ID      string `json:"ruleset_id"`
	Name    string `json:"name"`
	Version string `json:"version"` // semantic version, such as "1.0.0"
	// ArtifactType is what the rule set applies to, such as "api_design".
	ArtifactType string  `json:"artifact_type"`
	Description  string  `json:"description,omitempty"`
	Scoring      Scoring `json:"scoring"`
	Rules        []Rule  `json:"rules"`
	// Language is the BCP 47 tag of the rule set's texts; empty means "en".
	Language string `json:"language,omitempty"`
	// Deprecated is nil unless the rule set should no longer be used.
	Deprecated *Deprecation      `json:"deprecated,omitempty"`
	Metadata   map[string]string `json:"metadata,omitempty"`
}

// Scoring says how high a score passes.
type Scoring struct {
	// PassThreshold is the lowest score that passes, 0 to 1.
	PassThreshold float64 `json:"pass_threshold"`
}

// Deprecation says why a rule set should no longer be used, and what to use
// instead.
type Deprecation struct {
	Reason     string `json:"reason"`
	ReplacedBy string `json:"replaced_by,omitempty"` // an ID, or empty
}

// Rule is one thing that an artifact is checked for. Canonical JSON has all of
// its fields but Checks, with the weight and phase that were derived.
type Rule struct {
	// ID has three segments, <phase>.<category>.<specific>, such as
	// "a.correctness.endpoints".
	ID          string   `json:"id"`
	Description string   `json:"description"`
	Severity    Severity `json:"severity"`
	// Weight is what the rule counts in the score: finite, above 0, and
	// without meaning for an info rule. StandardWeight is the usual one.
	Weight float64 `json:"weight"`
	Phase  Phase   `json:"phase"`
	// Check is the instruction for how to verify the rule, for people.
	Check string `json:"check"`
	// Checks are the same, made concrete; none until they are prepared. All of
	// them have to pass.
	Checks []Check `json:"checks,omitempty"`
}

// Severity is what a rule that does not pass means for the artifact.
type Severity string

const (
	// SeverityFail blocks: the artifact does not pass, whatever its score.
	SeverityFail Severity = "fail"
	// SeverityWarn reduces the score.
	SeverityWarn Severity = "warn"
	// SeverityInfo has no influence.
	SeverityInfo Severity = "info"
)

// StandardWeight is the weight of a rule that names none: 2 for fail, 1 for
// warn, and 0 for info and for severities that do not exist.
func StandardWeight(s Severity) float64 {
	switch s {
	case SeverityFail:
		return 2
	case SeverityWarn:
		return 1
	}
	return 0
}

// Phase is the stage at which a rule becomes active.
type Phase string

const (
	// PhaseA: rules of phase A are active.
	PhaseA Phase = "A"
	// PhaseB: rules of phases A and B are active.
	PhaseB Phase = "B"
)

// PhaseOf is the phase that the first segment of a rule ID names, a or b. It is
// false for any other ID.
func PhaseOf(ruleID string) (Phase, bool) {
	segment, _, _ := strings.Cut(ruleID, ".")
	switch segment {
	case "a":
		return PhaseA, true
	case "b":
		return PhaseB, true
	}
	return "", false
}

// Active are the rules that are active in a phase, in the rule set's order, info
// rules included. In a phase that does not exist there are none.
func (s *RuleSet) Active(phase Phase) []*Rule {
	var active []*Rule
	for i := range s.Rules {
		if s.Rules[i].activeIn(phase) {
			active = append(active, &s.Rules[i])
		}
	}
	return active
}

func (r *Rule) activeIn(phase Phase) bool {
	switch phase {
	case PhaseA:
		return r.Phase == PhaseA
	case PhaseB:
		return r.Phase == PhaseA || r.Phase == PhaseB
	}
	return false
}

// Check is one concrete check of a rule.
type Check struct {
	Type CheckType `json:"type"`
	// Pattern or Literal is what a content check searches in the artifact's text,
	// normalized by rubric.Normalize: one of them. Pattern is a regular expression
	// in Go's syntax. Literal is normalized as well. Matches do not overlap.
	Pattern string `json:"pattern,omitempty"`
	Literal string `json:"literal,omitempty"`
	// IgnoreCase lets ASCII letters match in either case.
	IgnoreCase bool `json:"ignore_case,omitempty"`
	// Multiline lets ^ and $ match at the ends of every line.
	Multiline bool `json:"multiline,omitempty"`
	// Expect says what passes; empty means ExpectPresent.
	Expect Expectation `json:"expect,omitempty"`
	// MinCount and MaxCount are the fewest and the most matches with which
	// ExpectPresent passes; nil means 1 and no limit. So a MinCount of 0 with a
	// MaxCount of 3 allows up to three matches, or none. ExpectAbsent has no use
	// for them.
	MinCount *int `json:"min_count,omitempty"`
	MaxCount *int `json:"max_count,omitempty"`
	// Command is what an executable check runs in the artifact's folder: a program
	// and its arguments, without a shell. In an argument, {artifact} stands for the
	// artifact's file as ./NAME. Exit code 0 passes, any other fails.
	Command []string `json:"command,omitempty"`
}

// CheckType tells what a check does.
type CheckType string

const (
	// CheckContent searches the artifact's text.
	CheckContent CheckType = "content"
	// CheckExecutable runs a command.
	CheckExecutable CheckType = "executable"
)

// Expectation says whether a content check passes with matches or without.
type Expectation string

const (
	// ExpectPresent: the check passes with at least MinCount and at most MaxCount
	// matches. It is the default, and canonical JSON leaves it out.
	ExpectPresent Expectation = "present"
	// ExpectAbsent: the check passes without a match.
	ExpectAbsent Expectation = "absent"
)
