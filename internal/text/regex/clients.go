package regex

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Refusal is a kind of syntax that the clients refuse, although Go reads it.
type Refusal struct {
	// Name says what it is, for people.
	Name string
	// Example is an expression that has it and that Go accepts.
	Example   string
	construct Construct
	advice    string
	// has reports whether a token is an instance. inClass says that it is a member of a class.
	has func(c *checker, t token, inClass bool) bool
}

// refusals is the table of what the clients in Python and JavaScript refuse. Their translators
// accept every other expression that is Valid, and find in each text what Go finds; a test of
// package clients compares them with the table. The first row that has a token applies.
var refusals = []Refusal{
	{"flags", `(?i)a`, Flag, "", (*checker).isFlag},
	{"properties", `\pL`, Escape, noProperty, ofKind(propertyToken)},
	{"quoted text", `\Qa.b\E`, Escape, "", ofKind(quotedToken)},
	{"named classes", `[[:alpha:]]`, Class, "", ofKind(namedToken)},
	{"the beginning of a named class", `[[:]`, Class, `Write \[ for the character itself.`, (*checker).beginsName},
	{"octal numbers", `\07`, Escape, "", (*checker).isOctal},
	{"halves of surrogate pairs", `\x{D800}`, Escape, "No text has this character.", (*checker).isSurrogate},
	{"repetitions of something that can be empty", `(?:a*)*`, Loop, noEmpty, (*checker).repeatsEmpty},
}

const (
	noProperty = "List the intended characters or ranges, such as [a-zäöü]."
	noEmpty    = "Change the repeated part so that it can't be empty."
)

// Refusals returns the table of what the clients refuse.
func Refusals() []Refusal { return slices.Clone(refusals) }

// Refused returns the first part of an expression that the clients refuse, or nil. The expression
// must be Valid, and with IgnoreCase, it must name only ASCII characters.
func Refused(pattern string, flags Flags) *Difference {
	if len(scan(pattern, flags).refused) == 0 {
		return nil
	}
	found := CheckCompiled(pattern, flags)
	return &found[slices.IndexFunc(found, func(d Difference) bool { return d.RefusedBy(Clients) })]
}

// span is a half-open range of bytes.
type span struct{ start, end int }

// refusedPart is a part of an expression that the clients refuse.
type refusedPart struct {
	span
	class span // around it, or empty
	why   *Refusal
}

// clients looks a token up in the table, and the members of a class.
func (c *checker) clients(t token) {
	c.member(t, span{})
	for _, m := range t.Members {
		c.member(m, span{t.Start, t.End})
		for _, end := range m.Members {
			c.member(end, span{})
		}
	}
}

func (c *checker) member(t token, class span) {
	for i := range refusals {
		if !refusals[i].has(c, t, class.end > 0) {
			continue
		}
		at := span{t.Start, t.End}
		if t.Kind == repeatToken {
			at.start = c.topFrame().last.start
		}
		c.refused = append(c.refused, refusedPart{at, class, &refusals[i]})
		return
	}
}

// addRefused adds the clients to the differences that other engines have at the same part or at
// the class around it, or as a difference of their own.
func (c *checker) addRefused() {
	known := map[span]int{}
	for i, d := range c.found {
		known[span{d.Start, d.End}] = i
	}
	for _, r := range c.refused {
		i, found := known[r.span]
		if !found && r.why.construct == Class {
			i, found = known[r.class]
		}
		if !found {
			i = len(c.found)
			c.add(Difference{Start: r.start, End: r.end, Construct: r.why.construct}, c.portableSpelling(&r), r.why.advice)
		}
		d := &c.found[i]
		if r.why.construct == Loop { // no spelling of the same repetition is portable
			d.Portable = ""
		}
		if d.Portable == "" {
			d.Advice = cmp.Or(r.why.advice, d.Advice)
		}
		if !d.RefusedBy(Clients) {
			d.Effects = append(d.Effects, Effect{Engine: Clients})
		}
	}
}

// portableSpelling returns a portable spelling of a part that only the clients refuse, or "".
func (c *checker) portableSpelling(r *refusedPart) string {
	switch text := c.text[r.start:r.end]; {
	case text == `\0`:
		return `\x00`
	case text == "[":
		return `\[`
	}
	return ""
}

func ofKind(k tokenKind) func(*checker, token, bool) bool {
	return func(_ *checker, t token, _ bool) bool { return t.Kind == k }
}

func (c *checker) isFlag(t token, _ bool) bool {
	return t.Kind == flagGroupToken || t.Kind == openToken && len(t.Group) > 1 && !strings.HasSuffix(t.Group, ">")
}

func (c *checker) isOctal(t token, _ bool) bool {
	return t.Kind == characterToken && isDigit(c.text[t.Start+1])
}

func (c *checker) isSurrogate(t token, _ bool) bool {
	return t.Kind == characterToken && !utf8.ValidRune(t.Char)
}

func (c *checker) beginsName(t token, inClass bool) bool {
	return inClass && t.Kind == literalToken && strings.HasPrefix(c.text[t.Start:], "[:")
}

func (c *checker) repeatsEmpty(t token, _ bool) bool {
	return t.Kind == repeatToken && c.topFrame().last.there && !c.topFrame().last.repeated && c.topFrame().last.order != always
}
