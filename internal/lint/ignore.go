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

var ignoreForm = regexp.MustCompile(`^rubric-lint:\s*ignore\s+([A-Za-z0-9_/-]+)\s+--\s+(\S.*)$`)

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
// ignores that cover some. d is the document of the findings, or nil if they are from several;
// fails reports whether a finding fails the check.
func suppress(findings []Finding, ignores []*Ignore, d *document.Document, fails func(*Finding) bool) []Finding {
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
		case fails(&f):
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
