package normalize

import (
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// Markdown reads the rows of the rule tables in a file such as
// CRITERIA-TEMPLATES.md. A rule table is one with a column ID; its other columns
// are found by the names of a rule's fields, and further ones are left aside.
// section restricts it to the tables below the headings with that text, case and
// blanks aside; "" means all. Without rows at least one problem says why.
func Markdown(f *source.File, section string) ([]Row, []source.Problem) {
	p, problems := readPage(f)
	if p == nil {
		return nil, problems
	}
	var rows []Row
	found := false
	for _, part := range p.parts {
		if !part.within(section) {
			continue
		}
		if part.table == nil {
			problems = append(problems, stray(part.span))
			continue
		}
		found = true
		more, wrong := part.table.rows()
		rows = append(rows, more...)
		problems = append(problems, wrong...)
	}
	if !found {
		problems = append(problems, p.nothing(section))
	} else if len(rows) == 0 && len(problems) == 0 {
		problems = append(problems, source.Problem{Code: CodeNoRules, Span: p.lastTable(section), Message: "The table has no rows. Write at least one rule below its header."})
	}
	return rows, inOrder(problems)
}

// page is what a Markdown file has for rules.
type page struct {
	parts    []part
	headings []heading
}

// heading is a heading of the file.
type heading struct {
	level int
	text  string
	span  source.Span
}

// part is a rule table, or a paragraph that was probably meant to be one.
type part struct {
	table *table // nil for a paragraph
	span  source.Span
	// under are the headings above it, the highest first.
	under []heading
}

func (p *part) within(section string) bool {
	if section == "" {
		return true
	}
	for _, h := range p.under {
		if folded(h.text) == folded(section) {
			return true
		}
	}
	return false
}

// folded is a name with case and blanks made equal.
func folded(name string) string { return strings.Join(strings.Fields(strings.ToLower(name)), " ") }

// readPage reads a file. Where it returns no page, at least one problem says why.
func readPage(f *source.File) (p *page, problems []source.Problem) {
	if problems := yamltree.CheckText(f); len(problems) > 0 {
		return nil, problems
	}
	defer func() {
		if recover() != nil {
			p, problems = nil, []source.Problem{{Code: CodeTable, Span: f.LineSpan(1),
				Message: "The file could not be read. This is a fault of this program, not of the file: please report it, with the file."}}
		}
	}()
	read := readBlocks(f)
	if read.tooMany != nil {
		return nil, []source.Problem{{Code: CodeTable, Span: *read.tooMany,
			Message: "This table is too large: with the empty cells of its short rows, the file has more cells than are read. Split it."}}
	}
	r := pageReader{file: f, links: read.links}
	// The walk itself never fails.
	_ = ast.Walk(read.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			r.node(n)
		}
		return ast.WalkContinue, nil
	})
	return &r.page, nil
}

// pageReader takes from a file's blocks, in their order, what a page has.
type pageReader struct {
	file  *source.File
	links parser.Context
	page  page
	open  []heading // those above the next block
}

func (r *pageReader) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		h := newHeading(r.file, n, r.links)
		above := len(r.open)
		for above > 0 && r.open[above-1].level >= h.level {
			above--
		}
		r.open = append(r.open[:above:above], h)
		r.page.headings = append(r.page.headings, h)
	case *ast.Paragraph:
		if line, ok := tableLine(r.file, n); ok {
			r.page.parts = append(r.page.parts, part{span: line, under: r.open})
		}
	case *east.Table:
		if t := newTable(r.file, n, r.links); t != nil {
			r.page.parts = append(r.page.parts, part{table: t, span: t.span, under: r.open})
		}
	}
}

// sections lists the headings that have rule tables below them.
func (p *page) sections() []string {
	has := map[string]bool{}
	for _, part := range p.parts {
		for _, h := range part.under {
			if part.table != nil {
				has[folded(h.text)] = true
			}
		}
	}
	var names []string
	for _, h := range p.headings {
		if key := folded(h.text); has[key] && key != "" {
			names = append(names, h.text)
			has[key] = false
		}
	}
	return names
}

// mostNamed is how many sections a message lists.
const mostNamed = 10

// nothing says that there is no rule table where one was looked for.
func (p *page) nothing(section string) source.Problem {
	names := p.sections()
	advice := ""
	if section != "" && len(names) > 0 {
		advice = " Rule tables stand under " + listed(names) + "."
	}
	const expected = "A rule table has a header with a column ID and columns Description, Severity and Check; Weight and Phase can be left out."
	for _, h := range p.headings {
		if section != "" && folded(h.text) == folded(section) {
			return source.Problem{Code: CodeSection, Span: h.span, Message: "There is no rule table below this heading. " + expected + advice}
		}
	}
	if section != "" {
		return source.Problem{Code: CodeSection, Message: fmt.Sprintf("There is no heading %s in the file.%s%s", schema.Quote(section), suggestion(section, names), advice)}
	}
	return source.Problem{Code: CodeNoRules, Message: "There is no rule table in the file. " + expected}
}

// listed is names as a sentence has them, but not more than mostNamed.
func listed(names []string) string {
	var quoted []string
	for _, name := range names[:min(len(names), mostNamed)] {
		quoted = append(quoted, schema.Quote(name))
	}
	if more := len(names) - mostNamed; more > 0 {
		return strings.Join(quoted, ", ") + fmt.Sprintf(" and %d more", more)
	}
	return schema.Or(quoted, "and")
}

func (p *page) lastTable(section string) source.Span {
	var last source.Span
	for _, part := range p.parts {
		if part.table != nil && part.within(section) {
			last = part.span
		}
	}
	return last
}

func stray(line source.Span) source.Problem {
	return source.Problem{Code: CodeTable, Span: line,
		Message: "This line stands in no table, so nothing reads it. A table begins with a header and, right below, a line such as |---|---| with as many columns; no blank line stands between its rows."}
}
