package yamltree

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// kinds and styles are how yaml.v3 names the kinds and styles of nodes.
var (
	kinds  = [...]yaml.Kind{Mapping: yaml.MappingNode, Sequence: yaml.SequenceNode, Scalar: yaml.ScalarNode}
	styles = [...]yaml.Style{
		Plain: 0, SingleQuoted: yaml.SingleQuotedStyle, DoubleQuoted: yaml.DoubleQuotedStyle,
		Literal: yaml.LiteralStyle, Folded: yaml.FoldedStyle, Block: 0, Flow: yaml.FlowStyle,
	}
)

// differs returns the first node that is not the same in y, or nil.
func differs(n *Node, y *yaml.Node) *Node {
	if y.Kind != kinds[n.Kind] || y.Style != styles[n.Style] || y.Anchor != "" || y.Value != n.Value ||
		len(y.Content) != 2*len(n.Entries)+len(n.Items) {
		return n
	}
	for i, e := range n.Entries {
		if odd := cmp.Or(differs(e.Key, y.Content[2*i]), differs(e.Value, y.Content[2*i+1])); odd != nil {
			return odd
		}
	}
	for i, item := range n.Items {
		if odd := differs(item, y.Content[i]); odd != nil {
			return odd
		}
	}
	return nil
}

// readDocument reads the only document with yaml.v3.
func readDocument(data []byte) (root *yaml.Node, err error) {
	err = guard(func() error {
		d := yaml.NewDecoder(bytes.NewReader(data))
		var first, second yaml.Node
		if err := d.Decode(&first); err != nil {
			return err
		}
		root = first.Content[0]
		if d.Decode(&second) != io.EOF {
			return errors.New("a second document")
		}
		return nil
	})
	return root, err
}

// checkParse compares all that Parse reads with yaml.v3, so the comparison must see every
// kind of difference.
func TestEachDifferenceOfTheReadersIsSeen(t *testing.T) {
	const text = "a: x\nb: [1, 'y']\nc: {d: e}\n"
	read2 := func() (*Tree, *yaml.Node) {
		f := source.NewFile("x.yaml", []byte(text))
		tree, problems := read(f)
		y, err := readDocument(f.Data)
		if len(problems) > 0 || err != nil {
			t.Fatal(problems, err)
		}
		return tree, y
	}
	if tree, y := read2(); differs(tree.Root, y) != nil {
		t.Error("a difference in what is the same")
	}
	for _, c := range []struct {
		reason string
		change func(y *yaml.Node)
		want   string
	}{
		{"a text", func(y *yaml.Node) { y.Content[1].Value = "xx" }, "x"},
		{"less of a text", func(y *yaml.Node) { y.Content[1].Value = "" }, "x"},
		{"a key", func(y *yaml.Node) { y.Content[4].Value = "C" }, "c"},
		{"a style", func(y *yaml.Node) { y.Content[3].Content[1].Style = yaml.DoubleQuotedStyle }, "'y'"},
		{"a tag", func(y *yaml.Node) { y.Content[3].Content[0].Style = yaml.TaggedStyle }, "1"},
		{"an anchor", func(y *yaml.Node) { y.Content[3].Anchor = "z" }, "[1, 'y']"},
		{"an alias", func(y *yaml.Node) { y.Content[5].Content[1].Kind = yaml.AliasNode }, "e"},
		{"an item more", func(y *yaml.Node) { y.Content[3].Content = append(y.Content[3].Content, y) }, "[1, 'y']"},
		{"a list instead of keys", func(y *yaml.Node) { y.Content[5].Kind = yaml.SequenceNode }, "{d: e}"},
	} {
		tree, y := read2()
		c.change(y)
		if odd := differs(tree.Root, y); odd == nil || tree.File.Text(odd.Span) != c.want {
			t.Errorf("%s: the difference is at %v, want %s", c.reason, odd, c.want)
		}
	}
}
