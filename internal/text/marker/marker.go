// Package marker recognizes texts that only stand for a text that is not written yet: TODO,
// "TBD (ask Ann)", "???", or lorem ipsum.
//
// A text that begins with such a marker is a text of its own only if the marker is a noun in it,
// as in "TODO markers are left in two sections" or "TBD is used for the date". What else can
// follow a marker is a remark or an order: "TODO describe 1". A text that begins with another
// word is never a marker.
package marker

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Context says what is known about a text.
type Context struct {
	// English says that the text is in English.
	English bool
	// Title says that the text can be a noun without a verb, such as "TODO comments".
	Title bool
}

// Found is what a text is.
type Found uint8

// The kinds of texts.
const (
	None     Found = iota // a text
	Alone                 // a marker, with nothing but signs around it
	Remarked              // a marker with a remark or an order
)

// Find reports whether a text only stands for a text.
func Find(text string, c Context) Found {
	if c.English && isPhrase(text) {
		return Alone
	}
	if text != "" && isASCIILetter(text[0]) && !begins(text) {
		return None // most texts
	}
	rest := strings.TrimLeft(text, leading)
	switch {
	case !isLetter(rest) && isBare(text):
		return Alone
	case rest == "" || !mayBegin(rest[0]):
		return None
	}
	r := reader{rest: narrow(rest), quoted: endsWithAny(text[:len(text)-len(rest)], quotes), Context: c}
	r.label()
	if !r.marker() {
		return None
	}
	return r.remark()
}

// The signs that can surround a marker: those of lists, comments, brackets, emphasis, and quotes.
const (
	quotes   = "\"'`“”„‟‘’‚«»‹›"
	brackets = "([{<"
	closing  = ")]}>"
	emphasis = "*_~"
	leading  = " \t\r\n-–—#/+!%|" + brackets + closing + emphasis + quotes
	// filler are signs that stand for a text if there is nothing else.
	filler = ".…‥⋯?？!！-–—―_。．・·•"
	signs  = " \t\r\n\u00a0\u3000*~/,;:" + filler + brackets + closing + quotes
)

// isBare reports whether a text consists of signs. Brackets and quotes alone can be a text, such
// as an empty list.
func isBare(text string) bool {
	return strings.Trim(text, signs) == "" && strings.ContainsAny(text, filler)
}

// mayBegin reports whether a marker, or the label before one, can begin with a byte.
func mayBegin(b byte) bool {
	return b >= 0x80 || strings.IndexByte("tTfFxXnNlL?.0123456789sSaAgGeEcCrRdD", b) >= 0
}

// begins reports whether a marker, or the label before one, can begin with the first two bytes of a
// text that begins with a letter.
func begins(text string) bool {
	second := byte(' ')
	if len(text) > 1 {
		second = text[1] | 0x20
	}
	switch text[0] | 0x20 {
	case 't':
		return second == 'o' || second == 'b'
	case 'f':
		return second == 'i'
	case 'x':
		return second == 'x'
	case 'n':
		return second == '/' || second == '.'
	case 'l':
		return second == 'o' || second == 'e'
	case 's':
		return second == 'c'
	case 'a':
		return second == 'n'
	case 'g', 'c':
		return second == 'r'
	case 'e':
		return second == 'x'
	case 'r':
		return second == 'u'
	}
	return false
}

func isASCIILetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

func endsWithAny(text, chars string) bool {
	last := []rune(strings.TrimRight(text, emphasis))
	return len(last) > 0 && strings.ContainsRune(chars, last[len(last)-1])
}

// narrow writes full-width characters as those of ASCII, and an ellipsis as dots.
func narrow(text string) string {
	isWide := func(r rune) bool { return r >= '！' && r <= '～' || strings.ContainsRune("…‥⋯\u00a0\u3000", r) }
	if strings.IndexFunc(text, isWide) < 0 {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		switch {
		case r >= '！' && r <= '～':
			out.WriteRune(r - '！' + '!')
		case r == '\u00a0' || r == '\u3000':
			out.WriteByte(' ')
		case isWide(r):
			out.WriteString("...")
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// reader reads a text from its first marker on.
type reader struct {
	Context
	rest   string
	last   string // the last marker, in lowercase
	upper  bool   // the last marker is in uppercase
	quoted bool   // it follows an opening quotation mark
}

// labels are the first words of a label before a marker, as in "Level 2: TODO".
var labels = strings.Fields("level score anchor grade example excerpt criterion rule")

// label skips a label that repeats what the text is for.
func (r *reader) label() {
	const most = 30
	at := strings.IndexAny(r.rest[:min(len(r.rest), most)], ":-.([)–—")
	if at <= 0 {
		return
	}
	words := strings.Fields(strings.ToLower(r.rest[:at]))
	isNumber := len(words) == 1 && strings.Trim(words[0], "0123456789") == ""
	if len(words) == 0 || !isNumber && !slices.Contains(labels, words[0]) || len(words) > 3 {
		return
	}
	_, size := utf8.DecodeRuneInString(r.rest[at:])
	r.rest = strings.TrimLeft(r.rest[at+size:], leading)
}

// words are the markers that are words, in lowercase.
var words = []string{"todo", "tbd", "tbc", "tba", "fixme", "xxx", "n/a", "n.a.", "lorem ipsum"}

// marker reads a marker, with a number after it. It reports false if there is none.
func (r *reader) marker() bool {
	if dots := len(r.rest) - len(strings.TrimLeft(r.rest, ".?")); dots >= 2 {
		r.last, r.upper, r.rest = r.rest[:1], true, r.rest[dots:]
		return true
	}
	for _, word := range words {
		if len(r.rest) < len(word) || !strings.EqualFold(r.rest[:len(word)], word) {
			continue
		}
		end := len(word)
		for word == "xxx" && end < len(r.rest) && r.rest[end]|0x20 == 'x' {
			end++
		}
		written := r.rest[:end]
		after := r.rest[end:]
		number := strings.TrimLeft(strings.TrimLeft(after, "_-"), "0123456789")
		if number == "" || !isLetter(number) && number != after {
			after = number
		}
		if continues(after) {
			return false
		}
		r.last, r.upper, r.rest = word, written == strings.ToUpper(word), after
		return true
	}
	return false
}

// isLetter reports whether a text begins with a letter.
func isLetter(text string) bool {
	for _, c := range text {
		return unicode.IsLetter(c) || c == '_'
	}
	return false
}

// continues reports whether a text continues a word, as in TODOs, TODO.md, and TODO-list.
func continues(text string) bool {
	if text == "" {
		return false
	}
	c := []rune(text[:min(len(text), 2*utf8.UTFMax)])
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
	return inWord(c[0]) || strings.ContainsRune("-./@+#&'’", c[0]) && len(c) > 1 && inWord(c[1]) && !isChain(text)
}

// isChain reports whether a text begins with a slash and another marker.
func isChain(text string) bool {
	next := reader{rest: strings.TrimPrefix(text, "/")}
	return strings.HasPrefix(text, "/") && next.marker()
}

// remark reads what follows a marker.
func (r *reader) remark() Found {
	text, closed := cutAny(strings.TrimLeft(r.rest, ":.!?"), quotes)
	if closed && r.quoted && isLetter(strings.TrimLeft(text, " "+emphasis)) {
		return None // the marker is quoted
	}
	found := Alone
	for {
		r.rest = strings.TrimLeft(r.rest, " \t"+closing+emphasis+quotes)
		switch {
		case strings.Trim(r.rest, signs) == "":
			return found
		case strings.ContainsAny(r.rest[:1], brackets):
			found = Remarked
			end := strings.IndexAny(r.rest, closing)
			if end < 0 {
				return Remarked
			}
			r.rest = r.rest[end:]
			continue
		}
		before := r.rest
		r.rest = strings.TrimLeft(r.rest, " \t\r\n,/&+")
		if link, after, _ := strings.Cut(r.rest, " "); link == "and" || link == "or" {
			r.rest = after
		}
		if !r.marker() {
			r.rest = before
			break
		}
	}
	switch {
	case r.last == ".": // an excerpt can begin with dots
		return None
	case startsWithAny(r.rest, ".:;!?=–—|-\n\r") || r.says():
		return Remarked
	}
	return None
}

func cutAny(text, chars string) (rest string, found bool) {
	rest = strings.TrimLeft(text, emphasis)
	for _, c := range chars {
		if after, ok := strings.CutPrefix(rest, string(c)); ok {
			return after, true
		}
	}
	return text, false
}

func startsWithAny(text, chars string) bool {
	for _, c := range text {
		return strings.ContainsRune(chars, c)
	}
	return false
}
