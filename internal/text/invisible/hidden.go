// Package invisible finds the characters of a text that programs read and reviewers do
// not see: direction controls, zero-width characters, tags, variation selectors, and
// characters without a standard meaning.
//
// Emoji, and joiners where a script needs them, are allowed. The table of hidden
// characters is fixed, so that a newer toolchain does not reject an accepted text. The
// tables of scripts that allow a character are those of package unicode, so a newer
// toolchain can allow more.
package invisible

import (
	"sort"
	"unicode/utf8"
)

// Kind says how a character is hidden. The zero Kind means that it is not.
type Kind uint8

// The kinds of hidden characters.
const (
	Bidi         Kind = iota + 1 // changes the order in which text is shown
	ZeroWidth                    // has no width
	Joiner                       // joins or separates two letters, and has no width
	Filler                       // looks like a space but is not one
	Tag                          // an invisible copy of ASCII
	Variation                    // selects a form of the character before it
	Format                       // affects how other characters are shown, but is not shown itself
	Private                      // has only a privately agreed meaning
	Noncharacter                 // is permanently reserved
	Control                      // C0 and C1, except line feed, tab, and the carriage return in CRLF
	LineEnd                      // ends a line only in some programs
)

// String returns the name of the kind for messages, such as "tag character".
func (k Kind) String() string {
	return [...]string{
		"visible character", "direction control", "zero-width character", "joiner", "filler", "tag character",
		"variation selector", "format character", "private-use character", "noncharacter", "control character", "line separator",
	}[k]
}

// Character is a hidden character of a text.
type Character struct {
	// Start and End are its range of bytes in the text.
	Start, End int
	Rune       rune
	Kind       Kind
}

// Find returns the hidden characters of a text, in order. Invalid UTF-8 bytes are not
// among them.
func Find(text string) []Character {
	var found []Character
	for i := 0; i < len(text); {
		if b := text[i]; ' ' <= b && b <= '~' || b == '\n' || b == '\t' {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if k := Of(r); k != 0 && !inPlace(text, i, i+size, r, k) {
			found = append(found, Character{i, i + size, r, k})
		}
		i += size
	}
	return found
}

// Of returns the kind of a character, whatever is next to it; 0 if it is never hidden.
func Of(r rune) Kind {
	if r&0xfffe == 0xfffe {
		return Noncharacter // the last two of each plane
	}
	if e := lookup(r); e != nil {
		return e.kind
	}
	return 0
}

// Name returns the name of a character or of its group, in lowercase, such as
// "right-to-left override".
func Name(r rune) string {
	if e := lookup(r); e != nil && e.name != "" {
		return e.name
	}
	return Of(r).String()
}

func lookup(r rune) *entry {
	i := sort.Search(len(table), func(i int) bool { return table[i].last >= r })
	if i < len(table) && table[i].first <= r && r != '\n' && r != '\t' {
		return &table[i]
	}
	return nil
}

// inPlace reports whether the character at text[start:end], which is hidden elsewhere, is
// needed there.
func inPlace(text string, start, end int, r rune, k Kind) bool {
	switch before, after := text[:start], text[end:]; {
	case r == '\r':
		return end < len(text) && text[end] == '\n'
	case r == zwj:
		return joinsEmoji(before, after) || joinsLetters(before, after, r)
	case r == zwnj:
		return joinsLetters(before, after, r)
	case k == Tag:
		return inFlag(text, start)
	case k == Variation:
		return selectsEmoji(before, after, r) || selectsLetter(before, r)
	case r == zeroWidthSpace:
		return partsWords(last(before), first(after))
	case r == vowelSeparator:
		return partsMongolian(before, after)
	case r == blankBraille:
		return besideBraille(before, after)
	case k == Format:
		return besideItsScript(before, after, r)
	}
	return false
}

const (
	zeroWidthSpace = '\u200b'
	zwnj           = '\u200c'
	zwj            = '\u200d'
	vowelSeparator = '\u180e'
	blankBraille   = '\u2800'
	none           = -1 // the character before or after the text
)

func last(text string) rune {
	if text == "" {
		return none
	}
	r, _ := utf8.DecodeLastRuneInString(text)
	return r
}

func first(text string) rune {
	if text == "" {
		return none
	}
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

func withoutLast(text string) string {
	_, size := utf8.DecodeLastRuneInString(text)
	return text[:len(text)-size]
}

// entry is a range of hidden characters of one kind.
type entry struct {
	first, last rune
	kind        Kind
	name        string // "" for the name of the kind
}

// table has all hidden characters, except the last two of each plane, in order. Its
// sources are the properties Default_Ignorable_Code_Point, Bidi_Control, and
// Noncharacter_Code_Point and the general categories Cc, Cf, and Co of Unicode 17. It
// also has the line ends that only some programs support, the blank Braille pattern,
// and all code points that Unicode reserves for more such characters.
var table = []entry{
	{0x0000, 0x001f, Control, ""},
	{0x007f, 0x0084, Control, ""},
	{0x0085, 0x0085, LineEnd, "next line"},
	{0x0086, 0x009f, Control, ""},
	{0x00ad, 0x00ad, ZeroWidth, "soft hyphen"},
	{0x034f, 0x034f, ZeroWidth, "combining grapheme joiner"},
	{0x0600, 0x0605, Format, "Arabic number sign"},
	{0x061c, 0x061c, Bidi, "Arabic letter mark"},
	{0x06dd, 0x06dd, Format, "Arabic end of ayah"},
	{0x070f, 0x070f, Format, "Syriac abbreviation mark"},
	{0x0890, 0x0891, Format, "Arabic currency mark"},
	{0x08e2, 0x08e2, Format, "Arabic disputed end of ayah"},
	{0x115f, 0x1160, Filler, "Hangul filler"},
	{0x17b4, 0x17b5, ZeroWidth, "Khmer inherent vowel"},
	{0x180b, 0x180d, Variation, "Mongolian variation selector"},
	{0x180e, 0x180e, ZeroWidth, "Mongolian vowel separator"},
	{0x180f, 0x180f, Variation, "Mongolian variation selector"},
	{0x200b, 0x200b, ZeroWidth, "zero-width space"},
	{0x200c, 0x200c, Joiner, "zero-width non-joiner"},
	{0x200d, 0x200d, Joiner, "zero-width joiner"},
	{0x200e, 0x200e, Bidi, "left-to-right mark"},
	{0x200f, 0x200f, Bidi, "right-to-left mark"},
	{0x2028, 0x2028, LineEnd, "line separator"},
	{0x2029, 0x2029, LineEnd, "paragraph separator"},
	{0x202a, 0x202a, Bidi, "left-to-right embedding"},
	{0x202b, 0x202b, Bidi, "right-to-left embedding"},
	{0x202c, 0x202c, Bidi, "pop directional formatting"},
	{0x202d, 0x202d, Bidi, "left-to-right override"},
	{0x202e, 0x202e, Bidi, "right-to-left override"},
	{0x2060, 0x2060, ZeroWidth, "word joiner"},
	{0x2061, 0x2064, ZeroWidth, "invisible operator"},
	{0x2065, 0x2065, Format, ""},
	{0x2066, 0x2066, Bidi, "left-to-right isolate"},
	{0x2067, 0x2067, Bidi, "right-to-left isolate"},
	{0x2068, 0x2068, Bidi, "first strong isolate"},
	{0x2069, 0x2069, Bidi, "pop directional isolate"},
	{0x206a, 0x206f, Format, "deprecated format character"},
	{0x2800, 0x2800, Filler, "blank Braille pattern"},
	{0x3164, 0x3164, Filler, "Hangul filler"},
	{0xe000, 0xf8ff, Private, ""},
	{0xfdd0, 0xfdef, Noncharacter, ""},
	{0xfe00, 0xfe0f, Variation, ""},
	{0xfeff, 0xfeff, ZeroWidth, "byte order mark"},
	{0xffa0, 0xffa0, Filler, "Hangul filler"},
	{0xfff0, 0xfff8, Format, ""},
	{0xfff9, 0xfffb, Format, "interlinear annotation"},
	{0x110bd, 0x110bd, Format, "Kaithi number sign"},
	{0x110cd, 0x110cd, Format, "Kaithi number sign"},
	{0x13430, 0x1343f, Format, "hieroglyph control"},
	{0x1bca0, 0x1bca3, Format, "shorthand control"},
	{0x1d173, 0x1d17a, Format, "musical control"},
	{0xe0000, 0xe007f, Tag, ""},
	{0xe0080, 0xe00ff, Format, ""},
	{0xe0100, 0xe01ef, Variation, ""},
	{0xe01f0, 0xe0fff, Format, ""},
	{0xf0000, 0x10ffff, Private, ""},
}
