package regex

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// findLone finds characters that need a backslash in JavaScript, and braces that Python
// reads as a repetition.
func (c *checker) findLone(t token) {
	if t.Char != '{' && t.Char != '}' && t.Char != ']' {
		return
	}
	d := refused(t, Bracket, JavaScript)
	portable, advice := `\`+string(t.Char), ""
	begin := max(0, strings.LastIndexByte(c.text[:t.End], '{'))
	if loop := pythonRepeats().FindString(c.text[begin:]); loop != "" && begin+len(loop) >= t.End {
		effect := Effect{Engine: Python}
		open := slices.IndexFunc(c.found, func(d Difference) bool { return d.Start == begin })
		if begin == t.Start && c.topFrame().last.repeatable || open >= 0 && c.found[open].Portable == "" {
			effect.Reads = "reads " + quote(loop) + " as a repetition"
			portable, advice = "", `Write both limits of a repetition, and \{ for the character itself.`
		}
		if begin == t.Start {
			d.Effects = []Effect{effect, {Engine: JavaScript}}
		}
	}
	if t.Char == ']' && c.nested == t.Start {
		portable, advice = "", "No class can be inside another one: list the intended characters."
	}
	c.add(d, portable, advice)
}

// pythonRepeats matches a repetition that only Python reads, such as {,3} and {01}.
var pythonRepeats = lazy.Expr(`^\{(?:[0-9]+,?|,)[0-9]*\}`)

func (c *checker) dot(t token) {
	if c.topFrame().mode&syntax.DotNL != 0 {
		return
	}
	d := at(t, LineEnd, Effect{JavaScript, "also excludes the line separators U+2028 and U+2029"})
	d.Rare = true
	c.add(d, `[^\n]`, "")
}

// space finds \s and \S, which every language reads differently. The other Perl classes
// are the same in all.
func (c *checker) space(t token, small, capital string) {
	d := at(t, Space,
		Effect{Python, "also treats the vertical tab as whitespace"},
		Effect{JavaScript, "also treats the vertical tab, the no-break space, and others as whitespace"})
	d.Rare = true
	portable, isSpace := map[byte]string{'s': small, 'S': capital}[t.Name]
	switch {
	case !isSpace:
	case portable == "":
		c.add(d, "", "List the intended characters.")
	default:
		c.add(d, portable, "")
	}
}

func (c *checker) property(t token) {
	engines := []Engine{Python}
	if name := c.text[min(t.Start+2, t.End):t.End]; !generalCategories[name] {
		engines = append(engines, JavaScript)
	}
	c.add(refused(t, Escape, engines...), "", "List the intended characters or ranges, such as [a-zäöü].")
}

// generalCategories are the names after \p that Go and JavaScript share.
var generalCategories = func() map[string]bool {
	all := map[string]bool{}
	for name := range strings.FieldsSeq("L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc Cf Co Any") {
		all["{"+name+"}"] = true
	}
	return all
}()

// readQuoted finds \Q…\E and returns the order of its content.
func (c *checker) readQuoted(t token) order {
	inner := strings.TrimSuffix(c.text[min(t.Start+2, t.End):t.End], `\E`)
	if inner == "" {
		c.add(refused(t, Escape, Python, JavaScript), "(?:)", "")
		return never
	}
	var out strings.Builder
	for _, r := range inner {
		out.WriteString(written(r))
	}
	c.add(refused(t, Escape, Python, JavaScript), out.String(), "")
	return always
}

func (c *checker) position(t token) {
	multiline := c.topFrame().mode&syntax.OneLine == 0
	switch {
	case t.Name == 'b':
	case t.Name == 'B':
		c.inside = append(c.inside, t)
	case t.Name == 'A' && multiline:
		c.add(refused(t, Position, JavaScript), "",
			"With multiline, nothing else matches only the beginning of the text: remove multiline, or this.")
	case t.Name == 'A':
		c.add(refused(t, Position, JavaScript), "^", "")
	case t.Name == 'Z':
		c.add(refused(t, Position, Go, JavaScript), "", atEnd)
	case t.Name == 'z':
		c.add(refused(t, Position, Python, JavaScript), "", atEnd)
	case multiline:
		d := at(t, LineEnd, Effect{JavaScript, "also treats U+2028 and U+2029 as line ends"})
		d.Rare = true
		c.add(d, "", "")
	case t.Name == '$' && !c.lineEndFirst(t):
		advice := atEnd
		if t.End < len(c.text) && c.text[t.End] != '|' && c.text[t.End] != ')' {
			advice = `Write \$ for a dollar sign: nothing can follow the end of the text.`
		}
		c.add(at(t, Position, Effect{Python, "also finds it before a line end at the very end of the text"}), "", advice)
	}
	c.atom(atom{order: never, start: t.Start})
}

// lineEndFirst reports whether Python never looks for a $ before a line end, because an
// alternative before it is that line end, and nothing follows, as in (?:[\s;]|$).
func (c *checker) lineEndFirst(t token) bool {
	begins := c.topFrame().begins
	last := len(begins) - 1
	if begins[last] != t.Start || strings.Trim(c.text[t.End:], ")") != "" {
		return false
	}
	for i := range last {
		tree, err := syntax.Parse(c.text[begins[i]:begins[i+1]-1], c.topFrame().mode)
		if err == nil && isLineEnd(tree) {
			return true
		}
	}
	return false
}

// isLineEnd reports whether an expression matches one character, which can be a line end.
func isLineEnd(tree *syntax.Regexp) bool {
	switch tree.Op {
	case syntax.OpLiteral:
		return string(tree.Rune) == "\n"
	case syntax.OpCharClass:
		for i := 0; i < len(tree.Rune); i += 2 {
			if tree.Rune[i] <= '\n' && '\n' <= tree.Rune[i+1] {
				return true
			}
		}
	}
	return false
}

const atEnd = "Nothing matches the end of the text in every language: search only for the words. To match at line ends in a content check, add `multiline: true`."

// repeat finds repetitions of something that can't be repeated or that can be empty.
func (c *checker) repeat(t token) {
	f := c.topFrame()
	if f.mode&syntax.NonGreedy != 0 {
		t.Lazy = !t.Lazy
	}
	whole := token{Start: f.last.start, End: t.End}
	switch {
	case !f.last.there:
		c.add(refused(t, Repeat, Go, Python, JavaScript), "", "")
		return
	case f.last.repeated && c.text[t.Start] == '+':
		c.add(refused(t, Repeat, Go, JavaScript), "",
			"Remove the second +: it only keeps engines from retrying with less text.")
	case f.last.repeated:
		c.add(refused(t, Repeat, Go, Python, JavaScript), "", "")
	case t.Least > 1000 || t.Most > 1000:
		c.add(refused(t, Repeat, Go), "", "")
	case !f.last.repeatable:
		c.add(refused(whole, Repeat, Python, JavaScript), "(?:"+c.text[f.last.start:t.Start]+")"+c.text[t.Start:t.End], "")
	case f.last.order == anywhere && t.Least != t.Most && !t.Lazy:
		c.add(at(whole, Loop, Effect{JavaScript, "continues after an empty round of the repetition, and can find more"}), "",
			"Change the repeated part so that it can't be empty, or so that its empty alternative comes last.")
	}
	f.last.order = f.last.order.orderRepeated(t)
	f.last.repeated, f.last.repeatable = true, true
}

// namesBeyondASCII reports whether a token names characters outside ASCII.
func namesBeyondASCII(t token) bool {
	return t.Char >= 0x80 || t.Kind == propertyToken || slices.ContainsFunc(t.Members, namesBeyondASCII)
}

// findEscapes finds escapes for one character that languages refuse or read differently.
func (c *checker) findEscapes(t token, inClass bool) {
	engines := c.refusingEngines(t, inClass)
	if len(engines) == 0 {
		return
	}
	portable, advice := written(t.Char), ""
	switch {
	case inClass:
		portable = writtenInClass(t.Char)
	case t.Char == '<' || t.Char == '>':
		portable, advice = "", `Write \b for the beginning or the end of a word, and no backslash for the character itself.`
	}
	c.add(refused(t, Escape, engines...), portable, advice)
}

// refusingEngines returns the engines that refuse an escape for one character. Python reads a
// number of two digits as a backreference.
func (c *checker) refusingEngines(t token, inClass bool) []Engine {
	text := c.text[t.Start+1 : t.End]
	followed := t.End < len(c.text) && isDigit(c.text[t.End])
	switch first := text[0]; {
	case strings.HasPrefix(text, "x{"):
		return []Engine{Python, JavaScript}
	case text == "0" && !followed:
		return nil
	case isDigit(first):
		if t.Char > 0o377 || first != '0' && len(text) == 2 && !inClass {
			return []Engine{Python, JavaScript}
		}
		return []Engine{JavaScript}
	case strings.Contains("xfnrtv", string(rune(first))):
		return nil
	case strings.IndexByte(syntaxCharacters, first) >= 0, inClass && first == '-':
		return nil
	}
	return []Engine{JavaScript}
}

// syntaxCharacters are the characters that every language accepts after a backslash.
const syntaxCharacters = `^$\.*+?()[]{}|/`

// written returns a spelling of a character outside classes that works in every
// language; "" if there is none.
func written(r rune) string {
	if strings.ContainsRune(`^$\.*+?()[]{}|`, r) {
		return `\` + string(r)
	}
	return plainly(r)
}

// writtenInClass returns a spelling of a character in a class that works in every
// language, whatever is next to it.
func writtenInClass(r rune) string {
	switch {
	case strings.ContainsRune(`^\[]-|`, r):
		return `\` + string(r)
	case r == '&' || r == '~' || r == ':':
		return fmt.Sprintf(`\x%02X`, r)
	}
	return plainly(r)
}

// plainly returns a visible character itself, or the number of any other character.
func plainly(r rune) string {
	switch {
	case r == '\t':
		return `\t`
	case r == '\n':
		return `\n`
	case r >= ' ' && r <= '~':
		return string(r)
	case r <= 0xFF:
		return fmt.Sprintf(`\x%02X`, r)
	case utf8.ValidRune(r) && unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) &&
		norm.NFC.IsNormalString(string(r)):
		return string(r)
	}
	return ""
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

var leadingFlags = lazy.Expr(`^\(\?([im]+)\)`)

// LeadingFlags returns the flags i and m at the beginning of a pattern, "" if there are
// none or others.
func LeadingFlags(expr string) string {
	if m := leadingFlags().FindStringSubmatch(expr); m != nil {
		return m[1]
	}
	return ""
}
