package portable

import (
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/regex/token"
)

// lone finds characters that need a backslash in JavaScript, and braces that Python
// reads as a repetition.
func (c *checker) lone(t token.Token) {
	if t.Char != '{' && t.Char != '}' && t.Char != ']' {
		return
	}
	d := refused(t, Bracket, JavaScript)
	d.Portable = `\` + string(t.Char)
	if size := pythonRepeat(c.text[t.Start:]); t.Char == '{' && size > 0 {
		effect := Effect{Engine: Python}
		if c.top().last.repeatable {
			effect.Reads = "reads " + quote(c.text[t.Start:t.Start+size]) + " as a repetition"
		}
		d.Effects = []Effect{effect, {Engine: JavaScript}}
	}
	c.add(d)
}

// pythonRepeat returns the size of a repetition that only Python reads, such as {,3} and
// {01}; 0 if there is none.
func pythonRepeat(text string) int {
	inner := strings.TrimLeft(text[1:], "0123456789")
	inner = strings.TrimPrefix(inner, ",")
	inner = strings.TrimLeft(inner, "0123456789")
	size := len(text) - len(inner)
	if size == len("{") || !strings.HasPrefix(inner, "}") || strings.Count(text[:size], ",") > 1 {
		return 0
	}
	return size + 1
}

func (c *checker) dot(t token.Token) {
	if c.top().mode&syntax.DotNL != 0 {
		return
	}
	d := at(t, LineEnd, Effect{JavaScript, "also excludes the line separators U+2028 and U+2029"})
	d.Rare, d.Portable = true, `[^\n]`
	c.add(d)
}

// space finds \s and \S, which every language reads differently. The other Perl classes
// are the same in all.
func (c *checker) space(t token.Token, small, capital string) {
	d := at(t, Space,
		Effect{Python, "also treats the vertical tab as whitespace"},
		Effect{JavaScript, "also treats the vertical tab, the no-break space, and others as whitespace"})
	d.Rare = true
	switch t.Name {
	case 's':
		d.Portable = small
	case 'S':
		d.Portable = capital
	default:
		return
	}
	if d.Portable == "" {
		d.Advice = "List the intended characters."
	}
	c.add(d)
}

func (c *checker) property(t token.Token) {
	engines := []Engine{Python}
	if name := c.text[min(t.Start+2, t.End):t.End]; !generalCategories[name] {
		engines = append(engines, JavaScript)
	}
	d := refused(t, Escape, engines...)
	d.Advice = "List the intended characters or ranges, such as [a-zäöü]."
	c.add(d)
}

// generalCategories are the names after \p that Go and JavaScript share.
var generalCategories = func() map[string]bool {
	all := map[string]bool{}
	for name := range strings.FieldsSeq("L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc Cf Co Any") {
		all["{"+name+"}"] = true
	}
	return all
}()

// quoted finds \Q…\E and returns the order of its content.
func (c *checker) quoted(t token.Token) order {
	inner := strings.TrimSuffix(c.text[min(t.Start+2, t.End):t.End], `\E`)
	d := refused(t, Escape, Python, JavaScript)
	var out strings.Builder
	for _, r := range inner {
		out.WriteString(written(r))
	}
	d.Portable = out.String()
	if inner == "" {
		d.Portable = "(?:)"
	}
	c.add(d)
	if inner == "" {
		return never
	}
	return always
}

func (c *checker) position(t token.Token) {
	multiline := c.top().mode&syntax.OneLine == 0
	switch {
	case t.Name == 'b':
	case t.Name == 'B':
		c.inside = append(c.inside, t)
	case t.Name == 'A':
		d := refused(t, Position, JavaScript)
		if d.Portable = "^"; multiline {
			d.Portable, d.Advice = "", "With multiline, nothing else matches only the beginning of the text: remove multiline, or this."
		}
		c.add(d)
	case t.Name == 'Z':
		d := refused(t, Position, Go, JavaScript)
		d.Advice = atEnd
		c.add(d)
	case t.Name == 'z':
		d := refused(t, Position, Python, JavaScript)
		d.Advice = atEnd
		c.add(d)
	case multiline:
		d := at(t, LineEnd, Effect{JavaScript, "also treats U+2028 and U+2029 as line ends"})
		d.Rare = true
		c.add(d)
	case t.Name == '$':
		d := at(t, Position, Effect{Python, "also finds it before a line end at the very end of the text"})
		if d.Advice = atEnd; t.End < len(c.text) && c.text[t.End] != '|' && c.text[t.End] != ')' {
			d.Advice = `Write \$ for a dollar sign: nothing can follow the end of the text.`
		}
		c.add(d)
	}
	c.atom(atom{order: never, start: t.Start})
}

const atEnd = "Nothing matches the end of the text in every language: search only for the words or, if you mean the end of a line and the key exists, set multiline to true."

// repeat finds repetitions of something that can't be repeated or that can be empty.
func (c *checker) repeat(t token.Token) {
	f := c.top()
	if f.mode&syntax.NonGreedy != 0 {
		t.Lazy = !t.Lazy
	}
	whole := token.Token{Start: f.last.start, End: t.End}
	switch {
	case !f.last.there:
		c.add(refused(t, Repeat, Go, Python, JavaScript))
		return
	case f.last.repeated:
		c.stacked(t)
	case t.Least > 1000 || t.Most > 1000:
		c.add(refused(t, Repeat, Go))
	case !f.last.repeatable:
		d := refused(whole, Repeat, Python, JavaScript)
		d.Portable = "(?:" + c.text[f.last.start:t.Start] + ")" + c.text[t.Start:t.End]
		c.add(d)
	case f.last.order == anywhere && t.Least != t.Most && !t.Lazy:
		d := at(whole, Loop, Effect{JavaScript, "continues after an empty round of the repetition, and can find more"})
		d.Advice = "Change the repeated part so that it can't be empty, or so that its empty alternative comes last."
		c.add(d)
	}
	f.last.order = f.last.order.repeated(t)
	f.last.repeated, f.last.repeatable = true, true
}

// stacked finds a repetition that directly follows another.
func (c *checker) stacked(t token.Token) {
	if c.text[t.Start] != '+' {
		c.add(refused(t, Repeat, Go, Python, JavaScript))
		return
	}
	d := refused(t, Repeat, Go, JavaScript)
	d.Advice = "Remove the second +: it only keeps engines from retrying with less text."
	c.add(d)
}

// capital finds a character outside ASCII if case is ignored.
func capital(t token.Token) Difference {
	d := refused(t, Capital, Go)
	d.Effects = append(d.Effects, Effect{Python, "ignores case only from a to z"}, Effect{JavaScript, "pairs other letters"})
	d.Advice = "Remove ignore_case, or avoid the character."
	return d
}

// beyondASCII reports whether a token names characters outside ASCII.
func beyondASCII(t token.Token) bool {
	return t.Char >= 0x80 || t.Kind == token.Property || slices.ContainsFunc(t.Members, beyondASCII)
}
