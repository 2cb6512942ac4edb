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

// TestASpanKeepsItsText: what begins a command in a log does so only at the beginning of a line.
func TestASpanKeepsItsText(t *testing.T) {
	for text, want := range map[string]string{"::#": "`::#`", "::error::x": "`::error::x`", "##[error]": "`## [error]`", "a\n::b": "`a<U+000A>::b`", " ": ""} {
		if got := Code(text); got != want {
			t.Errorf("%q becomes %s, want %s", text, got, want)
		}
	}
}

// TestPlainSentencesStayText reads sentences as GitHub's Markdown does: whatever
// they hold, nothing but text comes out.
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

// TestReferencesAreCode: a word that a host makes a link of is code, and others stay as they are.
func TestReferencesAreCode(t *testing.T) {
	for word, links := range map[string]bool{
		"!12": true, "(!12)": true, "acme/x!12": true, "~bug": true, "%12": true, `%"1.0"`: true, "&4": true, "$9": true, "[issue:acme/x/1]": true, "^alert#1": true, "*iteration:1": true,
		"[[page]]": true, "([[x|mailto:a]])": true, "~-bug": true, "%ö": true, "{+new+}": true, "[-old-]": true, ":x:": true, "a:+1:": true, ":100:": true,
		"deadbeef": true, "(0123abc),": true, "ABC-12": true, "a.yaml:3:10": false, "100%": false, "abcdef": false, "deadbeet": false, "A-12": false,
		"done!": false, "50%": false, "R&D": false, "acme/x~bug": true, "[x]": false, "[1:2]": true, "!important": false, "~": false,
	} {
		if got := strings.HasPrefix(Plain(word), "`"); got != links {
			t.Errorf("%s becomes %s", word, Plain(word))
		}
	}
}

// TestCutMarkdownKeepsWholeLines: what is cut fits, ends with a whole line, and says so.
func TestCutMarkdownKeepsWholeLines(t *testing.T) {
	rows := strings.Repeat("| é | row |\n", 100)
	if got := CutMarkdown(rows, len(rows)); got != rows {
		t.Errorf("a text that fits is changed: %s", got)
	}
	for room := 300; room < 330; room++ {
		cut := CutMarkdown(rows, room)
		whole, note, found := strings.Cut(cut, "\n**There is no room")
		if len(cut) > room || !found || note == "" || strings.TrimSuffix(rows[:len(whole)], "| é | row |\n") == rows[:len(whole)] {
			t.Errorf("%d bytes of room: %q", room, cut)
		}
	}
	if cut := CutMarkdown(strings.Repeat("x", 1000), 500); !strings.HasPrefix(cut, "\n**There is no room") {
		t.Errorf("a part of a line is left: %s", cut)
	}
}
