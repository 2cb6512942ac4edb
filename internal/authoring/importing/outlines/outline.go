package outlines

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document/markdown"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// The levels of sections that are not headings.
const (
	boldLine = 7 + iota
	listItem
)

// section is a heading, a line in bold, or an item of a list, with what is below it.
type section struct {
	title string
	// lead is the text in bold with which an item begins.
	lead  string
	line  int
	level int  // of a heading, from 1 to 6
	boxed bool // whether an item has a box
	body  []*block
	up    *section
	taken bool // whether a rule has the item
}

// block is a paragraph, a list, a table, or a section.
type block struct {
	line  int
	text  string
	items []*section
	table *markdown.Block
	below *section
	taken bool // whether a draft or a remark has it
}

// outliner makes sections of the blocks of a page.
type outliner struct {
	*intake.Reader
	page *markdown.Page
	// exports is the ID of the document of which the page is an export, or "".
	exports string
	found   []intake.Rule
	scale   levels.Declared // of the tables
	lists   int             // the number of items
}

// outline returns the root of the sections of a page, whose title is empty.
func (o *outliner) outline() *section {
	root := &section{line: 1}
	o.fill(root, o.page.Blocks)
	return root
}

// fill adds blocks to a section, and to those that headings and lines in bold open.
func (o *outliner) fill(s *section, blocks []markdown.Block) {
	open := s
	for i := range blocks {
		b := &blocks[i]
		line := o.page.File.Position(b.Span.Start).Line
		switch b.Kind {
		case markdown.Heading:
			open = o.open(s, open, b.Level, o.oneLine(b.Raw), line)
		case markdown.Paragraph:
			if title, ok := o.titleOf(b.Raw); ok && s.level < listItem {
				open = o.open(s, open, boldLine, title, line)
				continue
			}
			o.paragraph(open, b, line)
		case markdown.List:
			p := &block{line: line}
			for j := range b.Blocks {
				p.items = append(p.items, o.item(open, &b.Blocks[j]))
			}
			open.body = append(open.body, p)
		case markdown.Quote:
			o.fill(open, b.Blocks)
		case markdown.Table:
			open.body = append(open.body, &block{line: line, table: b})
		case markdown.Code:
			o.AddDropped(place(line), "Blocks of code are dropped.")
		case markdown.HTML:
			o.html(open, b, line)
		}
	}
}

// open opens a section below the one that is open, or closes those that it ends first.
func (o *outliner) open(root, open *section, level int, title string, line int) *section {
	for open != root && open.level >= level {
		open = open.up
	}
	below := &section{title: title, line: line, level: level, up: open}
	open.body = append(open.body, &block{line: line, below: below})
	return below
}

func (o *outliner) oneLine(raw []byte) string { return inLine(o.page.Text(raw)) }

func inLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// titleOf returns the text of a paragraph that is a line in bold.
func (o *outliner) titleOf(raw []byte) (string, bool) {
	if bytes.ContainsRune(bytes.TrimSpace(raw), '\n') ||
		!bytes.HasPrefix(bytes.TrimSpace(raw), []byte("**")) && !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("__")) {
		return "", false
	}
	text, lead := o.oneLine(raw), o.page.Lead(raw)
	rest, found := strings.CutPrefix(text, lead)
	return strings.TrimRight(text, " :"), found && lead != "" &&
		(strings.Trim(rest, " :") == "" || amountNote().MatchString(rest))
}

// amountNote matches what can follow a title in bold: its weight or points.
var amountNote = lazy.Expr(`^\s*[-–—:]?\s*[(\[]?[^()\[\]]{0,20}[0-9][^()\[\]]{0,20}[)\]]?\s*:?$`)

// box begins an item of a checklist, with any kind of space in it.
var box = lazy.Expr(`^(?:\[[\s\p{Zs}]?\][\s\p{Zs}]*|\[[xX✓✔]\][\s\p{Zs}]+|[☐☑☒□◻⬜]\x{FE0F}?[\s\p{Zs}]*)`)

// item reads an item of a list. Its first paragraph is its title.
func (o *outliner) item(up *section, b *markdown.Block) *section {
	s := &section{line: o.page.File.Position(b.Span.Start).Line, level: listItem, up: up}
	blocks := b.Blocks
	if len(blocks) > 0 && blocks[0].Kind == markdown.Paragraph {
		s.line = o.page.File.Position(blocks[0].Span.Start).Line
		s.title, s.lead = o.page.Text(blocks[0].Raw), o.page.Lead(blocks[0].Raw)
		mark := box().FindString(s.title)
		s.boxed, s.title = mark != "", s.title[len(mark):]
		if mark != "" { // the bold text follows the box
			raw := bytes.TrimSpace(blocks[0].Raw)
			s.lead = o.page.Lead(raw[min(len(raw), len(box().Find(raw))):])
		}
		blocks = blocks[1:]
	}
	o.fill(s, blocks)
	return s
}

// paragraph adds a paragraph. Each of its lines that begins with a box is an item.
func (o *outliner) paragraph(s *section, b *markdown.Block, line int) {
	text := o.page.Text(b.Raw)
	if !box().MatchString(text) {
		s.body = append(s.body, &block{line: line, text: text})
		return
	}
	p := &block{line: line}
	for each := range strings.Lines(text) {
		each = strings.TrimSpace(each)
		if mark := box().FindString(each); mark != "" {
			p.items = append(p.items, &section{title: each[len(mark):], line: line, level: listItem, boxed: true, up: s})
		} else {
			last := p.items[len(p.items)-1]
			last.title += "\n" + each
		}
		line++
	}
	s.body = append(s.body, p)
}

// html reads the text of tags that only fold a part of a page, and drops others.
func (o *outliner) html(s *section, b *markdown.Block, line int) {
	text := strings.TrimSpace(string(b.Raw))
	if strings.HasPrefix(text, "<!--") {
		o.AddDropped(place(line), "Comments are dropped.")
		return
	}
	if text = strings.TrimSpace(tag().ReplaceAllString(text, " ")); text != "" {
		s.body = append(s.body, &block{line: line, text: text})
	}
}

var tag = lazy.Expr(`</?[a-zA-Z][^>]*>`)

// heading is the title of the nearest section that is not an item, or "".
func (s *section) heading() string {
	for s != nil && s.level == listItem {
		s = s.up
	}
	if s == nil {
		return ""
	}
	return s.title
}

// found is a criterion with the section that it is about.
type found struct {
	intake.Criterion
	owner *section
}

// place names a line.
func place(line int) string { return fmt.Sprintf("line %d", line) }

func isGeneric(title string) bool { return title != "" && generic().MatchString(title) }

// take marks a part as part of a draft, with all that is in it.
func (p *block) take() {
	p.taken = true
	if p.below != nil {
		p.below.take()
	}
	for _, item := range p.items {
		item.take()
	}
}

func (s *section) take() {
	s.taken = true
	for _, p := range s.body {
		p.take()
	}
}

// textBelow is the text below the title of a section.
func (s *section) textBelow() string {
	var all []string
	for _, p := range s.body {
		if text := p.words(); text != "" && !p.taken {
			all = append(all, text)
		}
	}
	return strings.Join(all, "\n")
}

// words is the text of a part of which nothing else has it: that of a list has a dash before each
// item.
func (p *block) words() string {
	var all []string
	for _, item := range p.items {
		if text := item.wholeText(); !item.taken && text != "" {
			all = append(all, "- "+strings.ReplaceAll(text, "\n", "\n  "))
		}
	}
	if p.below != nil {
		if text := p.below.textBelow(); text != "" {
			all = append(all, p.below.title+":\n"+text)
		}
	}
	return strings.TrimSpace(p.text + strings.Join(all, "\n"))
}

// wholeText is the text of an item with what is below it.
func (s *section) wholeText() string { return strings.TrimSpace(s.title + "\n" + s.textBelow()) }
