package text

import "testing"

func TestPlain(t *testing.T) {
	for _, tt := range []struct {
		reason string
		a, b   string
		equal  bool
	}{
		{"case", "As a Clerk", "as a clerk", true},
		{"a letter with two lowercase forms", "ΣΟΦΟΣ", "σοφος", true},
		{"spaces and line ends", "a  b\r\n\tc ", "a b c", true},
		{"a space that does not break", "10\u00a0days", "10 days", true},
		{"dots at the end", "A case", "A case....", true},
		{"other quotes and dashes", "\"yes\" - no", "“yes” — no", true},
		{"accents in two characters", "cafe\u0301", "caf\u00e9", true},
		{"wide letters", "ＡＢＣ", "abc", true},
		{"a ligature", "ﬁle", "file", true},
		{"an invisible character in a word", "clerk", "cl\u200berk", true},
		{"a soft hyphen", "clerk", "cle\u00adrk", true},
		{"other punctuation in the middle", "one, two; three", "one two: three", true},

		{"another word", "a b", "a c", false},
		{"another number", "1.5 points", "15 points", false},
		{"two words in one", "foo bar", "foobar", false},
		{"another order", "a b", "b a", false},
		{"another sign", "a < b", "a > b", false},
		{"only punctuation", "...", "???", false},
		{"only punctuation, other spaces", "{ }", "{}", true},
		{"nothing", "", "a", false},
	} {
		if a, b := Plain(tt.a), Plain(tt.b); (a == b) != tt.equal {
			t.Errorf("%s: %q and %q: equal is %t, want %t", tt.reason, a, b, a == b, tt.equal)
		}
		if once := Plain(tt.a); Plain(once) != once {
			t.Errorf("%s: Plain(%q) is not plain", tt.reason, once)
		}
	}
}
