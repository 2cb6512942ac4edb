package render

import (
	"testing"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

func TestCaretsStandUnderTheirCharacters(t *testing.T) {
	tests := []struct {
		reason       string
		line         string
		start, end   int // columns
		shown, caret string
	}{
		{"plain text", "name: x", 7, 8, "name: x", "      ^"},
		{"after characters of two bytes", "né: é!", 5, 6, "né: é!", "    ^"},
		{"after wide characters, which take two columns", "漢字: x", 5, 6, "漢字: x", "      ^"},
		{"wide characters are underlined in full", "a: 漢字", 4, 6, "a: 漢字", "   ^^^^"},
		{"combining marks take no column", "e\u0301x: y", 5, 6, "e\u0301x: y", "   ^"},
		{"emoji are wide", "🙂: x", 4, 5, "🙂: x", "    ^"},
		{"a tab is shown as four blanks", "a:\tx", 4, 5, "a:    x", "      ^"},
		{"a hidden character is shown by its number", "a\u202eb", 3, 4, "a<U+202E>b", "         ^"},
		{"an escape sequence can't act", "\x1b[31mred", 6, 9, "<U+001B>[31mred", "            ^^^"},
		{"a workflow command is broken up", "##[error]x", 10, 11, "## [error]x", "          ^"},
		{"an empty place shows the character after it", "a: ", 3, 3, "a:", "  ^"},
		{"a place at the end of the line", "ab", 3, 3, "ab", "  ^"},
	}
	for _, tt := range tests {
		l := source.Location{Start: source.Position{Line: 1, Column: tt.start}, End: source.Position{Line: 1, Column: tt.end}}
		shown, caret := underline(l, source.ExcerptLine{Number: 1, Column: 1, Text: tt.line}, columnsBefore, columnsAfter)
		if shown != tt.shown || caret != tt.caret {
			t.Errorf("%s:\ngot  %q\n     %q\nwant %q\n     %q", tt.reason, shown, caret, tt.shown, tt.caret)
		}
	}
}

func TestCaretsOfLongAndFollowingLines(t *testing.T) {
	l := source.Location{Start: source.Position{Line: 4, Column: 80}, End: source.Position{Line: 5, Column: 7}}
	shown, caret := underline(l, source.ExcerptLine{Number: 4, Column: 78, Text: "x: |", Cut: true}, columnsBefore, columnsAfter)
	if shown != "…x: |…" || caret != "   ^^" {
		t.Errorf("the cut line is\n%q\n%q", shown, caret)
	}
	shown, caret = underline(l, source.ExcerptLine{Number: 5, Column: 1, Text: "  text more"}, columnsBefore, columnsAfter)
	if shown != "  text more" || caret != "  ^^^^" {
		t.Errorf("the following line is\n%q\n%q", shown, caret)
	}
}

func TestWrap(t *testing.T) {
	for text, want := range map[string]string{
		"short":                           "short",
		"one two three four":              "one two\n  three\n  four",
		"  one two three":                 "  one two\n    three",
		"a-word-longer-than-the-terminal": "a-word-longer-than-the-terminal",
		"\x1b[1mone\x1b[0m two three":     "\x1b[1mone\x1b[0m two\n  three",
		"一二三 四五":                          "一二三 四\n  五",
		"git tag -m 'one two'":            "git tag -m 'one two'",
		"one\ntwo three four":             "one\ntwo three\n  four",
	} {
		if got := Wrap(text, 9); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}
