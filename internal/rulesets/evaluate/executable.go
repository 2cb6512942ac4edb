package evaluate

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/process"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// placeholder is replaced with the artifact's path in the arguments of a command.
const placeholder = "{artifact}"

// checkExecutable runs an executable check. The result is meaningless if ctx is canceled.
func checkExecutable(ctx context.Context, c ruleset.Check, a *Artifact, o Options) CheckResult {
	if !o.AllowExec {
		return skipped("commands only run with --allow-exec")
	}
	if len(c.Command) == 0 || c.Command[0] == "" {
		return skipped("the check has no command")
	}
	program, err := process.Find(c.Command[0], a.folder)
	if err != nil {
		return skipped("%q could not be started: %v", c.Command[0], err)
	}
	home, err := newTemporary()
	if err != nil {
		return skipped("%q could not be started: can't create a temporary folder: %v", c.Command[0], safefile.Reason(err))
	}
	defer home.remove()

	out := newOutput(home.names())
	e := process.Run(ctx, process.Command{
		Program:     program,
		Args:        withArtifact(c.Command, a.name),
		Folder:      a.folder,
		Environment: environment(home.path),
		Output:      out,
		Limit:       o.TimeLimit,
	})
	result := resultOf(e, c.Command[0], o)
	result.Output, result.Truncated = out.text()
	return result
}

// resultOf returns the result of a check for the ending of its command. A check whose
// command crashed is skipped, because a crash says nothing about the artifact.
func resultOf(e process.Ending, name string, o Options) CheckResult {
	switch {
	case e.NotStarted != nil:
		return skipped("%q could not be started: %v", name, e.NotStarted)
	case e.OutOfTime:
		return skipped("%q did not finish within %v", name, o.TimeLimit)
	case e.ExitCode == nil:
		return skipped("%q crashed: %s", name, e.How)
	}
	result := CheckResult{Verdict: ruleset.VerdictPass, ExitCode: e.ExitCode}
	if *e.ExitCode != 0 {
		result.Verdict = ruleset.VerdictFail
	}
	result.Reason = fmt.Sprintf("%q exited with code %d", name, *e.ExitCode)
	return result
}

// withArtifact inserts the artifact into the arguments. The prefix ./ keeps a name that
// starts with - from being an option.
func withArtifact(command []string, name string) []string {
	args := slices.Clone(command)
	for i := range args[1:] {
		args[1+i] = strings.ReplaceAll(args[1+i], placeholder, "./"+name)
	}
	return args
}

// environment returns the complete environment of a command. It has none of the user's
// tokens and settings, so that the verdict does not depend on the user.
func environment(home string) []string {
	env := []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + home,
		"TMPDIR=" + home,
		"LANG=C.UTF-8",
		"LC_ALL=C.UTF-8",
		"TZ=UTC",
	}
	if runtime.GOOS == "windows" { // os/exec adds SYSTEMROOT
		env = append(env, "PATHEXT="+os.Getenv("PATHEXT"), "TEMP="+home, "TMP="+home, "USERPROFILE="+home)
	}
	return env
}
