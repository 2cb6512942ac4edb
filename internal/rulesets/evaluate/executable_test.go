package evaluate

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// artifact writes a file of its own folder and reads it.
func artifact(t *testing.T, name, text string) *Artifact {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.Do(t, os.WriteFile(path, []byte(text), 0o600))
	return must.Get(ReadArtifact(path))(t)
}

func mustCheck(t *testing.T, c ruleset.Check, a *Artifact, o Options) CheckResult {
	t.Helper()
	return must.Get(Check(t.Context(), c, a, o))(t)
}

var allowed = Options{AllowExec: true}

// quotedSelf is how reasons name the program that this test is.
func quotedSelf(t *testing.T) string { return strconv.Quote(command(t).Command[0]) }

func TestExitCodeDecides(t *testing.T) {
	a := artifact(t, "artifact.md", "")
	for code, verdict := range map[int]ruleset.Verdict{
		0:   ruleset.VerdictPass,
		1:   ruleset.VerdictFail,
		3:   ruleset.VerdictFail,
		127: ruleset.VerdictFail,
	} {
		c := command(t, "exit", strconv.Itoa(code))
		want := CheckResult{
			Check: c, Verdict: verdict, ExitCode: &code,
			Reason: quotedSelf(t) + " exited with code " + strconv.Itoa(code),
		}
		if diff := cmp.Diff(want, mustCheck(t, c, a, allowed)); diff != "" {
			t.Errorf("exit code %d (-want +got):\n%s", code, diff)
		}
	}
}

func TestCommandsAreNotRun(t *testing.T) {
	a := artifact(t, "artifact.md", "")
	must.Do(t, os.WriteFile(filepath.Join(a.folder, "text"), []byte("x"), 0o600))
	executable := func(command ...string) ruleset.Check {
		return ruleset.Check{Type: ruleset.CheckExecutable, Command: command}
	}
	tests := []struct {
		reason  string
		check   ruleset.Check
		options Options
		want    string
	}{
		{"nobody allowed it", command(t, "exit", "0"), Options{}, "commands only run with --allow-exec"},
		{"no command", executable(), allowed, "the check has no command"},
		{"an empty name", executable("", "x"), allowed, "the check has no command"},
		{"no such name", executable("no-such-program-anywhere"), allowed, `"no-such-program-anywhere" could not be started: the program is not in PATH`},
		{"no such path", executable("./missing"), allowed, `"./missing" could not be started: the program or its interpreter does not exist`},
		{"not executable", executable("./text"), allowed, `"./text" could not be started: permission to execute it is denied`},
		{"a folder", executable("../" + filepath.Base(a.folder)), allowed, strconv.Quote("../"+filepath.Base(a.folder)) + ` could not be started: permission to execute it is denied`},
		{"a name that would break the line", executable("a\nb"), allowed, `"a\nb" could not be started: the program is not in PATH`},
		{"the placeholder is not a program", executable(placeholder), allowed, `"{artifact}" could not be started: the program is not in PATH`},
		{"an argument that no system takes", executable(command(t).Command[0], "a\x00b"), allowed, quotedSelf(t) + " could not be started: invalid argument"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			if runtime.GOOS == "windows" {
				t.Skip("the system's words are others")
			}
			want := CheckResult{Check: tt.check, Verdict: ruleset.VerdictSkipped, Reason: tt.want}
			if diff := cmp.Diff(want, mustCheck(t, tt.check, a, tt.options)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestTimeCanRunOutBeforeTheStart(t *testing.T) {
	c := command(t, "exit", "0")
	got := mustCheck(t, c, artifact(t, "artifact.md", ""), Options{AllowExec: true, TimeLimit: time.Nanosecond})
	want := CheckResult{Check: c, Verdict: ruleset.VerdictSkipped, Reason: quotedSelf(t) + " did not finish within 1ns"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWhatCommandsGet(t *testing.T) {
	tests := []struct {
		reason string
		name   string // of the artifact
		args   []string
		want   string
	}{
		{"arguments as they are", "artifact.md", []string{"arguments", "a b", "", "$HOME", "*", "`id`"}, `["a b" "" "$HOME" "*" "` + "`id`" + `"]` + "\n"},
		{"the artifact's name, everywhere", "artifact.md", []string{"arguments", "{artifact}", "--in={artifact}:{artifact}", "{artifact"}, `["./artifact.md" "--in=./artifact.md:./artifact.md" "{artifact"]` + "\n"},
		{"a name is put in once", "{artifact}", []string{"arguments", "{artifact}"}, `["./{artifact}"]` + "\n"},
		{"a name that looks like an option", "-rf", []string{"cat", "{artifact}"}, "its text"},
		{"nothing to read", "artifact.md", []string{"stdin"}, "0 bytes\n"},
		{"the artifact's folder", "artifact.md", []string{"folder"}, ""},
		{"both outputs in their order", "artifact.md", []string{"both"}, "out err out"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			a := artifact(t, tt.name, "its text")
			result := mustCheck(t, command(t, tt.args...), a, allowed)
			if result.Verdict != ruleset.VerdictPass || result.Output != tt.want || result.Truncated {
				t.Errorf("got %+v, want the output %q", result, tt.want)
			}
		})
	}
}

func TestEnvironmentIsClean(t *testing.T) {
	t.Setenv("SECRET_TOKEN", "x")
	t.Setenv("LC_ALL", "de_DE.UTF-8")
	t.Setenv("PATH", "/usr/bin:/bin")
	if runtime.GOOS == "windows" {
		t.Skip("more variables are needed there")
	}
	got := mustCheck(t, command(t, "environment"), artifact(t, "artifact.md", ""), allowed)
	want := "HOME=$TMPDIR\nLANG=C.UTF-8\nLC_ALL=C.UTF-8\nPATH=/usr/bin:/bin\nTMPDIR=$TMPDIR\nTZ=UTC\n"
	if diff := cmp.Diff(want, got.Output); diff != "" {
		t.Errorf("environment (-want +got):\n%s", diff)
	}
}

func TestTemporaryFolderGoes(t *testing.T) {
	a := artifact(t, "artifact.md", "")
	result := mustCheck(t, command(t, "litter"), a, allowed)
	if result.Verdict != ruleset.VerdictPass {
		t.Fatalf("got %+v", result)
	}
	home := must.Get(os.ReadFile(filepath.Join(a.folder, "home")))(t)
	if _, err := os.Stat(string(home)); !errors.Is(err, os.ErrNotExist) || !filepath.IsAbs(string(home)) {
		t.Errorf("the temporary folder %q: %v", home, err)
	}
}

func TestSecondEvaluationIsTheSame(t *testing.T) {
	a := artifact(t, "artifact.md", "")
	c := command(t, "home")
	first, second := mustCheck(t, c, a, allowed), mustCheck(t, c, a, allowed)
	if diff := cmp.Diff(first, second); diff != "" || first.Output != "$TMPDIR\n" {
		t.Errorf("%q (-first +second):\n%s", first.Output, diff)
	}
}

func TestOutputIsBounded(t *testing.T) {
	result := mustCheck(t, command(t, "much", strings.Repeat("é", 50)), artifact(t, "artifact.md", ""), allowed)
	if result.Verdict != ruleset.VerdictPass {
		t.Errorf("a command that writes 10 MB came out as %s: %s", result.Verdict, result.Reason)
	}
	if !result.Truncated || result.Output != strings.Repeat("é", maxOutput/2) {
		t.Errorf("truncated is %v with %d bytes of output, want the first %d", result.Truncated, len(result.Output), maxOutput)
	}
}

func TestOutputIsUTF8(t *testing.T) {
	result := mustCheck(t, command(t, "broken"), artifact(t, "artifact.md", ""), allowed)
	if result.Output != "a\uFFFDb" || !utf8.ValidString(result.Output) {
		t.Errorf("output is %q", result.Output)
	}
}

func TestCanceledBeforeItRuns(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errInterrupt)
	a := artifact(t, "artifact.md", "x")
	for _, c := range []ruleset.Check{command(t, "exit", "0"), {Type: ruleset.CheckContent, Literal: "x"}} {
		result, err := Check(ctx, c, a, allowed)
		if diff := cmp.Diff(CheckResult{}, result); diff != "" || !errors.Is(err, errInterrupt) {
			t.Errorf("error %v, result (-want +got):\n%s", err, diff)
		}
	}
}
