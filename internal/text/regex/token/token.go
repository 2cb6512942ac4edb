// Package token splits a regular expression into its tokens.
package token

import (
	"iter"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// Kind is the kind of a token, as Go reads it.
type Kind uint8

const (
	Literal   Kind = iota // a literal character
	Character             // an escape for one character
	Quoted                // \Q up to \E
	Dot                   // .
	Position              // ^ $ \A \z \b \B, and \Z of other languages
	PerlClass             // \d \D \s \S \w \W
	Property              // \p \P with a name
	Class                 // square brackets
	Open                  // ( or (?: or a name
	FlagGroup             // (?i) and the like
	Strange               // supported only in other languages
	Closing               // )
	Bar                   // |
	Repeat                // * + ? {n,m}
)

// Token is the smallest meaningful part of an expression.
type Token struct {
	Kind       Kind
	Start, End int  // in bytes
	Char       rune // of a Literal or Character; -1 for others
	Name       byte // the letter of a Position, PerlClass or Property; ^ and $
	// Least and Most are the limits of a Repeat; Most is -1 for no limit.
	Least, Most int
	Lazy        bool
	Members     []Token // of a class; a range has two
	Negated     bool    // of a class
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

// of returns a token that starts here and has a number of bytes.
func (s *scanner) of(k Kind, size int) Token {
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
		return s.of(Closing, 1)
	case '|':
		return s.of(Bar, 1)
	case '.':
		return s.of(Dot, 1)
	case '^', '$':
		t := s.of(Position, 1)
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
	t := s.of(Literal, size)
	t.Char = r
	return t
}

// repeat returns the repetition here, if Go reads one.
func (s *scanner) repeat() (Token, bool) {
	t := s.of(Repeat, 1)
	t.Most = -1
	switch s.text[s.at] {
	case '+':
		t.Least = 1
	case '?':
		t.Most = 1
	case '{':
		size := 0
		if t.Least, t.Most, size = counts(s.rest()); size == 0 {
			return t, false
		}
		t.End = s.at + size
	}
	if strings.HasPrefix(s.text[t.End:], "?") {
		t.Lazy = true
		t.End++
	}
	return t, true
}

// counts reads {n}, {n,}, or {n,m}, without leading zeros, and returns its size in
// bytes; 0 if there is none.
func counts(text string) (least, most, size int) {
	least, rest, ok := number(text[1:])
	if !ok {
		return 0, 0, 0
	}
	most = least
	if after, found := strings.CutPrefix(rest, ","); found {
		rest, most = after, -1
		if !strings.HasPrefix(rest, "}") {
			if most, rest, ok = number(rest); !ok {
				return 0, 0, 0
			}
		}
	}
	if !strings.HasPrefix(rest, "}") {
		return 0, 0, 0
	}
	return least, most, len(text) - len(rest) + 1
}

// number reads a number without leading zeros. Numbers above Go's limit all give the same
// value.
func number(text string) (n int, rest string, ok bool) {
	size := 0
	for size < len(text) && isDigit(text[size]) {
		n = min(10*n+int(text[size]-'0'), 1_000_000)
		size++
	}
	ok = size > 0 && (size == 1 || text[0] != '0')
	return n, text[size:], ok
}

// group returns the opening of the group here.
func (s *scanner) group() Token {
	rest := s.rest()
	if !strings.HasPrefix(rest, "(?") {
		return s.of(Open, 1)
	}
	if name := groupName(rest); name > 0 {
		t := s.of(Open, name)
		t.Group = rest[1:name]
		return t
	}
	size := len("(?")
	for size < len(rest) && strings.IndexByte("imsU-", rest[size]) >= 0 {
		size++
	}
	t := s.of(Open, size+1)
	switch t.Group = rest[1:size]; {
	case strings.HasPrefix(rest[size:], ":"):
		return t
	case strings.HasPrefix(rest[size:], ")"):
		t.Kind = FlagGroup
		return t
	}
	return s.strangeGroup()
}

// groupName returns the size of ( with a name that Go accepts, otherwise 0.
func groupName(rest string) int {
	for _, form := range []string{"(?P<", "(?<"} {
		name, ok := strings.CutPrefix(rest, form)
		if !ok {
			continue
		}
		if after := strings.TrimLeft(name, wordCharacters); len(after) < len(name) && after != "" && after[0] == '>' {
			return len(rest) - len(after) + 1
		}
	}
	return 0
}

const wordCharacters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"

// strangeGroup returns a group that only other languages support. A comment and a
// reference include their closing bracket.
func (s *scanner) strangeGroup() Token {
	rest := s.rest()
	size := len("(?")
	switch {
	case hasAnyPrefix(rest, "(?#", "(?P=", "(?P>", "(?&", "(?R"):
		if size = strings.IndexByte(rest, ')') + 1; size == 0 {
			size = len(rest)
		}
	case hasAnyPrefix(rest, "(?<=", "(?<!"):
		size = len("(?<=")
	case hasAnyPrefix(rest, "(?=", "(?!", "(?>", "(?|"):
		size = len("(?=")
	}
	t := s.of(Strange, size)
	t.Group = s.text[t.Start+1 : t.End]
	return t
}

func hasAnyPrefix(text string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(text, p) })
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHexadecimal(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func isOctal(c byte) bool { return '0' <= c && c <= '7' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
