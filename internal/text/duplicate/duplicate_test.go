package duplicate

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/rubric-library/rubric-library/internal/dev/quick"
)

const story = "As a nurse, I want to see which patients are due for medication, so that I forget nobody."

func TestKey(t *testing.T) {
	for _, tt := range []struct {
		reason, a, b string
		equal        bool
	}{
		{"case", "Export Orders", "export ORDERS", true},
		{"spaces and line ends", "export  orders\n", "export orders", true},
		{"spaces inside words", "e x p o r t orders", "export orders", true},
		{"dots at the end", "export orders...........", "export orders", true},
		{"any punctuation", "«export»—orders!?", "export, orders", true},
		{"all punctuation of ASCII", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~export orders", "export orders", true},
		{"a hyphen", "e-mail", "email", true},
		{"apostrophes", "it's", "it’s", true},
		{"characters that can't be seen", "ex\u200bport\u00ad or\u2060ders\ufe0f", "export orders", true},
		{"wide letters", "ｅｘｐｏｒｔ", "export", true},
		{"decomposed letters", "cafe\u0301", "café", true},
		{"a letter with two lowercase forms", "ΣΟΦΟΣ", "σοφος", true},
		{"a space that does not break", "10\u00a0days", "10 days", true},
		{"a ligature", "ﬁle", "file", true},
		{"another order", "a b", "b a", false},
		{"only punctuation, in another layout", "{\n}", "{ }", true},
		{"other words", "export orders", "export order", false},
		{"accents", "pêche", "péché", false},
		{"a number and its tenth", "1.5 of them", "15 of them", false},
		{"a number in two notations", "1.5 of them", "1,5 of them", true},
		{"emoji that say the opposite", "done 👍", "done 👎", false},
		{"texts of punctuation alone", "?", "!", false},
		{"a text and none", "?", "", false},
		{"another script", "你好。世界", "你好世界", true},
	} {
		if (Key(tt.a) == Key(tt.b)) != tt.equal {
			t.Errorf("%s: %q has the key %q, and %q has %q", tt.reason, tt.a, Key(tt.a), tt.b, Key(tt.b))
		}
	}
}

func TestNearly(t *testing.T) {
	long := ""
	for i := range 60 {
		long += fmt.Sprintf("In step %d, the tester notes what the screen shows. ", i)
	}
	for _, tt := range []struct {
		reason, a, b string
		near         bool
	}{
		{"two characters changed", story, strings.Replace(strings.Replace(story, "nurse", "norse", 1), "nobody", "nobodi", 1), true},
		{"two characters added", story, strings.Replace(strings.Replace(story, "nurse", "nuurse", 1), "nobody", "nobodyy", 1), true},
		{"two characters removed", story, strings.Replace(strings.Replace(story, "nurse", "nrse", 1), "nobody", "nobdy", 1), true},
		{"a short text with two characters changed", "We polished a few things.", "We polishad a few thongs.", true},
		{"inside a longer text, with two characters changed", "Story: " + strings.Replace(story, "patients", "potiants", 1) + " It takes a day.", story, true},
		{"a long text with a sentence changed", long, strings.Replace(long, "step 7,", "the seventh step of all,", 1), true},
		{"another person and wish", story, "As a guest, I want to book a table for two, so that I don't have to wait at the door.", false},
		{"a short text with two characters changed is another", "Fixed a loop.", "Fixed a leak.", false},
		{"a short text inside another", "Fixed a loop.", "Fixed a loop. Then we fixed the search as well.", false},
		{"no text", "", story, false},
	} {
		a, b := Read(tt.a), Read(tt.b)
		if a.NearlyEquals(b) != tt.near || b.NearlyEquals(a) != tt.near {
			t.Errorf("%s: %v and %v, want %v", tt.reason, a.NearlyEquals(b), b.NearlyEquals(a), tt.near)
		}
	}
}

// TestDistance compares the distance with its definition by recursion.
func TestDistance(t *testing.T) {
	var edits func(a, b []rune) int
	edits = func(a, b []rune) int {
		switch {
		case len(a) == 0 || len(b) == 0:
			return len(a) + len(b)
		case a[0] == b[0]:
			return edits(a[1:], b[1:])
		}
		return 1 + min(edits(a[1:], b), edits(a, b[1:]), edits(a[1:], b[1:]))
	}
	word := rapid.StringOfN(rapid.RuneFrom([]rune("abc")), 0, 6, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, b := []rune(word.Draw(t, "a")), []rune(word.Draw(t, "b"))
		if got, want := distance(a, b, false), edits(a, b); got != want {
			t.Fatalf("%q and %q: %d, want %d", string(a), string(b), got, want)
		}
		least := len(a)
		for from := range len(b) + 1 {
			for to := from; to <= len(b); to++ {
				least = min(least, edits(a, b[from:to]))
			}
		}
		if got := distance(a, b, true); got != least {
			t.Fatalf("%q inside %q: %d, want %d", string(a), string(b), got, least)
		}
		if k := len(a) / 2; least <= k && !sharesPiece(a, b, k) {
			t.Fatalf("%q is inside %q with %d edits, and no piece of it is", string(a), string(b), least)
		}
	})
}

// TestKeyIgnoresWhatItLeavesOut: a key is its own key, and neither spaces nor case change it.
func TestKeyIgnoresWhatItLeavesOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		key := Key(text)
		if again := Key(key); again != key {
			t.Fatalf("%q has the key %q, which has the key %q", text, key, again)
		}
		if padded := Key(" \t" + text + "\n "); padded != key {
			t.Fatalf("%q has the key %q, and with spaces around it %q", text, key, padded)
		}
	})
}

// TestKeysOfASCII: the short way for texts in ASCII gives the same keys as the long one, which a
// character takes that has no part in the key.
func TestKeysOfASCII(t *testing.T) {
	ascii := rapid.StringOf(rapid.RuneFrom([]rune("aZ019 .,-!\n")))
	rapid.Check(t, func(t *rapid.T) {
		text := ascii.Draw(t, "text")
		if key, long := Key(text+"z"), Key(text+"z\u200b"); key != long {
			t.Fatalf("%q has the key %q, want %q", text, key, long)
		}
	})
}
