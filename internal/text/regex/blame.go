package regex

import (
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/regex/token"
)

// Blame returns the part of an expression that an error is about: its offset and its
// length in bytes, 0 if unknown. Package syntax gives the text of the part, or the
// whole expression, but not its place.
func Blame(expr string, e *syntax.Error) (at, length int) {
	tokens := slices.Collect(token.All(expr))
	switch e.Code {
	case syntax.ErrMissingParen, syntax.ErrUnexpectedParen:
		return lonelyBracket(tokens), 1
	case syntax.ErrMissingRepeatArgument:
		before := token.Token{Kind: token.Open}
		for _, t := range tokens {
			isFirst := before.Kind == token.Open || before.Kind == token.Bar
			if isFirst && t.Kind == token.Repeat && strings.HasPrefix(expr[t.Start:], e.Expr) {
				return t.Start, len(e.Expr)
			}
			before = t
		}
	}
	for _, t := range tokens {
		if strings.HasPrefix(expr[t.Start:], e.Expr) {
			return t.Start, len(e.Expr)
		}
	}
	if at := strings.Index(expr, e.Expr); at >= 0 {
		return at, len(e.Expr)
	}
	return 0, 0
}

// lonelyBracket returns the place of the first ) that was never opened, or else of
// the last ( that is never closed.
func lonelyBracket(tokens []token.Token) int {
	var open []int
	for _, t := range tokens {
		switch t.Kind {
		case token.Open:
			open = append(open, t.Start)
		case token.Closing:
			if len(open) == 0 {
				return t.Start
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) == 0 {
		return 0
	}
	return open[len(open)-1]
}
