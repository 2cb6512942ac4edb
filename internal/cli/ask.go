package cli

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/schema"
)

// asker asks what no flag says.
type asker struct {
	Streams
	// always asks also where the input is no terminal.
	always bool
	lines  *bufio.Reader // the input
}

func newAsker(s Streams) asker { return asker{Streams: s, lines: bufio.NewReader(s.In)} }

// flag gives a command the hidden flag --ask.
func (a *asker) flag(cmd *cobra.Command) {
	f := cmd.PersistentFlags()
	f.BoolVar(&a.always, "ask", false, "ask also where the input is no terminal")
	_ = f.MarkHidden("ask") // the flag is there
}

// canAsk tells whether somebody answers.
func (a *asker) canAsk() bool { return a.always || a.isTerminal() }

// line reads a line of the input. The error is that there is none. What no
// terminal shows while it is typed is shown behind the question.
func (a *asker) line() (string, error) {
	line, err := a.lines.ReadString('\n')
	line = strings.TrimSpace(line)
	if err != nil && (!errors.Is(err, io.EOF) || line == "") {
		fmt.Fprintln(a.Err)
		return "", err
	}
	if !a.isTerminal() {
		fmt.Fprintln(a.Err, inertLines(line))
	}
	return line, nil
}

// question is something that an author is to say, by a flag or when asked.
type question struct {
	// flag is how it is said without being asked: "--id".
	flag string
	// text is the question, without its question mark or colon.
	text string
	// value is what the flag says, and then the answer.
	value *string
	// given tells that an empty value is meant.
	given bool
	// standard is the answer of those who only press Enter, or "".
	standard string
	// optional tells that the answer may be empty.
	optional bool
	check    func(string) error
}

// answer checks what the flags say and asks for the rest, on a terminal. Where
// nobody can be asked, the error names all flags that are missing.
func (a *asker) answer(questions ...*question) error {
	var missing []string
	for _, q := range questions {
		switch {
		case *q.value != "" || q.given:
			if err := q.check(*q.value); err != nil {
				return err
			}
		case a.canAsk():
			if err := a.askUntilRight(q); err != nil {
				return err
			}
		case q.standard != "" || q.optional:
			if err := q.check(q.standard); err != nil {
				return err
			}
			*q.value = q.standard
		default:
			missing = append(missing, q.flag)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("say %s: nobody can be asked here, because the input is no terminal", schema.Or(missing, "and"))
	}
	return nil
}

// isTerminal tells whether somebody sits at the input. The null device looks
// like a terminal, and nobody sits there.
func (a *asker) isTerminal() bool {
	f, ok := a.In.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// askUntilRight asks again until the answer is one that can be taken.
func (a *asker) askUntilRight(q *question) error {
	prompt := inertLines(q.text)
	if q.standard != "" {
		prompt += " [" + inertLines(q.standard) + "]"
	}
	for {
		fmt.Fprintf(a.Err, "%s: ", prompt)
		answer, err := a.line()
		if err != nil {
			return fmt.Errorf("the input ended before the question was answered. Say %s instead", q.flag)
		}
		answer = cmp.Or(answer, q.standard)
		if answer == "" && !q.optional {
			continue
		}
		err = q.check(answer)
		if err == nil {
			*q.value = answer
			return nil
		}
		fmt.Fprintln(a.Err, inertLines(err.Error()))
	}
}
