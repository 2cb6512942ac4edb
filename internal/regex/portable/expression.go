// Package portable tells where a regular expression does not mean the same to
// every program that uses a library, and how the same is written for all of them.
//
// Three languages count: Go (package regexp, whose syntax and meaning are those
// of the library), Python (module re from 3.11 on, with re.ASCII) and JavaScript
// (with the flag u). Ignoring case and lines are flags of each language. Texts
// are searched in the form that package rubric gives them: normalized, with LF
// line ends and, where case is ignored, without the long s.
//
// JavaScript's flag v, which refuses more, does not count.
//
// An expression in which Check finds nothing compiles in all three and finds the
// same places in every text. Time is not looked at.
package portable

import "regexp/syntax"

// Engine is a language with its regular expressions. The zero Engine is none.
type Engine uint8

// The engines.
const (
	Go Engine = iota + 1
	Python
	JavaScript
)

// String is the name of the language.
func (e Engine) String() string {
	return [...]string{"none", "Go", "Python", "JavaScript"}[e]
}

// Flags are what a document sets beside an expression.
type Flags struct {
	// IgnoreCase makes the letters a to z match in either case.
	IgnoreCase bool
	// Multiline makes ^ and $ match at the ends of every line.
	Multiline bool
}

// Syntax is how package regexp reads an expression with the flags.
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

// Construct is the kind of thing in an expression that languages disagree on.
type Construct string

// The constructs.
const (
	Escape    Construct = "escape"    // a backslash with what follows
	Position  Construct = "position"  // a place in the text, such as the end
	Group     Construct = "group"     // a bracket ( with what belongs to it
	Flag      Construct = "flag"      // a flag inside the expression
	Class     Construct = "class"     // a part of square brackets
	Bracket   Construct = "bracket"   // a lone { } or ]
	Repeat    Construct = "repeat"    // a repetition
	Loop      Construct = "loop"      // a repetition of what may be nothing
	Space     Construct = "space"     // \s and \S
	LineEnd   Construct = "line end"  // . ^ $, as far as they depend on what ends a line
	Capital   Construct = "capital"   // a character beyond ASCII where case is ignored
	Depth     Construct = "depth"     // brackets within brackets
	Malformed Construct = "malformed" // what Go refuses and no other construct explains
)

// Effect is what one engine makes of a construct.
type Effect struct {
	Engine Engine
	// Reads says what it finds otherwise than Go, as the end of a sentence that
	// begins with the engine. It is empty where the engine refuses the
	// expression.
	Reads string
}

// Difference is one part of an expression that is not the same to all engines.
type Difference struct {
	// Start and End are its place: a half-open range of bytes.
	Start, End int
	Construct  Construct
	// Effects are those of the engines that refuse the expression or find
	// something else, in the order of the engines.
	Effects []Effect
	// Rare tells that only a text with characters that hardly any text has
	// shows the difference.
	Rare bool
	// Portable can stand in its place and is the same to all engines. It is
	// empty if there is nothing of the kind.
	Portable string
	// Safe tells that Go reads the expression with Portable in it exactly as
	// before.
	Safe bool
	// Advice is a sentence on what else can be done, or empty.
	Advice string
}

// RefusedBy tells whether an engine refuses the expression because of it.
func (d *Difference) RefusedBy(e Engine) bool {
	for _, effect := range d.Effects {
		if effect.Engine == e && effect.Reads == "" {
			return true
		}
	}
	return false
}

// refusedBy is the effect of being refused.
func refusedBy(engines ...Engine) []Effect {
	effects := make([]Effect, len(engines))
	for i, e := range engines {
		effects[i].Engine = e
	}
	return effects
}

// Check returns what is not the same to all engines, in the order of the places.
// It takes any text, also one that is no expression; what Go refuses always has a
// difference that says so. Its time grows linearly with the length of the
// expression, and for each difference with a portable spelling once more, up to a
// bound: beyond it no spelling is looked for.
func Check(pattern string, flags Flags) []Difference {
	c := newChecker(pattern, flags)
	c.scan()
	_, err := syntax.Parse(pattern, flags.Syntax())
	if err != nil && !c.refusedByGo() {
		c.add(Difference{Start: 0, End: len(pattern), Construct: Malformed, Effects: refusedBy(Go)})
	}
	if err == nil {
		c.prove(flags.Syntax())
	}
	return c.sorted()
}

// CheckCompiled is Check for an expression of which the caller knows that Go
// compiles it with the flags. Where nothing is found it is much faster.
func CheckCompiled(pattern string, flags Flags) []Difference {
	c := newChecker(pattern, flags)
	if c.scan(); len(c.found) == 0 {
		return nil
	}
	c.prove(flags.Syntax())
	return c.sorted()
}
