package sanitize

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// cursive are the scripts whose letters join, so that a joiner between two of them changes
// their form.
var cursive = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mandaic, unicode.Mongolian, unicode.Nko, unicode.Phags_Pa,
	unicode.Adlam, unicode.Hanifi_Rohingya, unicode.Manichaean, unicode.Psalter_Pahlavi, unicode.Sogdian,
	unicode.Chorasmian, unicode.Old_Uyghur,
}

// joinsLetters reports whether a script needs a joiner. The contexts are close to A1,
// A2, and B of UAX #31, but also include what people write in practice: a non-joiner
// after a letter that joins to nothing, a joiner that gives a single letter its form,
// and a virama at the end of a word. Two joiners in a row are never needed.
func joinsLetters(before, after string, joiner rune) bool {
	next := first(after)
	if isJoiner(last(before)) || isJoiner(next) {
		return false
	}
	return joinsCursive(before, next, joiner) || joinsIndic(before, next)
}

func isJoiner(r rune) bool { return r == zwj || r == zwnj }

func joinsCursive(before string, next, joiner rune) bool {
	previous := baseOf(before)
	for _, script := range cursive {
		left, right := unicode.Is(script, previous), unicode.Is(script, next)
		if left && right || joiner == zwj && (left && unicode.IsLetter(previous) || right && unicode.IsLetter(next)) {
			return true
		}
	}
	return false
}

// mostMarks is how many marks are skipped to find their letter.
const mostMarks = 8

// baseOf returns the last character of a text that is not a mark.
func baseOf(text string) rune {
	for range mostMarks {
		if !unicode.Is(unicode.Mn, last(text)) {
			break
		}
		text = withoutLast(text)
	}
	return last(text)
}

// joinsIndic reports whether a joiner is next to a virama, or between a letter and a
// sign of a script of India and its neighbors.
func joinsIndic(before string, next rune) bool {
	previous := last(before)
	if isVirama(previous) {
		return isLetterOrMark(last(withoutLast(before)))
	}
	return isLetterOrMark(previous) && (isVirama(next) || isSign(next))
}

// isVirama reports whether a character removes the vowel from the preceding consonant:
// it has the canonical combining class 9, which Unicode never changes.
func isVirama(r rune) bool {
	return r > unicode.MaxLatin1 && norm.NFC.PropertiesString(string(r)).CCC() == 9
}

// isSign reports whether a character is a mark of a single script, such as a vowel
// sign. Accents belong to all scripts.
func isSign(r rune) bool {
	return unicode.Is(unicode.M, r) && !unicode.Is(unicode.Inherited, r) && HiddenKindOf(r) == 0
}

func isLetterOrMark(r rune) bool { return unicode.IsLetter(r) || isSign(r) }

// selectsLetter reports whether a selector chooses a form of a Chinese character or of a
// Mongolian letter: at most one for each.
func selectsLetter(before string, selector rune) bool {
	previous := last(before)
	switch {
	case '\u180b' <= selector && selector <= '\u180f':
		return isMongolian(previous)
	case selector <= '\ufe02', selector >= 0xe0100:
		return unicode.Is(unicode.Han, previous)
	}
	return false
}

func isMongolian(r rune) bool { return unicode.Is(unicode.Mongolian, r) && unicode.IsLetter(r) }

// partsMongolian reports whether a vowel separator is before the last vowel of a
// Mongolian word. A selector can be between it and its letter.
func partsMongolian(before, after string) bool {
	if HiddenKindOf(last(before)) == Variation {
		before = withoutLast(before)
	}
	return isMongolian(last(before)) && isMongolian(first(after))
}

// partsWords reports whether a zero-width space is between two characters of a script
// that has no spaces between words: it says where a line can end.
func partsWords(previous, next rune) bool {
	for _, script := range []*unicode.RangeTable{unicode.Thai, unicode.Khmer, unicode.Lao, unicode.Myanmar} {
		if unicode.Is(script, previous) && unicode.Is(script, next) {
			return HiddenKindOf(previous) == 0 && HiddenKindOf(next) == 0
		}
	}
	return false
}

// besideItsScript reports whether a sign is near a letter of its script.
func besideItsScript(before, after string, sign rune) bool {
	script := lookup(sign).script
	return script != nil && near(before, after, func(r rune) bool { return unicode.Is(script, r) && HiddenKindOf(r) == 0 })
}

// besideBraille reports whether a blank pattern is a space in a Braille text.
func besideBraille(before, after string) bool {
	return near(before, after, func(r rune) bool { return unicode.Is(unicode.Braille, r) && r != blankBraille })
}

// reach is how many characters on each side count as near.
const reach = 8

func near(before, after string, wanted func(rune) bool) bool {
	for range reach {
		if wanted(last(before)) || wanted(first(after)) {
			return true
		}
		before = withoutLast(before)
		_, size := utf8.DecodeRuneInString(after)
		after = after[size:]
	}
	return false
}
