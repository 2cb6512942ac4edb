package portable

import "strings"

// A class has tokens of its own: characters, escapes, named classes such as
// [:alpha:], and ranges.
const (
	named     kind = 100 + iota // [:alpha:]
	charRange                   // two members with a hyphen between
)

// longestName is the size of [:^xdigit:] and the like, at most.
const longestName = len("[:^xdigit:]")

// class is the class here. One that nothing closes goes on to the end.
func (s *scanner) class() token {
	inner := &scanner{text: s.text, at: s.at + 1}
	t := s.of(class, 1)
	if strings.HasPrefix(inner.rest(), "^") {
		t.negated = true
		inner.at++
	}
	for first := true; inner.at < len(s.text) && (first || s.text[inner.at] != ']'); first = false {
		m := inner.member()
		t.members = append(t.members, m)
		inner.at = m.end
	}
	t.end = min(inner.at+1, len(s.text))
	return t
}

// member is what stands here in a class.
func (s *scanner) member() token {
	rest := s.rest()
	if strings.HasPrefix(rest, "[:") {
		if end := strings.Index(rest[2:min(len(rest), longestName)], ":]"); end >= 0 {
			return s.of(named, 2+end+2)
		}
	}
	low := s.single()
	if low.char < 0 {
		return low
	}
	high := &scanner{text: s.text, at: low.end + 1}
	if after := s.text[low.end:]; len(after) < 2 || after[0] != '-' || after[1] == ']' {
		return low
	}
	t := token{kind: charRange, start: s.at, char: -1, members: []token{low, high.single()}}
	t.end = t.members[1].end
	return t
}

// single is a character or an escape in a class.
func (s *scanner) single() token {
	if s.text[s.at] == '\\' {
		return s.escape(true)
	}
	return s.literal()
}
