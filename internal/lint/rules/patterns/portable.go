package patterns

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/regex/portable"
)

// consequence is what a difference means for the users of a pattern.
type consequence uint8

const (
	noConsequence consequence = iota
	consequencePython
	consequenceJavaScript
	consequenceDiffers
	consequenceRare
)

// consequenceOf returns the worst consequence of a difference. Uppercase letters are
// reported by pattern-case.
func consequenceOf(d *portable.Difference) consequence {
	unavoidable := d.Rare && d.Construct == portable.LineEnd && d.Portable == ""
	switch {
	case len(d.Effects) == 0, d.Construct == portable.Capital, unavoidable:
		return noConsequence
	case d.RefusedBy(portable.Python):
		return consequencePython
	case d.RefusedBy(portable.JavaScript):
		return consequenceJavaScript
	case d.Rare:
		return consequenceRare
	}
	return consequenceDiffers
}

// differs is the lint rule for one consequence. What Go refuses is reported by
// pattern-invalid.
func differs(c consequence) func(*lint.DocumentPass) {
	return func(p *lint.DocumentPass) {
		for _, x := range validPatterns(p) {
			reportDifferences(p, x, c)
		}
	}
}

// reportDifferences reports the differences with one consequence in a pattern. A rare
// construct is reported only once, because a pattern can contain many dots.
func reportDifferences(p *lint.DocumentPass, x pattern, c consequence) {
	if len(x.differences) == 0 {
		return
	}
	told := map[portable.Construct]bool{}
	fullStop := literalDot(x.node.Value) >= 0 // pattern-dot then says more about the dots
	for i := range x.differences {
		d := &x.differences[i]
		if consequenceOf(d) != c || d.Rare && (told[d.Construct] || fullStop && d.Construct == portable.LineEnd) {
			continue
		}
		told[d.Construct] = true
		reportDifference(p, x, d)
	}
}

// differencesOf returns the differences of a pattern between the configured engines.
func differencesOf(p *lint.DocumentPass, x pattern) []portable.Difference {
	check := portable.CheckCompiled
	if x.err != nil {
		check = portable.Check
	}
	found := check(x.node.Value, x.flags())
	for i := range found {
		found[i].Effects = slices.DeleteFunc(found[i].Effects, func(e portable.Effect) bool { return !p.Config.Counts(e.Engine) })
	}
	return found
}

func reportDifference(p *lint.DocumentPass, x pattern, d *portable.Difference) {
	what := code(x.node.Value[d.Start:d.End])
	message := fmt.Sprintf("Avoid %s: %s.%s", what, reason(d.Effects), remedy(d))
	if d.Portable != "" {
		message = fmt.Sprintf("Write %s instead of %s: %s.", code(d.Portable), what, reason(d.Effects))
	}
	problem := source.Problem{
		Span: p.Doc.Tree.Inside(x.node, d.Start, d.End), Pointer: x.path.Pointer(), Path: x.path.String(), Message: message,
	}
	if !d.Rare {
		problem.Fix = portableFix(p, x, d)
	}
	p.Report(problem)
}

// remedy returns the advice as a sentence to append to others, or "".
func remedy(d *portable.Difference) string {
	if d.Advice == "" {
		return ""
	}
	return " " + d.Advice
}

// reason says which engines refuse the pattern and how the others read it.
func reason(effects []portable.Effect) string {
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
		if len(refuse) == 1 {
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
