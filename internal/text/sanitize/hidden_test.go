package sanitize_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// TestHiddenBetweenLetters goes through what reviewers do not see and judges do.
func TestHiddenBetweenLetters(t *testing.T) {
	tests := []struct {
		reason      string
		first, last rune
		kind        sanitize.HiddenKind
	}{
		{"embeddings and overrides show text in another order (CVE-2021-42574)", 0x202a, 0x202e, sanitize.Bidi},
		{"so do isolates", 0x2066, 0x2069, sanitize.Bidi},
		{"and marks of the direction", 0x200e, 0x200f, sanitize.Bidi},
		{"the Arabic mark, too", 0x061c, 0x061c, sanitize.Bidi},
		{"a zero-width space parts a word that looks whole", 0x200b, 0x200b, sanitize.ZeroWidth},
		{"the joiners are for scripts and emoji", 0x200c, 0x200d, sanitize.Joiner},
		{"a word joiner", 0x2060, 0x2060, sanitize.ZeroWidth},
		{"operators of formulas that are not written", 0x2061, 0x2064, sanitize.ZeroWidth},
		{"a byte order mark inside a text", 0xfeff, 0xfeff, sanitize.ZeroWidth},
		{"a soft hyphen shows at the end of a line only", 0x00ad, 0x00ad, sanitize.ZeroWidth},
		{"prints by unicode.IsPrint and shows nothing", 0x034f, 0x034f, sanitize.ZeroWidth},
		{"inherent vowels are not written", 0x17b4, 0x17b5, sanitize.ZeroWidth},
		{"tags spell ASCII that judges read", 0xe0020, 0xe007f, sanitize.Tag},
		{"as does the deprecated tag of a language", 0xe0001, 0xe0001, sanitize.Tag},
		{"selectors of forms", 0xfe00, 0xfe0f, sanitize.Variation},
		{"the other selectors are 240 values to hide bytes in", 0xe0100, 0xe01ef, sanitize.Variation},
		{"selectors for Mongolian", 0x180b, 0x180d, sanitize.Variation},
		{"the last of them", 0x180f, 0x180f, sanitize.Variation},
		{"the vowel separator of Mongolian", 0x180e, 0x180e, sanitize.ZeroWidth},
		{"fillers of Hangul look like a space", 0x115f, 0x1160, sanitize.Filler},
		{"the compatible one, too", 0x3164, 0x3164, sanitize.Filler},
		{"and the narrow one", 0xffa0, 0xffa0, sanitize.Filler},
		{"a Braille pattern without dots looks like a space", 0x2800, 0x2800, sanitize.Filler},
		{"numbers signs need digits", 0x0600, 0x0605, sanitize.Format},
		{"the deprecated shaping controls", 0x206a, 0x206f, sanitize.Format},
		{"annotations between the lines", 0xfff9, 0xfffb, sanitize.Format},
		{"reserved for more of the kind", 0xfff0, 0xfff8, sanitize.Format},
		{"reserved among the invisible operators", 0x2065, 0x2065, sanitize.Format},
		{"hieroglyphs", 0x13430, 0x1343f, sanitize.Format},
		{"shorthand", 0x1bca0, 0x1bca3, sanitize.Format},
		{"music", 0x1d173, 0x1d17a, sanitize.Format},
		{"private use means what two parties agree on", 0xe000, 0xf8ff, sanitize.Private},
		{"the private planes", 0x10fff0, 0x10fffd, sanitize.Private},
		{"permanently not characters", 0xfdd0, 0xfdef, sanitize.Noncharacter},
		{"the last two of a plane", 0xfffe, 0xffff, sanitize.Noncharacter},
		{"those of a private plane, too", 0x10fffe, 0x10ffff, sanitize.Noncharacter},
		{"controls up to tab", 0x0000, 0x0008, sanitize.Control},
		{"controls between line feed and carriage return", 0x000b, 0x000c, sanitize.Control},
		{"a carriage return alone", 0x000d, 0x000d, sanitize.Control},
		{"other controls", 0x000e, 0x001f, sanitize.Control},
		{"delete", 0x007f, 0x007f, sanitize.Control},
		{"C1", 0x0080, 0x0084, sanitize.Control},
		{"a line end to some", 0x0085, 0x0085, sanitize.LineEnd},
		{"the rest of C1", 0x0086, 0x009f, sanitize.Control},
		{"a line end of Unicode", 0x2028, 0x2029, sanitize.LineEnd},
	}
	for _, tt := range tests {
		for r := tt.first; r <= tt.last; r++ {
			want := []sanitize.HiddenCharacter{{Start: 1, End: 1 + utf8.RuneLen(r), Rune: r, Kind: tt.kind}}
			if diff := cmp.Diff(want, sanitize.FindHidden("a"+string(r)+"b")); diff != "" {
				t.Errorf("%s: U+%04X (-want +got):\n%s", tt.reason, r, diff)
			}
			if sanitize.HiddenKindOf(r) != tt.kind {
				t.Errorf("%s: U+%04X is a %s, want a %s", tt.reason, r, sanitize.HiddenKindOf(r), tt.kind)
			}
		}
	}
}

// TestEveryInvisiblePropertyIsCovered asks package unicode, whose tables are not
// those of this package.
func TestEveryInvisiblePropertyIsCovered(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		wanted := r != '\n' && r != '\t' && unicode.In(r, unicode.Cf, unicode.Cc, unicode.Co, unicode.Zl, unicode.Zp,
			unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Bidi_Control, unicode.Noncharacter_Code_Point)
		if found := sanitize.FindHidden("a" + string(r) + "b"); wanted && len(found) != 1 {
			t.Errorf("U+%04X is found %d times, want once", r, len(found))
		}
	}
}

// TestWhatShowsIsNotHidden: no assigned character that has a shape is hidden.
func TestWhatShowsIsNotHidden(t *testing.T) {
	shown := []*unicode.RangeTable{unicode.L, unicode.N, unicode.P, unicode.S, unicode.Zs, unicode.Mc, unicode.Me}
	fillers := "\u115f\u1160\u3164\uffa0\u2800"
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if unicode.In(r, shown...) && !strings.ContainsRune(fillers, r) && sanitize.HiddenKindOf(r) != 0 {
			t.Errorf("U+%04X is a %s, and it shows", r, sanitize.HiddenKindOf(r))
		}
	}
}

func TestNamesOfCharacters(t *testing.T) {
	for r, want := range map[rune]string{
		0x202e: "right-to-left override", 0x200b: "zero-width space", 0xfe0f: "variation selector",
		0xe0041: "tag character", 0xe000: "private-use character", 0xfffff: "noncharacter", 0x1b: "control character", 'a': "visible character",
	} {
		if got := sanitize.CharacterName(r); got != want {
			t.Errorf("U+%04X is called %q, want %q", r, got, want)
		}
	}
}

func TestNotUTF8IsNotHidden(t *testing.T) {
	if found := sanitize.FindHidden("a\xff\xc3b\xe2\x80"); found != nil {
		t.Errorf("bytes that are no text are found: %v", found)
	}
}

func FuzzFind(f *testing.F) {
	f.Add("a\u202eb")
	f.Add("می\u200cخواهم")
	f.Add("👩🏽\u200d💻 \U0001f3f4\U000e0067\U000e0062")
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, c := range sanitize.FindHidden(text) {
			if c.Start < end || c.End > len(text) || text[c.Start:c.End] != string(c.Rune) {
				t.Fatalf("%v is not in %q after byte %d", c, text, end)
			}
			if c.Kind == 0 || c.Kind != sanitize.HiddenKindOf(c.Rune) || sanitize.CharacterName(c.Rune) == "" {
				t.Fatalf("%v is of the kind %s", c, sanitize.HiddenKindOf(c.Rune))
			}
			end = c.End
		}
	})
}
