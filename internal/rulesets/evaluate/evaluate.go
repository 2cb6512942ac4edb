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
	Check ruleset.Check
	// Verdict is skipped if the check could not be run.
	Verdict ruleset.Verdict
	// Reason is one line: why the check failed or was skipped, or what it found if it
	// passed. It is never empty.
	Reason string
	// Count is the number of matches of a content check.
	Count int
	// Places are the first matches, at most 5, in the order of the text.
	Places []Place
	// ExitCode is the exit code of an executable check's command, nil if the command
	// did not exit by itself.
	ExitCode *int
	// Output is the first 16 KiB of the command's standard output and error, with
	// $TMPDIR for the temporary folder and U+FFFD for invalid UTF-8. It can contain
	// control characters.
	Output string
	// Truncated reports whether there are more matches than Places, or more output
	// than Output.
	Truncated bool
}

// Check runs a check, which must be valid by the table of checks, on an artifact. If ctx
// is canceled, it returns the cause as the error, and no verdict. For any other reason, a
// check that can't be run is skipped.
func Check(ctx context.Context, c ruleset.Check, a *Artifact, o Options) (CheckResult, error) {
	if ctx.Err() != nil {
		return CheckResult{}, context.Cause(ctx)
	}
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
