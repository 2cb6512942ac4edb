package levels

import (
	"math"
	"strings"
	"testing"
	"time"
)

// FuzzTexts: no text of a stranger breaks the reading of levels, and none of its words is lost.
func FuzzTexts(f *testing.F) {
	for _, seed := range []string{"5-", "4 - Good", "Excellent (9-10): x\n- **1**: y", "< 60", "1 (best) to 5 (worst)", "★★★☆☆", "score_1_description", "- 3 – 4 = a\nb\n90+: c", "Rate it from 0 to 10.", "A: a\nF: b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l := Label(text)
		if l.Low > l.High || math.IsNaN(l.Low) != math.IsNaN(l.High) {
			t.Errorf("%q is from %v to %v", text, l.Low, l.High)
		}
		ReadLabel(text)
		Scale(text)
		InDescription(text)
		rest, all := In(text)
		if len(all) == 0 && rest != text {
			t.Errorf("%q became %q", text, rest)
		}
		got := rest
		for _, l := range all {
			got += " " + l.ScoreAndName() + " " + l.Text
		}
		for line := range strings.Lines(text) {
			if words := strings.Fields(line); len(words) > 0 && isWord(words[len(words)-1]) && !strings.Contains(got, words[len(words)-1]) {
				t.Errorf("%q of %q is not in %q", words[len(words)-1], text, got)
			}
		}
		if len(all) > 1 {
			if _, err := Place([]Ladder{{Levels: all, Question: rest}}, Scale(text), Options{}); err != nil && err.Error() == "" {
				t.Error("an error without words")
			}
		}
	})
}

// TestLongTexts: the time to read a text grows as its length.
func TestLongTexts(t *testing.T) {
	for _, part := range []string{"a ", "1 ", "- ", "1: a\n", "words\n", "rated ", "1 (", "a:", "Good - "} {
		text := "1: a\n2: b\n" + strings.Repeat(part, 1<<20/len(part))
		start := time.Now()
		Label(text)
		In(text)
		Scale(text)
		InDescription(text)
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("a text of 1 MiB of %q took %v", part, took)
		}
	}
}

// isWord reports whether a word has only letters.
func isWord(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < 'a' || r > 'z' })
}
