package gitignore

import "strings"

// glob is a pattern in which * and ? match within a name, and ** matches any number of folders
// (gitignore(5)). Matching takes time in proportion to the length of the pattern and of the
// text, because the author of a pattern must not be able to keep a program busy.
type glob []globPart

// globPart matches one byte: that of a set, or without one, its own. One that repeats matches
// any number of bytes. One that is optional matches nothing, and leads past the two parts
// after it, too.
type globPart struct {
	set      *byteSet
	own      byte
	repeats  bool
	optional bool
}

func (p globPart) matches(c byte) bool {
	if p.set == nil {
		return p.own == c
	}
	return p.set.has(c)
}

// parseGlob parses a pattern, and reports whether it is valid: one that isn't matches nothing.
// With fold, it matches lowercase text.
func parseGlob(text string, fold bool) (g glob, valid bool) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '?':
			g = append(g, globPart{set: inName})
		case '*':
			end := len(text) - len(strings.TrimLeft(text[i:], "*"))
			g = append(g, stars(text, i, end)...)
			i = end - 1
		case '[':
			set, length := parseSet(text[i+1:], fold)
			if set == nil {
				return nil, false
			}
			g = append(g, globPart{set: set})
			i += length
		case '\\':
			i++
			if i == len(text) {
				return nil, false
			}
			g = append(g, globPart{own: lower(text[i], fold)})
		default:
			g = append(g, globPart{own: lower(c, fold)})
		}
	}
	return g, true
}

// stars returns the parts for the asterisks from start to end. Two or more that are a whole
// part of a path match any number of folders.
func stars(text string, start, end int) glob {
	rest := text[end:]
	if end-start > 1 && (start == 0 || text[start-1] == '/') {
		switch {
		case strings.HasPrefix(rest, "/"):
			return glob{{optional: true}, {set: anyByte, repeats: true}} // the slash follows
		case rest == "", strings.HasPrefix(rest, `\/`):
			return glob{{set: anyByte, repeats: true}}
		}
	}
	return glob{{set: inName, repeats: true}}
}

// lower returns the lowercase form of a letter with fold, and else the same byte.
func lower(c byte, fold bool) byte {
	if fold && 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// matches reports whether the whole text matches.
func (g glob) matches(text string) bool {
	at, next := make([]bool, len(g)+1), make([]bool, len(g)+1)
	at[0] = true
	g.advance(at)
	for i := range len(text) {
		clear(next)
		for j, part := range g {
			switch {
			case !at[j] || part.optional || !part.matches(text[i]):
			case part.repeats:
				next[j] = true
			default:
				next[j+1] = true
			}
		}
		g.advance(next)
		at, next = next, at
	}
	return at[len(g)]
}

// advance marks the places that are reached from marked ones without another byte.
func (g glob) advance(at []bool) {
	for j, part := range g {
		if at[j] && (part.optional || part.repeats) {
			at[j+1] = true
		}
		if at[j] && part.optional {
			at[j+3] = true
		}
	}
}

// byteSet has a bit for each byte.
type byteSet [4]uint64

func (s *byteSet) has(c byte) bool { return s[c/64]>>(c%64)&1 == 1 }
func (s *byteSet) add(c byte)      { s[c/64] |= 1 << (c % 64) }

// addAll adds the bytes for which has is true.
func (s *byteSet) addAll(has func(c byte) bool) {
	for c := range 256 {
		if has(byte(c)) {
			s.add(byte(c))
		}
	}
}

func setOf(has func(c byte) bool) *byteSet {
	s := &byteSet{}
	s.addAll(has)
	return s
}

var (
	anyByte = setOf(func(byte) bool { return true })
	inName  = setOf(func(c byte) bool { return c != '/' })
)

// parseSet parses a set after its opening bracket, and returns it with its length, up to and
// with the closing bracket. It is nil if it is not valid.
func parseSet(text string, fold bool) (*byteSet, int) {
	set, at := &byteSet{}, 0
	negated := text != "" && (text[0] == '!' || text[0] == '^')
	if negated {
		at++
	}
	from := -1 // the start of a range, if a dash follows
	for first := at; at == first || at < len(text) && text[at] != ']'; {
		length, next := set.parse(text[min(at, len(text)):], from, fold)
		if length == 0 {
			return nil, 0
		}
		at, from = at+length, next
	}
	if at >= len(text) {
		return nil, 0
	}
	return setOf(func(c byte) bool { return c != '/' && set.has(c) != negated }), at + 1
}

// parse adds the next element of a set: a byte, a range from the byte before, or a class. It
// returns the length of the element, 0 if it is not valid, and the byte with which a range can
// begin, or -1.
func (s *byteSet) parse(text string, from int, fold bool) (length, next int) {
	c, length := setByte(text)
	switch {
	case length == 0:
		return 0, -1
	case length == 1 && c == '-' && from > 0 && len(text) > 1 && text[1] != ']':
		to, more := setByte(text[1:])
		s.addAll(func(c byte) bool {
			in := func(c byte) bool { return byte(from) <= c && c <= to }
			return in(c) || fold && 'a' <= c && c <= 'z' && in(c-'a'+'A')
		})
		if more == 0 {
			return 0, -1
		}
		return 1 + more, -1
	case strings.HasPrefix(text, "[:"):
		end := strings.IndexByte(text, ']')
		if end < 0 {
			return 0, -1
		}
		if name, isClass := strings.CutSuffix(text[2:end], ":"); isClass {
			return s.addClass(name, end+1, fold), -1
		}
	}
	s.add(c)
	return length, int(c)
}

// setByte returns the first byte of a set, which can be escaped, and the length of its text.
func setByte(text string) (c byte, length int) {
	switch {
	case text == "" || text == `\`:
		return 0, 0
	case text[0] == '\\':
		return text[1], 2
	}
	return text[0], 1
}

// addClass adds a class of characters, and returns length, or 0 if there is no such class.
func (s *byteSet) addClass(name string, length int, fold bool) int {
	has := classes[name]
	if has == nil {
		return 0
	}
	s.addAll(has)
	if name == "upper" && fold {
		s.addAll(classes["lower"])
	}
	return length
}

func between(low, high byte) func(byte) bool {
	return func(c byte) bool { return low <= c && c <= high }
}

func oneOfBytes(bytes string) func(byte) bool {
	return func(c byte) bool { return strings.IndexByte(bytes, c) >= 0 }
}

func either(sets ...func(byte) bool) func(byte) bool {
	return func(c byte) bool {
		for _, has := range sets {
			if has(c) {
				return true
			}
		}
		return false
	}
}

var (
	digit, isLower, isUpper = between('0', '9'), between('a', 'z'), between('A', 'Z')
	letter                  = either(isLower, isUpper)
	punctuation             = either(between('!', '/'), between(':', '@'), between('[', '`'), between('{', '~'))
)

// classes are the classes of characters, of ASCII only.
var classes = map[string]func(byte) bool{
	"alnum": either(letter, digit), "alpha": letter, "blank": oneOfBytes(" \t"),
	"cntrl": either(between(0, 31), between(127, 127)),
	"digit": digit, "graph": between('!', '~'), "lower": isLower, "print": between(' ', '~'), "punct": punctuation,
	"space": oneOfBytes(" \t\n\r"), "upper": isUpper, "xdigit": either(digit, between('a', 'f'), between('A', 'F')),
}
