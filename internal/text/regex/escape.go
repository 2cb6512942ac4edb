package regex

import (
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// The escapes that are longer than two characters: a property, a character by its number or by a
// letter, and what only other languages support. A name ends before the next backslash, so that
// all searches for its end together read the text once.
var (
	properties     = lazy.Expr(`(?s)^\\[pP](?:\{[^{}\\]*\}|.)?`)
	characters     = lazy.Expr(`^\\(?:[0-7]{1,3}|x\{[0-9A-Fa-f]+\}|x[0-9A-Fa-f]{2}|[aftnrv])`)
	strangeEscapes = lazy.Expr(`(?s)^\\(?:[uNokg]\{[^{}\\]*\}|[kg]<[^<>\\]*>|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|c[A-Za-z]|.)`)
)

func (s *scanner) escape(inClass bool) token {
	rest := s.rest()
	if len(rest) == 1 {
		return s.newToken(strangeToken, 1)
	}
	t := s.newToken(strangeToken, 2)
	t.Name = rest[1]
	switch c := rest[1]; {
	case strings.IndexByte("dDsSwW", c) >= 0:
		t.Kind = perlClassToken
	case c == 'p' || c == 'P':
		t.Kind, t.End = propertyToken, s.at+len(properties().FindString(rest))
	case !inClass && c == 'Q':
		t.Kind = quotedToken
		_, after, found := strings.Cut(rest, `\E`)
		t.End = len(s.text)
		if found {
			t.End -= len(after)
		}
	case !inClass && strings.IndexByte("AzZbB", c) >= 0:
		t.Kind = positionToken
	case c < utf8.RuneSelf && !isAlphanumeric(c):
		t.Kind, t.Char = characterToken, rune(c)
	default:
		if number := characters().FindString(rest); number == "" {
			t.End = s.at + len(strangeEscapes().FindString(rest))
		} else if re, err := syntax.Parse(number, 0); err == nil { // it is not a reference
			t.Kind, t.Char, t.End = characterToken, re.Rune[0], s.at+len(number)
		}
	}
	return t
}

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// A class has additional tokens: named classes such as [:alpha:], and ranges.
const (
	namedToken tokenKind = 100 + iota // [:alpha:]
	rangeToken                        // two members with a hyphen in between
)

// longestName is the maximum size of a named class, that of [:^xdigit:].
const longestName = len("[:^xdigit:]")

// class returns the class here. An unclosed class extends to the end, and has no members.
func (s *scanner) class() token {
	inner := &scanner{text: s.text, at: s.at + 1}
	t := s.newToken(classToken, 1)
	if strings.HasPrefix(inner.rest(), "^") {
		t.Negated = true
		inner.at++
	}
	for first := true; inner.at < len(s.text) && (first || s.text[inner.at] != ']'); first = false {
		m := inner.member()
		t.Members = append(t.Members, m)
		inner.at = m.End
	}
	if t.End = inner.at + 1; t.End > len(s.text) {
		t.End, t.Members = len(s.text), nil
	}
	return t
}

// member returns the member of a class here.
func (s *scanner) member() token {
	rest := s.rest()
	if strings.HasPrefix(rest, "[:") {
		if end := strings.Index(rest[2:min(len(rest), longestName)], ":]"); end >= 0 {
			return s.newToken(namedToken, 2+end+2)
		}
	}
	low := s.scanSingle()
	if low.Char < 0 {
		return low
	}
	high := &scanner{text: s.text, at: low.End + 1}
	if after := s.text[low.End:]; len(after) < 2 || after[0] != '-' || after[1] == ']' {
		return low
	}
	t := token{Kind: rangeToken, Start: s.at, Char: -1, Members: []token{low, high.scanSingle()}}
	t.End = t.Members[1].End
	return t
}

func (s *scanner) scanSingle() token {
	if s.text[s.at] == '\\' {
		return s.escape(true)
	}
	return s.literal()
}
