package sanitize

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// greekAlike are the Greek letters that look like Latin ones and are not common as
// symbols; package unicode does not have this property.
const greekAlike = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο"

// greekAlikeInWords are those that look like Latin ones and are symbols, such as ν in hν, so that they are
// part of a word only beside fewestLatin lowercase letters.
const (
	greekAlikeInWords = "νυικ"
	fewestLatin       = 2
)

// LookAlike returns the place of the first word that people read as Latin letters and
// programs do not; it is empty if there is none. Such a word mixes Latin with Cyrillic, or
// with Greek letters that look like Latin ones, or has two or more mathematical or
// full-width letters. Units such as "µm" are fine, and so are full-width letters among
// Chinese, Japanese, or Korean ones.
func LookAlike(text string) (start, end int) {
	if !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf && unicode.IsLetter(r) }) {
		return 0, 0
	}
	eastAsian := strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
	})
	for start < len(text) {
		word := strings.IndexFunc(text[start:], unicode.IsLetter)
		if word < 0 {
			break
		}
		start += word
		length, looksAlike := wordAlike(text[start:], eastAsian)
		if looksAlike {
			return start, start + length
		}
		start += length
	}
	return 0, 0
}

// wordAlike is the length of the word at the beginning of a text, and whether people read it as
// Latin letters and programs do not.
func wordAlike(text string, eastAsian bool) (length int, looksAlike bool) {
	var latin, foreign, symbol bool
	styled, lowercase := 0, 0
	for _, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			break
		}
		isLatin := unicode.Is(unicode.Latin, r)
		latin = latin || isLatin
		symbol = symbol || strings.ContainsRune(greekAlikeInWords, r)
		if isLatin && unicode.IsLower(r) {
			lowercase++
		}
		foreign = foreign || unicode.Is(unicode.Cyrillic, r) || strings.ContainsRune(greekAlike, r)
		if isStyled(r) && !(isLatin && eastAsian) {
			styled++
		}
		length += utf8.RuneLen(r)
	}
	return length, latin && foreign || symbol && lowercase >= fewestLatin || styled > 1
}

// isStyled reports whether a character is an ASCII letter in another form.
func isStyled(r rune) bool {
	if r < utf8.RuneSelf || !unicode.IsUpper(r) && !unicode.IsLower(r) {
		return false
	}
	return len(norm.NFKC.String(string(r))) == 1
}
