package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rubric-library/rubric-library/internal/schema"
)

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
func (c *editCommand) answer(questions ...*question) error {
	var missing []string
	for _, q := range questions {
		switch {
		case *q.value != "" || q.given:
			if err := q.check(*q.value); err != nil {
				return err
			}
		case c.ask || c.isTerminal():
			if err := c.askUntilRight(q); err != nil {
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
func (c *editCommand) isTerminal() bool {
	f, ok := c.In.(*os.File)
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
func (c *editCommand) askUntilRight(q *question) error {
	prompt := inertLines(q.text)
	if q.standard != "" {
		prompt += " [" + inertLines(q.standard) + "]"
	}
	for {
		fmt.Fprintf(c.Err, "%s: ", prompt)
		line, err := c.lines.ReadString('\n')
		answer := strings.TrimSpace(line)
		switch {
		case err != nil && (!errors.Is(err, io.EOF) || answer == ""):
			fmt.Fprintln(c.Err)
			return fmt.Errorf("the input ended before the question was answered. Say %s instead", q.flag)
		case answer == "":
			answer = q.standard
		}
		if answer == "" && !q.optional {
			continue
		}
		err = q.check(answer)
		if err == nil {
			*q.value = answer
			return nil
		}
		fmt.Fprintln(c.Err, inertLines(err.Error()))
	}
}
