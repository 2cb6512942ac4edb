package rules

import (
	"bytes"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// The rules about what a program reads otherwise than its author wrote it.

// delimited matches a pattern in the notation of another language: between slashes, in quotes after
// an r, or in typographic quotes. Straight quotes alone can be what is searched for.
var delimited = lazy.Expr(`^(?:/(.+)/([gimsuy]*)|[rR]'(.+)'|[rR]"(.+)"|[“”„«»‘’‚](.+)[”“«»’‘])$`)

// undelimited returns a pattern without its delimiters, and the flags after them. A path, such as
// /tmp/, has none.
func undelimited(pattern string) (inner, flags string, ok bool) {
	m := delimited().FindStringSubmatch(pattern)
	if m == nil {
		return "", "", false
	}
	flags = m[2]
	inner = strings.ReplaceAll(m[1], `\/`, "/") + strings.Join(m[3:], "")
	isPath := pattern[0] == '/' && !strings.ContainsAny(inner, ` \[(+|*`) && !strings.ContainsAny(flags, "ig")
	return inner, flags, !isPath
}

func patternDelimiters(p *lint.DocumentPass) {
	for _, x := range patternsOf(p) {
		inner, flags, ok := undelimited(x.node.Value)
		if !ok {
			continue
		}
		write := "Write " + yamltree.QuotePattern(inner)
		if strings.Contains(flags, "i") {
			write += " and ignore_case: true"
		}
		p.ReportAt(x.path, x.node, "%s: the signs around this pattern are part of it here, so an artifact needs them to match.", write)
	}
}

// inQuotes matches a text in typographic quotes that are not inside as well.
var inQuotes = lazy.Expr(`^[“„«]([^“„«”»]*)[”“»]$`)

// misreadText reports texts of which programs read another part than what is written: those in
// typographic quotes, and those that a # cuts off.
func misreadText(p *lint.DocumentPass) {
	if p.Doc == nil || p.Doc.Tree == nil {
		return
	}
	comments := p.Doc.Tree.Comments
	isRefused := func(n *yamltree.Node) bool {
		return slices.ContainsFunc(p.Doc.Problems, func(problem source.Problem) bool { return problem.Span == n.Span })
	}
	p.Root().EachScalar(func(n *yamltree.Node, isKey bool) {
		if isKey || n.Style != yamltree.Plain || n.Type != yamltree.String {
			return
		}
		i, _ := slices.BinarySearchFunc(comments, n.Span.End, func(c yamltree.Comment, end int) int { return c.Span.Start - end })
		isCut := i < len(comments) && cutsOff(p.Doc.File, n, comments[i])
		m := inQuotes().FindStringSubmatch(n.Value)
		if !isCut && m == nil || isRefused(n) {
			return
		}
		at := schema.PathAt(p.Root(), n.Span.Start)
		switch {
		case isCut:
			whole := p.Doc.File.Text(source.Span{Start: n.Span.Start, End: comments[i].Span.End})
			p.ReportIn(at, comments[i].Span, "Put the whole text in quotes: it ends before this #, which begins a comment. Write %s.", yamltree.QuoteVisibly(strings.Join(strings.Fields(whole), " ")))
		case !strings.Contains(at.String(), "fail_patterns") && !strings.HasSuffix(at.String(), "pattern"):
			p.ReportIn(at, n.Span, "Write %s in straight quotes: YAML reads these as part of the text.", yamltree.QuoteVisibly(m[1]))
		}
	})
}

// cutsOff reports whether a comment was meant as part of the text before it: there is no space after its #, and it
// begins with a number, or follows a text of several words.
func cutsOff(f *source.File, n *yamltree.Node, c yamltree.Comment) bool {
	between, inside := f.Data[n.Span.End:c.Span.Start], f.Text(c.Span)[1:]
	if len(bytes.Trim(between, " ")) > 0 || inside == "" || strings.HasPrefix(inside, "rubric-lint") {
		return false
	}
	isNumber := inside[0] >= '0' && inside[0] <= '9'
	isWord := inside[0]|0x20 >= 'a' && inside[0]|0x20 <= 'z'
	return isNumber || isWord && strings.Contains(n.Value, " ")
}

// fields matches a name in braces, as in an f-string of Python, but not in a path such as /users/{id}.
var fields = lazy.Expr(`(?:^|[\s("'“])(\{[A-Za-z_][\w.]*\})(?:$|[\s)"'”.,:;?!])`)

func firstField(text string) (start, end int) {
	if m := fields().FindStringSubmatchIndex(text); m != nil {
		return m[2], m[3]
	}
	return 0, 0
}

func noScoredRule(p *lint.DocumentPass) {
	if !p.Is(&document.RuleSet) || !p.Doc.Written() {
		return
	}
	rules := p.Root().Get("rules").List()
	if slices.ContainsFunc(rules, func(rule *yamltree.Node) bool { return rule.Get("severity").Text() != "info" }) || len(rules) == 0 {
		return
	}
	p.ReportAt(lint.Key("rules"), rules[0].Get("severity"), "Make at least one rule fail or warn: with info rules only, every artifact passes.")
}
