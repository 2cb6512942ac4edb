// Package ruleset is the data model of a rule set. It computes from the verdicts on its
// rules the score of an artifact and whether the artifact passes.
//
// It promises:
//
//   - encoding/json decodes the canonical JSON of a rule set into RuleSet without loss.
//     Decoding does not validate; rubric-lint does.
//   - Score is a pure function. The same rule set and results give the same score on every
//     machine and in implementations in other languages, because the arithmetic and its
//     tolerance are specified.
//   - Nothing passes in doubt: missing, unknown, or malformed results and an unusable rule
//     set are errors that list all problems.
//
// Running the checks of a rule is out of scope.
package ruleset

import "strings"

// RuleSet has the rules to evaluate artifacts of one type. It is the base template for
// tasks of that type.
type RuleSet struct {
	// ID is unique in the library, including rubrics. If it ends in _vN, N is the
	// major version; _v1 is also used for drafts (0.x.y).
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

// Scoring determines which scores pass.
type Scoring struct {
	// PassThreshold is the lowest score that passes, from 0 to 1.
	PassThreshold float64 `json:"pass_threshold"`
}

// Deprecation says why a rule set should no longer be used, and what to use
// instead.
type Deprecation struct {
	Reason     string `json:"reason"`
	ReplacedBy string `json:"replaced_by,omitempty"` // an ID, or empty
}

// Rule is one rule that an artifact is checked against. Canonical JSON always has all
// fields except Checks, including derived weights and phases.
type Rule struct {
	// ID has three segments, <phase>.<category>.<specific>, such as
	// "a.correctness.endpoints".
	ID          string   `json:"id"`
	Description string   `json:"description"`
	Severity    Severity `json:"severity"`
	// Weight is the weight of the rule in the score, finite and above 0. It is
	// meaningless for an info rule. StandardWeight is the default.
	Weight float64 `json:"weight"`
	Phase  Phase   `json:"phase"`
	// Check is an instruction for people on how to verify the rule.
	Check string `json:"check"`
	// Checks are concrete checks for programs, none until they are prepared. All of
	// them must pass.
	Checks []Check `json:"checks,omitempty"`
}

// Severity is the consequence of a rule that does not pass.
type Severity string

const (
	// SeverityFail means that the artifact does not pass, whatever its score.
	SeverityFail Severity = "fail"
	// SeverityWarn means that the score is lower.
	SeverityWarn Severity = "warn"
	// SeverityInfo means no effect.
	SeverityInfo Severity = "info"
)

// StandardWeight returns the default weight of a rule: 2 for fail, 1 for warn, and 0 for
// info and for unknown severities.
func StandardWeight(s Severity) float64 {
	return map[Severity]float64{SeverityFail: 2, SeverityWarn: 1}[s]
}

// Phase is the stage at which a rule becomes active.
type Phase string

const (
	// PhaseA is the first phase, in which only the rules of phase A are active.
	PhaseA Phase = "A"
	// PhaseB is the second phase, in which the rules of phases A and B are active.
	PhaseB Phase = "B"
)

// PhaseOf returns the phase of a rule ID, from its first segment, a or b. ok is false for
// any other ID.
func PhaseOf(ruleID string) (Phase, bool) {
	segment, _, _ := strings.Cut(ruleID, ".")
	phase, ok := map[string]Phase{"a": PhaseA, "b": PhaseB}[segment]
	return phase, ok
}

// Active returns the rules that are active in a phase, including info rules, in the rule
// set's order. It returns none for an unknown phase.
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
	// A content check has either Pattern, a regular expression in Go's syntax, or
	// Literal. It searches the artifact's text normalized by rubric.Normalize.
	// Literal is normalized as well. Matches do not overlap.
	Pattern string `json:"pattern,omitempty"`
	Literal string `json:"literal,omitempty"`
	// Files are glob patterns of the files that a content check searches in a folder or
	// in differences: * and ? match in a name, ** also across folders. Empty means all.
	// A file is its own only file. If no file matches, the check finds nothing in
	// differences, and it can't be run otherwise.
	Files []string `json:"files,omitempty"`
	// IgnoreCase makes ASCII letters match in either case.
	IgnoreCase bool `json:"ignore_case,omitempty"`
	// Multiline makes ^ and $ match at the start and end of every line.
	Multiline bool `json:"multiline,omitempty"`
	// Expect is the expectation; empty means ExpectPresent.
	Expect Expectation `json:"expect,omitempty"`
	// MinCount and MaxCount are the minimum and maximum number of matches with which
	// ExpectPresent passes; nil means 1 and no limit. For example, MinCount 0 with
	// MaxCount 3 allows zero to three matches. ExpectAbsent ignores them.
	MinCount *int `json:"min_count,omitempty"`
	MaxCount *int `json:"max_count,omitempty"`
	// Command is the program and the arguments of an executable check. It runs in the
	// artifact's folder without a shell, or in a copy of an artifact that is a folder or
	// a Git diff. In arguments, {artifact} is replaced with the artifact's file as
	// ./NAME. Exit code 0 passes, any other fails.
	Command []string `json:"command,omitempty"`
}

// CheckType is the type of a check.
type CheckType string

const (
	// CheckContent searches the artifact's text.
	CheckContent CheckType = "content"
	// CheckExecutable runs a command.
	CheckExecutable CheckType = "executable"
)

// Expectation determines whether a content check passes with or without matches.
type Expectation string

const (
	// ExpectPresent means that the check passes with MinCount to MaxCount matches.
	// It is the default, which canonical JSON omits.
	ExpectPresent Expectation = "present"
	// ExpectAbsent means that the check passes without matches.
	ExpectAbsent Expectation = "absent"
)
