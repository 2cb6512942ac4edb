package printer

import (
	"fmt"
	"io"
	"strings"

	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

// Rules prints lint rules by family. program is how the linter was called, and columns the width of
// the terminal, or 0.
func Rules(w io.Writer, program string, rules []*lint.Rule, columns int) error {
	const indent = "  "
	var rows [][]string
	for _, r := range rules {
		rows = append(rows, []string{r.ID, r.Severity.String(), r.Summary})
	}
	var out render.Output
	var family lint.Family
	for i, row := range render.Rows(rows, 0, max(0, columns-len(indent))) {
		if rules[i].Family != family {
			family = rules[i].Family
			out.Printf("%s\n", family)
		}
		out.Printf("%s%s\n", indent, strings.ReplaceAll(row, "\n", "\n"+indent))
	}
	out.Printf("\nRun `%s --explain RULE` for details.\n", program)
	return out.Flush(w)
}

// Explain prints everything about a lint rule.
func Explain(w io.Writer, r *lint.Rule) error {
	_, err := fmt.Fprintf(w, "%s (%s): finds %s.\n\n%s", r.ID, r.Severity, r.Summary, explanation(r, false))
	return err
}

// explanation returns the text about a lint rule after its summary.
func explanation(r *lint.Rule, markdown bool) string {
	why, bullet := wording.Wrap("", r.Why, 80), ""
	example := func(text string) string { return "    " + strings.ReplaceAll(text, "\n", "\n    ") }
	if markdown {
		why, bullet, example = r.Why, "- ", fenced
		if r.Family == lint.FamilyOwn {
			why = render.Plain(r.Why)
		}
	}
	text := fmt.Sprintf("%s\n\nBad:\n\n%s\n\nGood:\n\n%s\n\n", why, example(r.Bad), example(r.Good))
	for _, line := range facts(r) {
		text += bullet + line + "\n"
	}
	return text
}

// fenced returns a text as a code block of Markdown, which no backticks in the text end.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "text\n" + text + "\n" + fence
}

// facts returns sentences about the basis of a lint rule and how to fix or suppress its
// findings.
func facts(r *lint.Rule) []string {
	var lines []string
	if r.Spec != 0 {
		lines = append(lines, "Requirement: "+r.Spec.String()+".")
	}
	if r.Source != "" {
		lines = append(lines, "Source: "+r.Source+".")
	}
	if r.Fixable {
		lines = append(lines, "`rubric-lint --fix` applies the safe fixes.")
	}
	if r.Unsuppressable {
		return append(lines, "It can't be suppressed.")
	}
	switch {
	case r.Severity == lint.Error:
		lines = append(lines, "A comment can't suppress it, because it is an error. The baseline can hide it in an existing library: "+lint.BaselineFile)
	case !lint.Checks[lint.OfRepository](r):
		lines = append(lines, "To suppress one finding, add a comment on its line or the line above: # rubric-lint: ignore "+r.ID+" -- reason")
	}
	return append(lines,
		fmt.Sprintf("To turn it off for the whole library, write in %s: severity: {%s: off}", lint.ConfigFile, r.ID))
}
