package yamltree

import "github.com/rubric-library/rubric-library/internal/document/source"

// SpanInside returns the place in the file of the bytes [from, to) of n.Value. Where the
// source differs from the value, such as an escape or a folded line ending, the place
// covers all of it. If there is no such place, because n is not a scalar or the range
// is outside its value, Inside returns n.Span, as after an escape that only JSON has.
func (t *Tree) SpanInside(n *Node, from, to int) source.Span {
	if n.Kind != Scalar || from < 0 || to < from || to > len(n.Value) {
		return n.Span
	}
	at, start, end := 0, -1, -1
	for _, p := range t.pieces(n) {
		size, verbatim := len(p.text), p.text == ""
		if verbatim {
			size = p.Len()
		}
		if start < 0 && from < at+size {
			start = p.Start
			if verbatim {
				start += from - at
			}
		}
		if to <= at+size {
			end = p.End
			if verbatim {
				end = p.Start + to - at
			}
			break
		}
		at += size
	}
	if end < 0 {
		return n.Span
	}
	if start < 0 {
		start = end
	} else if from == to {
		end = start
	}
	// The line ending of a block scalar's last line is in the value, not the span.
	return source.Span{Start: min(start, n.Span.End), End: min(end, n.Span.End)}
}

// pieces decodes a scalar again.
func (t *Tree) pieces(n *Node) []piece {
	r := &reader{f: t.File, data: t.File.Data, pos: n.Span.Start, top: &level{col: int(n.parent)}}
	r.run(func() {
		if n.Style == Plain {
			r.readPlain(n.Span)
		} else {
			r.decode(n.Style)
		}
	})
	return r.pieces
}
