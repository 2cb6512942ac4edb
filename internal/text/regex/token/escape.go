package token

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

func (s *scanner) escape(inClass bool) Token {
	rest := s.rest()
	if len(rest) == 1 {
		return s.of(Strange, 1)
	}
	t := s.of(Strange, 2)
	t.Name = rest[1]
	switch c := rest[1]; {
	case strings.IndexByte("dDsSwW", c) >= 0:
		t.Kind = PerlClass
	case c == 'p' || c == 'P':
		t.Kind, t.End = Property, s.at+propertySize(rest)
	case !inClass && c == 'Q':
		t.Kind = Quoted
		_, after, found := strings.Cut(rest, `\E`)
		if t.End = len(s.text); found {
			t.End -= len(after)
		}
	case !inClass && strings.IndexByte("AzZbB", c) >= 0:
		t.Kind = Position
	default:
		return s.character(t)
	}
	return t
}

// propertySize returns the size of \pN or \p{Name}.
func propertySize(rest string) int {
	if len(rest) == 2 {
		return 2
	}
	if rest[2] == '{' {
		if end := near(rest, '}'); end > 0 {
			return end + 1
		}
	}
	_, size := utf8.DecodeRuneInString(rest[2:])
	return 2 + size
}

// near returns the place of a character that closes a name, or -1: names are short, and a
// search to the end would take too long.
func near(rest string, sign byte) int {
	return strings.IndexByte(rest[:min(len(rest), 256)], sign)
}

// controls are the characters for letters after a backslash.
var controls = map[byte]rune{'a': 7, 't': 9, 'n': 10, 'v': 11, 'f': 12, 'r': 13}

// character returns an escape for one character, or for something strange.
func (s *scanner) character(t Token) Token {
	rest := s.rest()
	c := rest[1]
	r, known := controls[c]
	size := 2
	switch {
	case known:
	case isOctal(c):
		r, size = octal(rest)
	case c == 'x':
		r, size = hexadecimal(rest)
	case c < utf8.RuneSelf && !isDigit(c) && !isLetter(c):
		r = rune(c)
	default:
		t.End = t.Start + strangeSize(rest)
		return t
	}
	if size == 0 {
		return t
	}
	t.Kind, t.Char, t.End = Character, r, t.Start+size
	return t
}

// octal reads a number of up to three octal digits. A single digit other than 0 is not
// one.
func octal(rest string) (r rune, size int) {
	size = 1
	for size < min(4, len(rest)) && isOctal(rest[size]) {
		r = 8*r + rune(rest[size]-'0')
		size++
	}
	if size == 2 && rest[1] != '0' {
		return 0, 0
	}
	return r, size
}

// hexadecimal reads \xHH or \x{H…}.
func hexadecimal(rest string) (r rune, size int) {
	braces := strings.HasPrefix(rest, `\x{`)
	size = len(`\x`)
	if braces {
		size++
	}
	first := size
	for size < len(rest) && (braces || size < 4) && isHexadecimal(rest[size]) {
		n, _ := strconv.ParseUint(rest[size:size+1], 16, 8)
		r = min(16*r+rune(n), utf8.MaxRune+1)
		size++
	}
	switch {
	case size == first || r > utf8.MaxRune:
		return 0, 0
	case braces && (size == len(rest) || rest[size] != '}'), !braces && size < 4:
		return 0, 0
	case braces:
		size++
	}
	return r, size
}

// strangeSize returns the size of an escape that only other languages support.
func strangeSize(rest string) int {
	isASCII := func(text string) bool {
		return !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
	}
	digits := map[byte]int{'u': 4, 'U': 8, 'c': 1}[rest[1]]
	switch {
	case digits > 0 && len(rest) >= 2+digits && !strings.HasPrefix(rest, `\u{`) && isASCII(rest[2:2+digits]):
		return 2 + digits
	case hasAnyPrefix(rest, `\u{`, `\N{`, `\o{`, `\k{`, `\g{`) && near(rest, '}') > 0:
		return near(rest, '}') + 1
	case hasAnyPrefix(rest, `\k<`, `\g<`) && near(rest, '>') > 0:
		return near(rest, '>') + 1
	}
	_, size := utf8.DecodeRuneInString(rest[1:])
	return 1 + size
}

// A class has additional tokens: named classes such as [:alpha:], and ranges.
const (
	Named Kind = 100 + iota // [:alpha:]
	Range                   // two members with a hyphen in between
)

// longestName is the maximum size of a named class, that of [:^xdigit:].
const longestName = len("[:^xdigit:]")

// class returns the class here. An unclosed class extends to the end.
func (s *scanner) class() Token {
	inner := &scanner{text: s.text, at: s.at + 1}
	t := s.of(Class, 1)
	if strings.HasPrefix(inner.rest(), "^") {
		t.Negated = true
		inner.at++
	}
	for first := true; inner.at < len(s.text) && (first || s.text[inner.at] != ']'); first = false {
		m := inner.member()
		t.Members = append(t.Members, m)
		inner.at = m.End
	}
	t.End = min(inner.at+1, len(s.text))
	return t
}

// member returns the member of a class here.
func (s *scanner) member() Token {
	rest := s.rest()
	if strings.HasPrefix(rest, "[:") {
		if end := strings.Index(rest[2:min(len(rest), longestName)], ":]"); end >= 0 {
			return s.of(Named, 2+end+2)
		}
	}
	low := s.single()
	if low.Char < 0 {
		return low
	}
	high := &scanner{text: s.text, at: low.End + 1}
	if after := s.text[low.End:]; len(after) < 2 || after[0] != '-' || after[1] == ']' {
		return low
	}
	t := Token{Kind: Range, Start: s.at, Char: -1, Members: []Token{low, high.single()}}
	t.End = t.Members[1].End
	return t
}

func (s *scanner) single() Token {
	if s.text[s.at] == '\\' {
		return s.escape(true)
	}
	return s.literal()
}
