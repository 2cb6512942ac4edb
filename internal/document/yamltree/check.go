package yamltree

import (
	"github.com/rubric-library/rubric-library/internal/document/source"
)

const (
	maxFeatures = 20   // reported for one file
	maxKey      = 1024 // characters of a key, by the YAML specification
)

// explain reads a rejected file again and reports the reasons: first the unsupported
// features, then the first mistake, where reading stops. It follows the layout rules
// of yaml.v3 but builds no tree. It returns nil if it finds nothing wrong.
func explain(f *source.File) []source.Problem {
	if problems := conflicts(f); len(problems) > 0 {
		return problems
	}
	c := &checker{
		f: f, data: f.Data,
		fresh: true, compact: true, state: wanted, property: -1,
	}
	for !c.done {
		c.step()
	}
	return c.problems
}

// state is what can come next in the innermost mapping or sequence.
type state uint8

const (
	wanted   state = iota // a value, or nothing
	complete              // the next entry, on its own line or after a comma
	entry                 // at the start of an entry's line: a key or a dash
)

// frame is an open mapping or sequence.
type frame struct {
	kind  byte // one of : - [ {
	start int  // offset of the first key or dash, or of the bracket
	col   int  // column of start, from 0
	below bool // dashes at the same column as the keys of the outer mapping

	// In brackets:
	state state // wanted, complete, or entry (after the bracket or a comma)
	key   int   // start of the value that a colon would make a key
	colon bool  // this entry has a colon
	outer state // outside the brackets
}

func (f frame) inFlow() bool { return f.kind == '[' || f.kind == '{' }

// checker is the reading position of explain.
type checker struct {
	f    *source.File
	data []byte
	pos  int
	line int // start of the line of pos

	fresh   bool // only blanks before pos on its line
	compact bool // a key or a dash is allowed at pos
	state   state
	frames  []frame
	// The start of the first anchor or tag before pos on its line, which belongs to
	// the value at pos, or -1.
	property int

	popped   []frame     // what the first sign of the current line closed
	last     source.Span // the last complete value on the current line
	started  bool        // after the --- of the first document
	began    bool        // in the first document
	ended    bool        // after ...
	problems []source.Problem
	done     bool
}

// stop reports the mistake at which reading stops.
func (c *checker) stop(p source.Problem) {
	c.problems = append(c.problems, p)
	c.done = true
}

// feature reports an unsupported feature. Reading continues.
func (c *checker) feature(p source.Problem) {
	c.problems = append(c.problems, p)
	c.done = c.done || len(c.problems) >= maxFeatures
}

func (c *checker) top() *frame {
	if len(c.frames) == 0 {
		return nil
	}
	return &c.frames[len(c.frames)-1]
}

func (c *checker) inFlow() bool {
	return len(c.frames) > 0 && c.top().inFlow()
}

// push opens a mapping or sequence.
func (c *checker) push(f frame) {
	c.frames = append(c.frames, f)
	if len(c.frames) > MaxDepth {
		c.stop(tooDeep(c.f, f.start, MaxDepth))
	}
}

func (c *checker) pop() { c.frames = c.frames[:len(c.frames)-1] }

// parent is the column of the innermost mapping or sequence by indentation, or
// -1.
func (c *checker) parent() int {
	for i := len(c.frames) - 1; i >= 0; i-- {
		if f := c.frames[i]; !f.inFlow() {
			return f.col
		}
	}
	return -1
}

// step reads the next significant sign.
func (c *checker) step() {
	c.skip()
	switch {
	case c.done:
	case c.pos == len(c.data):
		c.finish()
	case markerAt(c.data, c.pos):
		c.marker()
	case c.ended:
		c.stop(secondDocument(restOfLine(c.data, c.pos)))
	case c.pos == c.line && c.data[c.pos] == '%' && !c.inFlow():
		span := restOfLine(c.data, c.pos)
		c.pos = span.End
		c.feature(feature(span,
			"Directives (lines that start with %%) are not supported. Remove the line. If it is text, put it in quotes."))
	case c.inFlow():
		c.flowSign(c.data[c.pos])
	default:
		c.began = true
		c.blockSign(c.data[c.pos])
	}
}

// skip steps over blanks, line ends and comments.
func (c *checker) skip() {
	for c.pos < len(c.data) {
		switch b := c.data[c.pos]; {
		case b == '\t' && c.compact && !c.inFlow():
			c.stop(tabIndent(c.data, c.pos))
			return
		case isBlank(b):
			c.pos++
		case isBreak(b):
			c.newLine(skipBreak(c.data, c.pos))
		case b == '#':
			c.comment()
		default:
			return
		}
	}
}

// comment steps over a comment. Where a key is allowed, yaml.v3 accepts tabs between
// two comments.
func (c *checker) comment() {
	end := lineEnd(c.data, c.pos)
	next := skipSpace(c.data, end)
	if c.compact && next < len(c.data) && c.data[next] == '#' {
		c.goOn(end, next)
		return
	}
	c.pos = end
}

// newLine continues at the start of a line.
func (c *checker) newLine(start int) {
	c.pos, c.line = start, start
	c.fresh, c.property = true, -1
	c.compact = c.compact || !c.inFlow()
}

// finish is at the end of the file.
func (c *checker) finish() {
	c.done = true
	switch {
	case c.inFlow():
		c.stop(unclosedBracket(c.data, c.top().start))
	case !c.began && len(c.problems) == 0:
		c.stop(emptyFile())
	}
}

// marker is at --- or ...
func (c *checker) marker() {
	first := c.data[c.pos] == '-' && !c.started && !c.began
	switch {
	case c.inFlow():
		c.stop(unclosedBracket(c.data, c.top().start))
	case c.data[c.pos] == '.':
		c.ended = true
	case first && !c.ended:
		c.started = true
		c.fresh, c.compact = false, false
	default:
		c.stop(secondDocument(source.Span{Start: c.pos, End: c.pos + 3}))
	}
	c.pos += 3
}
