package yamltree

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

func TestInside(t *testing.T) {
	for _, c := range []struct {
		reason, text, part string // part of the value
		want               string // "line:column bytes"
	}{
		{"plain", "a: one two", "two", "1:8 two"},
		{"plain, a character of several bytes before", "a: é two", "two", "1:6 two"},
		{"plain, on the second line", "a: one\n  two three", "two", "2:3 two"},
		{"plain, over the fold", "a: one  \n\n  two", "e\nt", "1:6 e  \n\n  t"},
		{"plain, the fold itself", "a: one\n  two", " ", "1:7 \n  "},
		{"single-quoted", "a: 'one two'", "two", "1:9 two"},
		{"single-quoted, after an apostrophe", "a: 'it''s two'", "two", "1:11 two"},
		{"single-quoted, the apostrophe", "a: 'it''s'", "'", "1:7 ''"},
		{"single-quoted, after a fold", "a: 'one\n\n   two'", "two", "3:4 two"},
		{"double-quoted", `a: "one two"`, "two", "1:9 two"},
		{"double-quoted, after escapes", `a: "\u00e9\n\x41 two"`, "two", "1:18 two"},
		{"double-quoted, an escape", `a: "x\u00e9y"`, "é", `1:6 \u00e9`},
		{"double-quoted, half of an escape is all of it", `a: "x\u00e9y"`, "\xA9", `1:6 \u00e9`},
		{"double-quoted, an escape as long as its character", `a: "x\_y"`, "\u00A0", `1:6 \_`},
		{"double-quoted, over an escape", `a: "x\ty"`, "x\ty", `1:5 x\ty`},
		{"double-quoted, after an escaped line end", "a: \"one\\\n   two\"", "two", "2:4 two"},
		{"double-quoted, blanks before an escaped line end", "a: \"one \\\n   two\"", "e t", "1:7 e \\\n   t"},
		{"double-quoted, line ends after an escaped one", "a: \"one\\\n\n  two\"", "two", "3:3 two"},
		{"literal", "a: |\n  one\n  two\n", "two", "3:3 two"},
		{"literal, deeper indented", "a: |\n  one\n    two\n", "  two", "3:3   two"},
		{"literal, over lines", "a: |\n  one\n\n  two\n", "e\n\nt", "2:5 e\n\n  t"},
		{"literal, the line end between", "a: |\n  one\n  two\n", "\nt", "2:6 \n  t"},
		{"literal, the line end after the last line is not in its span", "a: |\n  one\n", "e\n", "2:5 e"},
		{"literal, with stated indentation", "a: |1-\n   one\n", "  one", "2:2   one"},
		{"literal, with a comment", "a: | # one\n  one", "one", "2:3 one"},
		{"literal, CRLF", "a: |\r\n  one\r\n  two\r\n", "\ntwo", "2:6 \r\n  two"},
		{"folded", "a: >\n  one\n  two\n", "two", "3:3 two"},
		{"folded, over the fold", "a: >\n  one\n  two\n", "e t", "2:5 e\n  t"},
		{"folded, between paragraphs", "a: >\n  one\n\n  two\n", "e\nt", "2:5 e\n\n  t"},
		{"folded, deeper lines keep their ends", "a: >\n  one\n    two\n  three\n", "three", "4:3 three"},
		{"kept line ends", "a: |+\n  one\n\n\n", "\n\n\n", "2:6 "},
		{"the only value", "a", "a", "1:1 a"},
	} {
		f, tree, _ := parse(c.text)
		n := tree.Root.Get("a")
		if n == nil {
			n = tree.Root
		}
		from := strings.Index(n.Value, c.part)
		if from < 0 {
			t.Errorf("%s: no %q in %q", c.reason, c.part, n.Value)
			continue
		}
		if got := place(f, tree.SpanInside(n, from, from+len(c.part))); got != c.want {
			t.Errorf("%s: %q of %q is at %q, want %q", c.reason, c.part, n.Value, got, c.want)
		}
	}
}

func TestInsideOfNothing(t *testing.T) {
	_, tree, _ := parse("a: \"\\tx\"\nb:\nc: [x]\nd: \"\"\n")
	quoted, list := tree.Root.Get("a"), tree.Root.Get("c")
	for _, c := range []struct {
		reason   string
		n        *Node
		from, to int
		want     source.Span
	}{
		{"before the first character", quoted, 0, 0, source.Span{Start: 4, End: 4}},
		{"between two characters", quoted, 1, 1, source.Span{Start: 6, End: 6}},
		{"after the last character", quoted, 2, 2, source.Span{Start: 7, End: 7}},
		{"in an empty value", tree.Root.Get("b"), 0, 0, source.Span{Start: 11, End: 11}},
		{"in empty quotes there is no better place", tree.Root.Get("d"), 0, 0, tree.Root.Get("d").Span},
		{"no scalar", list, 0, 0, list.Span},
		{"after the end", quoted, 0, 3, quoted.Span},
		{"before the start", quoted, -1, 1, quoted.Span},
		{"backwards", quoted, 2, 1, quoted.Span},
	} {
		if got := tree.SpanInside(c.n, c.from, c.to); got != c.want {
			t.Errorf("%s: %v, want %v", c.reason, got, c.want)
		}
	}
}

// JSON has escapes that YAML lacks.
func TestInsideFallsBackOnTheWhole(t *testing.T) {
	tree, _ := ParseJSON("file", source.NewFile("x.json", []byte(`{"a": "one \ud83d\ude00 two"}`)), MaxBytes)
	n := tree.Root.Get("a")
	for _, c := range []struct {
		reason   string
		from, to int
		want     source.Span
	}{
		{"before the escape", 0, 3, source.Span{Start: 7, End: 10}},
		{"after it", 9, 12, n.Span},
	} {
		if got := tree.SpanInside(n, c.from, c.to); got != c.want {
			t.Errorf("%s: %v, want %v", c.reason, got, c.want)
		}
	}
}

// TestInsideFindsEachWord writes a text of words in a random style and looks
// for each word.
func TestInsideFindsEachWord(t *testing.T) {
	words := []string{"one", "zwei", "três", "четыре", "5"}
	gaps := map[string][]string{
		"":  {" ", "\n  ", " \n\n   "},
		"'": {" ", "''", "\n  ", "  \n\n  "},
		`"`: {" ", `\n`, `\u00e9`, `\"`, "\n  ", "\\\n  ", " \\\n\n  "},
		"|": {" ", "\n  ", "\n\n  ", "\n    ", "\n   \n  "},
	}
	rapid.Check(t, func(r *rapid.T) {
		style := rapid.SampledFrom([]string{"", "'", `"`, "|", ">", ">-", "|+"}).Draw(r, "style")
		between := gaps[style]
		text := style
		if between == nil || style == "|" {
			between = gaps["|"]
			text = style + "\n  "
		}
		used := rapid.SliceOfN(rapid.SampledFrom(words), 1, 6).Draw(r, "words")
		for i, w := range used {
			if i > 0 {
				text += rapid.SampledFrom(between).Draw(r, "gap")
			}
			text += w
		}
		if style == "'" || style == `"` {
			text += style
		}
		lineEnd := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(r, "line end")
		text = strings.ReplaceAll("k:\n- "+text+"\nz: 1\n", "\n", lineEnd)

		f := source.NewFile("x.yaml", []byte(text))
		tree, _ := Parse(f)
		if tree == nil {
			r.Fatalf("no tree of %q", text)
		}
		n, at := tree.Root.Get("k").Items[0], 0
		for _, w := range used {
			at += strings.Index(n.Value[at:], w)
			if got := f.Text(tree.SpanInside(n, at, at+len(w))); got != w {
				r.Fatalf("%q in %q is found as %q in %q", w, n.Value, got, text)
			}
			at += len(w)
		}
	})
}
