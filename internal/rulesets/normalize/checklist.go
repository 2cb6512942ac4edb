package normalize

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// Item is an item of a checklist.
type Item struct {
	Text string
	// Details are the items below it that have no box.
	Details []string
	// Section is the heading above it, or "".
	Section string
	Line    int
}

// Checklist is the content of a file with checklists.
type Checklist struct {
	// Title is the first heading of the highest level, or "".
	Title string
	// Paragraphs are the texts outside lists.
	Paragraphs []string
	// Items are those with a box, [ ] or [x], or if there are none, those of all lists
	// without items below.
	Items []Item
}

// box is the box of a list item.
var box = regexp.MustCompile(`^\[[ xX]?\]\s+`)

// ReadChecklist reads the checklists of a Markdown file.
func ReadChecklist(f *source.File) (*Checklist, []source.Problem) {
	if problems := yamltree.CheckText(f); len(problems) > 0 && problems[0].Code != yamltree.CodeLineEndings {
		return nil, problems
	}
	read := readBlocks(f)
	r := checklistReader{pageReader: pageReader{file: f, links: read.links}}
	// The walk itself never fails.
	_ = ast.Walk(read.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			r.block(n)
		}
		return ast.WalkContinue, nil
	})
	if len(r.boxed) > 0 {
		r.list.Items = r.boxed
	}
	return &r.list, r.problems
}

type checklistReader struct {
	pageReader
	list     Checklist
	boxed    []Item
	problems []source.Problem
}

func (r *checklistReader) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		r.node(n)
		if r.list.Title == "" {
			r.list.Title = r.open[len(r.open)-1].text
		}
	case *ast.Paragraph:
		if n.Parent().Kind() == ast.KindDocument {
			r.list.Paragraphs = append(r.list.Paragraphs, r.text(n))
		}
	case *ast.ListItem:
		r.item(n)
	}
}

func (r *checklistReader) item(n *ast.ListItem) {
	if n.FirstChild() == nil || n.FirstChild().Lines().Len() == 0 {
		return
	}
	item := Item{Text: r.text(n.FirstChild()), Line: r.file.Position(n.FirstChild().Lines().At(0).Start).Line}
	if len(r.open) > 0 {
		item.Section = r.open[len(r.open)-1].text
	}
	mark := box.FindString(item.Text)
	item.Text = item.Text[len(mark):]
	below := false
	for c := range children(n) {
		for inner := range children(c) {
			if inner.Kind() != ast.KindListItem || inner.FirstChild() == nil {
				continue
			}
			below = true
			if text := r.text(inner.FirstChild()); !box.MatchString(text) {
				item.Details = append(item.Details, text)
			}
		}
	}
	switch {
	case mark != "":
		r.boxed = append(r.boxed, item)
	case !below && item.Text != "":
		r.list.Items = append(r.list.Items, item)
	}
}

// text is the plain text of a paragraph.
func (r *checklistReader) text(n ast.Node) string {
	if n.Lines() == nil || n.Lines().Len() == 0 {
		return ""
	}
	var lines []string
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		lines = append(lines, strings.TrimSpace(string(line.Value(r.file.Data))))
	}
	text := strings.Join(lines, "\n")
	if len(text) > mostInline {
		first := n.Lines().At(0)
		r.problems = append(r.problems, problemAt(CodeTable, source.Span{Start: first.Start, End: first.Stop}, "The text has %d bytes, more than the limit of %d. Shorten it.", len(text), mostInline))
		return ""
	}
	return plain([]byte(text), r.links)
}
