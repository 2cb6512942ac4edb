package markdown

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// outline writes the blocks of a page, each with its line and text.
func outline(p *Page, blocks []Block, indent string) string {
	var b strings.Builder
	names := [...]string{"heading", "paragraph", "list", "item", "quote", "table", "code", "html"}
	for i := range blocks {
		block := &blocks[i]
		fmt.Fprintf(&b, "%s%d %s", indent, p.File.Position(block.Span.Start).Line, names[block.Kind])
		if text := p.Text(block.Raw); text != "" {
			fmt.Fprintf(&b, " %q", text)
		}
		for _, row := range append([]Row{block.Header}, block.Rows...) {
			for _, cell := range row.Cells {
				fmt.Fprintf(&b, " %q", p.CellText(cell))
			}
		}
		b.WriteString("\n" + outline(p, block.Blocks, indent+"  "))
	}
	return b.String()
}

func TestBlocksHaveTheirPlaceAndText(t *testing.T) {
	for _, test := range []struct{ reason, text, want string }{
		{"lists in lists", "# A\n\n- [ ] b\n  c\n  1. d\n\nE\nf\n", `1 heading "A"
3 list
  3 item
    3 paragraph "[ ] b\nc"
    5 list
      5 item
        5 paragraph "d"
7 paragraph "E\nf"
`},
		{"front matter is not text", "---\nname: x\n---\n# A\n", "4 heading \"A\"\n"},
		{"a table", "a\n\n| b | `c` |\n|---|---|\n| d \\| e | |\n", "1 paragraph \"a\"\n3 table \"b\" \"`c`\" \"d | e\" \"\"\n"},
		{"a quotation and CRLF", "> a\r\n> b\r\n", "1 quote\n  1 paragraph \"a\\nb\"\n"},
		{"code and HTML", "```\na\n```\n\n<!-- b -->\n", "2 code \"a\"\n5 html \"(b)\"\n"},
	} {
		p, problems := Read(source.NewFile("f.md", []byte(test.text)))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		if diff := cmp.Diff(test.want, outline(p, p.Blocks, "")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.reason, diff)
		}
	}
}

func TestTextsKeepWhatTheyMean(t *testing.T) {
	p, _ := Read(source.NewFile("f.md", []byte("[ref]: https://example.org\n")))
	for _, test := range []struct{ reason, text, plain, want, lead string }{
		{"emphasis", "**One** *two* __three__ snake_case", "One two three snake_case", "One two three snake_case", "One"},
		{"emphasis later", "One **two**", "One two", "One two", ""},
		{"code", "Avoid `any` in types", "Avoid any in types", "Avoid `any` in types", ""},
		{"code with backticks", "`` `a` `` and ``` b``c ```", "`a` and b``c", "`` `a` `` and ```b``c```", ""},
		{"a link", "Follows the [style guide](docs/style.md)", "Follows the style guide", "Follows the style guide (docs/style.md)", ""},
		{"a link with a title", `[a](b.md "C")`, "a", `a (b.md "C")`, ""},
		{"a link to its own text", "<https://example.org> [b.md](b.md)", "https://example.org b.md", "https://example.org b.md", ""},
		{"a link that is defined elsewhere", "[see][ref]", "see", "see (https://example.org)", ""},
		{"images", "![alt](x.png) ![](y.png)", "alt", "alt (x.png) y.png", ""},
		{"line breaks", "a\n  b<br>c", "a b c", "a\nb\nc", ""},
		{"comments", "a <!-- b --><!-- -->", "a", "a (b)", ""},
		{"escapes and entities", `1\. &lt;id&gt; \*`, "1. <id> *", "1. <id> *", ""},
		{"bold code", "**`a`**: b", "a: b", "`a`: b", "`a`"},
	} {
		raw := []byte(test.text)
		if got := p.PlainText(raw); got != test.plain {
			t.Errorf("%s: %s without markup is %q, want %q", test.reason, raw, got, test.plain)
		}
		if got := p.Text(raw); got != test.want {
			t.Errorf("%s: %s is %q, want %q", test.reason, raw, got, test.want)
		}
		if got := p.Lead(raw); got != test.lead {
			t.Errorf("%s: %s begins with %q, want %q", test.reason, raw, got, test.lead)
		}
	}
}

// TestLongTextsAreWhole: markup in a long text counts within a line, and no byte is lost.
func TestLongTextsAreWhole(t *testing.T) {
	p, _ := Read(source.NewFile("f.md", nil))
	long := strings.Repeat("a **b**\n", MostInline) + strings.Repeat("c", MostInline+1)
	if got, want := p.Text([]byte(long)), strings.ReplaceAll(long, "*", ""); got != want {
		t.Errorf("got %d bytes, want %d", len(got), len(want))
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("---\na: b\n---\n# c\n\n- [ ] **d**: `e`\n  1. [f](g)\n\n| h |\n|---|\n| i \\|\n> j\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, problems := Read(source.NewFile("f.md", data))
		if (p == nil) == (len(problems) == 0) {
			t.Fatalf("got %v and %v", p, problems)
		}
		if p == nil {
			return
		}
		for b := range p.All() {
			for _, span := range append(b.Lines, b.Span) {
				if span.Start < 0 || span.Start > span.End || span.End > len(data) {
					t.Errorf("a place outside of the file: %+v", b)
				}
			}
			p.Text(b.Raw)
			p.Lead(b.Raw)
		}
	})
}

func TestHostileTextsTakeLittleTime(t *testing.T) {
	for _, unit := range []string{"[a](", "`a``", "`", "*a ", "![](", "<!--", "[*a*](b) "} {
		text := strings.Repeat(unit, yamltree.MaxBytes/len(unit))
		p, problems := Read(source.NewFile("f.md", []byte(text)))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		for b := range p.All() {
			p.Text(b.Raw)
		}
	}
}
