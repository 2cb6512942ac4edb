package regex

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// Blame returns the part of an expression that an error is about: its offset and its
// length in bytes, 0 if unknown. Package syntax gives the text of the part, or the
// whole expression, but not its place.
func Blame(expr string, e *syntax.Error) (at, length int) {
	tokens := slices.Collect(tokensOf(expr))
	switch e.Code {
	case syntax.ErrMissingParen, syntax.ErrUnexpectedParen:
		return lonelyBracket(tokens), 1
	case syntax.ErrMissingRepeatArgument:
		before := token{Kind: openToken}
		for _, t := range tokens {
			isFirst := before.Kind == openToken || before.Kind == barToken
			if isFirst && t.Kind == repeatToken && strings.HasPrefix(expr[t.Start:], e.Expr) {
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
func lonelyBracket(tokens []token) int {
	var open []int
	for _, t := range tokens {
		switch t.Kind {
		case openToken:
			open = append(open, t.Start)
		case closingToken:
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
