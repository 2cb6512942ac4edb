// Package evaluate runs the checks of rules on an artifact and returns the verdict on
// each rule with its evidence.
//
// It promises:
//
//   - Nothing passes in doubt. A check that can't be run is skipped with a reason. A
//     rule passes only if it has at least one check or external verdict and all pass.
//   - A command runs only if Options allow it, without a shell and in a clean
//     environment. When it ends, all programs in its process group are stopped.
//     Programs that leave the group on purpose are not tracked.
//   - For any check, artifact, or output of a command, memory is bounded and the results
//     are valid UTF-8. Results contain no times and no names of temporary folders, so
//     that another evaluation gives the same results.
//   - The instruction in a rule's check field is for people and is never executed.
package evaluate

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// Options are the settings for running checks.
type Options struct {
	// AllowExec allows executable checks to run their commands. Otherwise, they are
	// skipped.
	AllowExec bool
	// TimeLimit is how long each command or search may take; 0 means no limit. A
	// search is stopped between two matches.
	TimeLimit time.Duration
}

// CheckResult is the result of one check.
type CheckResult struct {
	ruleset.Check
	// Verdict is skipped if the check could not be run.
	Verdict ruleset.Verdict `json:"verdict"`
	// Reason is one line: why the check failed or was skipped, or what it found if it
	// passed. It is never empty.
	Reason string `json:"reason"`
	// Count is the number of matches of a content check, if it could be run.
	Count *int `json:"count,omitempty"`
	// Places are the first matches, at most 5, in the order of the text.
	Places []Place `json:"places,omitempty"`
	// ExitCode is the exit code of an executable check's command, if the command exited by
	// itself.
	ExitCode *int `json:"exit_code,omitempty"`
	// Output is the first 16 KiB of the command's standard output and error, with
	// $TMPDIR for the temporary folder and U+FFFD for invalid UTF-8. It can contain
	// control characters.
	Output string `json:"output,omitempty"`
	// Truncated reports whether there are more matches than Places, or more output
	// than Output.
	Truncated bool `json:"truncated,omitempty"`
}

// Check runs a check, which must be valid by the table of checks, on an artifact. If ctx
// is canceled, it returns the cause as the error, and no verdict. For any other reason, a
// check that can't be run is skipped.
func Check(ctx context.Context, c ruleset.Check, a *Artifact, o Options) (CheckResult, error) {
	run := checkContent
	if c.Type == ruleset.CheckExecutable {
		run = checkExecutable
	}
	result := run(ctx, c, a, o)
	if ctx.Err() != nil {
		return CheckResult{}, context.Cause(ctx)
	}
	result.Check = c
	return result, nil
}

func skipped(format string, args ...any) CheckResult {
	return CheckResult{Verdict: ruleset.VerdictSkipped, Reason: fmt.Sprintf(format, args...)}
}

// Source is the origin of a rule's verdict.
type Source string

const (
	// SourceChecks means that the checks decided.
	SourceChecks Source = "checks"
	// SourceOutside means that the external verdict decided, because checks could
	// not be run, there are none, or they passed and it did not.
	SourceOutside Source = "outside"
	// SourceBoth means that the checks and the external verdict agree.
	SourceBoth Source = "both"
	// SourceNone means that no check could be run and there is no external verdict,
	// so the rule is skipped.
	SourceNone Source = "none"
)

// RuleResult is the verdict on a rule with its evidence. The reason is one line, never
// empty.
type RuleResult struct {
	ID string `json:"rule"`
	// Severity and Weight are those of the rule's outcome, once there is a score.
	Severity ruleset.Severity `json:"severity"`
	Weight   float64          `json:"weight"`
	ruleset.Result
	Source Source        `json:"source"`
	Checks []CheckResult `json:"checks"`
}

// Rules evaluates the rules that are active in a phase, in the order of the rule set.
// checks are the prepared checks and outside the external verdicts of people or judges,
// both by rule ID and as read by package runfile. Entries for inactive rules are ignored.
//
// Rules returns an error if ctx is canceled, which is its cause, or if content checks
// can't search the artifact because it is not UTF-8. Otherwise, the results are valid for
// ruleset.RuleSet.Score.
func Rules(
	ctx context.Context, s *ruleset.RuleSet, phase ruleset.Phase, checks map[string][]ruleset.Check,
	outside map[string]ruleset.Result, a *Artifact, o Options,
) ([]RuleResult, error) {
	var results []RuleResult
	for _, rule := range s.Active(phase) {
		r := RuleResult{ID: rule.ID}
		for _, c := range checks[rule.ID] {
			if f := a.unreadableFile(a.selectFiles(&c)); f != "" && c.Type != ruleset.CheckExecutable {
				return nil, fmt.Errorf("artifact %q is not UTF-8 text, so the check of %s can't search it. Save it as UTF-8", f, rule.ID)
			}
			result, err := Check(ctx, c, a, o)
			if err != nil {
				return nil, err
			}
			r.Checks = append(r.Checks, result)
		}
		given, ok := outside[rule.ID]
		r.Result, r.Source = decide(r.Checks, given, ok)
		results = append(results, r)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return results, nil
}

// decide combines the results of a rule's checks and its external verdict. A rule passes
// only if at least one of them exists and all pass. An external verdict replaces checks
// that could not be run, but not checks that failed.
func decide(checks []CheckResult, outside ruleset.Result, given bool) (ruleset.Result, Source) {
	run := decideChecks(checks)
	said := ruleset.Result{Verdict: outside.Verdict, Reason: "external verdict: " + told(outside)}
	switch {
	case run.Verdict == ruleset.VerdictFail && given && outside.Verdict == ruleset.VerdictFail:
		return joined(run, said), SourceBoth
	case run.Verdict == ruleset.VerdictFail:
		return run, SourceChecks
	case run.Verdict == ruleset.VerdictPass && !given:
		return run, SourceChecks
	case run.Verdict == ruleset.VerdictPass && outside.Verdict == ruleset.VerdictPass:
		return joined(run, said), SourceBoth
	case given:
		return said, SourceOutside
	}
	run.Reason += ", and there is no external verdict"
	return run, SourceNone
}

// decideChecks returns the verdict of the checks alone.
func decideChecks(checks []CheckResult) ruleset.Result {
	if len(checks) == 0 {
		return ruleset.Result{Verdict: ruleset.VerdictSkipped, Reason: "no checks are prepared"}
	}
	for _, verdict := range []ruleset.Verdict{ruleset.VerdictFail, ruleset.VerdictSkipped} {
		if reason := withVerdict(checks, verdict); reason != "" {
			return ruleset.Result{Verdict: verdict, Reason: reason}
		}
	}
	return ruleset.Result{Verdict: ruleset.VerdictPass, Reason: withVerdict(checks, ruleset.VerdictPass)}
}

var verbs = map[ruleset.Verdict]string{
	ruleset.VerdictPass:    "passed",
	ruleset.VerdictFail:    "failed",
	ruleset.VerdictSkipped: "skipped",
}

// withVerdict describes the checks with a verdict and the reason of the first one, or
// returns "" if there are none.
func withVerdict(checks []CheckResult, verdict ruleset.Verdict) string {
	count, reason := 0, ""
	for i, c := range checks {
		if c.Verdict != verdict {
			continue
		}
		if count++; count == 1 {
			reason = fmt.Sprintf("check %d: %s", i+1, c.Reason)
		}
	}
	if count == 0 {
		return ""
	}
	verb := verbs[verdict]
	if verdict == ruleset.VerdictSkipped {
		verb = "could not be run"
	}
	if len(checks) == 1 {
		return fmt.Sprintf("the check %s: %s", verb, checks[0].Reason)
	}
	return fmt.Sprintf("%d of %d checks %s (%s)", count, len(checks), verb, reason)
}

// told returns the reason of an external verdict in one line.
func told(r ruleset.Result) string {
	reason := strings.Join(strings.Fields(strings.ToValidUTF8(r.Reason, "\uFFFD")), " ")
	if reason == "" {
		return verbs[r.Verdict] + " without a reason"
	}
	return verbs[r.Verdict] + ": " + reason
}

func joined(a, b ruleset.Result) ruleset.Result {
	a.Reason += "; " + b.Reason
	return a
}
