package normalize

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
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
		if !part.within(section) {
			continue
		}
		if part.table == nil {
			problems = append(problems, problemAt(CodeTable, part.span, "This line is not in a table, so it is ignored. A table starts with a header, directly followed by a line such as |---|---| with as many columns, has no blank lines between its rows, and at most %d cells.", mostCells))
			continue
		}
		last = &part.span
		more, wrong := part.table.rows()
		rows = append(rows, more...)
		problems = append(problems, wrong...)
	}
	if last == nil {
		problems = append(problems, p.nothing(section))
	} else if len(rows) == 0 && len(problems) == 0 {
		problems = append(problems, problemAt(CodeNoRules, *last, "The table has no rows. Add at least one rule below its header."))
	}
	return rows, inOrder(problems)
}

// page collects the parts of a file from its blocks in order.
type page struct {
	file     *source.File
	links    parser.Context
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

func (p *part) within(section string) bool {
	return section == "" || slices.ContainsFunc(p.under, func(h heading) bool { return folded(h.text) == folded(section) })
}

func folded(name string) string { return strings.Join(strings.Fields(strings.ToLower(name)), " ") }

// readPage reads a file. If it returns no page, at least one problem says why.
func readPage(f *source.File) (p *page, problems []source.Problem) {
	if problems := yamltree.CheckText(f); len(problems) > 0 {
		return nil, problems
	}
	defer func() {
		if recover() != nil {
			p, problems = nil, []source.Problem{problemAt(CodeTable, f.LineSpan(1), "The file could not be read because of a bug in this program. Report the bug with the file.")}
		}
	}()
	root, links := readBlocks(f)
	p = &page{file: f, links: links}
	// The walk itself never fails.
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			p.node(n)
		}
		return ast.WalkContinue, nil
	})
	return p, nil
}

func (p *page) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		h := newHeading(p.file, n, p.links)
		above := len(p.open)
		for above > 0 && p.open[above-1].level >= h.level {
			above--
		}
		p.open = append(p.open[:above:above], h)
		p.headings = append(p.headings, h)
	case *ast.Paragraph:
		if line, ok := tableLine(p.file, n); ok {
			p.parts = append(p.parts, part{span: line, under: p.open})
		}
	case *east.Table:
		if t := newTable(p.file, n, p.links); t != nil {
			p.parts = append(p.parts, part{table: t, span: t.span, under: p.open})
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

// nothing returns the problem of a file or section without rule tables.
func (p *page) nothing(section string) source.Problem {
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
			return source.Problem{Code: CodeSection, Span: h.span, Message: "This section has no rule table. " + expected + advice}
		}
	}
	if section != "" {
		return source.Problem{Code: CodeSection, Message: fmt.Sprintf("The file has no heading %s.%s%s", schema.Quote(section), schema.DidYouMean(section, names), advice)}
	}
	return source.Problem{Code: CodeNoRules, Message: "The file has no rule table. " + expected}
}
