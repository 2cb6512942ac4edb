package yamltree

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

func TestQuote(t *testing.T) {
	tests := []struct {
		reason, text string
		style        Style
		want         string
	}{
		{"single quotes keep backslashes", `^\d+$`, SingleQuoted, `'^\d+$'`},
		{"a single quote is doubled", "it's", SingleQuoted, `'it''s'`},
		{"single quotes can't hold a line end", "a\nb", SingleQuoted, `"a\nb"`},
		{"double quotes", `say "a\b"`, DoubleQuoted, `"say \"a\\b\""`},
		{"no escapes as for HTML", "<a> & b", DoubleQuoted, `"<a> & b"`},
		{"characters that no file may hold", "\x7f\u0085\ufeff\u2028\x00", DoubleQuoted, `"\u007f\u0085\ufeff\u2028\u0000"`},
		{"any other style is double quotes", "a", Literal, `"a"`},
	}
	for _, tt := range tests {
		if got := Quote(tt.text, tt.style); got != tt.want {
			t.Errorf("%s: Quote(%q) = %s, want %s", tt.reason, tt.text, got, tt.want)
		}
	}
}

func TestQuotedTextsAreReadAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		style := rapid.SampledFrom([]Style{Plain, SingleQuoted, DoubleQuoted}).Draw(t, "style")
		quoted := Quote(text, style)
		tree, problems := Parse(source.NewFile("x.yaml", []byte("- "+quoted)))
		if tree == nil {
			t.Fatalf("%s is not read: %v", quoted, problems)
		}
		if got := tree.Root.Items[0]; got.Value != text || got.Type != String {
			t.Fatalf("%q is written %s and read %q", text, quoted, got.Value)
		}
		var decoded string
		if err := json.Unmarshal([]byte(Quote(text, DoubleQuoted)), &decoded); err != nil || decoded != text {
			t.Fatalf("%q is written as JSON that says %q, %v", text, decoded, err)
		}
	})
}
