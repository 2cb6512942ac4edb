package rules

import (
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/regex"
)

func patternExponential(p *lint.DocumentPass) {
	for x := range validPatterns(p) {
		v := x.verdict
		switch a := v.Attack; {
		case v.Growth != regex.Exponential:
		case a == nil:
			p.ReportAt(x.path, x.node, "Use fewer optional parts and repetitions in a row in this pattern: a text can match them in so many ways that a backtracking program hangs on it.")
		default:
			text := schema.Quote(a.Pump) + " 30 times"
			if a.Prefix != "" {
				text = schema.Quote(a.Prefix) + ", then " + text
			}
			p.ReportIn(x.path, p.Doc.Tree.SpanInside(x.node, a.Part.At, a.Part.End),
				"Rewrite %s so that a text can match in only one way: start each repetition with a character that the one before can't match. A backtracking program hangs on %s, if no match follows.",
				schema.Quote(x.node.Value[a.Part.At:a.Part.End]), text)
		}
	}
}

// patternUnjudged reports what the other lint rules skip: patterns that could not be
// judged, and those that were not searched in the rubric's own examples.
func patternUnjudged(p *lint.DocumentPass) {
	for x := range validPatterns(p) {
		switch {
		case x.verdict.Growth == regex.Unjudged:
			p.ReportAt(x.path, x.node, "Simplify or split this pattern: it has too many repetitions and alternatives close together to rule out that a backtracking program hangs on it. Use fewer of them, or smaller limits in braces.")
		case x.costly && p.Doc.IsWritten():
			p.ReportAt(x.path, x.node, "Simplify this pattern, or shorten the examples: a search for it in the examples of this rubric takes too long. Use smaller limits in braces.")
		}
	}
}
