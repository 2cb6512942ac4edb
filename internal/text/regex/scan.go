package regex

import (
	"iter"
	"strings"
)

// tokensOf yields the tokens of an expression, as Go reads it. Parts that Go refuses also
// become tokens of some kind; together, the tokens cover the text.
func tokensOf(expr string) iter.Seq[token] {
	return func(yield func(token) bool) {
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

// next returns the token that starts here; the scanner does not advance.
func (s *scanner) next() token {
	switch c := s.text[s.at]; c {
	case '\\':
		return s.escape(false)
	case '[':
		return s.class()
	case '(':
		return s.group()
	case ')':
		return s.newToken(closingToken, 1)
	case '|':
		return s.newToken(barToken, 1)
	case '.':
		return s.newToken(dotToken, 1)
	case '^', '$':
		t := s.newToken(positionToken, 1)
		t.Name = c
		return t
	case '*', '+', '?', '{':
		if t, ok := s.repeat(); ok {
			return t
		}
	}
	return s.literal()
}

// group returns the opening of the group here.
func (s *scanner) group() token {
	rest := s.rest()
	kind, begin := openToken, "(?:" // the most frequent one
	if !strings.HasPrefix(rest, "(?") {
		return s.newToken(openToken, 1)
	} else if !strings.HasPrefix(rest, begin) {
		begin = groups().FindString(rest)
	}
	switch {
	case begin == "":
		kind, begin = strangeToken, strangeGroups().FindString(rest)
	case strings.HasSuffix(begin, ")"):
		kind = flagGroupToken
	}
	t := s.newToken(kind, len(begin))
	t.Group = begin[1:]
	if kind != strangeToken {
		t.Group = strings.TrimRight(t.Group, ":)")
	}
	return t
}

// repeat returns the repetition here, if Go reads one.
func (s *scanner) repeat() (token, bool) {
	t := s.newToken(repeatToken, 1)
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
