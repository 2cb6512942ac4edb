package yamltree

import (
	"bytes"
	"cmp"
	"strings"
	"testing"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		checkParse(t, data)
	})
}

// checkParse holds what is true of every input.
func checkParse(t *testing.T, data []byte) {
	t.Helper()
	f := source.NewFile("f.yaml", bytes.Clone(data))
	tree, problems := Parse(f)
	if !bytes.Equal(f.Data, data) {
		t.Fatal("Parse changed the bytes")
	}
	if tree == nil && len(problems) == 0 {
		t.Fatal("neither a tree nor a problem")
	}
	at := 0
	for _, p := range problems {
		checkProblem(t, f, p)
		if p.Span.Start < at {
			t.Errorf("%s at %d comes after a problem at %d", p.Code, p.Span.Start, at)
		}
		at = p.Span.Start
		if leavesTree := p.Code == CodeDuplicateKey || p.Code == CodeLineEndings; !leavesTree && tree != nil {
			t.Errorf("a tree in spite of %s", p.Code)
		}
	}
	if tree == nil {
		return
	}
	checkNode(t, tree, tree.Root, source.Span{Start: 0, End: len(data)})
	root, err := readDocument(data)
	if err != nil {
		t.Fatal(err)
	}
	if odd := differs(tree.Root, root); odd != nil {
		t.Fatalf("yaml.v3 reads %v %q at %v differently", odd.Kind, odd.Value, odd.Span)
	}
	checkStarts(t, f, tree.Root, root)
	checkComments(t, tree)
}

func checkProblem(t *testing.T, f *source.File, p source.Problem) {
	t.Helper()
	if !inside(p.Span, source.Span{Start: 0, End: len(f.Data)}) {
		t.Errorf("%s: span %v outside of %d bytes", p.Code, p.Span, len(f.Data))
	}
	if !utf8.ValidString(p.Message) || len(p.Message) > 600 {
		t.Errorf("%s: bad message %.700q", p.Code, p.Message)
	}
}

func inside(s, outer source.Span) bool {
	return outer.Start <= s.Start && s.Start <= s.End && s.End <= outer.End
}

func checkNode(t *testing.T, tree *Tree, n *Node, outer source.Span) {
	t.Helper()
	if !inside(n.Span, outer) {
		t.Fatalf("%v %q at %v is not inside of %v", n.Kind, n.Value, n.Span, outer)
	}
	at := n.Span.Start
	child := func(c *Node) {
		checkNode(t, tree, c, source.Span{Start: at, End: n.Span.End})
		at = c.Span.End
	}
	for _, e := range n.Entries {
		child(e.Key)
		child(e.Value)
	}
	for _, item := range n.Items {
		child(item)
	}
	if n.Kind != Scalar {
		return
	}
	if got := decoded(tree, n); got != n.Value {
		t.Errorf("%v scalar %q reads as %q, want %q", n.Style, tree.File.Text(n.Span), got, n.Value)
	}
	if s := tree.SpanInside(n, 0, len(n.Value)); !inside(s, n.Span) {
		t.Errorf("Inside of the whole value is %v, outside of %v", s, n.Span)
	}
}

// checkStarts compares where values start with what yaml.v3 says. It has its own
// opinion about values that are left empty.
func checkStarts(t *testing.T, f *source.File, n *Node, y *yaml.Node) {
	t.Helper()
	got, want := f.Position(n.Span.Start), source.Position{Line: y.Line, Column: y.Column}
	if n.Span.Len() > 0 && got != want {
		t.Errorf("%v %q starts at %v, for yaml.v3 at %v", n.Kind, n.Value, got, want)
	}
	for i, e := range n.Entries {
		checkStarts(t, f, e.Key, y.Content[2*i])
		checkStarts(t, f, e.Value, y.Content[2*i+1])
	}
	for i, item := range n.Items {
		checkStarts(t, f, item, y.Content[i])
	}
}

// decoded puts the pieces of a scalar together.
func decoded(tree *Tree, n *Node) string {
	var b strings.Builder
	for _, p := range tree.pieces(n) {
		b.WriteString(cmp.Or(p.text, tree.File.Text(p.Span)))
	}
	return b.String()
}

func checkComments(t *testing.T, tree *Tree) {
	t.Helper()
	at := 0
	for _, c := range tree.Comments {
		if !inside(c.Span, source.Span{Start: at, End: len(tree.File.Data)}) || tree.File.Data[c.Span.Start] != '#' {
			t.Errorf("comment %q at %v", c.Text, c.Span)
		}
		at = c.Span.End
	}
}

var seeds = []string{
	"a: 1\nb: [x, 'y', \"z\\n\"]\nc:\n- d\n- e: f\n  g: |\n   text\n\n    more\nh: >-\n  folded\n  text\n\n  x\ni:\nj: {k: v, l, m: }\n",
	"# c\n--- # d\na: b # e\n...\n",
	"- - a\n  - b: |2\n        x\n    y: 'it''s\n\n      so'\n-\n- \"a\\\n   b\\u00e9\"\n",
	"a: b\r\nc: |\r\n  d\r\n  e\r\n",
	"[a: b, {c: d}, [e]]",
	"a: &x 1\nb: *x\n<<: *x\n!t c: !!str d\n? e\n: f\n%TAG\n---\n",
	"a: \"b\" c\n",
	`"\0\a\b\t\n\v\f\r\e\ \"\'\\\N\_\L\P\x41\u00e9\U0001F600\` + "\t" + `"`,
	"a:\n  &x b: c\n  d: &y\n    e: f\n",
	"a\n b\n\nc:\n",
}
