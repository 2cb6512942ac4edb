package portable

import (
	"strings"
	"unicode/utf8"
)

// kind is what a token is, as Go reads it.
type kind uint8

const (
	literal   kind = iota // a character that stands for itself
	character             // an escape that stands for one character
	quoted                // \Q with all up to \E
	dot                   // .
	position              // ^ $ \A \z \b \B, and \Z of other languages
	perlClass             // \d \D \s \S \w \W
	property              // \p \P with a name
	class                 // square brackets
	open                  // ( or (?: or a name
	flagGroup             // (?i) and the like
	strange               // what only other languages know
	closing               // )
	bar                   // |
	repeat                // * + ? {n,m}
)

// token is a part of an expression that means something as a whole.
type token struct {
	kind       kind
	start, end int
	char       rune // of a literal or character; -1 where it is none
	name       byte // the letter of a position, perlClass or property; ^ and $
	// least and most are how often to repeat; most is -1 without limit.
	least, most int
	lazy        bool
	members     []token // of a class; a range is two with a hyphen between
	negated     bool    // of a class
	group       string  // what follows the ( of an open or flagGroup: ?P<name>
}

// scanner splits an expression into tokens, as Go reads it. What Go refuses becomes
// tokens of some kind too; together they cover the text.
type scanner struct {
	text string
	at   int
}

func (s *scanner) rest() string { return s.text[s.at:] }

// of is a token that starts here and has that many bytes.
func (s *scanner) of(k kind, size int) token {
	return token{kind: k, start: s.at, end: s.at + min(size, len(s.text)-s.at), char: -1}
}

// next is the token that starts here; the scanner stays where it is.
func (s *scanner) next() token {
	switch c := s.text[s.at]; c {
	case '\\':
		return s.escape(false)
	case '[':
		return s.class()
	case '(':
		return s.group()
	case ')':
		return s.of(closing, 1)
	case '|':
		return s.of(bar, 1)
	case '.':
		return s.of(dot, 1)
	case '^', '$':
		t := s.of(position, 1)
		t.name = c
		return t
	case '*', '+', '?', '{':
		if t, ok := s.repeat(); ok {
			return t
		}
	}
	return s.literal()
}

// literal is the character here. A byte that is no UTF-8 is one too.
func (s *scanner) literal() token {
	r, size := utf8.DecodeRuneInString(s.rest())
	t := s.of(literal, size)
	t.char = r
	return t
}

// repeat is the repetition here, if Go reads one.
func (s *scanner) repeat() (token, bool) {
	t := s.of(repeat, 1)
	t.most = -1
	switch s.text[s.at] {
	case '+':
		t.least = 1
	case '?':
		t.most = 1
	case '{':
		size := 0
		if t.least, t.most, size = counts(s.rest()); size == 0 {
			return t, false
		}
		t.end = s.at + size
	}
	if strings.HasPrefix(s.text[t.end:], "?") {
		t.lazy = true
		t.end++
	}
	return t, true
}

// counts reads {n}, {n,} or {n,m}, without leading zeros, and its size in bytes;
// 0 if there is none.
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

// number reads a number without leading zeros. Those beyond what Go accepts are
// all the same one.
func number(text string) (n int, rest string, ok bool) {
	size := 0
	for size < len(text) && isDigit(text[size]) {
		n = min(10*n+int(text[size]-'0'), 1_000_000)
		size++
	}
	ok = size > 0 && (size == 1 || text[0] != '0')
	return n, text[size:], ok
}

// group is the opening bracket here with what belongs to it.
func (s *scanner) group() token {
	rest := s.rest()
	if !strings.HasPrefix(rest, "(?") {
		return s.of(open, 1)
	}
	if name := groupName(rest); name > 0 {
		t := s.of(open, name)
		t.group = rest[1:name]
		return t
	}
	size := len("(?")
	for size < len(rest) && strings.IndexByte("imsU-", rest[size]) >= 0 {
		size++
	}
	t := s.of(open, size+1)
	switch t.group = rest[1:size]; {
	case strings.HasPrefix(rest[size:], ":"):
		return t
	case strings.HasPrefix(rest[size:], ")"):
		t.kind = flagGroup
		return t
	}
	return s.strangeGroup()
}

// groupName is the size of ( with a name that Go accepts, else 0.
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

// strangeGroup is a group that only other languages know. A comment and a
// reference have no other bracket that closes them.
func (s *scanner) strangeGroup() token {
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
	t := s.of(strange, size)
	t.group = s.text[t.start+1 : t.end]
	return t
}

func hasAnyPrefix(text string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return false
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHexadecimal(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func isOctal(c byte) bool { return '0' <= c && c <= '7' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
