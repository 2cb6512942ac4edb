package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// readOutputs reads a file of outputs like GitHub's runner: FileCommandManager of
// actions/runner on a system whose lines end with LF. Later values replace earlier
// ones. Unlike it, and like Gitea's runner, it rejects a blank line.
func readOutputs(text string) (map[string]string, error) {
	outputs := map[string]string{}
	next := func() (line string, ended, ok bool) {
		if text == "" {
			return "", false, false
		}
		line, text, ended = strings.Cut(text, "\n")
		return line, ended, true
	}
	for {
		line, _, ok := next()
		if !ok {
			return outputs, nil
		}
		equals, heredoc := strings.Index(line, "="), strings.Index(line, "<<")
		switch {
		case heredoc >= 0 && (equals < 0 || heredoc < equals):
			name, delimiter := line[:heredoc], line[heredoc+2:]
			if name == "" || delimiter == "" {
				return nil, fmt.Errorf("invalid format %q", line)
			}
			var value []string
			for {
				line, ended, ok := next()
				if ok && line == delimiter {
					break
				}
				if !ok || !ended {
					return nil, fmt.Errorf("the delimiter %q is missing", delimiter)
				}
				value = append(value, line)
			}
			outputs[name] = strings.Join(value, "\n")
		case equals > 0:
			outputs[line[:equals]] = line[equals+1:]
		default:
			return nil, fmt.Errorf("invalid format %q", line)
		}
	}
}

// TestTheRunnerReadsOutputs checks that the port of the runner's parser reads what the
// readOutputs reads, so that a value could set an output if it were written plainly.
func TestTheRunnerReadsOutputs(t *testing.T) {
	for _, tt := range []struct {
		text string
		want map[string]string // nil is an error
	}{
		{"", map[string]string{}},
		{"a=1\nb=2=3", map[string]string{"a": "1", "b": "2=3"}},
		{"a=1\nevil=1\n", map[string]string{"a": "1", "evil": "1"}},
		{"a<<EOF\nx\n\ny\nEOF\nb=", map[string]string{"a": "x\n\ny", "b": ""}},
		{"a<<EOF\nEOF\nevil=1\nEOF=\n", map[string]string{"a": "", "evil": "1", "EOF": ""}},
		{"a=x<<EOF\n", map[string]string{"a": "x<<EOF"}},
		{"a<<b=c\nx\nb=c\n", map[string]string{"a": "x"}},
		{"a<<EOF\nx\n", nil}, {"a<<EOF\nx", nil}, {"<<EOF\nEOF\n", nil}, {"a<<\n", nil}, {"=1", nil}, {"a", nil}, {"\na=1", nil}, {"a=1\n\nb=2\n", nil},
	} {
		got, err := readOutputs(tt.text)
		if (err != nil) != (tt.want == nil) || err == nil && !cmp.Equal(got, tt.want) {
			t.Errorf("%q: %q, %v, want %q", tt.text, got, err, tt.want)
		}
	}
}

var hostileOutputs = []string{
	"", "1", "\n", "\n\n", "x\ny", "x\nevil=1", "x\nevil<<EOF\n1\nEOF", "EOF\nevil=1\nEOF", "name<<EOF", "evil=1",
	"x\r\nevil=1\r\n", "\revil=1", "\x00", "\u2028evil=1", "::set-output name=evil::1", "ghadelimiter_\nevil=1", "\xff\xfe",
}

// TestNoValueSetsAnotherOutput adds outputs to a file that does not exist, is empty, or
// has an output with or without its line end.
func TestNoValueSetsAnotherOutput(t *testing.T) {
	for _, existing := range []string{"-", "", "earlier=1", "earlier=1\n"} {
		file := filepath.Join(t.TempDir(), "output")
		want := map[string]string{}
		if existing != "-" {
			must.Do(t, os.WriteFile(file, []byte(existing), 0o666))
		}
		if strings.HasPrefix(existing, "earlier") {
			want["earlier"] = "1"
		}
		appendHostile(t, file, want)
	}
}

// appendHostile appends every hostile value twice, and compares what the runner reads
// with want and the values.
func appendHostile(t *testing.T, file string, want map[string]string) {
	t.Helper()
	var outputs []StepOutput
	for i, value := range hostileOutputs {
		o := StepOutput{fmt.Sprintf("Value_%d-x", i), value}
		outputs = append(outputs, o)
		want[o.Name] = value
	}
	for range 2 {
		must.Do(t, appendOutputs(file, outputs...))
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got, err := readOutputs(string(data))
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("the runner reads (-want +got), %v:\n%s", err, diff)
	}
}

func TestEveryValueComesBack(t *testing.T) {
	value := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.SampledFrom(hostileOutputs)), func(lines []string) string {
		return strings.Join(lines, "\n")
	}))
	rapid.Check(t, func(t *rapid.T) {
		text := ""
		want := map[string]string{}
		for i, v := range rapid.SliceOfN(value, 0, 4).Draw(t, "values") {
			name := fmt.Sprint("o", i)
			want[name] = v
			text += StepOutput{name, v}.encode("a-delimiter-that-no-value-has")
		}
		got, err := readOutputs(text)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Fatalf("%q is read as (-want +got), %v:\n%s", text, err, diff)
		}
	})
}

func TestOutputsNeedAFile(t *testing.T) {
	if err := appendOutputs(t.TempDir(), StepOutput{"a", "1"}); err == nil {
		t.Error("a folder is written to")
	}
}
