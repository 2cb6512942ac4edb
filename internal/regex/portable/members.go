package portable

import "strings"

// class finds what is not the same in square brackets.
func (c *checker) class(t token) {
	if c.closesNothing(t) || c.isEverything(t) {
		return
	}
	for i, m := range t.members {
		switch m.kind {
		case literal:
			c.signInClass(t, i)
		case character:
			c.escaped(m, true)
		case charRange:
			c.rangeInClass(t, i)
		case perlClass:
			c.spaceInClass(t, m)
		case property:
			c.property(m)
		case named:
			c.named(t, m)
		case strange:
			c.strangeInClass(m)
		}
		if i > 0 {
			c.hyphenAfter(t.members[i-1], m)
		}
	}
}

// closesNothing tells that the class has no end.
func (c *checker) closesNothing(t token) bool {
	last := t.start + 1
	if t.negated {
		last++
	}
	if n := len(t.members); n > 0 {
		last = t.members[n-1].end
	}
	return t.end <= last
}

// isEverything tells whether a class has a letter class and its opposite, as in
// [\s\S]: then it is the same to all, whatever the two are.
func (c *checker) isEverything(t token) bool {
	letters := ""
	for _, m := range t.members {
		if m.kind != perlClass {
			return false
		}
		letters += string(rune(m.name))
	}
	for _, pair := range []string{"sS", "dD", "wW"} {
		if strings.Contains(letters, pair[:1]) && strings.Contains(letters, pair[1:]) {
			return true
		}
	}
	return false
}

// signInClass finds characters that are more than themselves in one of the
// languages, by where they stand.
func (c *checker) signInClass(t token, i int) {
	m := t.members[i]
	d := at(m, Class)
	switch next := c.text[m.end:]; {
	case m.char == ']': // only the first is read as a character
		d.Effects = []Effect{{JavaScript, "reads it as the end of empty brackets"}}
		d.Portable = `\]`
	case m.char == '[' && m.start == t.start+1:
		d.Effects = []Effect{{Python, "warns that it will read it as brackets within brackets"}}
		d.Portable = `\[`
	case i > 0 && isSetSign(m.char) && strings.HasPrefix(next, string(m.char)):
		d.Effects = []Effect{{Python, "warns that it will read the doubled sign as an operation on sets"}}
		d.Portable = writtenInClass(m.char)
	default:
		return
	}
	c.add(d)
}

func isSetSign(r rune) bool { return r == '-' || r == '&' || r == '~' || r == '|' }

// rangeInClass finds what is not the same at the ends of a range.
func (c *checker) rangeInClass(t token, i int) {
	low, high := t.members[i].members[0], t.members[i].members[1]
	lowest := token{kind: class, start: t.start, members: append(t.members[:i:i], low)}
	if low.kind == literal {
		c.signInClass(lowest, i)
	}
	for _, m := range []token{low, high} {
		if m.kind == character {
			c.escaped(m, true)
		}
	}
	if high.kind == literal && high.char == '-' {
		d := at(high, Class, Effect{Python, "warns that it will read the doubled sign as an operation on sets"})
		d.Portable = `\-`
		c.add(d)
	}
}

// hyphenAfter finds a hyphen between a letter class and a character.
func (c *checker) hyphenAfter(before, m token) {
	if m.kind == charRange {
		m = m.members[0]
	}
	if before.kind != perlClass && before.kind != property || m.kind != literal || m.char != '-' {
		return
	}
	if strings.HasPrefix(c.text[m.end:], "]") {
		return
	}
	d := refused(m, Class, Python, JavaScript)
	d.Portable = `\-`
	c.add(d)
}

func (c *checker) spaceInClass(t, m token) {
	if len(t.members) == 1 && m.name == 'S' {
		whole := token{start: t.start, end: t.end, name: 'S'}
		small, capital := `[\t\n\f\r ]`, `[^\t\n\f\r ]`
		if t.negated {
			small, capital = capital, small
		}
		c.space(whole, small, capital)
		return
	}
	c.space(m, `\t\n\f\r `, "")
}

// namedSets are what is in the named classes.
var namedSets = map[string]string{
	"alnum": "0-9A-Za-z", "alpha": "A-Za-z", "ascii": `\x00-\x7F`, "blank": `\t `, "cntrl": `\x00-\x1F\x7F`,
	"digit": "0-9", "graph": "!-~", "lower": "a-z", "print": " -~", "punct": `!-\/:-@\[-` + "`{-~",
	"space": `\t\n\v\f\r `, "upper": "A-Z", "word": "0-9A-Za-z_", "xdigit": "0-9A-Fa-f",
}

// named finds [:alpha:] and the like.
func (c *checker) named(t, m token) {
	name := strings.Trim(c.text[m.start:m.end], "[:]")
	name, negated := strings.CutPrefix(name, "^")
	set := namedSets[name]
	if set == "" {
		return // Go refuses it
	}
	d := at(m, Class, Effect{Python, "reads the letters of the name and not what they stand for"}, Effect{Engine: JavaScript})
	switch {
	case !negated:
		d.Portable = set
	case len(t.members) == 1:
		d.Start, d.End, d.Portable = t.start, t.end, "[^"+set+"]"
		if t.negated {
			d.Portable = "[" + set + "]"
		}
	}
	c.add(d)
}

// strangeInClass finds escapes that only other languages know in a class.
func (c *checker) strangeInClass(m token) {
	known := strangerAt(c.text[m.start:])
	switch {
	case c.text[m.start:m.end] == `\b`:
		known = stranger{Escape, onlyGo, `\x08`, ""}
	case strings.HasPrefix(known.portable, "["):
		known.portable = strings.TrimSuffix(strings.TrimPrefix(known.portable, "["), "]")
		if strings.HasPrefix(known.portable, "^") {
			known.portable = ""
		}
	}
	d := refused(m, known.construct, append([]Engine{Go}, known.others...)...)
	d.Portable, d.Advice = known.portable, known.advice
	c.add(d)
}
