//go:build unix

package cli

import (
	"bytes"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// interruptUntil sends a signal to this process until done is closed: the first ones
// can arrive before the process listens.
func interruptUntil(t *testing.T, sig syscall.Signal, done <-chan struct{}) {
	t.Helper()
	// A signal that arrives too early, or after the last wait, would end the test, so
	// the process listens until its end.
	signal.Notify(make(chan os.Signal, 1), sig)
	for {
		select {
		case <-done:
			return
		case <-time.After(time.Millisecond):
			if err := syscall.Kill(os.Getpid(), sig); err != nil {
				t.Error(err)
				return
			}
		}
	}
}

func TestInterruptEndsAnEvaluation(t *testing.T) {
	dir := t.TempDir()
	name := func(base, content string) string {
		path := filepath.Join(dir, base)
		must.Do(t, os.WriteFile(path, []byte(content), 0o600))
		return path
	}
	artifact := name("artifact.md", "Hello")
	run := name("run.json", `{"schema_version": 1, "criteria": {"pass_threshold": 0.5, "rules": [
		{"id": "a.x.y", "description": "d", "severity": "fail", "weight": 2, "phase": "A", "check": "c"}
	]}, "prepared": {"phase": "A", "outside": [], "rules": [{"rule": "a.x.y", "checks": [{"type": "executable", "command": ["sleep", "600"]}]}]}}`)
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		var said bytes.Buffer
		code, done := 0, make(chan struct{})
		go func() {
			defer close(done)
			code = command.Main(Rubric, []string{"rules", "evaluate", artifact, "--phase", "A", "--run", run, "--allow-exec"}, command.Streams{Out: &said, Err: &said, Getenv: os.Getenv})
		}()
		interruptUntil(t, sig, done)
		if said.String() != "rubric: interrupted: there is no result, and every command was stopped\n" || code != command.ExitFailure {
			t.Errorf("%v: exit code %d and\n%s", sig, code, said.String())
		}
	}
}
