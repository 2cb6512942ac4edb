package yamltree

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

func parse(text string) (*source.File, *Tree, []source.Problem) {
	f := source.NewFile("x.yaml", []byte(text))
	tree, problems := Parse(f)
	return f, tree, problems
}

// mustParse parses a text that has no problems.
func mustParse(t *testing.T, text string) *Tree {
	t.Helper()
	_, tree, problems := parse(text)
	if len(problems) > 0 {
		t.Fatalf("problems in %q: %v", text, problems)
	}
	return tree
}

// outline writes a tree, one value per line: its start and end,
// its style, type, and text.
func outline(f *source.File, n *Node, indent string) string {
	from, to := f.Position(n.Span.Start), f.Position(n.Span.End)
	line := fmt.Sprintf("%s%d:%d-%d:%d %v", indent, from.Line, from.Column, to.Line, to.Column, n.Style)
	if n.Kind == Scalar {
		line += fmt.Sprintf(" %v %q", n.Type, n.Value)
	} else {
		line += fmt.Sprintf(" %v", n.Kind)
	}
	line += "\n"
	for _, e := range n.Entries {
		line += outline(f, e.Key, indent+". ") + outline(f, e.Value, indent+". . ")
	}
	for _, item := range n.Items {
		line += outline(f, item, indent+". ")
	}
	return line
}

func TestSpans(t *testing.T) {
	for _, c := range []struct{ reason, text, want string }{
		{"a mapping reaches from its first key to the end of its last value",
			"# c\n\na: 1\nb: xy # c\n", `
3:1-4:6 block mapping
. 3:1-3:2 plain text "a"
. . 3:4-3:5 plain whole number "1"
. 4:1-4:2 plain text "b"
. . 4:4-4:6 plain text "xy"
`},
		{"a value that is left empty is right after its colon or dash",
			"a:\nb:   # c\nc:\n- \n-\n", `
1:1-5:2 block mapping
. 1:1-1:2 plain text "a"
. . 1:3-1:3 plain empty value ""
. 2:1-2:2 plain text "b"
. . 2:3-2:3 plain empty value ""
. 3:1-3:2 plain text "c"
. . 4:1-5:2 block list
. . . 4:2-4:2 plain empty value ""
. . . 5:2-5:2 plain empty value ""
`},
		{"brackets belong to what they hold, and columns count characters",
			"é: [ü, {ö: \"ä\" , x, y: },]", `
1:1-1:27 block mapping
. 1:1-1:2 plain text "é"
. . 1:4-1:27 flow list
. . . 1:5-1:6 plain text "ü"
. . . 1:8-1:25 flow mapping
. . . . 1:9-1:10 plain text "ö"
. . . . . 1:12-1:15 double-quoted text "ä"
. . . . 1:18-1:19 plain text "x"
. . . . . 1:19-1:19 plain empty value ""
. . . . 1:21-1:22 plain text "y"
. . . . . 1:23-1:23 plain empty value ""
`},
		{"a single pair in a list is a mapping without brackets",
			"[a: b c , d]", `
1:1-1:13 flow list
. 1:2-1:8 flow mapping
. . 1:2-1:3 plain text "a"
. . . 1:5-1:8 plain text "b c"
. 1:11-1:12 plain text "d"
`},
		{"quotes belong to the text, however it is folded",
			"- 'it''s'\n- \"a\n\n  b\\\n  c\"\n- plain\n  text\n", `
1:1-7:7 block list
. 1:3-1:10 single-quoted text "it's"
. 2:3-5:5 double-quoted text "a\nbc"
. 6:3-7:7 plain text "plain text"
`},
		{"a block scalar ends with its last line of text",
			"a: | # c\n  x\n\n   y\n\n\n# c\nb: >2-\n    z\n", `
1:1-9:6 block mapping
. 1:1-1:2 plain text "a"
. . 1:4-4:5 literal text "x\n\n y\n"
. 8:1-8:2 plain text "b"
. . 8:4-9:6 folded text "  z"
`},
		{"a block scalar without text is its indicator, but blanks can be text",
			"- |+\n\n- >\n- |2-\n   \n", `
1:1-5:4 block list
. 1:3-1:5 literal text "\n"
. 3:3-3:4 folded text ""
. 4:3-5:4 literal text " "
`},
		{"CRLF ends a line like LF",
			"a: |\r\n  x\r\n  y\r\nb: c\r\n  d\r\n", `
1:1-5:4 block mapping
. 1:1-1:2 plain text "a"
. . 1:4-3:4 literal text "x\ny\n"
. 4:1-4:2 plain text "b"
. . 4:4-5:4 plain text "c d"
`},
		{"the marks around the only document are no part of it",
			"---\n- - a\n  - b\n...\t\n# c\n", `
2:1-3:6 block list
. 2:3-3:6 block list
. . 2:5-2:6 plain text "a"
. . 3:5-3:6 plain text "b"
`},
		{"a single value is a document, too", "--- x\n", "\n1:5-1:6 plain text \"x\"\n"},
	} {
		f, tree, _ := parse(c.text)
		if tree == nil {
			t.Errorf("%s: no tree", c.reason)
			continue
		}
		if diff := cmp.Diff(c.want[1:], outline(f, tree.Root, "")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.reason, diff)
		}
	}
}

func TestGet(t *testing.T) {
	root := mustParse(t, "a: 1\n\"b\": [x]\n").Root
	for _, c := range []struct {
		reason, key, want string
		node              *Node
	}{
		{"a plain key", "a", "1", root},
		{"a quoted key", "b", "", root},
		{"a key that is not there", "c", "nil", root},
		{"no mapping has no keys", "x", "nil", root.Get("b")},
		{"nothing has no keys", "x", "nil", nil},
	} {
		got := "nil"
		if n := c.node.Get(c.key); n != nil {
			got = n.Value
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.reason, got, c.want)
		}
	}
	_, tree, _ := parse("a: 1\na: 2\n")
	if got := tree.Root.Get("a").Value; got != "1" || len(tree.Root.Entries) != 2 {
		t.Errorf("of a repeated key Get returns %s, want the first, 1, of two", got)
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct {
		value fmt.Stringer
		want  string
	}{
		{Mapping, "mapping"}, {Scalar, "single value"}, {NodeKind(0), "invalid"}, {NodeKind(9), "invalid"},
		{String, "text"}, {Null, "empty value"}, {Type(0), "invalid"},
		{Plain, "plain"}, {Flow, "flow"}, {Style(0), "invalid"},
	} {
		if got := c.value.String(); got != c.want {
			t.Errorf("%#v is called %q, want %q", c.value, got, c.want)
		}
	}
}

func TestPanicIsAProblemOfTheReader(t *testing.T) {
	err := guard(func() error { panic("index out of range") })
	f := source.NewFile("x.yaml", []byte("first line\nsecond\n"))
	p := unknownMistake(f, err)
	if p.Code != CodeSyntax || f.Text(p.Span) != "first line" || !strings.Contains(p.Message, "bug in this program") {
		t.Errorf("got %+v", p)
	}
	if strings.Contains(p.Message, "index") {
		t.Errorf("the message mentions the program's insides: %s", p.Message)
	}
}

func TestUnknownErrorKeepsItsText(t *testing.T) {
	f := source.NewFile("x.yaml", []byte("a\nb\nc\n"))
	for _, c := range []struct{ reason, err, place, text string }{
		{"with a line", "yaml: line 2: odd thing", "b", "odd thing"},
		{"without a line", "yaml: odd thing", "a", "odd thing"},
		{"with a line after the end", "yaml: line 99: odd thing", "", "odd thing"},
	} {
		p := unknownMistake(f, fmt.Errorf("%s", c.err))
		if f.Text(p.Span) != c.place || !strings.Contains(p.Message, c.text) || strings.Contains(p.Message, "yaml:") {
			t.Errorf("%s: %q %s", c.reason, f.Text(p.Span), p.Message)
		}
	}
}
