package regex

import (
	"regexp/syntax"
	"slices"
)

// Engine is the regular expression engine of a language. The zero Engine is invalid.
type Engine uint8

// The engines. Clients are those of the library in Python and JavaScript, which translate an
// expression or refuse it, and never read it differently.
const (
	Go Engine = iota + 1
	Python
	JavaScript
	Clients
)

// String returns the name of the engine.
func (e Engine) String() string {
	return [...]string{"none", "Go", "Python", "JavaScript", "the library's clients"}[e]
}

// Flags are what a document sets next to an expression.
type Flags struct {
	// IgnoreCase makes the letters a to z match in either case.
	IgnoreCase bool
	// Multiline makes ^ and $ match at the ends of every line.
	Multiline bool
}

// Syntax returns the flags for package regexp/syntax.
func (f Flags) Syntax() syntax.Flags {
	mode := syntax.Perl
	if f.IgnoreCase {
		mode |= syntax.FoldCase
	}
	if f.Multiline {
		mode &^= syntax.OneLine
	}
	return mode
}

// Construct is a kind of syntax that languages disagree on.
type Construct string

// The constructs.
const (
	Escape    Construct = "escape"    // a backslash and what follows
	Position  Construct = "position"  // a place in the text, such as the end
	Group     Construct = "group"     // an opening ( and its modifiers
	Flag      Construct = "flag"      // a flag inside the expression
	Class     Construct = "class"     // a part of a character class
	Bracket   Construct = "bracket"   // a lone { } or ]
	Repeat    Construct = "repeat"    // a repetition
	Loop      Construct = "loop"      // a repetition of something that can be empty
	Space     Construct = "space"     // \s and \S
	LineEnd   Construct = "line end"  // . ^ $, if they depend on what ends a line
	Capital   Construct = "capital"   // a character outside ASCII if case is ignored
	Depth     Construct = "depth"     // nested groups
	Malformed Construct = "malformed" // refused by Go for no other construct
)

// Effect is how one engine reads a construct.
type Effect struct {
	Engine Engine
	// Reads says how the engine differs from Go, as the end of a sentence that begins
	// with the engine. It is empty if the engine refuses the expression.
	Reads string
}

// Difference is a part of an expression that engines read differently.
type Difference struct {
	// Start and End are its place: a half-open range of bytes.
	Start, End int
	Construct  Construct
	// Effects are the effects in the engines that refuse the expression or read it
	// differently, in the order of the engines.
	Effects []Effect
	// Rare says that the difference affects only texts with rare characters.
	Rare bool
	// Portable is a replacement that all engines read the same way, or empty.
	Portable string
	// Safe says that Go reads the expression with Portable exactly as before.
	Safe bool
	// Advice is a sentence with an alternative, or empty.
	Advice string
}

// RefusedBy reports whether an engine refuses the expression because of the difference.
func (d *Difference) RefusedBy(e Engine) bool {
	return slices.Contains(d.Effects, Effect{Engine: e})
}

// refusedBy returns the effect that an engine refuses the expression.
func refusedBy(engines ...Engine) []Effect {
	effects := make([]Effect, len(engines))
	for i, e := range engines {
		effects[i].Engine = e
	}
	return effects
}

// Check returns what the engines read differently, in the order of the places. It
// accepts any text, even one that is not a valid expression; what Go refuses always has
// a difference that says so. Its time is linear in the length of the expression, plus
// the same again for each difference with a portable spelling, up to a limit on the
// spellings.
func Check(pattern string, flags Flags) []Difference {
	c := scan(pattern, flags)
	_, err := syntax.Parse(pattern, flags.Syntax())
	if err != nil && !slices.ContainsFunc(c.found, func(d Difference) bool { return d.RefusedBy(Go) }) {
		c.add(Difference{Start: 0, End: len(pattern), Construct: Malformed, Effects: refusedBy(Go)}, "", "")
	}
	if err == nil {
		c.prove(flags.Syntax())
	}
	return c.sortedDifferences()
}

// CheckCompiled is Check for an expression that is known to compile in Go with the flags.
// It is much faster if nothing is found.
func CheckCompiled(pattern string, flags Flags) []Difference {
	c := scan(pattern, flags)
	if len(c.found) == 0 {
		return nil
	}
	c.prove(flags.Syntax())
	return c.sortedDifferences()
}
