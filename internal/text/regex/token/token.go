// Package token splits a regular expression into its tokens.
package token

import (
	"iter"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// TokenKind is the kind of a token, as Go reads it.
type TokenKind uint8

const (
	Literal   TokenKind = iota // a literal character
	Character                  // an escape for one character
	Quoted                     // \Q up to \E
	Dot                        // .
	Position                   // ^ $ \A \z \b \B, and \Z of other languages
	PerlClass                  // \d \D \s \S \w \W
	Property                   // \p \P with a name
	Class                      // square brackets
	Open                       // ( or (?: or a name
	FlagGroup                  // (?i) and the like
	Strange                    // supported only in other languages
	Closing                    // )
	Bar                        // |
	Repeat                     // * + ? {n,m}
)

// Token is the smallest meaningful part of an expression.
type Token struct {
	Kind       TokenKind
	Name       byte // the letter of a Position, PerlClass or Property; ^ and $
	Lazy       bool
	Negated    bool // of a class
	Char       rune // of a Literal or Character; -1 for others
	Start, End int  // in bytes
	// Least and Most are the limits of a Repeat; Most is -1 for no limit.
	Least, Most int
	Members     []Token // of a class that has an end; a range has two
	Group       string  // the text after the ( of an Open or FlagGroup: ?P<name>
}

// Flags returns the flags in effect after t, an Open or a FlagGroup such as (?i-s), given
// those before it.
func (t Token) Flags(before syntax.Flags) syntax.Flags {
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

// All yields the tokens of an expression, as Go reads it. Parts that Go refuses also
// become tokens of some kind; together, the tokens cover the text.
func All(expr string) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		s := &scanner{text: expr}
		for s.at < len(s.text) {
			t := s.next()
			s.at = t.End
			if !yield(t) {
				return
			}
		}
	}
}

// scanner is at a place in an expression.
type scanner struct {
	text string
	at   int
}

func (s *scanner) rest() string { return s.text[s.at:] }

// newToken returns a token that starts here and has a number of bytes.
func (s *scanner) newToken(k TokenKind, size int) Token {
	return Token{Kind: k, Start: s.at, End: s.at + min(size, len(s.text)-s.at), Char: -1}
}

// next returns the token that starts here; the scanner does not advance.
func (s *scanner) next() Token {
	switch c := s.text[s.at]; c {
	case '\\':
		return s.escape(false)
	case '[':
		return s.class()
	case '(':
		return s.group()
	case ')':
		return s.newToken(Closing, 1)
	case '|':
		return s.newToken(Bar, 1)
	case '.':
		return s.newToken(Dot, 1)
	case '^', '$':
		t := s.newToken(Position, 1)
		t.Name = c
		return t
	case '*', '+', '?', '{':
		if t, ok := s.repeat(); ok {
			return t
		}
	}
	return s.literal()
}

// literal returns the character here. An invalid UTF-8 byte is one too.
func (s *scanner) literal() Token {
	r, size := utf8.DecodeRuneInString(s.rest())
	t := s.newToken(Literal, size)
	t.Char = r
	return t
}

// repeat returns the repetition here, if Go reads one.
func (s *scanner) repeat() (Token, bool) {
	t := s.newToken(Repeat, 1)
	t.Most = -1
	switch s.text[s.at] {
	case '+':
		t.Least = 1
	case '?':
		t.Most = 1
	case '{':
		m := limits().FindStringSubmatch(s.rest())
		if m == nil {
			return t, false
		}
		t.End = s.at + len(m[0])
		t.Least = number(m[1])
		if m[2] == "" {
			t.Most = t.Least
		} else if m[3] != "" {
			t.Most = number(m[3])
		}
	}
	if strings.HasPrefix(s.text[t.End:], "?") {
		t.Lazy = true
		t.End++
	}
	return t, true
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

// group returns the opening of the group here.
func (s *scanner) group() Token {
	rest := s.rest()
	kind, begin := Open, "(?:" // the most frequent one
	if !strings.HasPrefix(rest, "(?") {
		return s.newToken(Open, 1)
	} else if !strings.HasPrefix(rest, begin) {
		begin = groups().FindString(rest)
	}
	switch {
	case begin == "":
		kind, begin = Strange, strangeGroups().FindString(rest)
	case strings.HasSuffix(begin, ")"):
		kind = FlagGroup
	}
	t := s.newToken(kind, len(begin))
	t.Group = begin[1:]
	if kind != Strange {
		t.Group = strings.TrimRight(t.Group, ":)")
	}
	return t
}
