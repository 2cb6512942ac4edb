package render

import (
	"html"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	markdowntext "github.com/yuin/goldmark/text"
	"pgregory.net/rapid"
)

// TestPlainSentencesStayText reads sentences as GitHub's Markdown does: whatever
// they hold, nothing but text comes out.
// TestASpanKeepsItsText: what begins a command in a log does so only at the beginning of a line.
func TestASpanKeepsItsText(t *testing.T) {
	for text, want := range map[string]string{"::#": "`::#`", "::error::x": "`::error::x`", "##[error]": "`## [error]`", "a\n::b": "`a<U+000A>::b`", " ": ""} {
		if got := Code(text); got != want {
			t.Errorf("%q becomes %s, want %s", text, got, want)
		}
	}
}

func TestPlainSentencesStayText(t *testing.T) {
	check := func(t interface{ Errorf(string, ...any) }, sentence string) {
		source := []byte("- x " + Plain(sentence) + "\n")
		doc := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(markdowntext.NewReader(source))
		_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			switch n.Kind() {
			case ast.KindDocument, ast.KindList, ast.KindListItem, ast.KindTextBlock, ast.KindText, ast.KindString:
				if text, ok := n.(*ast.Text); ok && n.Parent().Kind() != ast.KindCodeSpan && entering {
					decoded := html.UnescapeString(string(text.Segment.Value(source)))
					if strings.ContainsAny(decoded, "@#") || strings.Contains(decoded, "://") || strings.Contains(decoded, "www.") {
						t.Errorf("GitHub finds a link in %q of %q", decoded, sentence)
					}
				}
			case ast.KindCodeSpan:
			default:
				if entering {
					t.Errorf("%q becomes a %s", sentence, n.Kind())
				}
			}
			return ast.WalkContinue, nil
		})
	}
	for _, sentence := range []string{
		"[a](https://example.org)", "![a](b)", "https://example.org", "www.example.org", "a@example.org", "@team", "<b>x</b>", "<!-- x -->",
		"`code`", "**bold** _it_ ~~gone~~", "a | b", "# heading", "&amp; &#64;team", `\[a\](b)`, "one\ntwo\n\n# three", "::error::x", "$x$",
		"ftp://example.org", "mailto:a@example.org", "xmpp:a@example.org", "[ ] task", "[^1]",
	} {
		check(t, sentence)
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, rapid.StringOf(rapid.SampledFrom([]rune("ab[]()!<>*_~`|#@&;:/.$\\\n -+1w="))).Draw(t, "sentence"))
	})
}
