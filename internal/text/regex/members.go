package regex

import (
	"slices"
	"strings"
)

func (c *checker) class(t token) {
	if isEverything(t) {
		return
	}
	if text := c.text[t.Start:t.End]; strings.Contains(text, "&&[") || strings.Contains(text, "-[") {
		c.nested = t.End
	}
	for i, m := range t.Members {
		switch m.Kind {
		case literalToken:
			c.signInClass(t, i)
		case characterToken:
			c.findEscapes(m, true)
		case rangeToken:
			c.rangeInClass(t, i)
		case perlClassToken:
			c.spaceInClass(t, m)
		case propertyToken:
			c.property(m)
		case namedToken:
			c.findNamedClasses(t, m)
		case strangeToken:
			c.strangeInClass(m)
		}
		if i > 0 {
			c.hyphenAfter(t.Members[i-1], m)
		}
	}
}

// isEverything reports whether a class has a Perl class and its complement, such as
// [\s\S]: then all engines read it the same way.
func isEverything(t token) bool {
	letters := ""
	for _, m := range t.Members {
		if m.Kind != perlClassToken {
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
func (c *checker) signInClass(t token, i int) {
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
func (c *checker) rangeInClass(t token, i int) {
	low, high := t.Members[i].Members[0], t.Members[i].Members[1]
	lowest := token{Kind: classToken, Start: t.Start, Members: append(t.Members[:i:i], low)}
	if low.Kind == literalToken {
		c.signInClass(lowest, i)
	}
	for _, m := range []token{low, high} {
		if m.Kind == characterToken {
			c.findEscapes(m, true)
		}
	}
	if high.Kind == literalToken && high.Char == '-' {
		c.add(at(high, Class, doubled), `\-`, "")
	}
}

// hyphenAfter finds a hyphen between a Perl class and a character.
func (c *checker) hyphenAfter(before, m token) {
	if m.Kind == rangeToken {
		m = m.Members[0]
	}
	if before.Kind != perlClassToken && before.Kind != propertyToken || m.Kind != literalToken || m.Char != '-' {
		return
	}
	if strings.HasPrefix(c.text[m.End:], "]") {
		return
	}
	c.add(refused(m, Class, Python, JavaScript), `\-`, "")
}

func (c *checker) spaceInClass(t, m token) {
	if len(t.Members) == 1 && m.Name == 'S' {
		whole := token{Start: t.Start, End: t.End, Name: 'S'}
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

// findNamedClasses finds [:alpha:] and the like.
func (c *checker) findNamedClasses(t, m token) {
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
func (c *checker) strangeInClass(m token) {
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
