package rules

import (
	"bytes"
	"regexp"
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

// notations match a pattern in the notation of another language, with the pattern itself in the
// first group and flags in the second. Straight quotes alone can be what is searched for, but not
// with an edge of a word beside them.
var notations = []func() *regexp.Regexp{
	lazy.Expr(`^(?:m|qr)?/(.+)/([gimsuxy]*)$`),
	lazy.Expr(`^~(.+)~([imsuxU]+)$`), lazy.Expr(`^#(.+)#([imsuxU]+)$`),
	lazy.Expr(`^(?:[rRuUbB]{1,2}|@)'(.+)'()$`), lazy.Expr(`^(?:[rRuUbB]{1,2}|@)"(.+)"()$`),
	lazy.Expr(`^[“”„«»‘’‚](.+)[”“«»’‘]()$`),
	lazy.Expr(`^"(\\b.+|.+\\b)"()$`), lazy.Expr(`^'(\\b.+|.+\\b)'()$`), lazy.Expr("^`(\\\\b.+|.+\\\\b)`()$"),
	lazy.Expr(`^(?:re\.(?:compile|search|match|findall)|(?:new )?RegExp|regexp\.MustCompile)\([rR]?["'` + "`" +
		`/]?(.+?)["'` + "`" + `/]?(?:, *\w[\w.|]*)?\)()$`),
	lazy.Expr(`^%([^%]*[A-Za-z][^%]*)%()$`),
}

// slashInside matches a slash that would end a pattern between slashes, and a backslash before the last one.
var slashInside = lazy.Expr(`(?:^|[^\\])/|[^\\]\\$`)

// undelimited returns a pattern without its delimiters, and the flags after them. A path, such as
// /tmp/, has none.
func undelimited(pattern string) (inner, flags string, ok bool) {
	for _, delimiter := range notations {
		m := delimiter().FindStringSubmatch(pattern)
		if m == nil {
			continue
		}
		inner, flags = m[1], m[2]
		isPath := pattern[0] == '/' && !strings.ContainsAny(flags, "ig") &&
			(!strings.ContainsAny(inner, ` \[(+|*`) || slashInside().MatchString(inner))
		if strings.HasSuffix(pattern, "/"+flags) {
			inner = strings.ReplaceAll(inner, `\/`, "/")
		}
		return inner, flags, !isPath
	}
	return "", "", false
}

// doubled matches a class of characters or the edge of a word with two backslashes, as in a string
// of a programming language, but not \\begin of LaTeX.
var doubled = lazy.Expr(`\\\\(?:[dDsSwW](?:[+*?{)|\\]|$)|b(?:[)|\\ ]|$))`)

func patternDelimiters(p *lint.DocumentPass) {
	otherNotation(p)
	for _, x := range patternsOf(p) {
		text := x.node.Value
		line := strings.TrimRight(text, "\n")
		inner, flags, isDelimited := undelimited(line)
		switch {
		case isDelimited:
			write := "Write " + yamltree.QuotePattern(inner)
			if strings.Contains(flags, "i") {
				write += " and ignore_case: true"
			}
			p.ReportAt(x.path, x.node, "%s: the signs around this pattern are part of it here, so an artifact needs them to match.", write)
		case line != text && (x.node.Style == yamltree.Literal || x.node.Style == yamltree.Folded):
			p.ReportAt(x.path, x.node, "Write %s on one line: after %c, the end of the line is part of the pattern, so an artifact needs it to match.",
				yamltree.QuotePattern(line), p.Doc.File.Data[x.node.Span.Start])
		case x.node.Style != yamltree.DoubleQuoted && doubled().MatchString(text):
			p.ReportAt(x.path, x.node, "Write %s: only in double quotes, two backslashes are one. Here, an artifact needs a backslash to match.",
				yamltree.QuotePattern(strings.ReplaceAll(text, `\\`, `\`)))
		}
	}
}

// expression matches what only a regular expression reads in a text, and otherGlob what only other
// programs read in a pattern of file names.
var (
	expression = lazy.Expr(`^\\b|\\b$|\\[dsw][+*]|\.[*+]`)
	otherGlob  = lazy.Expr(`^!|\{[^{}]*,[^{}]*\}|\[[^\]]+\]`)
)

// otherNotation reports a literal that is written as an expression, and patterns of file names with
// signs that stand for themselves.
func otherNotation(p *lint.DocumentPass) {
	eachContentCheck(p, func(c contentCheck) {
		if literal := c.node.Get("literal"); expression().MatchString(literal.Text()) {
			c.reportAt(p, "literal", "Write pattern instead of literal, or remove the signs of a regular expression: the text is searched for as it is.")
		}
		for i, file := range c.node.Get("files").List() {
			if signs := otherGlob().FindString(file.Text()); signs != "" {
				p.ReportAt(c.path.Key("files", "").Elem(i, "", "pattern"), file,
					"Write a pattern for each kind of name: only * and ? stand for other characters, so %s is part of the name here.",
					schema.Quote(signs))
			}
		}
	})
}

// inQuotes matches a text in typographic quotes that are not inside as well.
var inQuotes = lazy.Expr(`^(?:[“„«]([^“„«”»]*)[”“»]|[‘‚‹]([^‘‚‹›]*)[’‘›])$`)

// misreadText reports texts of which programs read another part than what is written: those in
// typographic quotes, and those that a # cuts off.
func misreadText(p *lint.DocumentPass) {
	if p.Doc == nil || p.Doc.Tree == nil {
		return
	}
	p.Root().EachScalar(func(n *yamltree.Node, isKey bool) {
		if !isKey && n.Style == yamltree.Plain && n.Type == yamltree.String {
			reportMisread(p, n)
		}
	})
}

func reportMisread(p *lint.DocumentPass, n *yamltree.Node) {
	comment := commentAfter(p.Doc, n)
	m := inQuotes().FindStringSubmatch(n.Value)
	continued := strings.Contains(n.Value, ` \ `) && strings.Contains(p.Doc.File.Text(n.Span), " \\\n")
	if comment == nil && m == nil && !continued || isRefused(p.Doc, n) {
		return
	}
	at := schema.PathAt(p.Root(), n.Span.Start)
	isPattern := strings.Contains(at.String(), "fail_patterns") || strings.HasSuffix(at.String(), "pattern")
	switch {
	case comment != nil && isCut(n.Value, isPattern, p.Doc.File.Text(comment.Span)):
		whole := strings.Join(strings.Fields(p.Doc.File.Text(source.Span{Start: n.Span.Start, End: comment.Span.End})), " ")
		quoted := yamltree.QuoteVisibly(whole)
		if isPattern {
			quoted = yamltree.QuotePattern(whole)
		}
		p.ReportIn(at, comment.Span, "Put the whole text in quotes: it ends before this #, which begins a comment. Write %s.", quoted)
	case continued:
		p.ReportIn(at, n.Span, "Remove each backslash at the end of a line: YAML joins the lines of a text without it, and it stays in the text.")
	case m != nil && !isPattern:
		p.ReportIn(at, n.Span,
			"Write %s in straight quotes: YAML reads these as part of the text.", yamltree.QuoteVisibly(m[1]+m[2]))
	}
}

// isRefused reports whether the parser or the schema reports a value.
func isRefused(d *document.Document, n *yamltree.Node) bool {
	return slices.ContainsFunc(d.Problems, func(problem source.Problem) bool { return problem.Span == n.Span })
}

// commentAfter returns the comment that follows a text on its line, or nil.
func commentAfter(d *document.Document, n *yamltree.Node) *yamltree.Comment {
	comments := d.Tree.Comments
	i, _ := slices.BinarySearchFunc(comments, n.Span.End, func(c yamltree.Comment, end int) int {
		return c.Span.Start - end
	})
	if i == len(comments) || len(bytes.Trim(d.File.Data[n.Span.End:comments[i].Span.Start], " ")) > 0 {
		return nil
	}
	return &comments[i]
}

// isCut reports whether a comment was meant as part of the text before it: there is no space after
// its #, and it begins with a number, or follows a text of several words or a pattern. With a
// space, a number follows an unfinished sentence: "entry # 1 of the log".
func isCut(text string, isPattern bool, comment string) bool {
	inside, several := strings.TrimPrefix(comment, "#"), strings.Contains(text, " ")
	switch {
	case inside == "" || strings.HasPrefix(inside, "rubric-lint"):
		return false
	case inside[0] == ' ':
		isUnfinished := !strings.ContainsAny(text[len(text)-1:], ".?!:;\"')")
		return several && isUnfinished && numbered().MatchString(inside)
	case '0' <= inside[0] && inside[0] <= '9':
		return true
	}
	return (several || isPattern) && strings.IndexByte("\t#=-*!", inside[0]) < 0
}

// numbered matches a number with more of a sentence after it.
var numbered = lazy.Expr(`^ [0-9]+(?: [a-z]|[.,;]?$)`)

// fields matches a name in braces, as in an f-string of Python, but not in a path such as /users/{id}.
var fields = lazy.Expr(`(?:^|[\s("'“])(\{[A-Za-z_][\w.]*\})(?:$|[\s)"'”.,:;?!])`)

func firstField(text string) (start, end int) {
	if !strings.Contains(text, "{") { // as in most texts
		return 0, 0
	}
	if m := fields().FindStringSubmatchIndex(text); m != nil {
		return m[2], m[3]
	}
	return 0, 0
}

func noScoredRule(p *lint.DocumentPass) {
	if !p.Is(&document.RuleSet) || !p.Doc.IsWritten() {
		return
	}
	rules := p.Root().Get("rules").List()
	isScored := func(rule *yamltree.Node) bool { return rule.Get("severity").Text() != "info" }
	if len(rules) == 0 || slices.ContainsFunc(rules, isScored) {
		return
	}
	p.ReportAt(lint.Key("rules"), rules[0].Get("severity"),
		"Make at least one rule fail or warn: with info rules only, every artifact passes.")
}
