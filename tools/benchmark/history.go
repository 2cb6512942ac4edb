package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
)

// historyBenchmark compares the commands that read a history with git commands that
// read the same part of it.
type historyBenchmark struct {
	size    int   // of the library, in rubrics
	commits int   // after the first, which adds them all
	lengths []int // numbers of commits of further histories, which are only compared with git diff
	runs    int
}

// differing is the number of rubrics in which the compared revisions differ.
const differing = 3

// historyMetrics are in milliseconds, because git takes only a few.
var historyMetrics = []metric{
	{"wall time", "ms", func(c cost) float64 { return c.wall.Seconds() * 1000 }},
	{"CPU time", "ms", func(c cost) float64 { return c.cpu.Seconds() * 1000 }},
	metrics[2],
}

func (b *historyBenchmark) run() error {
	work, err := os.MkdirTemp("", "rubric-benchmark-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	diff, err := build(root, work, "./cmd/rubric-diff")
	if err != nil {
		return err
	}
	lint, err := build(root, work, "./cmd/rubric-lint")
	if err != nil {
		return err
	}
	if err := withoutSettings(); err != nil {
		return err
	}
	version, err := exec.Command("git", "--version").Output()
	if err != nil {
		return err
	}
	fmt.Printf("%d × %s, %s, %s\n", runtime.NumCPU(), processor(), runtime.Version(), bytes.TrimSpace(version))
	for i, commits := range append([]int{b.commits}, b.lengths...) {
		if err := b.compareIn(filepath.Join(work, fmt.Sprintf("library-%d", i)), commits, diff); err != nil {
			return err
		}
		if i > 0 {
			continue
		}
		if err := b.audit(lint); err != nil {
			return err
		}
	}
	return nil
}

// compareIn makes a library with a history, changes to its folder, and compares a diff with that of
// Git.
func (b *historyBenchmark) compareIn(repo string, commits int, diff string) error {
	if err := generateHistory(repo, b.size, commits); err != nil {
		return err
	}
	if err := os.Chdir(repo); err != nil {
		return err
	}
	fmt.Printf("\n%d rubrics, %d commits, %d runs in turn: median (smallest to largest)\n", b.size, commits+1, b.runs)
	before := fmt.Sprintf("HEAD~%d", differing)
	return b.compare([]string{diff, before, "HEAD"}, []string{"git", "diff", "--stat", before, "HEAD"})
}

// withoutSettings hides the settings of the user, which could change the behavior of git.
func withoutSettings() error {
	for key, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_PAGER": "cat",
	} {
		if err := os.Setenv(key, value); err != nil {
			return err
		}
	}
	return nil
}

// audit compares the time that --audit adds to a check of the library with git: the
// check itself reads 10,000 files, and git reads none.
func (b *historyBenchmark) audit(lint string) error {
	costs, err := inTurn(b.runs, []string{lint, "--audit"}, []string{lint},
		[]string{"git", "log", "--first-parent", "--raw"})
	if err != nil {
		return err
	}
	fmt.Printf("\n| | rubric-lint --audit | rubric-lint | git log --first-parent --raw | ratio of what --audit adds |\n|---|---|---|---|---|\n")
	for _, m := range historyMetrics[:2] {
		ratios := make([]float64, b.runs)
		for i := range ratios {
			ratios[i] = (m.of(costs[0][i]) - m.of(costs[1][i])) / m.of(costs[2][i])
		}
		fmt.Printf("| %s | %s | %s | %s | %.2f |\n", m.name, m.format(costs[0]), m.format(costs[1]),
			m.format(costs[2]), median(ratios))
	}
	return nil
}

// compare runs both commands alternately.
func (b *historyBenchmark) compare(ours, git []string) error {
	costs, err := inTurn(b.runs, ours, git)
	if err != nil {
		return err
	}
	shown := append([]string{filepath.Base(ours[0])}, ours[1:]...)
	fmt.Printf("\n| | %s | %s | ratio |\n|---|---|---|---|\n", strings.Join(shown, " "), strings.Join(git, " "))
	for _, m := range historyMetrics {
		fmt.Printf("| %s | %s | %s | %.2f |\n", m.name, m.format(costs[0]), m.format(costs[1]), m.ratio(costs[0], costs[1]))
	}
	return nil
}

// generateHistory creates a repository in dir, packed as a server would send it: a commit with all
// rubrics, followed by commits that each change one.
func generateHistory(dir string, size, commits int) error {
	git := func(input io.Reader, args ...string) error {
		cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
		cmd.Stdin = input
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", cmd, err, out)
		}
		return nil
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	if err := git(nil, "init", "-q", "-b", "main"); err != nil {
		return err
	}
	stream, writer := io.Pipe()
	go func() { writer.CloseWithError(writeHistory(writer, size, commits)) }()
	if err := git(stream, "fast-import", "--quiet"); err != nil {
		return err
	}
	if err := git(nil, "gc", "-q"); err != nil {
		return err
	}
	return git(nil, "reset", "-q", "--hard")
}

// writeHistory writes the history for git fast-import.
func writeHistory(out io.Writer, size, commits int) error {
	w := bufio.NewWriter(out)
	file := func(number, edition int) {
		artifactType, _, id := names(number)
		data := generateEdition(number, edition)
		fmt.Fprintf(w, "M 100644 inline rubrics/%s/%s.yaml\ndata %d\n%s\n", artifactType, id, len(data), data)
	}
	for i := range commits + 1 {
		fmt.Fprintf(w, "commit refs/heads/main\ncommitter Ann <ann@example.org> %d +0000\ndata 6\nchange\n", 1_700_000_000+3600*i)
		if i == 0 {
			for number := range size {
				file(number, 0)
			}
			continue
		}
		// A prime number spreads the changes over all folders.
		file(i*37%size, 1+(i-1)/size)
	}
	return w.Flush()
}

var versionOf = regexp.MustCompile(`(?m)^version: "1\.(\d+)\.(\d+)"$`)

// generateEdition returns the rubric with another name, and a higher version for each
// edition above 0.
func generateEdition(number, edition int) []byte {
	data := generateRubric(number)
	if edition == 0 {
		return data
	}
	_, subject, _ := names(number)
	data = versionOf.ReplaceAllFunc(data, func(line []byte) []byte {
		parts := versionOf.FindSubmatch(line)
		patch, _ := strconv.Atoi(string(parts[2])) // digits
		return fmt.Appendf(nil, `version: "1.%s.%d"`, parts[1], patch+edition)
	})
	name := []byte(": " + subject)
	at := bytes.Index(data, []byte("\nname: "))
	at += bytes.Index(data[at:], name)
	return append(data[:at:at], append(fmt.Appendf(nil, ": %s, edition %d", subject, edition), data[at+len(name):]...)...)
}
