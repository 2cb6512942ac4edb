package regex

import (
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/regex/token"
)

func (c *checker) class(t token.Token) {
	if isEverything(t) {
		return
	}
	if text := c.text[t.Start:t.End]; strings.Contains(text, "&&[") || strings.Contains(text, "-[") {
		c.nested = t.End
	}
	for i, m := range t.Members {
		switch m.Kind {
		case token.Literal:
			c.signInClass(t, i)
		case token.Character:
			c.escaped(m, true)
		case token.Range:
			c.rangeInClass(t, i)
		case token.PerlClass:
			c.spaceInClass(t, m)
		case token.Property:
			c.property(m)
		case token.Named:
			c.named(t, m)
		case token.Strange:
			c.strangeInClass(m)
		}
		if i > 0 {
			c.hyphenAfter(t.Members[i-1], m)
		}
	}
}

// isEverything reports whether a class has a Perl class and its complement, such as
// [\s\S]: then all engines read it the same way.
func isEverything(t token.Token) bool {
	letters := ""
	for _, m := range t.Members {
		if m.Kind != token.PerlClass {
			return false
		}
		letters += string(rune(m.Name))
	}
	return slices.ContainsFunc([]string{"sS", "dD", "wW"}, func(pair string) bool {
		return strings.Contains(letters, pair[:1]) && strings.Contains(letters, pair[1:])
	})
}

// signInClass finds characters with a special meaning in one of the languages,
// depending on their place.
func (c *checker) signInClass(t token.Token, i int) {
	m := t.Members[i]
	switch next := c.text[m.End:]; {
	case m.Char == ']': // only the first one is a literal
		c.add(at(m, Class, Effect{JavaScript, "reads it as the end of an empty class"}), `\]`, "")
	case m.Char == '[' && m.Start == t.Start+1:
		c.add(at(m, Class, Effect{Python, "warns that it will read it as a nested set"}), `\[`, "")
	case i > 0 && m.Char == '&' && strings.HasPrefix(next, "&["):
		c.add(at(m, Class, doubled), "", "No class can be inside another one: list the intended characters.")
	case i > 0 && strings.ContainsRune("-&~|", m.Char) && strings.HasPrefix(next, string(m.Char)):
		c.add(at(m, Class, doubled), writtenInClass(m.Char), "")
	}
}

var doubled = Effect{Python, "warns that it will read the doubled character as a set operation"}

// rangeInClass finds differences at the ends of a range.
func (c *checker) rangeInClass(t token.Token, i int) {
	low, high := t.Members[i].Members[0], t.Members[i].Members[1]
	lowest := token.Token{Kind: token.Class, Start: t.Start, Members: append(t.Members[:i:i], low)}
	if low.Kind == token.Literal {
		c.signInClass(lowest, i)
	}
	for _, m := range []token.Token{low, high} {
		if m.Kind == token.Character {
			c.escaped(m, true)
		}
	}
	if high.Kind == token.Literal && high.Char == '-' {
		c.add(at(high, Class, doubled), `\-`, "")
	}
}

// hyphenAfter finds a hyphen between a Perl class and a character.
func (c *checker) hyphenAfter(before, m token.Token) {
	if m.Kind == token.Range {
		m = m.Members[0]
	}
	if before.Kind != token.PerlClass && before.Kind != token.Property || m.Kind != token.Literal || m.Char != '-' {
		return
	}
	if strings.HasPrefix(c.text[m.End:], "]") {
		return
	}
	c.add(refused(m, Class, Python, JavaScript), `\-`, "")
}

func (c *checker) spaceInClass(t, m token.Token) {
	if len(t.Members) == 1 && m.Name == 'S' {
		whole := token.Token{Start: t.Start, End: t.End, Name: 'S'}
		small, capital := `[\t\n\f\r ]`, `[^\t\n\f\r ]`
		if t.Negated {
			small, capital = capital, small
		}
		c.space(whole, small, capital)
		return
	}
	c.space(m, `\t\n\f\r `, "")
}

// namedSets are the members of the named classes.
var namedSets = map[string]string{
	"alnum": "0-9A-Za-z", "alpha": "A-Za-z", "ascii": `\x00-\x7F`, "blank": `\t `, "cntrl": `\x00-\x1F\x7F`,
	"digit": "0-9", "graph": "!-~", "lower": "a-z", "print": " -~", "punct": `!-\/:-@\[-` + "`{-~",
	"space": `\t\n\v\f\r `, "upper": "A-Z", "word": "0-9A-Za-z_", "xdigit": "0-9A-Fa-f",
}

// named finds [:alpha:] and the like.
func (c *checker) named(t, m token.Token) {
	name := strings.Trim(c.text[m.Start:m.End], "[:]")
	name, negated := strings.CutPrefix(name, "^")
	set := namedSets[name]
	if set == "" {
		return // Go refuses it
	}
	portable := ""
	switch {
	case !negated:
		portable = set
	case len(t.Members) == 1 && t.Negated:
		m, portable = t, "["+set+"]"
	case len(t.Members) == 1:
		m, portable = t, "[^"+set+"]"
	}
	c.add(at(m, Class, Effect{Python, "reads the letters of the name instead of the class"}, Effect{Engine: JavaScript}),
		portable, "")
}

// strangeInClass finds escapes in a class that only other languages support.
func (c *checker) strangeInClass(m token.Token) {
	known := strangerAt(c.text[m.Start:])
	switch {
	case c.text[m.Start:m.End] == `\b`:
		known = stranger{Escape, onlyGo, `\x08`, ""}
	case strings.HasPrefix(known.portable, "["):
		known.portable = strings.TrimSuffix(strings.TrimPrefix(known.portable, "["), "]")
		if strings.HasPrefix(known.portable, "^") {
			known.portable = ""
		}
	}
	c.addStranger(m, known)
}
