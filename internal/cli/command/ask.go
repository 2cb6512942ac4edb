package command

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// Asker asks for values that no flag sets.
type Asker struct {
	Streams
	// always asks even if the input is not a terminal.
	always bool
	// Yes accepts the defaults instead of asking.
	Yes   bool
	lines *bufio.Reader // the input
}

// NewAsker asks on the streams, whose input nothing else may read.
func NewAsker(s Streams) Asker { return Asker{Streams: s, lines: bufio.NewReader(s.In)} }

// Flag gives a command the hidden flag --ask.
func (a *Asker) Flag(cmd *cobra.Command) {
	f := cmd.PersistentFlags()
	f.BoolVar(&a.always, "ask", false, "ask even if the input is not a terminal")
	_ = f.MarkHidden("ask") // the flag is there
}

// CanAsk reports whether a user can answer questions.
func (a *Asker) CanAsk() bool { return a.always || Terminal(a.In) }

// Line reads a line of the input. If the input ended before, the error says so, with advice.
// Without a terminal, which shows the line as it is typed, Line prints it.
func (a *Asker) Line(advice string) (string, error) {
	line, err := a.lines.ReadString('\n')
	line = strings.TrimSpace(line)
	if err != nil && line == "" {
		fmt.Fprintln(a.Err)
		return "", fmt.Errorf("the input ended before the last question: nothing was written. %s", advice)
	}
	if !Terminal(a.In) {
		fmt.Fprintln(a.Err, InertLines(line))
	}
	return line, nil
}

// Question asks the author for a value that a flag can also set.
type Question struct {
	// Flag sets the value without a question: "--id".
	Flag string
	// Text is the question, without its question mark or colon.
	Text string
	// Value is the value of the flag, and then the answer.
	Value *string
	// Given means that an empty value is intended.
	Given bool
	// Standard returns the default, which Enter accepts, or "". It is called after the questions
	// before it are answered. Nil means none.
	Standard func() string
	// Optional allows an empty answer.
	Optional bool
	Check    func(string) error
}

func (q *Question) defaultAnswer() string {
	if q.Standard == nil {
		return ""
	}
	return q.Standard()
}

// ErrNoTerminal is in the error for values that no flag sets and nobody can be asked for.
var ErrNoTerminal = errors.New("required when standard input is not a terminal")

// Answer checks the values of flags and asks for the others on a terminal. Without a
// terminal, the error names all missing flags.
func (a *Asker) Answer(questions ...*Question) error {
	var missing []string
	for _, q := range questions {
		switch {
		case *q.Value != "" || q.Given:
			if err := q.Check(*q.Value); err != nil {
				return err
			}
		case a.CanAsk() && !a.Yes:
			if err := a.AskUntilRight(q); err != nil {
				return err
			}
		case q.defaultAnswer() != "" || q.Optional:
			*q.Value = q.defaultAnswer()
			if err := q.Check(*q.Value); err != nil {
				return err
			}
		default:
			missing = append(missing, q.Flag)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("%s %s %w", schema.Or(missing, "and"), IsOrAre(len(missing)), ErrNoTerminal)
	}
	return nil
}

// AskUntilRight asks until the answer is valid.
func (a *Asker) AskUntilRight(q *Question) error {
	prompt, standard := InertLines(q.Text), q.defaultAnswer()
	if standard != "" {
		prompt += " [" + InertLines(standard) + "]"
	}
	advice := "Answer each question or press Enter"
	if q.Flag != "" {
		advice = "Use " + q.Flag + " instead"
	}
	for {
		fmt.Fprintf(a.Err, "%s: ", prompt)
		answer, err := a.Line(advice)
		if err != nil {
			return err
		}
		answer = cmp.Or(answer, standard)
		if answer == "" && !q.Optional {
			continue
		}
		err = q.Check(answer)
		if err == nil {
			*q.Value = answer
			return nil
		}
		fmt.Fprintln(a.Err, InertLines(err.Error()))
	}
}
