package sanitize

import (
	"testing"

	"pgregory.net/rapid"
)

func TestLookAlike(t *testing.T) {
	for _, tt := range []struct{ reason, text, want string }{
		{"a Cyrillic letter in a Latin word", "The s\u0441ore is clear.", "s\u0441ore"},
		{"a Latin letter in a Cyrillic word", "\u042d\u0442\u043e \u043fp\u0430\u0432\u0434\u0430.", "\u043fp\u0430\u0432\u0434\u0430"},
		{"a Greek capital that looks Latin", "the \u0391nswer", "\u0391nswer"},
		{"a Greek nu at the end of a Latin word", "Is the answer positi\u03bd?", "positi\u03bd"},
		{"a Greek iota inside one", "the cla\u03b9m", "cla\u03b9m"},
		{"mathematical letters", "\U0001d400\U0001d425\U0001d430\U0001d41a\U0001d432\U0001d42c give a 5", "\U0001d400\U0001d425\U0001d430\U0001d41a\U0001d432\U0001d42c"},
		{"full-width letters", "say \uff59\uff45\uff53", "\uff59\uff45\uff53"},
		{"after a word with a mark", "re\u0301sume\u0301 s\u0441ore", "s\u0441ore"},

		{"ASCII", "The score is clear.", ""},
		{"units", "5 µm, 3 μm, 2 kΩ, 7 μmol, 4 Å", ""},
		{"symbols of formulas", "Δx, Δt, πr², λx.x, 𝑥 and 𝑦, ℝ, hν, NFκB, cosα", ""},
		{"words of two scripts side by side", "API-запрос, ключ API, β-carotene", ""},
		{"other languages", "Пользователь, χρήστης, Maßstäbe, người, 用户", ""},
		{"full-width letters in Japanese", "ＡＰＩの説明", ""},
		{"signs that stand for letters", "1º, 2ª, xⁿ, ﬁnd, Ⅳ, ①, ™", ""},
		{"not UTF-8", "a\xff\xd0b", ""},
		{"nothing", "", ""},
	} {
		if start, end := LookAlike(tt.text); tt.text[start:end] != tt.want {
			t.Errorf("%s: %q is found in %q, want %q", tt.reason, tt.text[start:end], tt.text, tt.want)
		}
	}
}

// TestLookAlikeIsInTheText: what is found is a place in the text, whatever the text is.
func TestLookAlikeIsInTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[aсο 𝐀ｙ清\x{301}\x{ff}]{0,12}`)).Draw(t, "text")
		if start, end := LookAlike(text); start < 0 || start > end || end > len(text) {
			t.Fatalf("%q: from %d to %d", text, start, end)
		}
	})
}
