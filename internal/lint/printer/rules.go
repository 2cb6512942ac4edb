package printer

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/rubric-library/rubric-library/internal/lint"
)

// Rules prints lint rules by family, one per line.
func Rules(w io.Writer, rules []*lint.Rule) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	var family lint.Family
	for _, r := range rules {
		if r.Family != family {
			family = r.Family
			fmt.Fprintf(t, "%s\n", family)
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\n", r.ID, r.Severity, r.Summary)
	}
	fmt.Fprintln(t, "\nRun `rubric-lint --explain RULE` for details.")
	return t.Flush()
}

// Explain prints everything about a lint rule.
func Explain(w io.Writer, r *lint.Rule) error {
	_, err := fmt.Fprintf(w, "%s (%s): finds %s.\n\n%s", r.ID, r.Severity, r.Summary, explanation(r))
	return err
}

// explanation returns the text about a lint rule after its summary.
func explanation(r *lint.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nBad:\n\n%s\n\nGood:\n\n%s\n\n", wrap(r.Why), indent(r.Bad), indent(r.Good))
	for _, line := range facts(r) {
		b.WriteString(line + "\n")
	}
	return b.String()
}

// explanationMarkdown returns the explanation of a lint rule in Markdown.
func explanationMarkdown(r *lint.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nBad:\n\n```text\n%s\n```\n\nGood:\n\n```text\n%s\n```\n\n", r.Why, r.Bad, r.Good)
	for _, line := range facts(r) {
		b.WriteString("- " + line + "\n")
	}
	return b.String()
}

// facts returns sentences about the basis of a lint rule and how to fix or suppress its
// findings.
func facts(r *lint.Rule) []string {
	var lines []string
	if r.Spec != "" {
		lines = append(lines, "Requirement: "+r.Spec+".")
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
	if r.Repository == nil {
		lines = append(lines, "To suppress one finding, add a comment on its line or the line above: # rubric-lint: ignore "+r.ID+" -- reason")
	}
	return append(lines,
		fmt.Sprintf("To turn it off for the whole library, write in %s: severity: {%s: off}", lint.ConfigFile, r.ID))
}

func indent(text string) string {
	return "    " + strings.ReplaceAll(text, "\n", "\n    ")
}

// wrap breaks a paragraph into lines of 80 columns.
func wrap(text string) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		if column > 0 && column+1+len(word) > 80 {
			b.WriteByte('\n')
			column = 0
		} else if column > 0 {
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}
