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

	"github.com/rubric-library/rubric-library/internal/document/schema"
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

// errInterrupted ends a command that was asking when somebody interrupted it.
var errInterrupted = errors.New("interrupted, and nothing was written")

// line reads a line of the input. The error is errInterrupted, or that there is
// no line. What no terminal shows while it is typed is shown behind the question.
func (a *asker) line() (string, error) {
	line, err := a.typed()
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

// typed waits for a line or an interruption. After that nothing is read any more,
// so that a line which comes too late harms nobody.
func (a *asker) typed() (string, error) {
	type result struct {
		line string
		err  error
	}
	ctx, stop := untilInterrupted()
	defer stop()
	done := make(chan result, 1)
	go func() {
		line, err := a.lines.ReadString('\n')
		done <- result{line, err}
	}()
	select {
	case r := <-done:
		return r.line, r.err
	case <-ctx.Done():
		return "", errInterrupted
	}
}

// endOfInput is the error for a question to which there is no line: err says
// why, and advice what to do.
func endOfInput(err error, advice string) error {
	if errors.Is(err, errInterrupted) {
		return err
	}
	return fmt.Errorf("the input ended before the questions did, and nothing was written. %s", advice)
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
	// help explains what is asked for. With it, the answers help and back are
	// understood.
	help string
}

// advice says how the question is answered without being asked.
func (q *question) advice() string {
	if q.flag == "" {
		return ""
	}
	return fmt.Sprintf("Say %s instead", q.flag)
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

// errBack ends a question that was answered with back.
var errBack = errors.New("back")

// converse asks questions one after the other, of which the answers can bring more.
// What a flag says is only checked. The answer back returns to the question before.
func (a *asker) converse(questions func() []*question) error {
	fmt.Fprintln(a.Err, "Answer help for an explanation, or back for the previous question. Enter takes the answer in brackets.")
	var asked []int
	wasAsked := map[string]bool{} // by text
	for i := 0; i < len(questions()); {
		q := questions()[i]
		if *q.value != "" && !wasAsked[q.text] {
			if err := q.check(*q.value); err != nil {
				return err
			}
			i++
			continue
		}
		q.standard = cmp.Or(*q.value, q.standard)
		switch err := a.askUntilRight(q); {
		case err == nil:
			asked, wasAsked[q.text] = append(asked, i), true
			i++
		case !errors.Is(err, errBack):
			return err
		case len(asked) > 0:
			i, asked = asked[len(asked)-1], asked[:len(asked)-1]
		}
	}
	return nil
}

// isTerminal tells whether somebody sits at the input.
func (a *asker) isTerminal() bool { return terminal(a.In) }

// terminal tells whether somebody sits at a stream. The null device looks like a
// terminal, and nobody sits there.
func terminal(stream any) bool {
	f, ok := stream.(*os.File)
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
			return endOfInput(err, cmp.Or(q.advice(), "Answer each question, or press Enter"))
		}
		switch {
		case answer == "back" && q.help != "":
			return errBack
		case answer == "help" && q.help != "":
			fmt.Fprintln(a.Err, inertLines(q.help))
			continue
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
