// Package invisible finds the characters of a text that a person who reviews it
// does not see and a program that reads it does: controls of the direction,
// characters without width, tags, selectors, and what has no agreed meaning.
//
// Emoji and the joiners that real scripts need are left alone where they stand
// as they are written there. The table of hidden characters is fixed, so that a
// newer toolchain makes no right text wrong. The tables of scripts that let a
// character stand are those of package unicode: a newer one lets more stand.
package invisible

import (
	"sort"
	"unicode/utf8"
)

// Kind says in what way a character is hidden. The zero Kind is of those that are
// not.
type Kind uint8

// The kinds of hidden characters.
const (
	Bidi         Kind = iota + 1 // changes the order in which text is shown
	ZeroWidth                    // takes no room
	Joiner                       // joins or parts two letters, and takes no room
	Filler                       // takes room as a space does and is none
	Tag                          // repeats ASCII without being shown
	Variation                    // chooses a form of the character before it
	Format                       // says how others are shown, and is not shown itself
	Private                      // has the meaning that two parties agree on
	Noncharacter                 // stands for nothing, for ever
	Control                      // C0 and C1, but line feed and tab, and the carriage return of CRLF
	LineEnd                      // ends a line in some programs only
)

// String names the kind in the words of messages, such as "tag character".
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
	// Start and End are the bytes of the text that it takes.
	Start, End int
	Rune       rune
	Kind       Kind
}

// Find returns the hidden characters of a text, in its order. Bytes that are not
// UTF-8 are none.
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

// Of is the kind of a character, whatever stands beside it; 0 if it is never
// hidden.
func Of(r rune) Kind {
	if r&0xfffe == 0xfffe {
		return Noncharacter // the last two of each plane
	}
	if e := lookup(r); e != nil {
		return e.kind
	}
	return 0
}

// Name is what a character is called, in small letters, such as "right-to-left
// override": its own name or that of its group.
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

// inPlace tells whether a character that is hidden elsewhere stands where it is
// needed: at text[start:end].
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
	none           = -1 // stands for the character before or after the text
)

// last is the last character of a text.
func last(text string) rune {
	if text == "" {
		return none
	}
	r, _ := utf8.DecodeLastRuneInString(text)
	return r
}

// first is the first character of a text.
func first(text string) rune {
	if text == "" {
		return none
	}
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

// withoutLast is a text without its last character.
func withoutLast(text string) string {
	_, size := utf8.DecodeLastRuneInString(text)
	return text[:len(text)-size]
}
