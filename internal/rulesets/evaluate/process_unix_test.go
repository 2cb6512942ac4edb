//go:build unix

package evaluate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

func init() {
	programs["crash"] = func([]string) error { return syscall.Kill(os.Getpid(), syscall.SIGKILL) }
	// desert ends at once and leaves a child in a session of its own, whose
	// number it keeps.
	programs["desert"] = func([]string) error {
		child, err := startLingering(&syscall.SysProcAttr{Setsid: true})
		if err != nil {
			return err
		}
		fmt.Println("done")
		return os.WriteFile("deserter", []byte(strconv.Itoa(child.Pid)), 0o600)
	}
}

// withPipe is an artifact with a pipe beside it, which ends when all programs
// that opened it are gone. Unlike a process number, that is never ambiguous.
func withPipe(t *testing.T) (*Artifact, *os.File) {
	t.Helper()
	a := artifact(t, "artifact.md", "")
	name := filepath.Join(a.folder, "pipe")
	must.Do(t, syscall.Mkfifo(name, 0o600))
	pipe := must.Get(os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0))(t)
	t.Cleanup(func() { pipe.Close() })
	return a, pipe
}

// rest is what programs wrote to the pipe until all of them were gone.
func rest(t *testing.T, pipe *os.File) string {
	t.Helper()
	return string(must.Get(io.ReadAll(pipe))(t))
}

func TestTimeLimitEndsTheFamily(t *testing.T) {
	a, pipe := withPipe(t)
	c := command(t, "family")
	got := mustCheck(t, c, a, Options{AllowExec: true, TimeLimit: time.Second})
	want := CheckResult{Check: c, Verdict: ruleset.VerdictSkipped, Reason: quotedSelf(t) + " did not finish within 1s"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// A slow machine can have started less than two of them.
	if wrote := rest(t, pipe); strings.Contains(wrote, "survived") {
		t.Errorf("the programs wrote %q", wrote)
	}
}

func TestInterruptEndsTheFamily(t *testing.T) {
	a, pipe := withPipe(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		for started := 0; started < 2; {
			line := make([]byte, 64)
			n, err := pipe.Read(line)
			if err == io.EOF {
				time.Sleep(time.Millisecond) // nobody opened it yet
				continue
			}
			started += bytes.Count(line[:n], []byte("started\n"))
			if err != nil {
				break
			}
		}
		cancel(errInterrupt)
	}()
	result, err := Check(ctx, command(t, "family"), a, allowed)
	if diff := cmp.Diff(CheckResult{}, result); diff != "" || !errors.Is(err, errInterrupt) {
		t.Errorf("error %v, result (-want +got):\n%s", err, diff)
	}
	if wrote := rest(t, pipe); wrote != "" {
		t.Errorf("after the interrupt the programs wrote %q", wrote)
	}
}

func TestChildrenLeftBehindAreEnded(t *testing.T) {
	a, pipe := withPipe(t)
	result := mustCheck(t, command(t, "leave"), a, allowed)
	if result.Verdict != ruleset.VerdictPass || result.Output != "done\n" {
		t.Errorf("got %+v", result)
	}
	if wrote := rest(t, pipe); wrote != "started\n" {
		t.Errorf("the child wrote %q", wrote)
	}
}

// A program that leaves the group can't be stopped, and Run must not wait for it.
func TestChildOutsideTheGroupIsNotWaitedFor(t *testing.T) {
	a, pipe := withPipe(t)
	result := mustCheck(t, command(t, "desert"), a, allowed)
	if result.Verdict != ruleset.VerdictPass || result.Output != "done\n" {
		t.Errorf("got %+v", result)
	}
	if err := syscall.Kill(deserter(t, a), syscall.SIGKILL); err != nil {
		t.Errorf("the deserter is gone: %v", err)
	}
	if wrote := rest(t, pipe); wrote != "started\n" {
		t.Errorf("the child wrote %q", wrote)
	}
}

func deserter(t *testing.T, a *Artifact) int {
	t.Helper()
	data := must.Get(os.ReadFile(filepath.Join(a.folder, "deserter")))(t)
	return must.Get(strconv.Atoi(string(data)))(t)
}

func TestCrashIsNoVerdict(t *testing.T) {
	c := command(t, "crash")
	got := mustCheck(t, c, artifact(t, "artifact.md", ""), allowed)
	want := CheckResult{Check: c, Verdict: ruleset.VerdictSkipped, Reason: quotedSelf(t) + " crashed: signal: killed"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestScriptBesideTheArtifact(t *testing.T) {
	for reason, tt := range map[string]struct {
		script string
		want   ruleset.Verdict
		why    string
	}{
		"it runs":             {"#!/bin/sh\ngrep -q x \"$1\"\n", ruleset.VerdictPass, `"./check" exited with code 0`},
		"nothing runs it":     {"#!/no/such/shell\n", ruleset.VerdictSkipped, `"./check" could not be started: the program or its interpreter does not exist`},
		"it is not a program": {"grep x\n", ruleset.VerdictSkipped, `"./check" could not be started: exec format error`},
		"it ends by a fault":  {"#!/bin/sh\nkill -SEGV $$\n", ruleset.VerdictSkipped, `"./check" crashed: signal: segmentation fault`},
	} {
		t.Run(reason, func(t *testing.T) {
			if _, err := os.Stat("/bin/sh"); err != nil {
				t.Skip("there is no /bin/sh")
			}
			a := artifact(t, "artifact.md", "x")
			must.Do(t, os.WriteFile(filepath.Join(a.folder, "check"), []byte(tt.script), 0o700))
			c := ruleset.Check{Type: ruleset.CheckExecutable, Command: []string{"./check", placeholder}}
			if got := mustCheck(t, c, a, allowed); got.Verdict != tt.want || got.Reason != tt.why {
				t.Errorf("%s: %s, want %s: %s", got.Verdict, got.Reason, tt.want, tt.why)
			}
		})
	}
}

// makePipe makes a named pipe, which blocks whoever opens it.
func makePipe(t *testing.T, name string) {
	t.Helper()
	must.Do(t, syscall.Mkfifo(name, 0o600))
}
