package patterns

import (
	"fmt"
	"regexp/syntax"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/regex/redos"
)

// reportGrowth reports the patterns with the given growth.
func reportGrowth(p *lint.DocumentPass, growth redos.Growth, message func(pattern, redos.Verdict) string) {
	for i, v := range verdictsOf(p) {
		x := patternsOf(p)[i]
		if v.Growth != growth || x.err != nil {
			continue
		}
		span := x.node.Span
		if v.Part.End > v.Part.At {
			span = p.Doc.Tree.Inside(x.node, v.Part.At, v.Part.End)
		}
		p.ReportIn(x.path, span, "%s", message(x, v))
	}
}

// patternUnjudged reports what the other lint rules skip: patterns that could not be
// judged, and those that were not searched in the rubric's own examples.
func patternUnjudged(p *lint.DocumentPass) {
	reportGrowth(p, redos.Unjudged, func(pattern, redos.Verdict) string {
		return "Simplify or split this pattern: it has too many repetitions and alternatives close together to rule out that a backtracking program hangs on it. Use fewer of them, or smaller limits in braces."
	})
	for i, x := range patternsOf(p) {
		if tooCostly(p)[i] && verdictsOf(p)[i].Growth != redos.Unjudged {
			p.ReportAt(x.path, x.node, "Simplify this pattern, or shorten the examples: a search for it in the examples of this rubric takes too long. Use smaller limits in braces.")
		}
	}
}

// verdictsOf returns the verdicts on the patterns, computed once for all lint rules and
// once for equal patterns.
var verdictsOf = lint.Once(func(p *lint.DocumentPass) []redos.Verdict {
	verdicts := make([]redos.Verdict, len(patternsOf(p)))
	type same struct {
		expr  string
		flags syntax.Flags
	}
	known := map[same]redos.Verdict{}
	for i, x := range patternsOf(p) {
		if x.err != nil {
			continue // reported by pattern-invalid
		}
		k := same{x.node.Value, x.flags().Syntax()}
		v, ok := known[k]
		if !ok {
			v, _ = redos.Judge(k.expr, k.flags) // on an error, the verdict is Unjudged
			known[k] = v
		}
		verdicts[i] = v
	}
	return verdicts
})

// part returns the part of the pattern that a verdict is about, quoted.
func (x *pattern) part(v redos.Verdict) string {
	return schema.Quote(x.node.Value[v.Part.At:v.Part.End])
}

func exponentialMessage(x pattern, v redos.Verdict) string {
	return fmt.Sprintf("Rewrite %s so that a text can match in only one way: start each repetition with a character that the one before can't match. A backtracking program hangs on %s.", x.part(v), attackText(v.Attack, 30))
}

func polynomialMessage(x pattern, v redos.Verdict) string {
	return fmt.Sprintf("Limit %s, or put something before it that it can't match itself, such as \\b before \\w, or ^ with multiline: the steps of a backtracking program grow with %s, for example on %s.", x.part(v), power(v.Degree), attackText(v.Attack, 5000))
}

// power describes a degree in words.
func power(degree int) string {
	switch degree {
	case 2:
		return "the square of the length of the text"
	case 3:
		return "the cube of the length of the text"
	}
	return fmt.Sprintf("the length of the text to the power of %d", degree)
}

// attackText describes a text on which a program is slow.
func attackText(a *redos.Attack, pumps int) string {
	text := fmt.Sprintf("%s %d times", schema.Quote(a.Pump), pumps)
	if a.Prefix != "" {
		text = schema.Quote(a.Prefix) + ", then " + text
	}
	if a.Suffix != "" {
		text += ", then " + schema.Quote(a.Suffix)
	}
	return text
}
