package patterns

import (
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/regex/portable"
)

// portableFix writes a pattern so that it is the same to every language, or nil
// where that is not safe. It changes the pattern, so it is for documents that
// nobody uses yet.
func portableFix(p *lint.DocumentPass, x pattern, d *portable.Difference) *source.Fix {
	if d.Construct == portable.Flag && d.Start == 0 {
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
		Message: "write " + code(d.Portable) + " in place of " + code(x.node.Value[d.Start:d.End]), Edits: edits, Rewrites: true,
	}
}

// replaceInside are the edits that put text, of characters that can be seen, in
// place of a part of a scalar's value; nil where that is not simple. A scalar
// without quotes gets some: what is safe in one without is hard to tell.
func replaceInside(p *lint.DocumentPass, n *yamltree.Node, from, to int, text string) []source.Edit {
	written := p.Doc.File.Text(n.Span)
	span := p.Doc.Tree.Inside(n, from, to)
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

// flagKeys are the keys that say what a flag inside a pattern says.
var flagKeys = map[rune]string{'i': "ignore_case", 'm': "multiline"}

// flagFix moves the flags in front of all patterns of a criterion, or of the one
// of a check, to keys beside them: at the first pattern, for all. It is nil where
// another pattern lacks them, because the keys are for all, and where there is no
// such key.
func flagFix(p *lint.DocumentPass, x pattern) *source.Fix {
	flags := leadingFlags(x.node.Value)
	if flags == "" || x.fails && flags != "i" {
		return nil
	}
	fix := &source.Fix{Message: "set " + flagNames(flags) + " in place of " + code("(?"+flags+")"), Rewrites: true}
	for _, other := range patternsOf(p) {
		if other.holder != x.holder {
			continue
		}
		value := other.node.Value
		end := len("(?") + len(flags) + len(")")
		if len(fix.Edits) == 0 && other.node != x.node || leadingFlags(value) != flags || !plainAfter(value[end:], flags) {
			return nil
		}
		edits := replaceInside(p, other.node, 0, end, "")
		if edits == nil {
			return nil
		}
		fix.Edits = append(fix.Edits, edits...)
	}
	fix.Edits = append(fix.Edits, setKeys(p, x.holder, flags, x.fails)...)
	return fix
}

// leadingFlags are the flags i and m in front of a pattern, "" if there are none
// or others.
func leadingFlags(expr string) string {
	inner, ok := strings.CutPrefix(expr, "(?")
	flags, _, closed := strings.Cut(inner, ")")
	if !ok || !closed || flags == "" || strings.Trim(flags, "im") != "" {
		return ""
	}
	return flags
}

// plainAfter tells whether the rest of a pattern means the same with the keys:
// it has no further flags and, where case is ignored, names ASCII alone.
func plainAfter(rest, flags string) bool {
	for _, d := range portable.Check(rest, portable.Flags{}) {
		if d.Construct == portable.Flag {
			return false
		}
	}
	_, length := beyondASCII(rest)
	return rest != "" && (length == 0 || !strings.Contains(flags, "i"))
}

func flagNames(flags string) string {
	var names []string
	for _, flag := range "im" {
		if strings.ContainsRune(flags, flag) {
			names = append(names, flagKeys[flag])
		}
	}
	return strings.Join(names, " and ")
}

// setKeys are the edits that make the keys of flags true. New ones stand right
// before the patterns.
func setKeys(p *lint.DocumentPass, holder *yamltree.Node, flags string, fails bool) []source.Edit {
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
	for _, flag := range "im" {
		if !strings.ContainsRune(flags, flag) {
			continue
		}
		if value := holder.Get(flagKeys[flag]); value == nil {
			added += flagKeys[flag] + ": true" + separator
		} else if !value.IsTrue() {
			edits = append(edits, source.Edit{Span: value.Span, Text: "true"})
		}
	}
	if added != "" {
		edits = append(edits, source.Edit{Span: source.Span{Start: at, End: at}, Text: added})
	}
	return edits
}
