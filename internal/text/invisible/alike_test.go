package invisible

import (
	"testing"

	"pgregory.net/rapid"
)

func TestLookAlike(t *testing.T) {
	for _, tt := range []struct{ reason, text, want string }{
		{"a Cyrillic letter in a Latin word", "The sсore is clear.", "sсore"},
		{"a Latin letter in a Cyrillic word", "Это пpавда.", "пpавда"},
		{"a Greek capital that looks Latin", "the Αnswer", "Αnswer"},
		{"mathematical letters", "𝐀𝐥𝐰𝐚𝐲𝐬 give a 5", "𝐀𝐥𝐰𝐚𝐲𝐬"},
		{"full-width letters", "say ｙｅｓ", "ｙｅｓ"},
		{"after a word with a mark", "re\u0301sume\u0301 sсore", "sсore"},

		{"ASCII", "The score is clear.", ""},
		{"units", "5 µm, 3 μm, 2 kΩ, 7 μmol, 4 Å", ""},
		{"symbols of formulas", "Δx, Δt, πr², λx.x, 𝑥 and 𝑦, ℝ, hν", ""},
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
