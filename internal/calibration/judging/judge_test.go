package judging

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// The end of a judge's output is kept in few bytes, from the start of a line.
func TestTailKeepsTheEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"x", "é", "\n", "\xff", strings.Repeat("long ", 200), strings.Repeat("y\n", 700)})).Draw(t, "parts")
		var kept tail
		for _, part := range parts {
			if n, err := kept.Write([]byte(part)); n != len(part) || err != nil {
				t.Fatalf("writing %d bytes: %d, %v", len(part), n, err)
			}
		}
		whole := strings.Join(parts, "")
		text := kept.text()
		if len(whole) <= maxError && text != strings.ToValidUTF8(whole, "\uFFFD") {
			t.Fatalf("of %q stays %q", whole, text)
		}
		if len(kept.kept) > maxError || !utf8.ValidString(text) {
			t.Fatalf("%d bytes are kept, valid %v", len(kept.kept), utf8.ValidString(text))
		}
		if !strings.HasSuffix(strings.ToValidUTF8(whole, "\uFFFD"), strings.TrimLeft(text, "\uFFFD")) {
			t.Fatalf("%q is not the end of %q", text, whole)
		}
	})
}
