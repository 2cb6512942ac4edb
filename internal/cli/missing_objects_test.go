package cli

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// TestMissingObjects removes each Git object of a repository in turn: a command ends with exit
// code 2 and says what to do, or with the answer that it gives with all objects. A missing object
// is never an absent file, nor one with a problem of its own.
func TestMissingObjects(t *testing.T) {
	for _, history := range []struct {
		name     string
		write    func(t *testing.T)
		commands map[string]int // the exit codes with all objects
	}{
		{"every kind of file", everyKindOfFile, map[string]int{
			"lint":                                       1,
			"lint --rev HEAD":                            1,
			"lint --rev HEAD --format json":              1,
			"lint --rev HEAD --format github":            1,
			"lint --rev HEAD --audit":                    1,
			"lint --rev HEAD --base main~1":              1,
			"lint --rev main":                            1,
			"lint --rev second library":                  0,
			"lint --rev second library/rubrics/prd":      0,
			"lint --rev second --base none":              1,
			"lint --range main~1..HEAD":                  1,
			"diff main HEAD":                             0,
			"diff --check":                               1,
			"diff main~1 HEAD --replay --format json":    0,
			"diff --next-version":                        0,
			"diff --changelog":                           0,
			"build second -o bundle.zip --version 2.0.0": 0,
			"calibrate report":                           0,
		}},
		{"every kind of step", everyKindOfStep, map[string]int{
			"lint":                    0,
			"lint --audit":            0,
			"lint --rev HEAD":         0,
			"lint --rev HEAD --audit": 0,
			"lint --rev HEAD team/rubrics/prd/o.yaml":   0,
			"lint --rev topic":                          0,
			"lint --rev topic --base c2":                1,
			"lint --range first..HEAD":                  1,
			"lint --range HEAD~1..HEAD":                 0,
			"diff":                                      0,
			"diff --check":                              0,
			"diff first HEAD":                           0,
			"lint --rev c2 --base first":                0,
			"lint --range first..c2":                    0,
			"diff first c2":                             0,
			"diff c2 topic --format json":               0,
			"diff --next-version":                       0,
			"build -o bundle.zip --version 9.0.0":       0,
			"build topic -o bundle.zip --version 9.0.0": 0,
		}},
	} {
		t.Run(history.name, func(t *testing.T) {
			history.write(t)
			for _, command := range slices.Sorted(maps.Keys(history.commands)) {
				t.Run(command, func(t *testing.T) {
					q := askWhole(t, history.commands[command], strings.Fields(command)...)
					withoutEachFile(t, q.again)
					q.finish()
				})
			}
		})
	}
}

// TestMissingObjectsOfPacks is TestMissingObjects for packs, each without one object.
func TestMissingObjectsOfPacks(t *testing.T) {
	everyKindOfStep(t)
	var questions []*question
	for _, command := range []string{"lint --rev HEAD --audit", "diff c2 topic", "build -o bundle.zip --version 9.0.0"} {
		questions = append(questions, askWhole(t, 0, strings.Fields(command)...))
	}
	withoutEachPacked(t, func(missing string) {
		for _, q := range questions {
			q.again(missing)
		}
	})
	for _, q := range questions {
		q.finish()
	}
}

// question is a command, and its answer with all objects.
type question struct {
	t      *testing.T
	args   []string
	code   int
	answer string
	needed int // how many objects the answer needs, as far as that is known
}

func askWhole(t *testing.T, code int, args ...string) *question {
	t.Helper()
	got, answer := runWords(args...)
	if got != code {
		t.Fatalf("%v with all objects: %d, want %d\n%s", args, got, code, answer)
	}
	return &question{t: t, args: args, code: code, answer: answer}
}

// again runs the command without an object.
func (q *question) again(missing string) {
	q.t.Helper()
	q.ask("without "+missing, "is missing. Run \"git fsck\"")
}

// ask runs the command in a damaged repository. An error has an advice.
func (q *question) ask(damage, advice string) {
	q.t.Helper()
	got, out := runWords(q.args...)
	switch {
	case got != command.ExitFailure && (got != q.code || out != q.answer):
		q.t.Errorf("%v %s: %d, want 2, or %d with the same output", q.args, damage, got, q.code)
	case got == command.ExitFailure && !strings.Contains(out, advice):
		q.t.Errorf("%v %s does not say what to do:\n%s", q.args, damage, out)
	case got == command.ExitFailure:
		q.needed++
	}
}

func (q *question) finish() {
	q.t.Helper()
	if q.needed < 5 {
		q.t.Errorf("%v: only %d objects are needed", q.args, q.needed)
	}
}

// withoutEachFile calls do without each of the loose objects of the repository in the working folder.
func withoutEachFile(t *testing.T, do func(missing string)) {
	t.Helper()
	for _, file := range must.Get(filepath.Glob(".git/objects/??/*"))(t) {
		aside := filepath.Join(t.TempDir(), "object")
		must.Do(t, os.Rename(file, aside))
		do(described(t, aside))
		must.Do(t, os.Rename(aside, file))
	}
}

// withoutEachPacked calls do with packs of the loose objects, each without one of them.
func withoutEachPacked(t *testing.T, do func(missing string)) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("Git is not installed")
	}
	all := filepath.Join(t.TempDir(), "objects")
	must.Do(t, os.Rename(".git/objects", all))
	files := must.Get(filepath.Glob(filepath.Join(all, "??", "*")))(t)
	for missing, file := range files {
		must.Do(t, errors.Join(os.RemoveAll(".git/objects"), os.MkdirAll(".git/objects/pack", 0o777)))
		var packed strings.Builder
		for i, other := range files {
			if i != missing {
				fmt.Fprintf(&packed, "%s%s\n", filepath.Base(filepath.Dir(other)), filepath.Base(other))
			}
		}
		pack := exec.Command("git", "pack-objects", "-q", ".git/objects/pack/pack")
		pack.Env, pack.Stdin = append(os.Environ(), "GIT_OBJECT_DIRECTORY="+all), strings.NewReader(packed.String())
		if out, err := pack.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		do(described(t, file))
	}
}

// described is the beginning of a loose object in a file.
func described(t *testing.T, file string) string {
	t.Helper()
	r := must.Get(zlib.NewReader(bytes.NewReader(must.Get(os.ReadFile(file))(t))))(t)
	return fmt.Sprintf("%.100q", must.Get(io.ReadAll(r))(t))
}
