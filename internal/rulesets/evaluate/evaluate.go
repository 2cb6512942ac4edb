// Package evaluate runs the checks of rules on an artifact and says what the
// verdict on each rule is, with the evidence.
//
// It promises:
//
//   - Nothing doubtful passes. A check that can't be run has no verdict: it is
//     skipped with a reason. A rule passes only if all that is known about it
//     passes, and something is.
//   - A command runs only if Options say so, without a shell, in an environment
//     of its own, and ends with all that it started in its process group. A
//     program that leaves the group on purpose is not followed.
//   - Whatever a check, an artifact or a command holds or prints, memory is
//     bounded and the results are valid UTF-8. They hold no times and no names
//     of temporary folders, so that a second evaluation gives the same ones.
//   - The instruction in a rule's check field is never run. It is for people.
package evaluate

import (
	"context"
	"fmt"
	"time"

	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// Options say how checks are run.
type Options struct {
	// AllowExec lets executable checks run their commands. Otherwise they are
	// skipped.
	AllowExec bool
	// TimeLimit is how long each command or search may take; 0 means without
	// limit. A search is ended between two matches.
	TimeLimit time.Duration
}

// CheckResult is how one check came out.
type CheckResult struct {
	Check ruleset.Check
	// Verdict is skipped if the check could not be run.
	Verdict ruleset.Verdict
	// Reason is one line: why the check failed or was skipped, or what was seen
	// where it passed. It is never empty.
	Reason string
	// Count is how many matches a content check found.
	Count int
	// Places are the first matches, at most 5, in the order of the text.
	Places []Place
	// ExitCode is that of an executable check's command; nil if the command did
	// not end by itself.
	ExitCode *int
	// Output is the first 16 KiB of what the command wrote to its standard
	// output and error, in which $TMPDIR stands for the temporary folder and
	// U+FFFD for what is no UTF-8. It can hold control characters.
	Output string
	// Truncated says that there are more matches than Places, or that the
	// command wrote more than Output.
	Truncated bool
}

// Check runs one check, which the table of checks lets through, on an artifact. The
// error is the cause of ctx being cancelled, and then there is no verdict; whatever
// else keeps the check from running makes it skipped.
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
