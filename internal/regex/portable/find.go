package portable

import (
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/regex/token"
)

// lone finds signs that JavaScript wants to see behind a backslash, and braces
// that Python takes for a repetition.
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

// pythonRepeat is the size of a repetition that only Python reads, such as {,3}
// and {01}; 0 if there is none.
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
	d := at(t, LineEnd, Effect{JavaScript, "leaves out the line separators U+2028 and U+2029 too"})
	d.Rare, d.Portable = true, `[^\n]`
	c.add(d)
}

// space finds \s and \S, which every language reads in its own way. The others
// of their kind are the same to all.
func (c *checker) space(t token.Token, small, capital string) {
	d := at(t, Space,
		Effect{Python, "takes the vertical tab for a blank too"},
		Effect{JavaScript, "takes the vertical tab, the no-break space and others for a blank too"})
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
		d.Advice = "List the characters that are meant."
	}
	c.add(d)
}

func (c *checker) property(t token.Token) {
	engines := []Engine{Python}
	if name := c.text[min(t.Start+2, t.End):t.End]; !generalCategories[name] {
		engines = append(engines, JavaScript)
	}
	d := refused(t, Escape, engines...)
	d.Advice = "List the characters or ranges that are meant, such as [a-zäöü]."
	c.add(d)
}

// generalCategories are names behind \p that Go and JavaScript share.
var generalCategories = func() map[string]bool {
	all := map[string]bool{}
	for name := range strings.FieldsSeq("L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc Cf Co Any") {
		all["{"+name+"}"] = true
	}
	return all
}()

// quoted finds \Q…\E and returns the order of what is in it.
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
			d.Portable, d.Advice = "", "No other sign is the beginning of the text where lines count: leave multiline out, or do without it."
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
		d := at(t, LineEnd, Effect{JavaScript, "takes U+2028 and U+2029 for line ends too"})
		d.Rare = true
		c.add(d)
	case t.Name == '$':
		d := at(t, Position, Effect{Python, "also finds it before a line end at the very end of the text"})
		if d.Advice = atEnd; t.End < len(c.text) && c.text[t.End] != '|' && c.text[t.End] != ')' {
			d.Advice = `Write \$ for a dollar sign: nothing can be found behind the end of the text.`
		}
		c.add(d)
	}
	c.atom(atom{order: never, start: t.Start})
}

const atEnd = "No sign is the end of the text in every language: search for the words alone, or set multiline to true, where there is such a key, if the end of a line is meant."

// repeat finds repetitions of what can't be repeated, or may be nothing.
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
		d := at(whole, Loop, Effect{JavaScript, "tries on where a round of the repetition took no text, and can find more"})
		d.Advice = "Write what is repeated so that it takes some text, or so that the part without text comes last."
		c.add(d)
	}
	f.last.order = f.last.order.repeated(t)
	f.last.repeated, f.last.repeatable = true, true
}

// stacked is a repetition right behind another.
func (c *checker) stacked(t token.Token) {
	if c.text[t.Start] != '+' {
		c.add(refused(t, Repeat, Go, Python, JavaScript))
		return
	}
	d := refused(t, Repeat, Go, JavaScript)
	d.Advice = "Leave the second + out: it only keeps engines from trying again with less."
	c.add(d)
}

// capital is a character beyond ASCII where case is ignored.
func capital(t token.Token) Difference {
	d := refused(t, Capital, Go)
	d.Effects = append(d.Effects, Effect{Python, "knows capitals from a to z only"}, Effect{JavaScript, "knows other pairs of letters"})
	d.Advice = "Leave ignore_case out, or do without the character."
	return d
}

// beyondASCII tells whether a token names characters beyond ASCII.
func beyondASCII(t token.Token) bool {
	return t.Char >= 0x80 || t.Kind == token.Property || slices.ContainsFunc(t.Members, beyondASCII)
}
