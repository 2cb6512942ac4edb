package sanitize_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// inPlace are texts as people write them. The characters that do not show are
// escaped, so that a reader of this file sees them.
var inPlace = []struct{ reason, text string }{
	{"Arabic", "يذكر المستخدم هدفه بوضوح، ويقول لماذا يحتاج إليه."},
	{"Arabic with vowels", "كِتَابٌ مُفِيدٌ لِلْقَارِئِ"},
	{"Arabic: the end of a verse shows", "بسم الله \u06dd\u0661"},
	{"Arabic: the sign of a year shows", "\u0601\u0661\u0664\u0664 هجرية"},
	{"Arabic: a single letter in its initial form", "سنة ١٤٤٥ ه\u200d."},
	{"Persian: a non-joiner after a prefix", "کاربر می\u200cخواهد گزارش\u200cها را ببیند."},
	{"Persian: a non-joiner after a letter that joins to nothing", "کار\u200cها و خانه\u200cای"},
	{"Persian: a non-joiner after a vowel mark", "مِ\u200cی"},
	{"Persian: a non-joiner after a digit", "گروه ۵\u200cنفره"},
	{"Urdu", "صارف اپنا مقصد واضح طور پر بیان کرتا ہے۔"},
	{"Hebrew with points", "הַמִּשְׁתַּמֵּשׁ אומר מה הוא רוצה ולמה."},
	{"Syriac", "ܟܬܒܐ\u070fܐ"},
	{"Hindi", "उपयोगकर्ता स्पष्ट रूप से बताता है कि उसे क्या चाहिए।"},
	{"Hindi: a half letter", "क्\u200dष और र्\u200dय"},
	{"Hindi: a virama that shows", "क्\u200cष"},
	{"Marathi: a virama that shows at the end of a word", "वाक्\u200c है"},
	{"Bengali", "ব্যবহারকারী কী চান তা স্পষ্টভাবে বলেন।"},
	{"Bengali: ra with a joiner before the virama", "র\u200d্যাব"},
	{"Bengali: a virama that shows", "উদ্\u200cযাপন"},
	{"Bengali: a vowel with a joiner before the virama", "অ\u200d্যাসিড"},
	{"Kannada: ra before a consonant", "ರ\u200d್ಕ"},
	{"Malayalam: a letter as it was once written", "അവന്\u200d പറഞ്ഞു"},
	{"Telugu: a virama at the end of a word", "బ్యాంక్\u200c ఖాతా, సాఫ్ట్\u200cవేర్"},
	{"Sinhala", "ශ්\u200dරී ලංකාව"},
	{"Khmer: a non-joiner before a sign", "ប\u200c៉"},
	{"Thai", "ผู้ใช้บอกอย่างชัดเจนว่าต้องการอะไรและเพราะเหตุใด"},
	{"Thai, Khmer, Lao, and Burmese: a place where a line can end", "ผู้ใช้\u200bบอก អ្នក\u200bប្រើ ຜູ້\u200bໃຊ້ အသုံး\u200bပြုသူ"},
	{"Lao and Burmese", "ຜູ້ໃຊ້ အသုံးပြုသူ"},
	{"Chinese", "用户清楚地说明他想要什么，以及为什么。"},
	{"Chinese: a form of a name's character", "葛\U000e0100城、辻\U000e0101、難\ufe00"},
	{"Japanese and Korean", "ユーザーは何が欲しいかを説明する。 사용자는 원하는 것을 설명한다."},
	{"Mongolian: a selector and a separator", "ᠬ\u180bᠠᠭ\u180eᠠ ᠨᠢᠭ\u180bᠡ"},
	{"Braille with blanks", "\u2813\u2811\u2807\u2800\u2800\u2807\u2815"},
	{"Vietnamese, Greek, Russian and German", "Người dùng · χρήστης · пользователь · Maßstäbe"},
	{"spaces that show", "10\u00a0%\u2009–\u202f20\u3000年"},
	{"lines as Windows ends them, and tabs", "a\r\n\tb\n"},
	{"an emoji with its form", "done ✔\ufe0f, text ☎\ufe0e, ©\ufe0f"},
	{"an emoji of several", "👩\u200d💻 👨\u200d👩\u200d👧\u200d👦 🐻\u200d❄\ufe0f"},
	{"an emoji with a form inside", "🏳\ufe0f\u200d🌈 🏴\u200d☠\ufe0f 👁\ufe0f\u200d🗨\ufe0f ❤\ufe0f\u200d🔥"},
	{"an emoji with a shade", "👍🏽 👩🏽\u200d⚕\ufe0f 🧑🏿\u200d🤝\u200d🧑🏻"},
	{"a keycap", "1\ufe0f\u20e3 #\ufe0f\u20e3"},
	{"flags of countries", "🇩🇪🇮🇳🇮🇷"},
	{"flags of England, Scotland and Wales", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f🏴\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"},
}

func TestRealTextsAreLeftAlone(t *testing.T) {
	for _, tt := range inPlace {
		for _, c := range sanitize.FindHidden(tt.text) {
			t.Errorf("%s: U+%04X (%s) is found at byte %d of %+q", tt.reason, c.Rune, c.Kind, c.Start, tt.text)
		}
	}
}

// TestRealTextsInAnyOrder: what is right alone is right in any text.
func TestRealTextsInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := ""
		for _, i := range rapid.SliceOf(rapid.IntRange(0, len(inPlace)-1)).Draw(t, "texts") {
			text += inPlace[i].text + rapid.SampledFrom([]string{" ", "\n", ", ", "x"}).Draw(t, "between")
		}
		if found := sanitize.FindHidden(text); found != nil {
			t.Fatalf("%v is found in %+q", found, text)
		}
	})
}

func TestOutOfPlace(t *testing.T) {
	tests := []struct {
		reason, text string
		want         int
	}{
		{"a joiner after an Arabic letter and a joiner", "ه\u200d\u200d.", 2},
		{"a non-joiner between an Arabic letter and a Latin one", "م\u200ca", 1},
		{"a non-joiner at the end of an Arabic word", "کتاب\u200c.", 1},
		{"a zero-width space in an Arabic word", "کت\u200bاب", 1},
		{"a zero-width space in a Latin word", "wo\u200brd", 1},
		{"a zero-width space between a Thai letter and a Latin one", "ผู้\u200ba", 1},
		{"two zero-width spaces between Thai letters", "ใช้\u200b\u200bบอก", 2},
		{"a zero-width space before a Khmer vowel that does not show", "អ\u200b\u17b4", 2},
		{"a mark of the direction in Hebrew", "שלום\u200f (a)", 1},
		{"a joiner between Hebrew letters, which never join", "ש\u200dל", 1},
		{"a joiner between Indic letters without a virama", "क\u200dष", 1},
		{"two joiners after a virama", "क्\u200c\u200dष", 2},
		{"a virama without a letter", "\u094d\u200d", 1},
		{"a non-joiner before an accent, which is of all scripts", "e\u200c\u0301", 1},
		{"a joiner between Chinese characters", "用\u200d户", 1},
		{"two selectors after a Chinese character", "葛\U000e0100\U000e0101", 1},
		{"a selector after a letter", "a\U000e0100", 1},
		{"a selector for emoji after a Chinese character", "葛\ufe0f", 1},
		{"a Mongolian selector after a Latin letter", "a\u180b", 1},
		{"a vowel separator at the end", "ᠬ\u180e", 1},
		{"bytes in selectors after an emoji", "😊\U000e0158\U000e0155", 2},
		{"two selectors after an emoji", "✔\ufe0f\ufe0f", 1},
		{"a selector for emoji after a digit", "1\ufe0f", 1},
		{"an emoji joined to a letter", "👩\u200da", 1},
		{"an emoji joined to nothing", "👩\u200d", 1},
		{"a selector at the beginning", "\ufe0f✔", 1},
		{"tags after a flag that nobody has", "🏴\U000e0075\U000e0073\U000e0074\U000e0078\U000e007f", 5},
		{"a flag that is cut off", "🏴\U000e0067\U000e0062\U000e0065", 3},
		{"tags after the end of a flag", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f\U000e0041", 1},
		{"an Arabic sign in a Latin text", "no \u06dd verse", 1},
		{"a blank pattern in a Latin text", "a\u2800b", 1},
		{"a carriage return before a letter", "a\rb", 1},
	}
	for _, tt := range tests {
		if found := sanitize.FindHidden(tt.text); len(found) != tt.want {
			t.Errorf("%s: %v is found in %+q, want %d", tt.reason, found, tt.text, tt.want)
		}
	}
}
