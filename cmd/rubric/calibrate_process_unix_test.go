//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// place is a library with a dataset, and a folder in which the judge keeps what
// it was asked.
type place struct {
	library, requests string
	bin               string
}

// newPlace makes a dataset whose items have the given artifacts.
func newPlace(t *testing.T, artifacts ...string) *place {
	t.Helper()
	p := &place{library: t.TempDir(), requests: t.TempDir(), bin: t.TempDir()}
	self := must.Get(os.Executable())(t)
	for _, name := range []string{"rubric", "judge"} {
		if err := os.Symlink(self, filepath.Join(p.bin, name)); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
	var items strings.Builder
	for i, artifact := range artifacts {
		fmt.Fprintf(&items, `{"id":"i%d","artifact":%q,"labels":{}}`+"\n", i+1, artifact)
	}
	rubric := strings.Replace(scripttest.Rubric("story_v1", "1.0.0", "stories"), "https://labels.example.org/clarity.jsonl", "calibration/stories/dataset.yaml", 1)
	for name, text := range map[string]string{
		"rubrics/stories/story_v1.yaml":    rubric,
		"calibration/stories/items.jsonl":  items.String(),
		"calibration/stories/dataset.yaml": "applies_to: [story_v1]\nlabeled_by: people\nmethod: m\nlicense: l\ncriteria: [{name: clarity, digest: sha256:" + strings.Repeat("0", 64) + "}]\n",
	} {
		file := filepath.Join(p.library, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o777))
		must.Do(t, os.WriteFile(file, []byte(text), 0o666))
	}
	return p
}

// command asks the judge of these tests.
func (p *place) command(flags ...string) *exec.Cmd {
	return p.ask([]string{filepath.Join(p.bin, "judge"), p.requests}, flags...)
}

// ask asks a judge that is called j.
func (p *place) ask(judge []string, flags ...string) *exec.Cmd {
	args := slices.Concat([]string{"calibrate", "run", "--dataset", "stories", "--model", "m-1", "--judge", "j", "--date", "2026-11-21"}, flags, []string{"--"}, judge)
	cmd := exec.Command(filepath.Join(p.bin, "rubric"), args...)
	cmd.Dir, cmd.Env = p.library, append(os.Environ(), "LC_ALL=C")
	return cmd
}

// run asks to the end and returns the exit code and what was written.
func (p *place) run(t *testing.T, flags ...string) (int, string) {
	t.Helper()
	cmd := p.command(flags...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// answers are the recorded answers, without the mark of those after which the run ended. There is "" without a file.
func (p *place) answers(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(p.file())
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(data), `,"ended":true`, "")
}

func (p *place) file() string {
	return filepath.Join(p.library, "calibration", "stories", "judges", "j", "2026-11-21.jsonl")
}

// asked is how often the judge was asked for each artifact.
func (p *place) asked(t *testing.T) map[string]int {
	t.Helper()
	names := must.Get(filepath.Glob(filepath.Join(p.requests, "request-*")))(t)
	count := map[string]int{}
	for _, name := range names {
		data := must.Get(os.ReadFile(name))(t)
		_, text, _ := bytes.Cut(data, []byte(`"artifact":"`))
		artifact, _, _ := bytes.Cut(text, []byte(`"`))
		count[string(artifact)]++
	}
	return count
}

func (p *place) touch(t *testing.T, name string) {
	t.Helper()
	must.Do(t, os.WriteFile(filepath.Join(p.requests, name), nil, 0o600))
}

// until waits for something to come true.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it never came that %s", what)
		}
	}
}

// stopped starts a run in which one of the items is not answered, and sends a
// signal when the others are.
func (p *place) stopped(t *testing.T, signal os.Signal, answered int) (int, string) {
	t.Helper()
	var out bytes.Buffer
	cmd := p.command("--parallel", "2")
	cmd.Stdout, cmd.Stderr = &out, &out
	must.Do(t, cmd.Start())
	until(t, "the others are answered", func() bool {
		return strings.Count(p.answers(t), "\n") == answered && p.asked(t)["waits go"] == 1
	})
	must.Do(t, cmd.Process.Signal(signal))
	_ = cmd.Wait()
	return cmd.ProcessState.ExitCode(), out.String()
}

var artifacts = []string{"5 a", "waits go", "3 b", "1 c", "4 d"}

// uninterrupted is the file of a run that nothing stopped.
func uninterrupted(t *testing.T) string {
	t.Helper()
	p := newPlace(t, artifacts...)
	p.touch(t, "go")
	if code, out := p.run(t); code != 0 {
		t.Fatalf("exit code %d and\n%s", code, out)
	}
	return p.answers(t)
}

func TestKilledRunGoesOn(t *testing.T) {
	p := newPlace(t, artifacts...)
	p.stopped(t, syscall.SIGKILL, 4)
	f := must.Get(os.OpenFile(p.file(), os.O_APPEND|os.O_WRONLY, 0))(t)
	must.Get(f.WriteString(`{"run":"2026-11-21","item":"i2","scores":{"cla`))(t)
	must.Do(t, f.Close())
	p.touch(t, "go")
	code, out := p.run(t)
	want := `note: removed an incomplete last line from calibration/stories/judges/j/2026-11-21.jsonl, likely left by a crash.
note: run 2026-11-21 already asked 4 of 5 questions, and does not ask them again.
note: j does not name its prompt, so reports say "prompt unknown", and a changed prompt goes unnoticed. Have it answer with "prompt_digest": docs/calibration-reference.md describes it.
run 2026-11-21 of j on stories: 5 answers in calibration/stories/judges/j/2026-11-21.jsonl
`
	if code != 0 || out != want {
		t.Errorf("exit code %d and (-want +got):\n%s", code, cmp.Diff(want, out))
	}
	if diff := cmp.Diff(uninterrupted(t), p.answers(t)); diff != "" {
		t.Errorf("the answers differ from those of an uninterrupted run (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int{"5 a": 1, "waits go": 2, "3 b": 1, "1 c": 1, "4 d": 1}, p.asked(t)); diff != "" {
		t.Errorf("how often was asked (-want +got):\n%s", diff)
	}
}

// A judge that is unavailable is asked at most three times, however often the run is
// started. A failure and an answer that can't be read count: asking again would flatter the
// judge.
func TestOnlyAnUnavailableJudgeIsAskedAgain(t *testing.T) {
	p := newPlace(t, "fails", "flaky", "talks", "more", "busy", "down", "4 is right")
	for start, want := range []map[string]int{
		{"fails": 1, "flaky": 1, "talks": 1, "more": 1, "busy": 1, "down": 1, "4 is right": 1},
		{"fails": 1, "flaky": 2, "talks": 1, "more": 1, "busy": 3, "down": 3, "4 is right": 1},
		{"fails": 1, "flaky": 2, "talks": 1, "more": 1, "busy": 3, "down": 3, "4 is right": 1},
	} {
		if code, out := p.run(t, "--retries", fmt.Sprint(2*start), "--pause", "0s", "--max-failures", "0"); code != 1 {
			t.Errorf("start %d: exit code %d and\n%s", start+1, code, out)
		}
		if diff := cmp.Diff(want, p.asked(t)); diff != "" {
			t.Errorf("start %d: how often was asked (-want +got):\n%s", start+1, diff)
		}
	}
	want := []string{
		`"i1","repeat":1 error`, `"i2","repeat":1 unavailable`, `"i2","repeat":1,"attempt":2 scores`, `"i3","repeat":1 error`, `"i4","repeat":1 error`,
		`"i5","repeat":1 unavailable`, `"i5","repeat":1,"attempt":2 unavailable`, `"i5","repeat":1,"attempt":3 unavailable`,
		`"i6","repeat":1 unavailable`, `"i6","repeat":1,"attempt":2 unavailable`, `"i6","repeat":1,"attempt":3 unavailable`,
		`"i7","repeat":1 scores`,
	}
	var got []string
	for line := range strings.Lines(p.answers(t)) {
		_, line, _ = strings.Cut(line, `"item":`)
		of, rest, _ := strings.Cut(line, `,"model"`)
		_, rest, _ = strings.Cut(rest, `"digest":"sha256:`)
		_, rest, _ = strings.Cut(rest, `"items":`)
		_, rest, _ = strings.Cut(rest, `,"`)
		what, _, _ := strings.Cut(rest, `"`)
		got = append(got, of+" "+what)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the attempts (-want +got):\n%s", diff)
	}
}

// A refusal is not asked about again when the run is started again, also if refusals stopped
// the run.
func TestRefusalsStay(t *testing.T) {
	p := newPlace(t, "refuses 1", "talks 2", "talks 3", "talks 4", "talks 5")
	code, out := p.run(t, "--parallel", "1")
	if code != 2 || !strings.HasSuffix(out, "rubric: the run was stopped after 3 failures in a row\nRun 2026-11-21 has 0 of 5 answers (3 could not be read), and does not count. Fix the cause, and run the command again: it starts another run\n") {
		t.Errorf("exit code %d and\n%s", code, out)
	}
	before := p.answers(t)
	p.touch(t, "failed")
	if code, out := p.run(t, "--parallel", "1", "--max-failures", "0", "--run", "2026-11-21"); code != 1 {
		t.Errorf("exit code %d and\n%s", code, out)
	}
	after := p.answers(t)
	for line := range strings.Lines(before) {
		if !strings.Contains(after, line) {
			t.Errorf("the second start removes %s", line)
		}
	}
	if n := strings.Count(after, `"error":`); n < 4 || strings.Count(after, "\n") != 5 {
		t.Errorf("the answers are\n%s", after)
	}
	for artifact, n := range p.asked(t) {
		if n != 1 {
			t.Errorf("%s was asked %d times", artifact, n)
		}
	}
}

// A recorded line stays as it was written, whatever its form, when the run goes on.
func TestRecordedLinesStay(t *testing.T) {
	p := newPlace(t, "5 a", "waits go", "3 b")
	p.stopped(t, os.Interrupt, 2)
	before := strings.ReplaceAll(p.answers(t), `"run":`, `"run" : `)
	if err := os.WriteFile(p.file(), []byte(before), 0o666); err != nil {
		t.Fatal(err)
	}
	p.touch(t, "go")
	if code, out := p.run(t); code != 0 {
		t.Fatalf("exit code %d and\n%s", code, out)
	}
	lines, after := strings.SplitAfter(before, "\n"), strings.SplitAfter(p.answers(t), "\n")
	if len(after) != 4 || after[0] != lines[0] || after[2] != lines[1] {
		t.Errorf("before:\n%s\nafter:\n%s", lines, after)
	}
}

// What failed before is not lost where a second run ends before it asked again.
func TestInterruptKeepsOldFailures(t *testing.T) {
	p := newPlace(t, "waits go", "5 a")
	busy := p.ask([]string{"sh", "-c", "exit 75"}, "--retries", "0")
	out, _ := busy.CombinedOutput()
	if busy.ProcessState.ExitCode() != 1 {
		t.Fatalf("%v\n%s", busy.ProcessState, out)
	}
	before := strings.SplitAfter(p.answers(t), "\n")
	if code, out := p.stopped(t, os.Interrupt, 3); code != 2 {
		t.Errorf("exit code %d and\n%s", code, out)
	}
	after := strings.SplitAfter(p.answers(t), "\n")
	if len(after) != 4 || after[0] != before[0] || after[1] != before[1] || !strings.Contains(after[2], `"scores":{"clarity":5}`) {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

func TestInterruptKeepsWhatWasAnswered(t *testing.T) {
	p := newPlace(t, artifacts...)
	code, out := p.stopped(t, os.Interrupt, 4)
	want := `rubric: interrupted
Run 2026-11-21 has 4 of 5 answers, and does not count before it ends. Fix the cause, and run the command again with --run 2026-11-21 to ask for the rest
`
	if code != 2 || out != want {
		t.Errorf("exit code %d and (-want +got):\n%s", code, cmp.Diff(want, out))
	}
	var kept strings.Builder
	for line := range strings.Lines(uninterrupted(t)) {
		if !strings.Contains(line, `"i2"`) {
			kept.WriteString(line)
		}
	}
	if diff := cmp.Diff(kept.String(), p.answers(t)); diff != "" {
		t.Errorf("the answers (-want +got):\n%s", diff)
	}
}

// Each of these waits until the next was asked: they end in an order of their own,
// and only if all of them run at once.
func TestAnswersInAnyOrderGiveTheSameFile(t *testing.T) {
	one, many := newPlace(t, "waits x", "waits y", "waits z"), newPlace(t, "waits x", "waits y", "waits z")
	for _, name := range []string{"x", "y", "z"} {
		one.touch(t, name)
	}
	if code, out := one.run(t, "--parallel", "1"); code != 0 {
		t.Fatalf("exit code %d and\n%s", code, out)
	}
	for _, order := range []string{"xyz", "zyx", "yzx"} {
		must.Do(t, os.RemoveAll(filepath.Dir(many.file())))
		many.requests = t.TempDir()
		cmd := many.command("--parallel", "3")
		must.Do(t, cmd.Start())
		until(t, "all are asked", func() bool { return len(many.asked(t)) == 3 })
		for i, name := range order {
			many.touch(t, string(name))
			until(t, "the next is answered", func() bool { return strings.Count(many.answers(t), "\n") == i+1 })
		}
		must.Do(t, cmd.Wait())
		if diff := cmp.Diff(one.answers(t), many.answers(t)); diff != "" {
			t.Errorf("order %s (-one after the other +at once):\n%s", order, diff)
		}
	}
}

func TestTwoRunsDoNotWriteToOneFile(t *testing.T) {
	p := newPlace(t, "waits go")
	first := p.command()
	must.Do(t, first.Start())
	until(t, "it is asked", func() bool { return p.asked(t)["waits go"] == 1 })
	code, out := p.run(t)
	want := "rubric: calibration/stories/judges/j/2026-11-21.jsonl can't be written: another run is writing to it. Wait until that run ends, or stop it\n"
	if code != 2 || out != want {
		t.Errorf("exit code %d and (-want +got):\n%s", code, cmp.Diff(want, out))
	}
	p.touch(t, "go")
	if err := first.Wait(); err != nil {
		t.Error(err)
	}
}

// The judge gets the rubric and one item: nothing in any of its requests is from
// another item, a label, a rater or the dataset's own words.
func TestJudgeSeesOneItemOnly(t *testing.T) {
	p := newPlace(t)
	items := `{"id":"secret-good","artifact":"5 first text","inputs":{"task":"first task"},"labels":{"rater-ann":{"clarity":5},"rater-bob":{}}}
{"id":"secret-bad","artifact":"1 second text","labels":{"rater-bob":{"clarity":1}}}
`
	must.Do(t, os.WriteFile(filepath.Join(p.library, "calibration", "stories", "items.jsonl"), []byte(items), 0o666))
	if code, out := p.run(t, "--repeats", "2"); code != 0 {
		t.Fatalf("exit code %d and\n%s", code, out)
	}
	names, err := filepath.Glob(filepath.Join(p.requests, "request-*"))
	if err != nil || len(names) != 4 {
		t.Fatalf("%d requests, %v", len(names), err)
	}
	for _, name := range names {
		data := must.Get(os.ReadFile(name))(t)
		hidden := []string{"secret", "rater", "labels", "threshold", "weight", "pattern", "calibration", "license", "second t"}
		if bytes.Contains(data, []byte("second text")) {
			hidden[len(hidden)-1] = "first t"
		}
		for _, text := range hidden {
			if bytes.Contains(data, []byte(text)) {
				t.Errorf("a request has %q:\n%s", text, data)
			}
		}
	}
}

// The example that needs no model works with and without --lines.
func TestExampleJudge(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	script := must.Get(filepath.Abs("examples/judges/length_judge.py"))(t)
	for _, flags := range [][]string{nil, {"--lines", "--time-limit", "20s"}} {
		p := newPlace(t, "Short.", "- "+strings.Repeat("many wörds ", 40))
		cmd := p.ask([]string{"python3", script}, append(flags, "--model", "length-1")...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", flags, err, out)
		}
		want := []string{`"scores":{"clarity":1}}`, `"scores":{"clarity":3}}`}
		for i, line := range strings.Split(strings.TrimSpace(p.answers(t)), "\n") {
			if !strings.HasSuffix(line, want[i]) {
				t.Errorf("%v: answer %d is %s, want %s", flags, i+1, line, want[i])
			}
		}
	}
}

// A judge leaves nothing in the folder for temporary files, in which it starts.
func TestFoldersOfJudgesAreRemoved(t *testing.T) {
	for _, flags := range [][]string{nil, {"--lines"}} {
		p := newPlace(t, "5 a", "4 b", "fails")
		temporary, judge := t.TempDir(), []string{filepath.Join(p.bin, "judge"), p.requests}
		if flags != nil {
			judge = []string{judge[0], "--lines", filepath.Join(p.requests, "starts")}
		}
		cmd := p.ask(judge, append(flags, "--parallel", "2")...)
		cmd.Env = append(cmd.Env, "TMPDIR="+temporary)
		out, _ := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != 1 {
			t.Fatalf("%v\n%s", cmd.ProcessState, out)
		}
		if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
			t.Errorf("with %v, it leaves %v, error %v", flags, left, err)
		}
	}
}
