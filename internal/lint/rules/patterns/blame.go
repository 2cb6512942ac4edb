package patterns

import (
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/regex/token"
)

// wordingCode returns the error's code, with a correction for look-behind, which
// package syntax reports as a group with a bad name.
func wordingCode(e *syntax.Error) syntax.ErrorCode {
	if e.Code == syntax.ErrInvalidNamedCapture && (strings.HasPrefix(e.Expr, "(?<=") || strings.HasPrefix(e.Expr, "(?<!")) {
		return syntax.ErrInvalidPerlOp
	}
	return e.Code
}

// blame returns the part of an expression that an error is about: its offset and its
// length in bytes, 0 if unknown. Package syntax gives the text of the part, or the
// whole expression, but not its place.
func blame(expr string, e *syntax.Error) (at, length int) {
	tokens := slices.Collect(token.All(expr))
	switch e.Code {
	case syntax.ErrMissingParen, syntax.ErrUnexpectedParen:
		return lonelyBracket(tokens), 1
	case syntax.ErrMissingRepeatArgument:
		before := token.Token{Kind: token.Open}
		for _, t := range tokens {
			if strings.HasPrefix(expr[t.Start:], e.Expr) && t.Kind == token.Repeat && (before.Kind == token.Open || before.Kind == token.Bar) {
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
