// Mutate changes a package in small ways, one at a time, and reports the changes that no
// test notices. It compiles all of them into the test program, which an environment
// variable tells which one to make.
//
//	go run -C tools ./mutate ../pkg/rubric             survivors, each as FILE:LINE FUNCTION: CHANGE
//	go run -C tools ./mutate -matrix ../pkg/rubric     also what each test kills
//
// The tests of more packages can be named after it, if theirs check its behavior.
//
// A change that has no effect is listed with the reason, which is indented below it, in
// testdata/equivalent-mutants.txt of the package. The exit code is 1 if there is another
// survivor, or an entry that is not a survivor.
package main

import (
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

// runner runs the tests.
type runner struct {
	tests []*test  // the fastest first
	cases []string // all tests and subtests
}

type test struct {
	dir, program, name string
	took               time.Duration
	// infected are the mutants that change a value when the test runs.
	infected map[int]bool
}

type options struct {
	matrix    bool
	run, keep string
}

func main() {
	var o options
	flag.BoolVar(&o.matrix, "matrix", false, "run every test on every mutant, and print what each kills and which are not needed")
	flag.StringVar(&o.run, "run", ".", "a regular expression for the tests to run")
	flag.StringVar(&o.keep, "keep", "^(Fuzz|Example)", "with -matrix, a regular expression for tests that stay in any case")
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	code, err := run(os.Stdout, flag.Args(), o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		code = 2
	}
	os.Exit(code)
}

// run writes the report to out and returns the exit code.
func run(out io.Writer, dirs []string, o options) (int, error) {
	work, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(work)
	mutants, overlay, err := rewrite(dirs[0], work)
	if err != nil {
		return 0, err
	}
	r := &runner{}
	for i, dir := range dirs {
		if err := r.build(dir, overlay, filepath.Join(work, fmt.Sprintf("%d.test", i)), o.run, work); err != nil {
			return 0, err
		}
	}
	slices.SortStableFunc(r.tests, func(a, b *test) int { return int(a.took - b.took) })
	equivalent, err := readEquivalent(filepath.Join(dirs[0], "testdata", "equivalent-mutants.txt"))
	if err != nil {
		return 0, err
	}
	survivors, kills := r.report(out, mutants, equivalent, o.matrix)
	if o.matrix {
		keep, err := regexp.Compile(o.keep)
		if err != nil {
			return 0, err
		}
		printMatrix(out, r.cases, kills, keep)
	}
	for key, found := range equivalent {
		if !found {
			fmt.Fprintf(out, "not a survivor: %s\n", key)
			survivors++
		}
	}
	return min(survivors, 1), nil
}

// build builds the tests of a folder with the mutants, and measures those that match.
func (r *runner) build(dir, overlay, program, match, work string) error {
	cmd := exec.Command("go", "test", "-c", "-overlay", overlay, "-o", program, ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	return r.measure(dir, program, match, filepath.Join(work, "trace"))
}

// report prints and counts the mutants that survive. kills are those that each test kills.
func (r *runner) report(
	out io.Writer, mutants []mutant, equivalent map[string]bool, all bool,
) (survivors int, kills map[string]map[int]bool) {
	explained := 0
	kills = map[string]map[int]bool{}
	for id, m := range mutants {
		killers, reached := r.kill(id+1, all)
		for _, name := range killers {
			if kills[name] == nil {
				kills[name] = map[int]bool{}
			}
			kills[name][id] = true
		}
		_, known := equivalent[m.key()]
		switch {
		case len(killers) > 0:
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
	return survivors, kills
}

// measure runs each test alone on the unchanged package.
func (r *runner) measure(dir, program, match, trace string) error {
	list := exec.Command(program, "-test.list", match)
	list.Dir = dir
	out, err := list.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", list, err)
	}
	for _, name := range strings.Fields(string(out)) {
		if !regexp.MustCompile(`^(Test|Fuzz|Example)`).MatchString(name) {
			continue
		}
		_ = os.Remove(trace) // of the test before
		t := &test{dir: dir, program: program, name: name, infected: map[int]bool{}}
		began := time.Now()
		cases, failed := t.execute(10*time.Minute, "MUTANT_TRACE="+trace)
		if len(failed) > 0 {
			return fmt.Errorf("%s fails without a mutant", name)
		}
		r.cases = append(r.cases, cases...)
		t.took = time.Since(began)
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
	return nil
}

var (
	ran    = regexp.MustCompile(`(?m)^=== RUN +(\S+)`)
	failed = regexp.MustCompile(`(?m)^ *--- FAIL: (\S+)`)
)

// execute runs a test. It returns what ran and what failed: the test, or its subtests.
func (t *test) execute(limit time.Duration, env string) (cases, failures []string) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	// A loop without an end must not use all memory.
	cmd := exec.CommandContext(ctx, "sh", "-c", `ulimit -v 8000000 && exec "$@"`, "sh", t.program, "-test.v",
		"-test.run", "^"+t.name+"$")
	cmd.Dir, cmd.Env = t.dir, append(os.Environ(), env)
	out, err := cmd.Output()
	cases = innermost(ran.FindAllSubmatch(out, -1))
	if err != nil {
		failures = innermost(failed.FindAllSubmatch(out, -1))
		if len(failures) == 0 { // it ended before it could say so
			failures = []string{t.name}
		}
	}
	return cases, failures
}

// innermost returns the names without those that have subtests.
func innermost(matches [][][]byte) []string {
	var names []string
	for _, m := range matches {
		names = append(names, string(m[1]))
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.ContainsFunc(names, func(other string) bool { return strings.HasPrefix(other, name+"/") })
	})
}

// kill returns the tests that notice a mutant (those of one test function unless all are
// run), and whether it changes a value in any.
func (r *runner) kill(id int, all bool) (killers []string, reached bool) {
	for _, t := range r.tests {
		if !t.infected[id] {
			continue
		}
		reached = true
		_, failures := t.execute(10*t.took+5*time.Second, "MUTANT="+strconv.Itoa(id))
		killers = append(killers, failures...)
		if len(killers) > 0 && !all {
			break
		}
	}
	return killers, reached
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
