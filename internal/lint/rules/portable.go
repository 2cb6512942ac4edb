package rules

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/regex"
)

// rare is the rule for what only rare characters show.
const rare = "pattern-rare-characters"

// ruleOf returns the lint rule for the worst consequence of a difference, "" if there is none.
// Uppercase letters are reported by pattern-case.
func ruleOf(d *regex.Difference) string {
	unavoidable := d.Rare && d.Construct == regex.LineEnd && d.Portable == ""
	switch {
	case len(d.Effects) == 0, d.Construct == regex.Capital, unavoidable:
		return ""
	case d.RefusedBy(regex.Clients):
		return "pattern-clients"
	case d.RefusedBy(regex.Python):
		return "pattern-python"
	case d.RefusedBy(regex.JavaScript):
		return "pattern-javascript"
	case d.Rare:
		return rare
	}
	return "pattern-differs"
}

// differs reports the differences of the running rule. What Go refuses is reported by
// pattern-invalid. Only the first part of a document that matches differently on rare
// characters is reported, because patterns have many dots and \s.
func differs(p *lint.DocumentPass) {
	for x := range validPatterns(p) {
		for i := range x.differences {
			d := &x.differences[i]
			if ruleOf(d) != p.RunningRule() {
				continue
			}
			reportDifference(p, x, d)
			if p.RunningRule() == rare {
				return
			}
		}
	}
}

func reportDifference(p *lint.DocumentPass, x *pattern, d *regex.Difference) {
	what := code(x.node.Value[d.Start:d.End])
	message := fmt.Sprintf("Avoid %s: %s.%s", what, reason(d.Effects), remedy(d))
	if d.Portable != "" {
		message = fmt.Sprintf("Write %s instead of %s: %s.", code(d.Portable), what, reason(d.Effects))
	}
	problem := source.Problem{
		Span:    p.Doc.Tree.SpanInside(x.node, d.Start, d.End),
		Pointer: x.path.Pointer(), Path: x.path.String(), Message: message,
	}
	if !d.Rare {
		problem.Fix = portableFix(p, x, d)
	}
	p.Report(problem)
}

// remedy returns the advice as a sentence to append to others, or "".
func remedy(d *regex.Difference) string {
	if d.Advice == "" {
		return ""
	}
	return " " + d.Advice
}

// reason says which engines refuse the pattern and how the others read it.
func reason(effects []regex.Effect) string {
	var refuse, parts []string
	for _, e := range effects {
		if e.Reads == "" {
			refuse = append(refuse, e.Engine.String())
		} else {
			parts = append(parts, e.Engine.String()+" "+e.Reads)
		}
	}
	if len(refuse) > 0 {
		verb := " refuse it"
		if len(refuse) == 1 && refuse[0] != regex.Clients.String() {
			verb = " refuses it"
		}
		parts = append(parts, schema.Or(refuse, "and")+verb)
	}
	return strings.Join(parts, ", and ")
}

// code returns a part of a pattern for a message: in backquotes if it can be typed that
// way.
func code(text string) string {
	hidden := func(r rune) bool { return r == '`' || !unicode.IsPrint(r) }
	if text == "" || len(text) > 60 || strings.ContainsFunc(text, hidden) {
		return schema.Quote(text)
	}
	return "`" + text + "`"
}

// portableFix returns a fix after which every language reads the pattern the same way,
// or nil if that is not safe. It changes the pattern, so it is for unpublished
// documents.
func portableFix(p *lint.DocumentPass, x *pattern, d *regex.Difference) *source.Fix {
	if d.Construct == regex.Flag && d.Start == 0 {
		return flagFix(p, x)
	}
	if !d.Safe {
		return nil
	}
	edits := replaceInside(p, x.node, d.Start, d.End, d.Portable)
	if edits == nil {
		return nil
	}
	return &source.Fix{
		Message: "write " + code(d.Portable) + " instead of " + code(x.node.Value[d.Start:d.End]), Edits: edits,
		Rewrites: true,
	}
}

// replaceInside returns the edits that replace a part of a scalar's value with visible
// text, or nil if that is not simple. A plain scalar gets quotes, because it is hard to
// decide what is safe without them.
func replaceInside(p *lint.DocumentPass, n *yamltree.Node, from, to int, text string) []source.Edit {
	written := p.Doc.File.Text(n.Span)
	span := p.Doc.Tree.SpanInside(n, from, to)
	if strings.Contains(written, "\n") || span == n.Span && n.Style != yamltree.Plain {
		return nil
	}
	switch n.Style {
	case yamltree.SingleQuoted:
		text = strings.ReplaceAll(text, "'", "''")
	case yamltree.DoubleQuoted:
		text = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text)
	case yamltree.Plain:
		span, text = n.Span, yamltree.Quote(n.Value[:from]+text+n.Value[to:], yamltree.SingleQuoted)
	default:
		return nil
	}
	return []source.Edit{{Span: span, Text: text}}
}

// flagKeys returns the keys with the same meaning as flags inside a pattern.
func flagKeys(flags string) (keys []string) {
	if strings.Contains(flags, "i") {
		keys = append(keys, "ignore_case")
	}
	if strings.Contains(flags, "m") {
		keys = append(keys, "multiline")
	}
	return keys
}

// flagFix moves the flags at the beginning of all patterns of a criterion or check to
// keys next to them. The first pattern gets the fix, for all. It is nil if another
// pattern lacks the flags, because the keys apply to all, or if there is no such key.
func flagFix(p *lint.DocumentPass, x *pattern) *source.Fix {
	flags := regex.LeadingFlags(x.node.Value)
	if flags == "" || x.fails && flags != "i" {
		return nil
	}
	fix := &source.Fix{
		Message:  "set " + strings.Join(flagKeys(flags), " and ") + " instead of " + code("(?"+flags+")"),
		Rewrites: true,
	}
	for _, other := range patternsOf(p) {
		if other.holder != x.holder {
			continue
		}
		value := other.node.Value
		end := len("(?") + len(flags) + len(")")
		if len(fix.Edits) == 0 && other.node != x.node || regex.LeadingFlags(value) != flags ||
			!plainAfter(value[end:], flags) {
			return nil
		}
		edits := replaceInside(p, other.node, 0, end, "")
		if edits == nil {
			return nil
		}
		fix.Edits = append(fix.Edits, edits...)
	}
	fix.Edits = append(fix.Edits, setKeys(p, x.holder, flagKeys(flags), x.fails)...)
	return fix
}

// plainAfter reports whether the rest of a pattern means the same with the keys: it has
// no more flags and, if case is ignored, names only ASCII.
func plainAfter(rest, flags string) bool {
	for _, d := range regex.Check(rest, regex.Flags{}) {
		if d.Construct == regex.Flag {
			return false
		}
	}
	_, length := regex.FirstBeyondASCII(rest)
	return rest != "" && (length == 0 || !strings.Contains(flags, "i"))
}

// setKeys returns the edits that set keys to true. New ones are added right before the patterns.
func setKeys(p *lint.DocumentPass, holder *yamltree.Node, keys []string, fails bool) []source.Edit {
	patterns := "pattern"
	if fails {
		patterns = "fail_patterns"
	}
	at := 0
	for _, e := range holder.Entries {
		if e.Key.Value == patterns {
			at = e.Key.Span.Start
		}
	}
	separator := "\n" + strings.Repeat(" ", p.Doc.File.Position(at).Column-1)
	if holder.Style == yamltree.Flow {
		separator = ", "
	}
	var edits []source.Edit
	var added string
	for _, key := range keys {
		if value := holder.Get(key); value == nil {
			added += key + ": true" + separator
		} else if !value.IsTrue() {
			edits = append(edits, source.Edit{Span: value.Span, Text: "true"})
		}
	}
	if added != "" {
		edits = append(edits, source.Edit{Span: source.Span{Start: at, End: at}, Text: added})
	}
	return edits
}
