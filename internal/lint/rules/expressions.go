package rules

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/regex"
)

var patternRules = map[string]lint.Rule{
	"pattern-invalid":     {Severity: lint.Error, Unsuppressable: true, Check: lint.OfDocument(patternInvalid)},
	"pattern-empty":       {Severity: lint.Error, Check: lint.OfDocument(patternEmpty)},
	"pattern-delimiters":  {Severity: lint.Warning, Check: lint.OfDocument(patternDelimiters)},
	"pattern-repeated":    {Severity: lint.Warning, Check: lint.OfDocument(patternRepeated)},
	"pattern-case":        {Severity: lint.Error, Unsuppressable: true, Check: lint.OfDocument(patternCase)},
	"pattern-clients":     {Severity: lint.Error, Unsuppressable: true, Fixable: true, Check: lint.OfDocument(differs)},
	"pattern-python":      {Severity: lint.Error, Fixable: true, Check: lint.OfDocument(differs)},
	"pattern-javascript":  {Severity: lint.Warning, Fixable: true, Check: lint.OfDocument(differs)},
	"pattern-differs":     {Severity: lint.Warning, Fixable: true, Check: lint.OfDocument(differs)},
	rare:                  {Severity: lint.Note, Check: lint.OfDocument(differs)},
	"pattern-exponential": {Severity: lint.Error, Check: lint.OfDocument(patternExponential)},
	"pattern-unjudged":    {Severity: lint.Error, Check: lint.OfDocument(patternUnjudged)},
	"pattern-hits-best":   {Severity: lint.Error, Check: lint.OfDocument(patternHitsBest)},
	"fail-example-missed": {Severity: lint.Error, Check: ofNegatives(failExampleMissed)},
	"pass-example-hit":    {Severity: lint.Error, Check: ofNegatives(passExampleHit)},
	"pattern-inside-word": {Severity: lint.Warning, Check: lint.OfDocument(patternInsideWord)},
}

// wordings say what is wrong with an expression. For other codes, the library's own
// text is used.
var wordings = map[syntax.ErrorCode]string{
	syntax.ErrMissingParen:          "a ( is not closed by a )",
	syntax.ErrUnexpectedParen:       "a ) has no matching (; write \\) for the character itself",
	syntax.ErrMissingBracket:        "a [ is not closed by a ]",
	syntax.ErrMissingRepeatArgument: "there is nothing before this character to repeat; write a \\ before it for the character itself",
	syntax.ErrInvalidRepeatOp:       "these repetitions can't follow each other",
	syntax.ErrInvalidRepeatSize:     "a repetition can be 1000 at most, and the smaller number comes first",
	syntax.ErrInvalidCharRange:      "a range in brackets is in reverse order or has an unknown name",
	syntax.ErrInvalidEscape:         "this escape is not available in every language",
	syntax.ErrTrailingBackslash:     "there is nothing after the final \\",
	syntax.ErrInvalidPerlOp:         "lookahead, lookbehind, and other (? groups are not available in every language",
	syntax.ErrInvalidNamedCapture:   "the name of the group is not valid",
	reference:                       "a reference to the match of a group is not available in every language",
	syntax.ErrNestingDepth:          "brackets are nested too deeply",
	syntax.ErrLarge:                 "the expression is too large",
}

func patternInvalid(p *lint.DocumentPass) {
	for _, x := range patternsOf(p) {
		if x.err == nil {
			continue
		}
		span, why := x.node.Span, x.err.Error()
		var e *syntax.Error
		if errors.As(x.err, &e) {
			code, at, length := x.blame(e)
			why = string(code)
			if wordings[code] != "" {
				why = wordings[code]
			}
			if length > 0 {
				span = p.Doc.Tree.SpanInside(x.node, at, at+length)
			}
		}
		p.ReportIn(x.path, span,
			"Fix this regular expression: %s. Until then, no program can use the document.%s", why, x.adviceInstead())
	}
}

// adviceInstead returns a sentence, to append to others, with a replacement for what Go
// refuses, or "".
func (x *pattern) adviceInstead() string {
	for i := range x.differences {
		d := &x.differences[i]
		switch {
		case !d.RefusedBy(regex.Go):
		case d.Portable != "":
			return fmt.Sprintf(" Write %s instead of %s.", code(d.Portable), code(x.node.Value[d.Start:d.End]))
		default:
			return remedy(d)
		}
	}
	return ""
}

func patternEmpty(p *lint.DocumentPass) {
	for x := range validPatterns(p) {
		if regex.Nullable(x.tree, x.fails) {
			p.ReportAt(x.path, x.node, "Make the pattern require some text: it matches an empty text, so it hits every artifact.")
		}
	}
}

func patternRepeated(p *lint.DocumentPass) {
	type same struct {
		list, text string
	}
	first := map[same]*yamltree.Node{}
	for _, x := range patternsOf(p) {
		k := same{x.list, x.use}
		before, ok := first[k]
		if !ok {
			first[k] = x.node
			continue
		}
		p.ReportBeside(x.path, x.node, before, "first used here",
			"Remove this pattern: it repeats another one and adds nothing.")
	}
}

// patternCase finds characters outside ASCII in case-insensitive patterns: literal, by
// a class (\p), or by a number. Package rubric refuses the same patterns.
func patternCase(p *lint.DocumentPass) {
	for x := range validPatterns(p) {
		at, length := regex.FirstBeyondASCII(x.node.Value)
		if !x.IgnoreCase || length == 0 {
			continue
		}
		found := x.node.Value[at : at+length]
		p.ReportIn(x.path, p.Doc.Tree.SpanInside(x.node, at, at+length),
			"Remove ignore_case, or avoid %s in the pattern: programs disagree on uppercase forms outside a to z.", schema.Quote(found))
	}
}

// blame returns what is wrong with the expression, and where. Package syntax reports
// look-behind as a group with a bad name, and a reference to a group at any group.
func (x *pattern) blame(e *syntax.Error) (code syntax.ErrorCode, at, length int) {
	at, length = regex.Blame(x.node.Value, e)
	isGroup := e.Code == syntax.ErrInvalidNamedCapture || e.Code == syntax.ErrInvalidPerlOp
	for _, d := range x.differences {
		if !isGroup || d.Construct != regex.Group || d.Advice == "" || !d.RefusedBy(regex.Go) {
			continue
		}
		code = syntax.ErrInvalidPerlOp
		if strings.HasPrefix(x.node.Value[d.Start:], "(?P=") {
			code = reference
		}
		return code, d.Start, d.End - d.Start
	}
	return e.Code, at, length
}

// reference is the code of a reference to a group, which package syntax does not have.
const reference syntax.ErrorCode = "reference to a group"

func patternInsideWord(p *lint.DocumentPass) {
	if p.Doc == nil || !p.Doc.IsWritten() || !p.InEnglish() {
		return
	}
	for x := range validPatterns(p) {
		if !regex.MayHitInsideWord(x.tree, x.literals) || x.compiled() == nil {
			continue
		}
		if word, found := regex.InsideWord(x.compiled()); word != "" {
			p.ReportAt(x.path, x.node,
				`Put \b at the beginning or the end of the pattern: it also hits %s in the word %s.`,
				schema.Quote(found), schema.Quote(word))
		}
	}
}
