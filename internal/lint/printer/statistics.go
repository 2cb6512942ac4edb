package printer

import (
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/render"
)

// RuleCount is a lint.RuleCount as JSON.
type RuleCount struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	// How many findings the lint rule has with this severity, including those that are not listed.
	Findings int `json:"findings"`
	// How many of them have a safe fix.
	Fixable int `json:"fixable"`
}

// ruleCounts are counts as JSON, nil if they are not asked for.
func ruleCounts(counts []lint.RuleCount) []RuleCount {
	if counts == nil {
		return nil
	}
	all := []RuleCount{}
	for _, c := range counts {
		all = append(all, RuleCount{c.Rule, c.Severity.String(), c.Findings, c.Fixable})
	}
	return all
}

// countRows are counts as a table, with a header.
func countRows(counts []lint.RuleCount) [][]string {
	rows := [][]string{{"FINDINGS", "FIXABLE", "SEVERITY", "RULE"}}
	for _, c := range counts {
		rows = append(rows, []string{fmt.Sprint(c.Findings), fmt.Sprint(c.Fixable), c.Severity.String(), c.Rule})
	}
	return rows
}

// printStatistics writes the counts between the findings and the summary, if they are asked for and
// there are any.
func (t *text) printStatistics(r *lint.Report) {
	if len(r.Statistics) == 0 {
		return
	}
	rows := countRows(r.Statistics)
	t.Printf("\n%s\n\n", strings.Join(render.Rows(rows, len(rows[0])-1, t.Options.Columns), "\n"))
}

// printStatistics writes the counts as a table, if they are asked for and there are any.
func (m *markdown) printStatistics(r *lint.Report) {
	if len(r.Statistics) == 0 {
		return
	}
	m.WriteString("\n| findings | fixable | severity | lint rule |\n|---|---|---|---|\n")
	for _, row := range countRows(r.Statistics)[1:] {
		m.Printf("| %s | %s | %s | %s |\n", row[0], row[1], row[2], render.Cell(row[3]))
	}
}
