package printer

import (
	"fmt"
	"io"
	"strings"

	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/rulesets"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// BaseTemplate prints the rules that a setup starts with. columns is the width of the terminal,
// or 0, here and below.
func BaseTemplate(w io.Writer, name string, rules []ruleset.Rule, columns int) error {
	_, err := fmt.Fprintf(w, "Base template %s, %s:\n", sanitize.Line(name), render.Count(len(rules), "rule"))
	if err != nil {
		return err
	}
	return render.Table(w, Rows(rules), columns)
}

// RunRules prints the rules of a setup and its pass threshold.
func RunRules(w io.Writer, rules []ruleset.Rule, passThreshold float64, columns int) error {
	if err := render.Table(w, Rows(rules), columns); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "Pass threshold: %s.\n", render.Number(passThreshold))
	return err
}

// Rows are a table of rules for render.Table.
func Rows(rules []ruleset.Rule) [][]string {
	rows := [][]string{{"RULE", "SEVERITY", "WEIGHT", "DESCRIPTION"}}
	for _, r := range rules {
		rows = append(rows, []string{r.ID, string(r.Severity), render.Number(r.Weight), render.FirstSentence(r.Description)})
	}
	return rows
}

// RunMade summarizes a run file that was just written.
func RunMade(w io.Writer, name string, r *rulesets.Run) error {
	severities, phases := map[ruleset.Severity]int{}, map[ruleset.Phase]int{}
	for _, rule := range r.Criteria.Rules {
		severities[rule.Severity]++
		phases[rule.Phase]++
	}
	_, err := fmt.Fprintf(w, "wrote %s: %s from %s (%d fail, %d warn, %d info; %d in phase A, %d in phase B)\n",
		sanitize.Line(name), render.Count(len(r.Criteria.Rules), "rule"), sanitize.Line(origin(r)),
		severities[ruleset.SeverityFail], severities[ruleset.SeverityWarn], severities[ruleset.SeverityInfo],
		phases[ruleset.PhaseA], phases[ruleset.PhaseB])
	return err
}

// origin names the source of the rules of a run.
func origin(r *rulesets.Run) string {
	switch c := r.Criteria; {
	case c.RuleSet != nil:
		return c.RuleSet.ID + " " + c.RuleSet.Version
	case c.Template != nil && c.Template.Section != "":
		return fmt.Sprintf("%s, section %s", c.Template.File, c.Template.Section)
	case c.Template != nil:
		return c.Template.File
	}
	return "custom rules"
}

// Prepared prints which rules have checks, where the checks are from, and which rules
// need an external verdict.
func Prepared(w io.Writer, name string, s *ruleset.RuleSet, p *rulesets.Prepared, columns int) error {
	rows := [][]string{{"RULE", "SEVERITY", "CHECKED BY"}}
	with := map[string]rulesets.RuleChecks{}
	for _, r := range p.Rules {
		with[r.Rule] = r
	}
	checked := 0
	for _, rule := range s.Active(p.Phase) {
		by := "external verdict"
		if r, found := with[rule.ID]; found {
			checked++
			by = kinds(r.Checks)
			if r.Supplied {
				by += ", supplied"
			}
			if r.Supplied && len(rule.Checks) > 0 {
				by += " instead of its own"
			}
		}
		rows = append(rows, []string{rule.ID, string(rule.Severity), by})
	}
	if err := render.Table(w, rows, columns); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "prepared %s for phase %s: %s with checks, %d without, which need an external verdict\n",
		sanitize.Line(name), p.Phase, render.Count(checked, "rule"), len(p.Outside))
	return err
}

// kinds counts checks by type, such as "2 content checks and 1 executable check".
func kinds(checks []ruleset.Check) string {
	content := 0
	for _, c := range checks {
		if c.Type == ruleset.CheckContent {
			content++
		}
	}
	var parts []string
	if content > 0 {
		parts = append(parts, render.Count(content, "content check"))
	}
	if n := len(checks) - content; n > 0 {
		parts = append(parts, render.Count(n, "executable check"))
	}
	return strings.Join(parts, " and ")
}
