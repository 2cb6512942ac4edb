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

// asker asks for values that no flag sets.
type asker struct {
	Streams
	// always asks even if the input is not a terminal.
	always bool
	lines  *bufio.Reader // the input
}

func newAsker(s Streams) asker { return asker{Streams: s, lines: bufio.NewReader(s.In)} }

// flag gives a command the hidden flag --ask.
func (a *asker) flag(cmd *cobra.Command) {
	f := cmd.PersistentFlags()
	f.BoolVar(&a.always, "ask", false, "ask even if the input is not a terminal")
	_ = f.MarkHidden("ask") // the flag is there
}

// canAsk reports whether a user can answer questions.
func (a *asker) canAsk() bool { return a.always || terminal(a.In) }

// errInterrupted ends a command that is interrupted while it asks.
var errInterrupted = errors.New("interrupted: nothing was written")

// line reads a line of the input. The error is errInterrupted or the end of the
// input. Without a terminal, which shows the line as it is typed, line prints it.
func (a *asker) line() (string, error) {
	line, err := a.typed()
	line = strings.TrimSpace(line)
	if err != nil && (!errors.Is(err, io.EOF) || line == "") {
		fmt.Fprintln(a.Err)
		return "", err
	}
	if !terminal(a.In) {
		fmt.Fprintln(a.Err, inertLines(line))
	}
	return line, nil
}

// typed waits for a line or an interruption. A line that comes after an
// interruption has no effect.
func (a *asker) typed() (string, error) {
	ctx, stop := untilInterrupted()
	defer stop()
	var line string
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		line, err = a.lines.ReadString('\n')
	}()
	select {
	case <-done:
		return line, err
	case <-ctx.Done():
		return "", errInterrupted
	}
}

// endOfInput is the error for a question without an answer: err is the reason, and
// advice says what to do.
func endOfInput(err error, advice string) error {
	if errors.Is(err, errInterrupted) {
		return err
	}
	return fmt.Errorf("the input ended before the last question: nothing was written. %s", advice)
}

// question asks the author for a value that a flag can also set.
type question struct {
	// flag sets the value without a question: "--id".
	flag string
	// text is the question, without its question mark or colon.
	text string
	// value is the value of the flag, and then the answer.
	value *string
	// given means that an empty value is intended.
	given bool
	// standard is the default, which Enter accepts, or "".
	standard string
	// optional allows an empty answer.
	optional bool
	check    func(string) error
	// help explains the question. Only with it are help and back answers.
	help string
}

// answer checks the values of flags and asks for the others on a terminal. Without a
// terminal, the error names all missing flags.
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
		return fmt.Errorf("%s %s required when standard input is not a terminal", schema.Or(missing, "and"), isOrAre(len(missing)))
	}
	return nil
}

var errBack = errors.New("back")

// converse asks questions one after the other; an answer can add questions. Values of
// flags are only checked. The answer back returns to the previous question.
func (a *asker) converse(questions func() []*question) error {
	fmt.Fprintln(a.Err, "Type help for an explanation or back for the previous question. Press Enter to accept the answer in brackets.")
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

// terminal reports whether a stream is a terminal. The null device looks like one.
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

// askUntilRight asks until the answer is valid.
func (a *asker) askUntilRight(q *question) error {
	prompt := inertLines(q.text)
	if q.standard != "" {
		prompt += " [" + inertLines(q.standard) + "]"
	}
	advice := "Answer each question or press Enter"
	if q.flag != "" {
		advice = "Use " + q.flag + " instead"
	}
	for {
		fmt.Fprintf(a.Err, "%s: ", prompt)
		answer, err := a.line()
		if err != nil {
			return endOfInput(err, advice)
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
