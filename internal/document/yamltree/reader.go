package yamltree

import (
	"bytes"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// reader reads a file by the layout rules of yaml.v3. It knows where each value is, and
// why a file is refused.
type reader struct {
	f    *source.File
	data []byte
	pos  int
	line int // start of the line of pos

	compact bool // a key or a dash is allowed at pos

	top    *level
	closed []*level    // by the first sign of the current line, the innermost first
	last   source.Span // the last complete value

	nodes    []Node  // room for the next ones
	pieces   []piece // of the current scalar
	text     []byte  // room for its value
	comments []Comment
}

// read returns the tree of a file, or why there is none: its merge conflicts, or else the first mistake.
func read(f *source.File) (*Tree, []source.Problem) {
	r := &reader{f: f, data: f.Data, compact: true, top: &level{col: -1}}
	var root *Node
	if failed := r.run(func() { root = r.document() }); failed != nil {
		if problems := conflicts(f); len(problems) > 0 {
			return nil, problems
		}
		return nil, []source.Problem{*failed}
	}
	return &Tree{File: f, Root: root, Comments: r.comments}, nil
}

// run calls do up to the first mistake.
func (r *reader) run(do func()) (failed *source.Problem) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case source.Problem:
			failed = &p
		default:
			panic(p)
		}
	}()
	do()
	return nil
}

func (r *reader) document() *Node {
	if r.next() == 0 && r.pos < len(r.data) && r.data[r.pos] == '-' {
		r.pos += len("---")
		r.compact = false
	}
	root := r.node(r.compact)
	if r.next() != 0 {
		if len(r.closed) > 0 {
			r.strayIndent()
		}
		r.failExtra()
	}
	for r.skip(); r.pos < len(r.data); r.skip() {
		switch {
		case !markerAt(r.data, r.pos):
			r.fail(secondDocument(restOfLine(r.data, r.pos)))
		case r.data[r.pos] == '-':
			r.fail(secondDocument(source.Span{Start: r.pos, End: r.pos + len("---")}))
		}
		r.pos += len("...")
		r.compact = false
	}
	if root.Type == Null {
		r.fail(emptyFile())
	}
	return root
}

// fail panics with a mistake, or with what is not supported; run recovers it. A likelier cause takes its
// place: an indent of characters that only look like spaces, what cause finds, or a bracket that was never
// closed, because a later line is indented no more than what is around it.
func (r *reader) fail(p source.Problem) {
	line := bytes.LastIndexByte(r.data[:p.Span.Start], '\n') + 1
	if odd, found := oddIndent(r.data, skipBlanks(r.data, line)); found {
		p = odd
	} else if found, is := cause(r.f, p.Span.Start); is && (p.Code == CodeSyntax || p.Code == CodeFeature) {
		p = found
	} else if found, is := cause(r.f, r.top.start); is && p.Code == CodeSyntax && !r.inFlow() {
		p = found
	}
	for i := r.top.start; r.inFlow(); {
		n := bytes.IndexByte(r.data[i:r.pos], '\n')
		if n < 0 {
			break
		}
		i += n + 1
		if text := skipBlanks(r.data, i); text-i <= r.top.col && !spaceAt(r.data, text) {
			p = unclosedBracket(r.data, r.top.start)
			break
		}
	}
	panic(p)
}

func (r *reader) inFlow() bool { return r.top.kind == '[' || r.top.kind == '{' }

func (r *reader) push(l level) {
	l.depth, l.outer = r.top.depth, r.top
	r.top = &l
	r.enter(l.start)
}

// enter counts a mapping or sequence, which begins at start.
func (r *reader) enter(start int) {
	if r.top.depth++; r.top.depth > MaxDepth {
		r.fail(tooDeep(r.f, start, MaxDepth))
	}
}

func (r *reader) pop() { r.top = r.top.outer }

// isLineStart reports whether there are only blanks before pos on its line.
func (r *reader) isLineStart() bool { return skipBlanks(r.data, r.line) >= r.pos }

// dash reports whether the dash of a list item is at pos.
func (r *reader) dash() bool { return r.data[r.pos] == '-' && spaceAt(r.data, r.pos+1) }

// next returns the next significant sign, which is then at pos, or 0 at the end of the
// document.
func (r *reader) next() byte {
	r.skip()
	switch {
	case r.pos == len(r.data), markerAt(r.data, r.pos):
		if r.inFlow() {
			r.fail(unclosedBracket(r.data, r.top.start))
		}
		return 0
	case r.pos == r.line && r.data[r.pos] == '%' && !r.inFlow():
		r.fail(feature(restOfLine(r.data, r.pos),
			"Directives (lines that start with %%) are not supported. Remove the line. If it is text, put it in quotes."))
	}
	return r.data[r.pos]
}

// skip steps over blanks, line ends, and comments.
func (r *reader) skip() {
	for r.pos < len(r.data) {
		switch b := r.data[r.pos]; {
		case b == '\t' && r.compact && !r.inFlow():
			r.fail(tabIndent(r.data, r.pos))
		case isBlank(b):
			r.pos++
		case isBreak(b):
			r.newLine(skipBreak(r.data, r.pos))
		case b == '#':
			r.comment()
		default:
			return
		}
	}
}

// comment steps over a comment. Where a key is allowed, yaml.v3 accepts tabs between
// two comments.
func (r *reader) comment() {
	end := lineEnd(r.data, r.pos)
	r.comments = append(r.comments, Comment{
		Span: source.Span{Start: r.pos, End: end},
		Text: string(bytes.TrimSpace(r.data[r.pos+1 : end])),
	})
	r.pos = end
	if next := skipSpace(r.data, end); r.compact && next < len(r.data) && r.data[next] == '#' {
		r.goOn(next)
	}
}

// newLine continues at the start of a line.
func (r *reader) newLine(start int) {
	r.pos, r.line = start, start
	r.compact, r.closed = true, nil
}

// goOn continues at next, before which there are only blanks and line ends.
func (r *reader) goOn(next int) {
	if n := bytes.LastIndexByte(r.data[r.pos:next], '\n'); n >= 0 {
		r.newLine(r.pos + n + 1)
	}
	r.pos = next
}

// complete ends a value, after which reading continues at next.
func (r *reader) complete(n *Node, next int) *Node {
	r.last, r.pos, r.compact = n.Span, n.Span.End, false
	r.goOn(next)
	return n
}

// word is the anchor, the alias, or the tag at pos.
func (r *reader) word() source.Span {
	span := source.Span{Start: r.pos, End: r.pos + 1}
	for !spaceAt(r.data, span.End) && !(r.inFlow() && strings.IndexByte(",[]{}", r.data[span.End]) >= 0) {
		span.End++
	}
	return span
}

// scalar reads the text at pos. After it, reading continues at next.
func (r *reader) scalar() (n *Node, next int) {
	n = r.newNode(Node{Kind: Scalar, Type: String, Span: source.Span{Start: r.pos}, parent: int32(r.top.col)})
	switch r.data[r.pos] {
	case '&', '*', '!':
		r.fail(anchorAliasOrTag(r.data[r.pos], r.word()))
	case '\'':
		n.Style = SingleQuoted
	case '"':
		n.Style = DoubleQuoted
	case '|':
		n.Style = Literal
	case '>':
		n.Style = Folded
	default:
		n.Style = Plain
	}
	n.Span.End, next = r.decode(n.Style)
	n.Value = r.value()
	if n.Style == Plain {
		n.Type, n.Ambiguous = resolve(n.Value)
	}
	return n, next
}

// newNode allocates many nodes at once.
func (r *reader) newNode(n Node) *Node {
	if len(r.nodes) == 0 {
		r.nodes = make([]Node, 32)
	}
	to := &r.nodes[0]
	*to, r.nodes = n, r.nodes[1:]
	return to
}

func missing(at int) *Node {
	return &Node{Kind: Scalar, Type: Null, Style: Plain, Span: source.Span{Start: at, End: at}}
}
