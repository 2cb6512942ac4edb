package report

import (
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/calibration/measure"
	"github.com/rubric-library/rubric-library/internal/render"
)

// changes says what changed since the previous run and since the reference run.
func (w words) changes() []string {
	lines := []string{}
	if w.Unfinished != nil {
		lines = append(lines, stopped(w.Unfinished))
	}
	add := func(c *measure.Comparison, before string) {
		if c != nil {
			lines = append(lines, compared(c, before)...)
		}
	}
	add(w.Drift, "previous")
	add(w.Reference, "reference")
	if w.Drift != nil && !w.HasReference && !w.Dataset.Demonstration() {
		lines = append(lines, "There is no reference run: no run of this judge for these words met every condition or was accepted.")
	}
	return lines
}

// stopped says that a run was stopped.
func stopped(run *calibration.Run) string {
	all := run.Items * max(run.Repeats, 1)
	return fmt.Sprintf("Run %s was stopped with %d of %s, so it does not count.",
		dated(run), all-run.Open-run.Lost, render.Count(all, "answer"))
}

// dated is the name of a run, with its date if the name does not say it.
func dated(run *calibration.Run) string {
	if strings.HasPrefix(run.Name, run.Date) {
		return run.Name
	}
	return run.Name + " of " + run.Date
}

// compared says what changed since a run.
func compared(c *measure.Comparison, before string) []string {
	run := c.Before.Run
	if c.Before.Date != run {
		run += " on " + c.Before.Date
	}
	switch {
	case !c.Changed:
		return []string{fmt.Sprintf("No drift since the %s run %s.", before, run)}
	case c.Worse:
		return append([]string{fmt.Sprintf("Drift since the %s run %s:", before, run)}, differences(c)...)
	}
	return append([]string{fmt.Sprintf("Better than in the %s run %s:", before, run)}, differences(c)...)
}

func differences(c *measure.Comparison) (lines []string) {
	for _, one := range c.Criteria {
		agree := fmt.Sprintf("agreement with people %s, then %s", orWhy(one.Before), orWhy(one.After))
		switch one.Changed {
		case measure.Correlation:
			lines = append(lines, fmt.Sprintf("%s: %s, a difference of %s, which is more than chance and the judge's own noise explain.",
				one.Name, agree, one.Correlation.SignedText()))
		case measure.Shift:
			lines = append(lines, fmt.Sprintf("%s: scores differ on average by %s, which is more than chance and the judge's own noise explain; %s.",
				one.Name, one.Shift.SignedText(), agree))
		}
	}
	return lines
}

func orWhy(v agreement.Value) string {
	if !v.IsDefined() {
		return "undefined (" + v.Undefined + ")"
	}
	return v.Text()
}
