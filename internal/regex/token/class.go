package token

import "strings"

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

// single returns a character or an escape in a class.
func (s *scanner) single() Token {
	if s.text[s.at] == '\\' {
		return s.escape(true)
	}
	return s.literal()
}
