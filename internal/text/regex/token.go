package regex

import (
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// tokenKind is the kind of a token, as Go reads it.
type tokenKind uint8

const (
	literalToken   tokenKind = iota // a literal character
	characterToken                  // an escape for one character
	quotedToken                     // \Q up to \E
	dotToken                        // .
	positionToken                   // ^ $ \A \z \b \B, and \Z of other languages
	perlClassToken                  // \d \D \s \S \w \W
	propertyToken                   // \p \P with a name
	classToken                      // square brackets
	openToken                       // ( or (?: or a name
	flagGroupToken                  // (?i) and the like
	strangeToken                    // supported only in other languages
	closingToken                    // )
	barToken                        // |
	repeatToken                     // * + ? {n,m}
)

// token is the smallest meaningful part of an expression.
type token struct {
	Kind       tokenKind
	Name       byte // the letter of a position, a Perl class, or a property; ^ and $
	Lazy       bool
	Negated    bool // of a class
	Char       rune // of a literal or an escaped character; -1 for others
	Start, End int  // in bytes
	// Least and Most are the limits of a repetition; Most is -1 for no limit.
	Least, Most int
	Members     []token // of a class that has an end; a range has two
	Group       string  // the text after the ( of a group or of flags: ?P<name>
}

// Flags returns the flags in effect after t, a group or flags such as (?i-s), given
// those before it.
func (t token) Flags(before syntax.Flags) syntax.Flags {
	if strings.HasSuffix(t.Group, ">") { // a name
		return before
	}
	named := map[rune]syntax.Flags{'i': syntax.FoldCase, 's': syntax.DotNL, 'U': syntax.NonGreedy, 'm': syntax.OneLine}
	on := true
	for _, c := range t.Group {
		if c == '-' {
			on = false
		}
		if on == (c != 'm') { // m means not OneLine
			before |= named[c]
		} else {
			before &^= named[c]
		}
	}
	return before
}

// scanner is at a place in an expression.
type scanner struct {
	text string
	at   int
}

func (s *scanner) rest() string { return s.text[s.at:] }

// newToken returns a token that starts here and has a number of bytes.
func (s *scanner) newToken(k tokenKind, size int) token {
	return token{Kind: k, Start: s.at, End: s.at + min(size, len(s.text)-s.at), Char: -1}
}

// literal returns the character here. An invalid UTF-8 byte is one too.
func (s *scanner) literal() token {
	r, size := utf8.DecodeRuneInString(s.rest())
	t := s.newToken(literalToken, size)
	t.Char = r
	return t
}

// limits matches {n}, {n,}, or {n,m}, without leading zeros.
var limits = lazy.Expr(`^\{(0|[1-9][0-9]*)(,(0|[1-9][0-9]*)?)?\}`)

// number returns a number. All numbers above Go's limit give the same value.
func number(digits string) int {
	n, _ := strconv.Atoi(digits) // the largest number if it is larger
	return min(n, 1_000_000)
}

// The beginnings of groups with a name or with flags, and of those that only other languages
// support. A comment and a reference include their closing bracket.
var (
	groups        = lazy.Expr(`^\(\?(?:P?<\w+>|[imsU-]*[:)])`)
	strangeGroups = lazy.Expr(`^\(\?(?:(?:#|P[=>]|[&R])[^)]*\)?|<?[=!]|[>|])?`)
)
