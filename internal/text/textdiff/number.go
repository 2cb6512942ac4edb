package textdiff

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mostDigits is the length in bytes of the longest number. What is longer is no amount that people
// compare.
const mostDigits = 40

// numberEnd is where the number at a place of a text ends, or the place itself if there is none. A
// number is written in digits or in words: 20, 1,000, 10-20, 20%, 20ms, twenty, one hundred. Digits
// in a name, such as v2 and file.20, are none, and neither are those next to a character that can't
// be seen.
func numberEnd(text string, at int) int {
	if !startsNumber(text[:at]) {
		return at
	}
	if end := digitsEnd(text, at); end > at {
		return end
	}
	return namedEnd(text, at)
}

// startsNumber reports whether a number can follow a text, because it would not be part of a name.
func startsNumber(before string) bool {
	last, size := utf8.DecodeLastRuneInString(before)
	if isGlued(last) && size > 0 {
		return false
	}
	if !strings.ContainsRune(".,-–/_", last) {
		return true
	}
	inner, size := utf8.DecodeLastRuneInString(before[:len(before)-size])
	return size == 0 || !isGlued(inner)
}

// isGlued reports whether a character next to a number makes it part of something else.
func isGlued(r rune) bool {
	if unicode.IsSpace(r) || unicode.In(r, unspaced...) {
		return false
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.Cf, unicode.Cc) || strings.ContainsRune("_'’\uFFFD", r)
}

// beginsGlued reports whether a text after a number makes it part of something else.
func beginsGlued(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	return size > 0 && isGlued(r)
}

// digitsEnd is where a number in digits ends, with its unit.
func digitsEnd(text string, at int) int {
	end := groupsEnd(text, at, skipDigits(text, at))
	if end == at {
		return at
	}
	for end < len(text) && end-at <= mostDigits {
		sign := size(text[end:])
		next := skipDigits(text, end+sign)
		if next == end+sign || !strings.Contains(".,:/-–", text[end:end+sign]) {
			break
		}
		end = next
	}
	if end-at > mostDigits {
		return at
	}
	return unitEnd(text, at, end)
}

// groupsEnd is where digits that begin with a group end if spaces are between groups of three, as in
// 100 000.
func groupsEnd(text string, at, end int) int {
	if n := utf8.RuneCountInString(text[at:end]); n < 1 || n > 3 {
		return end
	}
	for end < len(text) && end-at <= mostDigits {
		gap := size(text[end:])
		next := skipDigits(text, end+gap)
		if !strings.Contains(" \u00A0\u2009\u202F", text[end:end+gap]) || utf8.RuneCountInString(text[end+gap:next]) != 3 {
			break
		}
		end = next
	}
	return end
}

func skipDigits(text string, at int) int {
	for isDigit(text[at:]) {
		at += size(text[at:])
	}
	return at
}

// unitEnd is where the unit that is glued to a number ends, such as "ms" or " %".
func unitEnd(text string, at, end int) int {
	unit := end
	for unit < len(text) && unit-end < mostUnit && startsWithLetter(text[unit:]) {
		unit += size(text[unit:])
	}
	if unit == end {
		for _, percent := range []string{"%", " %", "\u00A0%", "\u202F%", "‰"} {
			if strings.HasPrefix(text[end:], percent) {
				unit += len(percent)
				break
			}
		}
	}
	if unit == end {
		unit = scaleEnd(text, end)
	}
	rest, isPoint := strings.CutPrefix(text[unit:], ".")
	if beginsGlued(text[unit:]) || isPoint && (startsWithLetter(rest) || isDigit(rest)) {
		return at // such as 0x1F, 3.md, or 1.2.x
	}
	return unit
}

// mostUnit is the length in bytes of the longest unit that is glued to a number.
const mostUnit = 12

func size(text string) int {
	_, size := utf8.DecodeRuneInString(text)
	return size
}

func isDigit(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsDigit(r)
}

func startsWithLetter(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(r) && !unicode.In(r, unspaced...)
}

// The words for numbers, by value, and the words that multiply the number before them.
var (
	small = strings.Fields(`zero one two three four five six seven eight nine ten eleven twelve thirteen
		fourteen fifteen sixteen seventeen eighteen nineteen`)
	tens  = strings.Fields("_ _ twenty thirty forty fifty sixty seventy eighty ninety")
	scale = map[string]float64{"hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9}
	parts = strings.Fields("half halves third thirds quarter quarters fifth fifths sixth sixths eighth eighths tenth tenths")
)

// named is the value of a word for a number.
func named(word string) (n float64, found bool) {
	if i := slices.Index(small, word); i >= 0 {
		return float64(i), true
	}
	i := slices.Index(tens, word)
	return float64(10 * i), i > 1
}

// namedEnd is where a number in English words ends, such as "twenty-one", "two thirds", or "half".
func namedEnd(text string, at int) int {
	first := strings.ToLower(text[at:wordEnd(text, at)])
	if _, isNumber := named(first); !isNumber && first != "half" {
		return at
	}
	end := at + len(first)
	for first != "half" && end-at <= 2*mostDigits {
		next := nextName(text, end)
		if next == end {
			break
		}
		end = next
	}
	if beginsGlued(text[end:]) || end-at > 2*mostDigits {
		return at
	}
	return end
}

// nextName is where the next word of a number in words ends, or the place itself if it has none.
func nextName(text string, at int) int {
	for _, separator := range []string{" ", "-", " and "} {
		rest, found := strings.CutPrefix(text[at:], separator)
		if !found {
			continue
		}
		end := wordEnd(rest, 0)
		next := strings.ToLower(rest[:end])
		_, isNumber := named(next)
		switch {
		case separator == " and " && (!isNumber || !endsWithScale(text[:at])):
		case isNumber, scale[next] > 0, slices.Contains(parts, next):
			return at + len(separator) + end
		}
	}
	return at
}

func endsWithScale(text string) bool {
	last := text[strings.LastIndexAny(text, " -")+1:]
	return scale[strings.ToLower(last)] > 0
}

// scaleEnd is where a word such as "million" after digits ends, or the place itself.
func scaleEnd(text string, at int) int {
	rest, found := strings.CutPrefix(text[at:], " ")
	if !found {
		return at
	}
	if end := wordEnd(rest, 0); scale[strings.ToLower(rest[:end])] > 0 {
		return at + 1 + end
	}
	return at
}

// readings are the values that a number can have, in one form. There are several if it can be read
// in several ways: 1.000 is one thousand in some languages.
func readings(written string) []string {
	text := ascii(strings.ToLower(written))
	if n, ok := valueOfWords(text); ok {
		return []string{plain(n)}
	}
	if text == "half" {
		return []string{"0.5", "50%"}
	}
	rest := strings.TrimLeft(text, " 0123456789.,:/-")
	digits, unit := strings.ReplaceAll(strings.TrimSuffix(text, rest), " ", ""), rest
	factor := 1.0
	if scale[unit] > 0 {
		factor, unit = scale[unit], ""
	}
	forms := []string{strings.ReplaceAll(digits, ",", ".")}
	if isGrouped(digits) {
		forms = append(forms, strings.ReplaceAll(digits, ",", ""),
			strings.ReplaceAll(strings.ReplaceAll(digits, ".", ""), ",", "."))
	}
	var all []string
	for _, form := range forms {
		if n, err := strconv.ParseFloat(form, 64); err == nil {
			all = append(all, plain(n*factor)+unit)
		}
	}
	if len(all) == 0 {
		return []string{digits + unit}
	}
	return all
}

// isGrouped reports whether digits are in groups of three.
func isGrouped(digits string) bool {
	groups := strings.FieldsFunc(digits, func(r rune) bool { return r == '.' || r == ',' })
	for i, g := range groups {
		isFraction := i > 0 && i == len(groups)-1 && strings.ContainsRune(digits, '.') && strings.ContainsRune(digits, ',')
		if !isFraction && (i == 0 && len(g) > 3 || i > 0 && len(g) != 3) {
			return false
		}
	}
	return len(groups) > 1
}

func plain(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// ascii writes the digits of every script, dashes, and spaces in one form.
func ascii(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '–':
			return '-'
		case unicode.IsSpace(r):
			return ' '
		case r > unicode.MaxASCII && unicode.IsDigit(r):
			return '0' + digitValue(r)
		}
		return r
	}, text)
}

// digitValue is the value of a digit: in Unicode, those of a script follow each other from 0.
func digitValue(r rune) rune {
	for _, digits := range unicode.Nd.R16 {
		if rune(digits.Lo) <= r && r <= rune(digits.Hi) {
			return (r - rune(digits.Lo)) % 10
		}
	}
	for _, digits := range unicode.Nd.R32 {
		if rune(digits.Lo) <= r && r <= rune(digits.Hi) {
			return (r - rune(digits.Lo)) % 10
		}
	}
	return 0
}

// valueOfWords is the value of a number in words. It reports false for a fraction and for words that
// are several numbers.
func valueOfWords(text string) (value float64, ok bool) {
	group := 0.0
	last := 0.0 // what the word before counted, 0 at the start and after hundred
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '-' }) {
		n, isNumber := named(w)
		switch {
		case w == "and" && value+group > 0:
		case scale[w] == 100 && group > 0:
			group, last = group*100, 0
		case scale[w] > 100 && group > 0:
			value, group, last = value+group*scale[w], 0, 0
		case isNumber && (last == 0 || last >= 20 && n < 10 && n > 0):
			group, last, ok = group+n, n, true
		default:
			return 0, false
		}
	}
	return value + group, ok
}
