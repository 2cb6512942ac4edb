package sanitize

import (
	_ "embed"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// HiddenKind says how a character is hidden. The zero HiddenKind means that it is not.
type HiddenKind uint8

// The kinds of hidden characters.
const (
	Bidi         HiddenKind = iota + 1 // changes the order in which text is shown
	ZeroWidth                          // has no width
	Joiner                             // joins or separates two letters, and has no width
	Filler                             // looks like a space but is not one
	Tag                                // an invisible copy of ASCII
	Variation                          // selects a form of the character before it
	Format                             // affects how other characters are shown, but is not shown itself
	Private                            // has only a privately agreed meaning
	Noncharacter                       // is permanently reserved
	Control                            // C0 and C1, except line feed, tab, and the carriage return in CRLF
	LineEnd                            // ends a line only in some programs
)

// String returns the name of the kind for messages, such as "tag character".
func (k HiddenKind) String() string {
	return [...]string{
		"visible character", "direction control", "zero-width character", "joiner", "filler", "tag character",
		"variation selector", "format character", "private-use character", "noncharacter",
		"control character", "line separator",
	}[k]
}

// HiddenCharacter is a hidden character of a text.
type HiddenCharacter struct {
	// Start and End are its range of bytes in the text.
	Start, End int
	Rune       rune
	Kind       HiddenKind
}

// FindHidden returns the hidden characters of a text, in order. Invalid UTF-8 bytes are not
// among them.
func FindHidden(text string) []HiddenCharacter {
	var found []HiddenCharacter
	for i := 0; i < len(text); {
		if b := text[i]; ' ' <= b && b <= '~' || b == '\n' || b == '\t' {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if k := HiddenKindOf(r); k != 0 && !inPlace(text, i, i+size, r, k) {
			found = append(found, HiddenCharacter{i, i + size, r, k})
		}
		i += size
	}
	return found
}

// HiddenKindOf returns the kind of a character, whatever is next to it; 0 if it is never hidden.
func HiddenKindOf(r rune) HiddenKind {
	if r&0xfffe == 0xfffe {
		return Noncharacter // the last two of each plane
	}
	if e := lookup(r); e != nil {
		return e.kind
	}
	return 0
}

// CharacterName returns the name of a character or of its group, in lowercase, such as
// "right-to-left override".
func CharacterName(r rune) string {
	if e := lookup(r); e != nil && e.name != "" {
		return e.name
	}
	return HiddenKindOf(r).String()
}

func lookup(r rune) *entry {
	all := table()
	i := sort.Search(len(all), func(i int) bool { return all[i].last >= r })
	if i < len(all) && all[i].first <= r && r != '\n' && r != '\t' {
		return &all[i]
	}
	return nil
}

// inPlace reports whether the character at text[start:end], which is hidden elsewhere, is
// needed there.
func inPlace(text string, start, end int, r rune, k HiddenKind) bool {
	before, after := text[:start], text[end:]
	switch {
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
	kind        HiddenKind
	name        string // "" for the name of the kind
	// script is the one with whose letters a Format character is visible, around or above
	// the digits that follow it; nil if there is none.
	script *unicode.RangeTable
}

// hiddenText has all hidden characters, except the last two of each plane, in order: a
// range, its kind, and its name if it has one of its own. Its sources are the properties
// Default_Ignorable_Code_Point, Bidi_Control, and Noncharacter_Code_Point and the general
// categories Cc, Cf, and Co of Unicode 17. It also has the line ends that only some programs
// support, the blank Braille pattern, and all code points that Unicode reserves for more such
// characters.
//
//go:embed hidden.txt
var hiddenText string

var table = sync.OnceValue(func() (entries []entry) {
	kinds := strings.Fields("visible bidi zero-width joiner filler tag variation format private noncharacter control line-end")
	for line := range strings.Lines(hiddenText) {
		words := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 3)
		e := entry{kind: HiddenKind(slices.Index(kinds, words[1]))}
		e.first, e.last = codeRange(words[0])
		if len(words) == 3 {
			e.name = words[2]
			script, _, _ := strings.Cut(e.name, " ")
			e.script = unicode.Scripts[script]
		}
		entries = append(entries, e)
	}
	return entries
})

// codeRange returns the ends of a range such as 200e-200f, or a single code point twice.
func codeRange(text string) (first, last rune) {
	start, end, isRange := strings.Cut(text, "-")
	if !isRange {
		end = start
	}
	a, _ := strconv.ParseUint(start, 16, 32)
	b, _ := strconv.ParseUint(end, 16, 32)
	return rune(a), rune(b)
}
