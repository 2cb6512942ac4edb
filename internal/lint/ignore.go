package lint

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// Ignore is a comment that suppresses warnings and notes of one lint rule on its line, or on
// the next line if the comment is alone on its line:
//
//	# rubric-lint: ignore RULE -- reason
type Ignore struct {
	// At is the comment.
	At source.Location
	// Rule is the ID as written; Reason is the text after the dashes.
	Rule, Reason string
	// Malformed says that the comment does not have the form above.
	Malformed bool
	// Used says that the comment suppressed a finding, and Refused that it is at one that fails
	// the check, which no comment can suppress.
	Used, Refused bool

	line int    // the line whose findings it suppresses
	id   string // of the document
}

const ignoreMark = "rubric-lint:"

var ignoreForm = regexp.MustCompile(`^rubric-lint:\s*ignore\s+([A-Za-z0-9_-]+)\s+--\s+(\S.*)$`)

// parseIgnores finds the comments of a document that are meant for the linter.
func parseIgnores(d *document.Document) []*Ignore {
	if d.Tree == nil || !bytes.Contains(d.File.Data, []byte(ignoreMark)) {
		return nil
	}
	alone := map[int]bool{} // lines that are only a comment
	comments := d.Tree.Comments
	for _, c := range comments {
		line := d.File.Position(c.Span.Start).Line
		alone[line] = len(bytes.TrimSpace(d.File.Data[d.File.LineSpan(line).Start:c.Span.Start])) == 0
	}
	var ignores []*Ignore
	for _, c := range comments {
		if !strings.HasPrefix(c.Text, ignoreMark) {
			continue
		}
		i := &Ignore{At: source.Locate(d.File, c.Span), id: d.ID()}
		if form := ignoreForm.FindStringSubmatch(c.Text); form != nil {
			i.Rule, i.Reason = form[1], form[2]
		} else {
			i.Malformed = true
		}
		i.line = i.At.Start.Line
		for alone[i.line] {
			i.line++
		}
		ignores = append(ignores, i)
	}
	return ignores
}

// suppress returns the findings that no ignore suppresses: those that no ignore covers, and
// those that fail the check, because a change must not decide about itself. It marks the
// ignores that cover some. d is the document of the findings, or nil if they are from several.
func (e *engine) suppress(findings []Finding, ignores []*Ignore, d *document.Document) []Finding {
	if len(ignores) == 0 {
		return findings
	}
	type place struct {
		file, rule string
		line       int
	}
	at := map[place]*Ignore{}
	named := map[string]bool{} // lint rules that an ignore names
	for _, ig := range ignores {
		if k := (place{ig.At.File, ig.Rule, ig.line}); at[k] == nil {
			at[k] = ig
		}
		named[ig.Rule] = true
	}
	return slices.DeleteFunc(findings, func(f Finding) bool {
		if f.Rule.Unsuppressable || f.Start.Line == 0 || !named[f.Rule.ID] {
			return false
		}
		ig := at[place{f.File, f.Rule.ID, f.Start.Line}]
		if ig == nil {
			ig = at[place{f.File, f.Rule.ID, keyLine(d, f.Start.Line)}]
		}
		switch {
		case ig == nil:
			return false
		case e.config.severity(&f) >= e.failing:
			ig.Refused = true
			return false
		}
		ig.Used = true
		return true
	})
}

// keyLine returns the line of the key, or of the list element, whose text goes on at a line; 0
// if there is none. A text of several lines can't contain a comment, so an ignore at its key
// covers it.
func keyLine(d *document.Document, line int) int {
	if d == nil {
		return 0
	}
	at := d.File.LineSpan(line).Start
	var find func(n *yamltree.Node, key int) int
	find = func(n *yamltree.Node, key int) (found int) {
		switch {
		case at <= n.Span.Start || at >= n.Span.End:
			return 0
		case n.Kind == yamltree.Scalar:
			return d.File.Position(key).Line
		}
		for _, e := range n.Entries {
			found = max(found, find(e.Value, e.Key.Span.Start))
		}
		for _, item := range n.Items {
			found = max(found, find(item, item.Span.Start))
		}
		return found
	}
	return find(d.Tree.Root, 0)
}

// OfIgnores checks what suppresses findings, after everything else.
type OfIgnores func(*IgnorePass)

func (OfIgnores) isCheck() {}

// IgnorePass is the view of the rules about ignores.
type IgnorePass struct {
	Ignores []*Ignore
	// Removed are the settings of lint rules that no longer exist.
	Removed []Setting
	// Failing is the lowest severity that fails the check.
	Failing Severity

	reporter
	rules []*Rule
	// allowance has the baseline, found counts the current findings, and repository
	// says whether the repository rules ran.
	allowance  Allowance
	found      *Baseline
	repository bool
}

// Find returns the lint rule with that ID, or nil.
func (p *IgnorePass) Find(id string) *Rule {
	return Find(p.rules, id)
}

// Unknown says that there is no lint rule with an ID, and which one was probably meant.
func (p *IgnorePass) Unknown(id string) string { return unknown(p.rules, id) }

// Report adds a finding at an ignore.
func (p *IgnorePass) Report(i *Ignore, message string) {
	p.ReportAt(i.At, i.id, "ignore "+i.Rule, message)
}

// ReportAt adds a finding at a place, up to mostFindings per lint rule and file: the
// others are listed once these are fixed.
func (p *IgnorePass) ReportAt(at source.Location, id, path, message string) {
	if !p.full(at.File) {
		p.Add(Finding{Location: at, ID: id, Path: path, Message: message})
	}
}
