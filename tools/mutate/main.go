// Mutate changes a package in small ways, one at a time, and reports the changes that no
// test of the package notices. It compiles all of them into one test program, which an
// environment variable tells which one to make.
//
//	go run -C tools ./mutate ../pkg/rubric             survivors, each as FILE:LINE FUNCTION: CHANGE
//	go run -C tools ./mutate -matrix ../pkg/rubric     also what each test kills
//
// A change that has no effect is listed with the reason, which is indented below it, in
// testdata/equivalent-mutants.txt of the package. The exit code is 1 if there is another
// survivor, or an entry that is not a survivor.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// runner runs the tests of one package.
type runner struct {
	dir, program string
	tests        []*test // the fastest first
}

type test struct {
	name string
	took time.Duration
	// infected are the mutants that change a value when the test runs.
	infected    map[int]bool
	kills, only int // what it kills, and what no other test kills
}

func main() {
	matrix := flag.Bool("matrix", false, "run every test on every mutant, and print what each kills")
	match := flag.String("run", ".", "a regular expression for the tests to run")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	code, err := run(os.Stdout, flag.Arg(0), *match, *matrix)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		code = 2
	}
	os.Exit(code)
}

// run writes the report to out and returns the exit code.
func run(out io.Writer, dir, match string, matrix bool) (int, error) {
	work, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(work)
	r := &runner{dir: dir, program: filepath.Join(work, "mutants.test")}
	mutants, err := r.build(work)
	if err != nil {
		return 0, err
	}
	if err := r.measure(match, filepath.Join(work, "trace")); err != nil {
		return 0, err
	}
	equivalent, err := readEquivalent(filepath.Join(dir, "testdata", "equivalent-mutants.txt"))
	if err != nil {
		return 0, err
	}
	survivors, explained := 0, 0
	for id, m := range mutants {
		killed, reached := r.kill(id+1, matrix)
		_, known := equivalent[m.key()]
		switch {
		case killed > 0:
		case known:
			equivalent[m.key()] = true
			explained++
		case reached:
			fmt.Fprintf(out, "survives  %s:%d %s: %s\n", m.file, m.line, m.function, m.change)
			survivors++
		default:
			fmt.Fprintf(out, "unreached %s:%d %s: %s\n", m.file, m.line, m.function, m.change)
			survivors++
		}
	}
	fmt.Fprintf(out, "%d mutants: %d survive, and %d have no effect\n", len(mutants), survivors, explained)
	if matrix {
		for _, t := range r.tests {
			fmt.Fprintf(out, "%6d killed, %4d by it alone, %8s  %s\n", t.kills, t.only, t.took.Round(time.Millisecond), t.name)
		}
	}
	for key, found := range equivalent {
		if !found {
			fmt.Fprintf(out, "not a survivor: %s\n", key)
			survivors++
		}
	}
	return min(survivors, 1), nil
}

// build compiles the tests with all mutants and returns these.
func (r *runner) build(work string) ([]mutant, error) {
	mutants, overlay, err := rewrite(r.dir, work)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("go", "test", "-c", "-overlay", overlay, "-o", r.program, ".")
	cmd.Dir = r.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	return mutants, nil
}

// measure runs each test alone on the unchanged package.
func (r *runner) measure(match, trace string) error {
	list := exec.Command(r.program, "-test.list", match)
	list.Dir = r.dir
	out, err := list.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", list, err)
	}
	for _, name := range strings.Fields(string(out)) {
		if !regexp.MustCompile(`^(Test|Fuzz|Example)`).MatchString(name) {
			continue
		}
		_ = os.Remove(trace) // of the test before
		began := time.Now()
		if !r.passes(name, 10*time.Minute, "MUTANT_TRACE="+trace) {
			return fmt.Errorf("%s fails without a mutant", name)
		}
		t := &test{name: name, took: time.Since(began), infected: map[int]bool{}}
		data, err := os.ReadFile(trace)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, line := range strings.Fields(string(data)) {
			id, err := strconv.Atoi(line)
			if err != nil {
				return err
			}
			t.infected[id] = true
		}
		r.tests = append(r.tests, t)
	}
	slices.SortStableFunc(r.tests, func(a, b *test) int { return int(a.took - b.took) })
	return nil
}

// passes reports whether a test succeeds in time.
func (r *runner) passes(name string, limit time.Duration, env string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	// A loop without an end must not use all memory.
	cmd := exec.CommandContext(ctx, "sh", "-c", `ulimit -v 8000000 && exec "$@"`, "sh", r.program, "-test.run", "^"+name+"$")
	cmd.Dir, cmd.Env = r.dir, append(os.Environ(), env)
	out, err := cmd.Output()
	return err == nil && bytes.HasSuffix(bytes.TrimSpace(out), []byte("PASS"))
}

// kill returns how many tests notice a mutant (at most one unless all are run), and
// whether it changes a value in any.
func (r *runner) kill(id int, all bool) (killed int, reached bool) {
	var last *test
	for _, t := range r.tests {
		if !t.infected[id] {
			continue
		}
		reached = true
		if r.passes(t.name, 10*t.took+5*time.Second, "MUTANT="+strconv.Itoa(id)) {
			continue
		}
		killed, last = killed+1, t
		t.kills++
		if !all {
			break
		}
	}
	if killed == 1 {
		last.only++
	}
	return killed, reached
}

// readEquivalent returns the mutants that a package says have no effect.
func readEquivalent(name string) (map[string]bool, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	found := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "#") {
			found[strings.TrimSpace(line)] = false
		}
	}
	return found, err
}
