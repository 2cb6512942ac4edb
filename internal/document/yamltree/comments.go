package yamltree

import (
	"bytes"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// Comment is one comment.
type Comment struct {
	// Span extends from the # to the end of the line, without the line ending.
	Span source.Span
	// Text is the text after the #, without surrounding blanks.
	Text string
}

// Comments returns all comments of the file in order. Each call searches the file.
func (t *Tree) Comments() []Comment {
	c := commentFinder{data: t.File.Data}
	c.walk(t.Root)
	c.upTo(len(c.data))
	return c.found
}

// commentFinder searches between the scalars, where each # starts a comment.
type commentFinder struct {
	data  []byte
	pos   int
	found []Comment
}

func (c *commentFinder) walk(n *Node) {
	for _, e := range n.Entries {
		c.walk(e.Key)
		c.walk(e.Value)
	}
	for _, item := range n.Items {
		c.walk(item)
	}
	if n.Kind != Scalar {
		return
	}
	c.upTo(n.Span.Start)
	if n.Style == Literal || n.Style == Folded {
		// A comment can follow the indicator on its line.
		c.upTo(min(lineEnd(c.data, n.Span.Start), n.Span.End))
	}
	c.pos = n.Span.End
}

// upTo finds the comments before end, which is not inside a comment.
func (c *commentFinder) upTo(end int) {
	for {
		n := bytes.IndexByte(c.data[c.pos:end], '#')
		if n < 0 {
			c.pos = end
			return
		}
		start := c.pos + n
		c.pos = lineEnd(c.data, start)
		c.found = append(c.found, Comment{
			Span: source.Span{Start: start, End: c.pos},
			Text: string(bytes.TrimSpace(c.data[start+1 : c.pos])),
		})
	}
}
