package lint

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/near"
	"github.com/rubric-library/rubric-library/internal/source"
	"github.com/rubric-library/rubric-library/internal/yamltree"
)

// Ignore is a comment that silences findings of one lint rule on its line, or
// on the next line if it stands alone:
//
//	# rubric-lint: ignore RULE -- reason
type Ignore struct {
	// At is the comment.
	At Location
	// Rule is the ID as written; Reason is what stands after the dashes.
	Rule, Reason string
	// Malformed tells that the comment is not of the form above.
	Malformed bool
	// Used tells that it silenced something.
	Used bool

	line int    // the line whose findings it silences
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
	comments := d.Tree.Comments()
	for _, c := range comments {
		if line := d.File.Position(c.Span.Start).Line; onlyBlanks(d.File, line, c.Span.Start) {
			alone[line] = true
		}
	}
	var ignores []*Ignore
	for _, c := range comments {
		if !strings.HasPrefix(c.Text, ignoreMark) {
			continue
		}
		i := &Ignore{At: locate(d.File, c.Span), id: d.ID()}
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

func onlyBlanks(f *source.File, line, end int) bool {
	return len(bytes.TrimSpace(f.Data[f.LineSpan(line).Start:end])) == 0
}

// silence marks the findings that an ignore covers by taking their rule away,
// and the ignores that did so as used. d is the document of all the findings,
// or nil if they are of several.
func silence(findings []Finding, ignores []*Ignore, d *document.Document) {
	for i := range findings {
		f := &findings[i]
		if f.Rule.Firm || f.Start.Line == 0 {
			continue
		}
		for _, ig := range ignores {
			if ig.Rule != f.Rule.ID || ig.At.File != f.File {
				continue
			}
			if ig.line == f.Start.Line || d != nil && ig.line == keyLine(d, f.Start) {
				ig.Used = true
				f.Rule = nil
				break
			}
		}
	}
}

// keyLine is the line of the key whose value, a text of several lines, holds the
// position; 0 if there is none. No comment can stand inside such a text.
func keyLine(d *document.Document, at source.Position) int {
	line := 0
	var walk func(n *yamltree.Node, key source.Span)
	walk = func(n *yamltree.Node, key source.Span) {
		start, end := d.File.Position(n.Span.Start), d.File.Position(n.Span.End)
		if at.Line < d.File.Position(key.Start).Line || at.Line > end.Line {
			return
		}
		if n.Kind == yamltree.Scalar && at.Line > start.Line {
			line = d.File.Position(key.Start).Line
		}
		for _, e := range n.Entries {
			walk(e.Value, e.Key.Span)
		}
		for _, item := range n.Items {
			walk(item, item.Span)
		}
	}
	walk(d.Tree.Root, d.Tree.Root.Span)
	return line
}

// IgnorePass is what the rules about ignores see.
type IgnorePass struct {
	Ignores []*Ignore

	rules    []*Rule
	rule     *Rule
	findings []Finding
}

// find returns the lint rule with that ID, or nil.
func (p *IgnorePass) find(id string) *Rule {
	for _, r := range p.rules {
		if r.ID == id {
			return r
		}
	}
	return nil
}

// suggestion is a sentence with the lint rule that was probably meant.
func (p *IgnorePass) suggestion(id string) string {
	var ids []string
	for _, r := range p.rules {
		ids = append(ids, r.ID)
	}
	if word := near.Word(id, ids); word != "" {
		return " Did you mean " + word + "?"
	}
	return " `rubric-lint --list-rules` lists them."
}

// Report adds a finding at an ignore.
func (p *IgnorePass) Report(i *Ignore, message string) {
	p.findings = append(p.findings, Finding{
		Rule: p.rule, Severity: p.rule.Severity, Location: i.At, ID: i.id, Path: "ignore " + i.Rule, Message: message,
	})
}

var ignoreRules = []*Rule{
	{
		ID: "ignore-malformed", Family: FamilyIgnores, Severity: Error, Firm: true,
		Summary: "a comment for rubric-lint that it does not understand",
		Why:     "A comment that silences nothing looks as if it did. An ignore names one lint rule and a reason, so that the next reader knows why the finding was accepted.",
		Bad:     "name: X # rubric-lint: ignore look-alike-id",
		Good:    "name: X # rubric-lint: ignore look-alike-id -- the old ID is retired next month",
		Ignores: func(p *IgnorePass) {
			for _, i := range p.Ignores {
				if i.Malformed {
					p.Report(i, `Write the comment as "# rubric-lint: ignore RULE -- reason": the name of the lint rule, two dashes, and why the finding is accepted. As it stands it silences nothing.`)
				}
			}
		},
	},
	{
		ID: "ignore-forbidden", Family: FamilyIgnores, Severity: Error, Firm: true,
		Summary: "an ignore of a lint rule that can't be silenced",
		Why:     "What these lint rules find would break every consumer, so nobody can accept it in a comment.",
		Bad:     "version: 1.0 # rubric-lint: ignore wrong-type -- later",
		Good:    `version: "1.0.0"`,
		Ignores: func(p *IgnorePass) {
			for _, i := range p.Ignores {
				if rule := p.find(i.Rule); rule != nil && rule.Firm {
					p.Report(i, "Remove this comment and mend what "+i.Rule+" finds: its findings can't be silenced, because consumers would break.")
				}
			}
		},
	},
	{
		ID: "ignore-unused", Family: FamilyIgnores, Severity: Warning, Firm: true,
		Summary: "an ignore that silences nothing",
		Why:     "The finding is gone or the name is wrong. A leftover ignore would silently accept the next mistake on that line.",
		Bad:     "name: X # rubric-lint: ignore no-such-rule -- reason",
		Good:    "name: X",
		Ignores: func(p *IgnorePass) {
			for _, i := range p.Ignores {
				switch rule := p.find(i.Rule); {
				case i.Malformed || i.Used:
				case rule == nil:
					p.Report(i, "There is no lint rule "+i.Rule+"."+p.suggestion(i.Rule)+" Remove the comment or mend the name.")
				case !rule.Firm:
					p.Report(i, "Remove this comment: "+i.Rule+" finds nothing here, and the comment would hide the next mistake.")
				}
			}
		},
	},
}
