package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/rulesets/printer"
	"github.com/rubric-library/rubric-library/internal/rulesets/setup"
)

// askLines asks for lines until an empty one. It asks again for an invalid line.
func (c *rulesCommand) askLines(q step) error {
	fmt.Fprintf(c.Err, "%s. An empty line ends the list.\n", q.text)
	var all []string
	for {
		fmt.Fprint(c.Err, "> ")
		line, err := c.line()
		if err != nil {
			return endOfInput(err, fmt.Sprintf("Use %s instead, or end each list with an empty line", q.flag))
		}
		switch {
		case line == "" && q.whole:
			return q.take(strings.Join(all, "\n"))
		case line == "":
			return nil
		case q.whole:
			all = append(all, line)
			continue
		}
		if err := q.take(line); err != nil {
			fmt.Fprintln(c.Err, inertLines(err.Error()))
		}
	}
}

const changesHelp = `Change the rules, one change per line:
  add {id: a.style.order, description: Sections are in order, severity: warn}
  adjust a.style.order.severity=fail
  remove a.style.order
  threshold 0.9
An empty line ends the setup.
`

// askChanges shows the rules and applies changes until an empty line.
func (c *rulesCommand) askChanges(s *setup.Setup) error {
	if err := printer.RunRules(c.Err, s.Rules(), s.PassThreshold()); err != nil {
		return err
	}
	fmt.Fprint(c.Err, changesHelp)
	for {
		fmt.Fprint(c.Err, "> ")
		line, err := c.line()
		if err != nil {
			return endOfInput(err, "An empty line ends the setup")
		}
		if line == "" {
			return nil
		}
		if err := change(s, line); err != nil {
			fmt.Fprintln(c.Err, inertLines(err.Error()))
			continue
		}
		if err := printer.RunRules(c.Err, s.Rules(), s.PassThreshold()); err != nil {
			return err
		}
	}
}

// change applies a line such as "remove a.style.order".
func change(s *setup.Setup, line string) error {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "add":
		rule, err := readRow(rest)
		if err != nil {
			return err
		}
		return s.Add(*rule)
	case "adjust":
		return s.Adjust(rest)
	case "remove":
		return s.Remove(rest)
	case "threshold":
		threshold, err := strconv.ParseFloat(rest, 64)
		if err != nil {
			return fmt.Errorf("threshold must be a number from 0 to 1, such as 0.8, got %q", rest)
		}
		return s.SetPassThreshold(threshold)
	}
	return fmt.Errorf("a change must start with add, adjust, remove, or threshold, got %q", word)
}
