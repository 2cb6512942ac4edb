package evaluate

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// Whatever the name of the temporary folder and however a command writes, the
// same output gives the same text.
func TestOutputDependsOnWhatIsWrittenOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{
			hiddenAs, "é", "\xFF", "/tmp/rubric", "line\n", strings.Repeat("x", 1000), strings.Repeat("é", 4000),
		})).Draw(t, "parts")
		wantText, wantTruncated := written(t, parts, "/tmp/rubric-check-1")
		text, truncated := written(t, parts, "/var/a/much/longer/name/rubric-check-"+strings.Repeat("1", 30))
		if text != wantText || truncated != wantTruncated {
			t.Fatalf("truncated %v and %v, texts\n%q\n%q", wantTruncated, truncated, wantText, text)
		}
		if !utf8.ValidString(text) || len(text) > 2*maxOutput {
			t.Fatalf("%d bytes of text, valid %v", len(text), utf8.ValidString(text))
		}
		whole := strings.Join(parts, "")
		if truncated != (len(whole) > maxOutput) || !truncated && text != strings.ToValidUTF8(whole, "\uFFFD") {
			t.Fatalf("truncated is %v for %d bytes:\n%q\n%q", truncated, len(whole), whole, text)
		}
	})
}

// written writes parts, with a folder's path for its stand-in, in chunks of any
// size.
func written(t *rapid.T, parts []string, path string) (text string, truncated bool) {
	rest := []byte(strings.ReplaceAll(strings.Join(parts, ""), hiddenAs, path))
	o := newOutput([]string{path})
	for len(rest) > 0 {
		n := min(len(rest), rapid.IntRange(1, 4096).Draw(t, "chunk"))
		_, _ = o.Write(rest[:n])
		rest = rest[n:]
	}
	return o.text()
}
