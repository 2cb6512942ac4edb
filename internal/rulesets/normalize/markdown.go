package normalize

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/markdown"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// Markdown reads the rows of the rule tables in a file such as CRITERIA-TEMPLATES.md. A
// rule table has a column ID. Its other columns are matched to the fields of a rule by
// name, and the rest are ignored. section limits it to tables below headings with that
// text, ignoring case and white space; "" means all tables. If there are no rows, at
// least one problem says why.
func Markdown(f *source.File, section string) ([]Row, []source.Problem) {
	p, problems := readPage(f)
	if p == nil {
		return nil, problems
	}
	var rows []Row
	var last *source.Span // the last table
	for _, part := range p.parts {
		if !part.isWithin(section) {
			continue
		}
		if part.table == nil {
			problems = append(problems, problemAt(CodeTable, part.span,
				"This line is not in a table, so it is ignored. A table starts with a header, directly followed by a line such as |---|---| with as many columns, has no blank lines between its rows, and at most %d cells.",
				markdown.MostCells))
			continue
		}
		last = &part.span
		more, wrong := part.table.rows()
		rows = append(rows, more...)
		problems = append(problems, wrong...)
	}
	if last == nil {
		problems = append(problems, p.problemOfNone(section))
	} else if len(rows) == 0 && len(problems) == 0 {
		problems = append(problems, problemAt(CodeNoRules, *last,
			"The table has no rows. Add at least one rule below its header."))
	}
	return rows, inOrder(problems)
}

// Table reads the rows of a table with the IDs and severities of rules, or reports that a table
// is another one.
func Table(p *markdown.Page, b *markdown.Block) (rows []Row, problems []source.Problem, ok bool) {
	t := newTable(p, b)
	if t == nil {
		return nil, nil, false
	}
	if _, ok := t.at[severityKey]; !ok {
		return nil, nil, false
	}
	rows, problems = t.rows()
	return rows, problems, true
}

// page collects the parts of a file from its blocks in order.
type page struct {
	*markdown.Page
	parts    []part
	headings []heading
	open     []heading // the headings above the next block
}

type heading struct {
	level int
	text  string
	span  source.Span
}

// part is a rule table, or a paragraph that is probably meant to be a table.
type part struct {
	table *ruleTable // nil for a paragraph
	span  source.Span
	// under are the headings above it, highest level first.
	under []heading
}

func (p *part) isWithin(section string) bool {
	return section == "" || slices.ContainsFunc(p.under, func(h heading) bool { return folded(h.text) == folded(section) })
}

func folded(name string) string { return strings.Join(strings.Fields(strings.ToLower(name)), " ") }

// readPage reads a file. If it returns no page, at least one problem says why.
func readPage(f *source.File) (*page, []source.Problem) {
	read, problems := markdown.Read(f)
	if read == nil {
		return nil, problems
	}
	p := &page{Page: read}
	for b := range read.All() {
		p.block(b)
	}
	return p, nil
}

func (p *page) block(b *markdown.Block) {
	switch b.Kind {
	case markdown.Heading:
		h := heading{b.Level, p.PlainText(b.Raw), b.Span}
		above := len(p.open)
		for above > 0 && p.open[above-1].level >= h.level {
			above--
		}
		p.open = append(p.open[:above:above], h)
		p.headings = append(p.headings, h)
	case markdown.Paragraph:
		if line, ok := p.TableLine(b); ok {
			p.parts = append(p.parts, part{span: line, under: p.open})
		}
	case markdown.Table:
		if t := newTable(p.Page, b); t != nil {
			p.parts = append(p.parts, part{table: t, span: b.Span, under: p.open})
		}
	}
}

// sections are the headings above rule tables.
func (p *page) sections() (names []string) {
	for _, part := range p.parts {
		for _, h := range part.under {
			if part.table != nil && h.text != "" && !slices.Contains(names, h.text) {
				names = append(names, h.text)
			}
		}
	}
	return names
}

// problemOfNone returns the problem of a file or section without rule tables.
func (p *page) problemOfNone(section string) source.Problem {
	names := p.sections()
	advice := ""
	if section != "" && len(names) > 0 {
		var quoted []string
		for _, name := range names[:min(len(names), 10)] {
			quoted = append(quoted, schema.Quote(name))
		}
		advice = " Sections with rule tables include " + schema.Or(quoted, "and") + "."
	}
	const expected = "A rule table needs the columns ID, Description, Severity, and Check; Weight and Phase are optional."
	for _, h := range p.headings {
		if section != "" && folded(h.text) == folded(section) {
			return source.Problem{
				Code: CodeSection, Span: h.span, Message: "This section has no rule table. " + expected + advice,
			}
		}
	}
	if section != "" {
		return source.Problem{
			Code: CodeSection,
			Message: fmt.Sprintf("The file has no heading %s.%s%s", schema.Quote(section),
				schema.DidYouMean(section, names), advice),
		}
	}
	return source.Problem{Code: CodeNoRules, Message: "The file has no rule table. " + expected}
}
