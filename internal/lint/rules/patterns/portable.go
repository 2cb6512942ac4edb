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

// portableRules find what programs read differently in a pattern. Each rule reports one
// consequence; package portable knows the constructs.
var portableRules = []*lint.Rule{
	{
		ID: "pattern-python", Family: lint.FamilyExpressions, Severity: lint.Error, Fixable: true,
		Summary:  "a pattern that Python refuses",
		Why:      "A judge in Python that compiles the pattern unchanged can't use the document at all. The lint rule looks for flags after the beginning, (?<name>, \\z, \\p{L}, \\x{41}, \\Q…\\E, a hyphen right after \\d or \\w in brackets, and repeated positions such as ^*. It assumes Python 3.11 or later.",
		Bad:      "fail_patterns: ['(?<word>TBD|TBC)']",
		Good:     "fail_patterns: ['(TBD|TBC)']",
		Source:   "the documentation of the module re of Python 3.11",
		Document: differs(consequencePython),
	},
	{
		ID: "pattern-javascript", Family: lint.FamilyExpressions, Severity: lint.Warning, Fixable: true,
		Summary:  "a pattern that JavaScript refuses",
		Why:      "A judge in JavaScript that compiles the pattern unchanged (with the flag u) can't use the document at all. The lint rule looks for (?i) and other flags, (?P<name>, \\A, \\a, octal numbers, a backslash before a character that needs none, a lone {, }, or ], and [[:alpha:]].",
		Bad:      "fail_patterns: ['(?i)to be determined', 'e\\-mail']",
		Good:     "fail_patterns: ['to be determined', 'e-mail']\nignore_case: true",
		Source:   "ECMAScript 2024, 22.2 RegExp Objects, with the flag u",
		Document: differs(consequenceJavaScript),
	},
	{
		ID: "pattern-differs", Family: lint.FamilyExpressions, Severity: lint.Warning, Fixable: true,
		Summary:  "a pattern that matches differently in another language",
		Why:      "The same artifact would pass with one judge and fail with another. The lint rule looks for $ without multiline, which in Python also matches before the last line end; for a{,3}; for repetitions of something that can be empty; and for characters in brackets that Python reserves for set operations.",
		Bad:      "fail_patterns: ['TODO$']",
		Good:     "fail_patterns: ['\\bTODO\\b']",
		Source:   "the syntax of RE2, the module re of Python 3.11 and ECMAScript 2024 (22.2), compared on texts by a test",
		Document: differs(consequenceDiffers),
	},
	{
		ID: "pattern-rare-characters", Family: lint.FamilyExpressions, Severity: lint.Note,
		Summary:  "a pattern that matches differently on rare characters",
		Why:      "In JavaScript, . does not match the line separators U+2028 and U+2029. Each language has its own list of whitespace for \\s: only JavaScript includes the no-break space, which is common in text from word processors. Positions at line ends (^ and $ with multiline) are not reported, because JavaScript also treats U+2028 and U+2029 as line ends and there is no alternative.",
		Bad:      "fail_patterns: ['as\\s+needed']",
		Good:     "fail_patterns: ['as[ \\t\\n]+needed']",
		Source:   "the syntax of RE2, the module re of Python 3.11 and ECMAScript 2024 (22.2), compared on texts by a test",
		Document: differs(consequenceRare),
	},
}

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
		for _, x := range patternsOf(p) {
			if x.err != nil || len(x.differences) == 0 {
				continue
			}
			reportDifferences(p, x, c)
		}
	}
}

// reportDifferences reports the differences with one consequence in a pattern. A rare
// construct is reported only once, because a pattern can contain many dots.
func reportDifferences(p *lint.DocumentPass, x pattern, c consequence) {
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
