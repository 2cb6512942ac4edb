package evaluate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// placeholder stands for the artifact in the arguments of a command.
const placeholder = "{artifact}"

// checkExecutable gives a result without meaning if ctx is cancelled.
func checkExecutable(ctx context.Context, c ruleset.Check, a *Artifact, o Options) CheckResult {
	if !o.AllowExec {
		return skipped("commands run only with --allow-exec")
	}
	if len(c.Command) == 0 || c.Command[0] == "" {
		return skipped("the check has no command")
	}
	program, err := find(c.Command[0], a.folder)
	if err != nil {
		return skipped("%q could not be started: %v", c.Command[0], err)
	}
	home, err := newTemporary()
	if err != nil {
		return skipped("%q could not be started: there is no temporary folder for it: %v", c.Command[0], plain(err))
	}
	defer home.remove()

	e := run(ctx, process{
		program:     program,
		args:        withArtifact(c.Command, a.name),
		folder:      a.folder,
		environment: environment(home.path),
		hidden:      home.names(),
		limit:       o.TimeLimit,
	})
	result := e.judge(c.Command[0], o)
	result.Output, result.Truncated = e.output, e.truncated
	return result
}

// judge makes a check's result of how its command ended. A command that crashed
// has not said that anything is wrong with the artifact, so it is skipped.
func (e ending) judge(name string, o Options) CheckResult {
	switch {
	case e.notStarted != nil:
		return skipped("%q could not be started: %v", name, e.notStarted)
	case e.outOfTime:
		return skipped("%q did not end within %v", name, o.TimeLimit)
	case e.exitCode == nil:
		return skipped("%q crashed: %s", name, e.how)
	}
	result := CheckResult{Verdict: ruleset.VerdictPass, ExitCode: e.exitCode}
	if *e.exitCode != 0 {
		result.Verdict = ruleset.VerdictFail
	}
	result.Reason = fmt.Sprintf("%q ended with exit code %d", name, *e.exitCode)
	return result
}

// find is the file of a program: a name is looked up in PATH, anything else is
// a path from the artifact's folder.
func find(program, folder string) (string, error) {
	if filepath.Base(program) != program {
		if filepath.IsAbs(program) {
			return program, nil
		}
		return filepath.Join(folder, program), nil
	}
	path, err := exec.LookPath(program)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", errors.New("there is no such program in PATH")
	case errors.Is(err, exec.ErrDot):
		return "", errors.New("PATH names it by a folder that is not absolute")
	case err != nil:
		return "", cause(err)
	}
	return path, nil
}

// cause is an error of the system without paths, which can be temporary ones.
func cause(err error) error {
	switch number := syscall.Errno(0); {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("there is no such program, or none that runs it")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("it may not be executed")
	case errors.As(err, &number):
		return number
	}
	return err
}

// withArtifact puts the artifact into the arguments. The ./ before its name keeps
// one that begins with - from being an option.
func withArtifact(command []string, name string) []string {
	args := slices.Clone(command)
	for i := range args[1:] {
		args[1+i] = strings.ReplaceAll(args[1+i], placeholder, "./"+name)
	}
	return args
}

// environment is all that a command gets to know: no tokens and no settings of
// whoever evaluates, so that the verdict is the same for everybody.
func environment(home string) []string {
	return append([]string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + home,
		"TMPDIR=" + home,
		"LANG=C.UTF-8",
		"LC_ALL=C.UTF-8",
		"TZ=UTC",
	}, systemEnvironment(home)...)
}
