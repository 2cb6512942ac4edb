package regex

import (
	"cmp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// frame is an open group, or the whole expression.
type frame struct {
	mode   syntax.Flags // the flags that the document and the expression set
	start  int
	begins []int // of its alternatives
	// alternatives is the order of the alternatives before the last bar.
	alternatives order
	hasBar       bool
	// before is the order of the part before the last atom.
	before order
	last   atom
}

// atom is the part that a following repetition repeats.
type atom struct {
	order order
	start int
	// repeatable says that Python and JavaScript can repeat it too.
	repeatable bool
	// repeated says that a repetition directly follows it.
	repeated bool
	there    bool
}

// checker walks the tokens of an expression and collects the differences.
type checker struct {
	text   string
	found  []Difference
	frames []frame
	// begun says that there was a token other than a flag.
	begun bool
	names map[string]bool
	// nested is the end of the last class with another one in it, as Java and .NET read it.
	nested int
	// inside are the \B tokens.
	inside []token
	// refused are the parts that the clients refuse.
	refused []refusedPart
}

func scan(text string, flags Flags) *checker {
	first := frame{before: never, mode: flags.Syntax(), begins: []int{0}}
	c := &checker{text: text, frames: []frame{first}}
	for t := range tokensOf(text) {
		c.token(t)
	}
	c.finish()
	c.addRefused()
	return c
}

func (c *checker) topFrame() *frame { return &c.frames[len(c.frames)-1] }

// add adds a difference with a replacement and a sentence of advice, both of which can be
// empty.
func (c *checker) add(d Difference, portable, advice string) {
	d.Portable, d.Advice = portable, advice
	c.found = append(c.found, d)
}

func at(t token, k Construct, effects ...Effect) Difference {
	return Difference{Start: t.Start, End: t.End, Construct: k, Effects: effects}
}

// refused returns a difference at a token for which engines refuse the expression.
func refused(t token, k Construct, engines ...Engine) Difference {
	return at(t, k, refusedBy(engines...)...)
}

func (c *checker) token(t token) {
	c.clients(t)
	switch t.Kind {
	case openToken:
		c.open(t)
	case closingToken:
		c.close()
	case barToken:
		c.bar(t)
	case repeatToken:
		c.repeat(t)
	case flagGroupToken:
		c.flags(t, c.topFrame())
		return
	case strangeToken:
		c.findStrange(t)
	case positionToken:
		c.position(t)
	default:
		c.checkPlain(t)
	}
	c.begun = true
}

// checkPlain checks a token that matches text.
func (c *checker) checkPlain(t token) {
	o := always
	switch t.Kind {
	case literalToken:
		c.findLone(t)
	case characterToken:
		c.findEscapes(t, false)
	case quotedToken:
		o = c.readQuoted(t)
	case dotToken:
		c.dot(t)
	case perlClassToken:
		c.space(t, `[\t\n\f\r ]`, `[^\t\n\f\r ]`)
	case propertyToken:
		c.property(t)
	case classToken:
		c.class(t)
	}
	if c.topFrame().mode&syntax.FoldCase != 0 && namesBeyondASCII(t) {
		d := refused(t, Capital, Go)
		d.Effects = append(d.Effects, Effect{Python, "ignores case only from a to z"},
			Effect{JavaScript, "pairs other letters"})
		c.add(d, "", "Remove ignore_case, or avoid the character.")
	}
	c.atom(atom{order: o, start: t.Start, repeatable: true})
}

// atom adds a part that a repetition can follow.
func (c *checker) atom(a atom) {
	f := c.topFrame()
	if f.last.there {
		f.before = f.before.followedBy(f.last.order)
	}
	a.there = true
	f.last = a
}

// order returns the order of a whole frame.
func (f *frame) order() order {
	line := f.before
	if f.last.there {
		line = line.followedBy(f.last.order)
	}
	if f.hasBar {
		return f.alternatives.orderOr(line)
	}
	return line
}

func (c *checker) bar(t token) {
	f := c.topFrame()
	f.begins = append(f.begins, t.End)
	f.alternatives, f.hasBar = f.order(), true
	f.before, f.last = never, atom{}
}

func (c *checker) close() {
	if len(c.frames) == 1 {
		return // Go refuses it
	}
	f := *c.topFrame()
	c.frames = c.frames[:len(c.frames)-1]
	c.atom(atom{order: f.order(), start: f.start, repeatable: true})
}

// finish checks what depends on the whole expression.
func (c *checker) finish() {
	for len(c.frames) > 1 {
		c.close()
	}
	if c.topFrame().order() == always {
		return
	}
	for _, t := range c.inside {
		c.add(at(t, Position, Effect{Python, "finds no such place in an empty text"}), "",
			"Make the pattern require some text.")
	}
}

func (c *checker) sortedDifferences() []Difference {
	slices.SortStableFunc(c.found, func(a, b Difference) int { return cmp.Or(a.Start-b.Start, a.End-b.End) })
	return c.found
}

// proofs limits the total number of bytes that prove reads.
const proofs = 1 << 20

// prove makes sure that Go reads the expression the same way with each portable spelling,
// and drops the other spellings. If Go refuses the expression, nothing can be proved, and
// no spelling counts as safe.
func (c *checker) prove(mode syntax.Flags) {
	want, read := "", 0
	for i := range c.found {
		d := &c.found[i]
		if d.Portable == "" {
			continue
		}
		if want == "" {
			want = meaning(c.text, mode)
		}
		if read += len(c.text); read < proofs && want != "" {
			d.Safe = meaning(c.text[:d.Start]+d.Portable+c.text[d.End:], mode) == want
		}
		if !d.Safe {
			d.Portable = ""
		}
	}
}

// Meaning returns an expression as Go reads it with flags that a document sets, without the names of
// groups. Expressions with one meaning have the same matches. It is "" if Go refuses the expression.
func Meaning(pattern string, flags Flags) string { return meaning(pattern, flags.Syntax()) }

func meaning(text string, mode syntax.Flags) string {
	tree, err := syntax.Parse(text, mode)
	if err != nil {
		return ""
	}
	even(tree)
	return tree.String()
}

// even removes differences in spelling that do not affect the meaning.
func even(tree *syntax.Regexp) {
	tree.Name = ""
	if tree.Op == syntax.OpCharClass && slices.Equal(tree.Rune, []rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune}) {
		tree.Op = syntax.OpAnyCharNotNL
	}
	for _, sub := range tree.Sub {
		even(sub)
	}
}

// quote returns a text in backquotes, for messages.
func quote(text string) string { return "`" + strings.ReplaceAll(text, "`", "'") + "`" }

// order says where the empty matches are among the possible matches of a part of an
// expression, in the order in which engines try them. JavaScript keeps trying after an
// empty round of a repetition, while the other engines leave the repetition. The
// difference is visible if a nonempty match comes after an empty one, unless the
// repetition is lazy and therefore tried to leave first.
type order uint8

const (
	always   order = iota // every match is nonempty
	never                 // every match is empty
	atLast                // the empty matches come after all others
	anywhere              // a nonempty match comes after an empty one
)

// followedBy returns the order of a part followed by another.
func (o order) followedBy(next order) order {
	switch {
	case o == always || next == always:
		return always
	case o == never:
		return next
	case next == never, o == atLast && next == atLast:
		return o
	}
	return anywhere
}

// orderOr returns the order of a part with another as its alternative.
func (o order) orderOr(next order) order {
	switch {
	case o == always && next == never:
		return atLast
	case o == always:
		return next
	case next == never:
		return o
	}
	return anywhere
}

// orderRepeated returns the order of a repeated part.
func (o order) orderRepeated(t token) order {
	optional := t.Least == 0
	varies := t.Least != t.Most
	switch {
	case t.Most == 0:
		return never
	case o == never, o == always && !optional:
		return o
	case o == anywhere, t.Lazy && varies:
		return anywhere
	}
	return atLast
}
