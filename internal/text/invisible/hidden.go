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
	names := [...]string{
		"visible character", "direction control", "zero-width character", "joiner", "filler", "tag character",
		"variation selector", "format character", "private-use character", "noncharacter", "control character", "line separator",
	}
	if int(k) >= len(names) {
		return "invalid"
	}
	return names[k]
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
	zwnj           = '\u200c'
	zwj            = '\u200d'
	vowelSeparator = '\u180e'
	blankBraille   = '\u2800'
	none           = -1 // the character before or after the text
)

// last returns the last character of a text.
func last(text string) rune {
	if text == "" {
		return none
	}
	r, _ := utf8.DecodeLastRuneInString(text)
	return r
}

// first returns the first character of a text.
func first(text string) rune {
	if text == "" {
		return none
	}
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

// withoutLast returns a text without its last character.
func withoutLast(text string) string {
	_, size := utf8.DecodeLastRuneInString(text)
	return text[:len(text)-size]
}
