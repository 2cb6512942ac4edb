//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// TestProgressOnATerminal: a command that takes longer than a second shows a line on a terminal, and
// then the terminal has what it has without the line. A file, a job of CI, and a terminal that can't
// erase get no line.
func TestProgressOnATerminal(t *testing.T) {
	rubric, dir, out := program(t), manyRubrics(t, 400), t.TempDir()
	large := manyRubrics(t, 4000) // for what is faster than the line
	for _, name := range []string{"live", "dumb"} {
		must.Do(t, os.Mkdir(filepath.Join(out, name), 0o777))
	}
	for i, tt := range []struct{ words, dir, step string }{
		{"lint --statistics", dir, `checking files: \d+ of 402|(checking the library|comparing versions): \d+ s`},
		{"site -o %s", dir, `writing pages: \d+ of 402|(reading the library|writing lists): \d+ s`},
		{"build --first-release -o %s", dir, `(reading|comparing|collecting|packing) [a-z ]+: \d+ s`},
		{"list", large, `reading the library: \d+ s`},
	} {
		words := func(name string) string {
			return strings.ReplaceAll(tt.words, "%s", filepath.Join(out, name, fmt.Sprint(i)))
		}
		live := onPTY(t, tt.dir, rubric, words("live"), "TERM=xterm CI=")
		live.slow(t)
		live.wait()
		if !regexp.MustCompile(tt.step).MatchString(live.shown()) {
			t.Errorf("rubric %s does not show %q in a second:\n%q", tt.words, tt.step, live.shown())
		}
		plain := onPTY(t, tt.dir, rubric, words("dumb"), "TERM=dumb CI=")
		plain.wait()
		if got, want := screen(live.shown()), strings.ReplaceAll(screen(plain.shown()), "dumb", "live"); got != want {
			t.Errorf("rubric %s leaves\n%s\non a terminal, want\n%s", tt.words, got, want)
		}
	}
	for _, quiet := range []struct{ words, env string }{
		{"lint", "TERM=xterm CI=true"},
		{"lint 2>" + filepath.Join(out, "stderr"), "TERM=xterm CI="},
	} {
		p := onPTY(t, dir, rubric, quiet.words, quiet.env)
		p.slow(t)
		p.wait()
		if strings.Contains(p.shown(), "checking") {
			t.Errorf("rubric %s with %s shows progress:\n%q", quiet.words, quiet.env, p.shown())
		}
	}
	if said := string(read(t, filepath.Join(out, "stderr"))); said != "" {
		t.Errorf("a file gets progress: %q", said)
	}
}

// TestInterruptErasesProgress: Ctrl-C leaves nothing of the line, and the shell sees the signal.
func TestInterruptErasesProgress(t *testing.T) {
	// After the line is there, the rest must take longer than the key.
	p := onPTY(t, manyRubrics(t, 4000), program(t), "lint", "TERM=xterm CI=")
	p.slow(t)
	if p.shown() == "" {
		t.Fatal("there is no progress")
	}
	_, _ = p.keys.Write([]byte{3}) // Ctrl-C
	p.wait()
	if left := strings.Trim(screen(p.shown()), "^C \n"); left != "" {
		t.Errorf("the terminal has %q", left)
	}
	if code := p.cmd.ProcessState.ExitCode(); code != 128+int(syscall.SIGINT) {
		t.Errorf("exit code %d, want that of an interrupted process", code)
	}
}

// manyRubrics is a repository with many rubrics.
func manyRubrics(t *testing.T, n int) string {
	dir := library(t, 20)
	for i := range n {
		id := fmt.Sprintf("r%d_v1", i)
		must.Do(t, os.WriteFile(filepath.Join(dir, "rubrics/prd", id+".yaml"), []byte(scripttest.Rubric(id, "1.0.0", "prd")), 0o666))
	}
	run(t, dir, gitEnv, "git", "add", "-A")
	run(t, dir, gitEnv, "git", "commit", "-q", "--amend", "-m", "one")
	return dir
}

// session is a command on a terminal of 80 columns.
type session struct {
	cmd  *exec.Cmd
	keys interface{ Write([]byte) (int, error) }
	pid  string // the file with the number of the process
	done chan bool

	mu     sync.Mutex
	output bytes.Buffer
}

func onPTY(t *testing.T, dir, rubric, words, env string) *session {
	t.Helper()
	for _, name := range []string{"script", "stty"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed", name)
		}
	}
	p := &session{pid: filepath.Join(t.TempDir(), "pid"), done: make(chan bool)}
	p.cmd = exec.Command("script", "-qec", fmt.Sprintf("stty cols 80 rows 24; cd '%s'; echo $$ >'%s'; %s exec '%s' %s", dir, p.pid, "export "+env+";", rubric, words), "/dev/null")
	p.cmd.Stdout, p.cmd.Stderr = p, p
	p.keys = must.Get(p.cmd.StdinPipe())(t)
	must.Do(t, p.cmd.Start())
	go func() {
		_ = p.cmd.Wait()
		close(p.done)
	}()
	return p
}

func (p *session) Write(data []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.output.Write(data)
}

func (p *session) shown() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.output.String()
}

func (p *session) wait() { <-p.done }

// slow lets time pass for the command, until it shows something or ends.
func (p *session) slow(t *testing.T) {
	t.Helper()
	for p.shown() == "" {
		select {
		case <-p.done:
			return
		case <-time.After(50 * time.Millisecond):
		}
		text, _ := os.ReadFile(p.pid)
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			continue // it has not started
		}
		if syscall.Kill(pid, syscall.SIGSTOP) == nil {
			time.Sleep(1100 * time.Millisecond)
			_ = syscall.Kill(pid, syscall.SIGCONT)
			_ = p.cmd.Process.Signal(syscall.SIGCONT) // script stops with its command
		}
	}
}

// screen is what a terminal has after an output.
func screen(output string) string {
	lines := [][]rune{nil}
	column := 0
	for _, c := range color.ReplaceAllString(output, "") {
		last := &lines[len(lines)-1]
		switch {
		case c == '\r':
			column = 0
		case c == '\n':
			lines = append(lines, nil)
		case column < len(*last):
			(*last)[column] = c
			column++
		default:
			*last = append(*last, c)
			column++
		}
	}
	var all strings.Builder
	for _, line := range lines {
		all.WriteString(strings.TrimRight(string(line), " ") + "\n")
	}
	return all.String()
}
