package patterns

import (
	"regexp/syntax"
	"strings"
)

// wordingCode is the error's code, but for look-behind, which package syntax
// takes for a group with a bad name.
func wordingCode(e *syntax.Error) syntax.ErrorCode {
	if e.Code == syntax.ErrInvalidNamedCapture && (strings.HasPrefix(e.Expr, "(?<=") || strings.HasPrefix(e.Expr, "(?<!")) {
		return syntax.ErrInvalidPerlOp
	}
	return e.Code
}

// blame is the part of an expression that an error is about: its place and its
// length in bytes, 0 if that is not known. Package syntax gives the text of the
// part, or the whole expression, and never the place.
func blame(expr string, e *syntax.Error) (at, length int) {
	pieces := pieces(expr)
	switch e.Code {
	case syntax.ErrMissingParen, syntax.ErrUnexpectedParen:
		return lonelyBracket(pieces), 1
	case syntax.ErrMissingRepeatArgument:
		before := piece{kind: opening}
		for _, p := range pieces {
			if strings.HasPrefix(expr[p.at:], e.Expr) && p.kind == repeat && (before.kind == opening || before.kind == bar) {
				return p.at, len(e.Expr)
			}
			before = p
		}
	}
	for _, p := range pieces {
		if strings.HasPrefix(expr[p.at:], e.Expr) {
			return p.at, len(e.Expr)
		}
	}
	if at := strings.Index(expr, e.Expr); at >= 0 {
		return at, len(e.Expr)
	}
	return 0, 0
}

// piece is a part of an expression that means something as a whole.
type piece struct {
	at   int
	kind pieceKind
}

type pieceKind uint8

const (
	plain   pieceKind = iota // a character, an escape or a class
	opening                  // ( with what belongs to it, as in (?: and (?P<name>
	closing                  // )
	bar                      // |
	repeat                   // * + ?
)

// pieces splits an expression, right or wrong, so that what stands in a class or
// behind a backslash is not taken for more than a character.
func pieces(expr string) []piece {
	var out []piece
	for i := 0; i < len(expr); i++ {
		p := piece{at: i}
		switch expr[i] {
		case '\\':
			i++
		case '[':
			i = classEnd(expr, i)
		case '(':
			p.kind = opening
			i = groupStart(expr, i)
		case ')':
			p.kind = closing
		case '|':
			p.kind = bar
		case '*', '+', '?':
			p.kind = repeat
		}
		out = append(out, p)
	}
	return out
}

// classEnd is the place of the ] that closes the class at i, or of the last
// character if none does.
func classEnd(expr string, i int) int {
	i++
	if i < len(expr) && expr[i] == '^' {
		i++
	}
	for first := i; i < len(expr); i++ {
		switch {
		case expr[i] == '\\':
			i++
		case strings.HasPrefix(expr[i:], "[:") && strings.Contains(expr[i:], ":]"):
			i += strings.Index(expr[i:], ":]") + 1
		case expr[i] == ']' && i > first:
			return i
		}
	}
	return len(expr) - 1
}

// groupStart is the place of the last character that belongs to the ( at i.
func groupStart(expr string, i int) int {
	if !strings.HasPrefix(expr[i:], "(?") {
		return i
	}
	if end := strings.IndexAny(expr[i:], ":>)"); end > 0 && expr[i+end] != ')' {
		return i + end
	}
	return i + 1
}

// lonelyBracket is the place of the first ) that was never opened, else of the
// last ( that is never closed.
func lonelyBracket(pieces []piece) int {
	var open []int
	for _, p := range pieces {
		switch p.kind {
		case opening:
			open = append(open, p.at)
		case closing:
			if len(open) == 0 {
				return p.at
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) == 0 {
		return 0
	}
	return open[len(open)-1]
}
