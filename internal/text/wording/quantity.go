package wording

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	// countStep and shareStep are from an amount to the next one.
	countStep, shareStep = 1, 0.01
	// butStep is how much less than all it is if one is not among them, of an unknown number.
	butStep, mostBut = 0.05, 3
	// nameReach is how many words after a quantity can name what is counted.
	nameReach = 3
)

// numerals are the words for the numbers from 0.
var numerals = strings.Fields("zero one two three four five six seven eight nine ten eleven twelve")

// parts are the words for parts of a whole, and how many of them it has.
var parts = map[string]float64{
	"half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4,
	"fifth": 5, "fifths": 5, "sixth": 6, "eighth": 8, "tenth": 10, "tenths": 10,
}

// nextToken splits a text after its first word, number, or sign, and the space before it. What only
// begins like a number, such as 3rd, is "".
func nextToken(text string) (token, rest string) {
	text = strings.TrimPrefix(text, " ")
	digit := func(i int) bool { return i < len(text) && '0' <= text[i] && text[i] <= '9' }
	letter := func(i int) bool { return i < len(text) && 'a' <= text[i] && text[i] <= 'z' }
	end := 0
	switch {
	case digit(0):
		for digit(end) || digit(end+1) && strings.IndexByte(".,", text[end]) >= 0 {
			end++
		}
		if letter(end) {
			end = 0
		}
	case letter(0):
		for letter(end) {
			end++
		}
	default:
		_, end = utf8.DecodeRuneInString(text)
	}
	return text[:end], text[end:]
}

// skip returns the text after the first of its tokens, if that is one of the given.
func skip(text string, tokens ...string) (rest string, found bool) {
	if token, rest := nextToken(text); slices.Contains(tokens, token) {
		return rest, true
	}
	return text, false
}

// readQuantity reads the quantity at the beginning of a text, after the words before it, and
// what it counts. It returns what follows.
func readQuantity(before, text string) (m measure, rest string, ok bool) {
	word, after := nextToken(text)
	if word == "" || endsWith(before, "#", ".", "-") {
		return m, text[1:], false // such as 3rd
	}
	if m, after, ok = readMeasure(before, word, after); !ok {
		return m, after, false
	}
	m.of, rest = readNames(after)
	rest = m.exceptions(rest)
	if len(m.of) == 0 {
		isDigits := '0' <= word[0] && word[0] <= '9' && !m.isPercent && m.total == 0
		if !canBeAlone(word, rest) || isDigits && strings.Trim(before, " ") != "" {
			return m, rest, false
		}
		if m.of, ok = nameBefore(before); !ok {
			return m, rest, false
		}
	}
	return m, rest, true
}

// readMeasure reads a quantity that begins with a word, without what it counts. It returns what
// follows.
func readMeasure(before, word, after string) (m measure, rest string, ok bool) {
	n, isNumber := numberOf(word)
	switch {
	case !isNumber && word[0] <= '9' || isIdiom(before, word): // such as 1.2.3
		return m, after, false
	case denies(word) && word != "zero":
		return readDenial(word, after)
	case isNumber:
		m, rest = readNumber(before, n, after)
	case word == "single" || word == "couple" || word == "both":
		m, rest = readPair(before, word, after)
	case parts[word] > 0:
		return readPart(before, word, after)
	default:
		m, rest = readQuantifier(before, word, after)
	}
	return m, rest, true
}

// isIdiom reports whether a word is no quantity after those before it, such as "at most".
func isIdiom(before, word string) bool {
	switch word {
	case "most":
		return endsWith(before, "at ")
	case "all":
		return endsWith(before, "at ", "above ")
	case "one":
		return endsWith(before, "no ", "each ", "every ", "this ", "that ", "which ", "another ")
	}
	return false
}

// readPart reads a part of a whole: "half", "a third".
func readPart(before, word, text string) (m measure, rest string, ok bool) {
	if word != "half" {
		token, _ := nextToken(text)
		isPart := token == "" || token[0] < 'a' || lexicon().kinds[token]&idle != 0
		if !isPart || !endsWith(before, "a ") {
			return m, text, false // "the third", "a third source"
		}
		before = strings.TrimSuffix(before, "a ")
	} else if endsWith(before, "first ", "second ", "other ") {
		return m, text, false
	}
	m.share = bounded(*exactly(1 / parts[word]), before, text, shareStep)
	return m, afterLimit(text), true
}

// readNumber reads what follows a number: a percent sign, the end of a range, the parts of a
// fraction, or how many there are in all.
func readNumber(before string, n float64, text string) (m measure, rest string) {
	a := *exactly(n)
	rest, m.isPercent = skip(text, "%", "percent")
	if between, isRange := skip(rest, "-", "–", "—", "to", "or", "and"); isRange {
		token, after := nextToken(between)
		if end, isNumber := numberOf(token); isNumber && end >= n {
			a, rest = amount{n, end, (n + end) / 2}, after
			if after, isPercent := skip(rest, "%", "percent"); isPercent {
				m.isPercent, rest = true, after
			}
		}
	}
	if m.isPercent {
		m.share = bounded(amount{a.low / 100, a.high / 100, a.at / 100}, before, rest, shareStep)
		return m, afterLimit(rest)
	}
	joined, _ := skip(rest, "-")
	if part, after := nextToken(joined); parts[part] > 0 {
		share := n / parts[part]
		return measure{share: bounded(*exactly(share), before, after, shareStep)}, afterLimit(after)
	}
	m.count = bounded(a, before, rest, countStep)
	rest = afterLimit(rest)
	if total, after, found := readTotal(rest); found && total >= a.high {
		m.total, rest = total, after
	}
	return m, rest
}

// readTotal reads how many there are in all: "of the four", "out of 4", "/4".
func readTotal(text string) (total float64, rest string, found bool) {
	rest, found = skip(text, "of", "/", "in")
	if !found {
		if rest, found = skip(text, "out"); found {
			rest, found = skip(rest, "of")
		}
	}
	rest, _ = skip(rest, "the", "its", "all", "these")
	token, rest := nextToken(rest)
	total, isNumber := numberOf(token)
	return total, rest, found && isNumber && total > 0
}

// afterLimit returns a text after the words that make the number before it a limit.
func afterLimit(text string) string {
	rest, found := skip(text, "or", "and", "at")
	if found {
		if rest, found = skip(rest, "more", "fewer", "less", "above", "below", "least", "most"); found {
			return rest
		}
	}
	rest, _ = skip(text, "+")
	return rest
}

// readPair reads "a single", "a couple", and "both".
func readPair(before, word, text string) (measure, string) {
	switch word {
	case "both":
		return measure{count: exactly(2), share: exactly(1), total: 2}, text
	case "couple":
		return measure{count: bounded(*exactly(2), strings.TrimSuffix(before, "a "), text, countStep)}, text
	}
	if endsWith(before, "not a ") || endsWith(before, "no ") {
		return measure{count: exactly(0), share: exactly(0)}, text
	}
	return measure{count: exactly(1)}, text
}

// readDenial reads what a denial says: "no claim", but not "no more than" and "not all".
func readDenial(word, text string) (m measure, rest string, ok bool) {
	next, after := nextToken(text)
	switch {
	case word == "not" && lexicon().levels[next] > 0 && next != "a":
		return m, after, false // "not all", "not fully": more than none
	case next == "more" || next == "fewer" || next == "less" || next == "longer" || next == "other" ||
		next == "only" || next == "just":
		return m, text, false
	case word == "not" && next == "one":
		text = after
	case word == "not" && next == "a":
		if single, found := skip(after, "single"); found {
			text = single
		}
	}
	return measure{count: exactly(0), share: exactly(0)}, text, true
}

// readQuantifier reads a word such as all, most, or often.
func readQuantifier(before, word, text string) (m measure, rest string) {
	level := lexicon().levels[word]
	if word == "majority" && endsWith(before, "vast ", "large ", "overwhelming ") {
		level = 1 - 2*butStep
	}
	if level < 1 {
		return measure{share: exactly(level)}, text
	}
	m.share = exactly(1)
	if endsWith(before, "fewer than ", "less than ", "nearly ", "almost ", "virtually ", "practically ", "hardly ") {
		m.share = exactly(1 - 2*butStep)
	}
	rest, _ = skip(text, "of")
	rest, _ = skip(rest, "the", "its", "these")
	token, after := nextToken(rest)
	if n, isNumber := numberOf(token); isNumber {
		m.count, m.total = exactly(n), n
		return m, after
	}
	return m, text
}

// excepting are words before what is not among all of something.
var excepting = []string{"but", "except", "save", "bar", "minus", "excluding"}

// exceptions reads how many are not among all of something: "but one", "except for two".
func (m *measure) exceptions(text string) string {
	if m.share == nil || m.share.at != 1 || m.isPercent {
		return text
	}
	rest, found := skip(text, excepting...)
	if !found {
		return text
	}
	rest, _ = skip(rest, "for")
	rest, _ = skip(rest, "the", "a")
	token, after := nextToken(rest)
	n, isNumber := numberOf(token)
	switch {
	case isNumber && n > 0:
		m.but = n
	case token == "last", token == "first":
		m.but = 1
	case token == "few", token == "couple":
		m.but = mostBut
	default:
		return text
	}
	m.share = exactly(1 - butStep*min(m.but, mostBut))
	m.count = nil
	if m.total > m.but {
		m.count = exactly(m.total - m.but)
	}
	if len(m.of) == 0 {
		m.of, after = readNames(after)
	}
	return after
}

// numberOf returns the number that a word or digits name. It reports false for what only looks like
// one, such as 1.2.3.
func numberOf(text string) (n float64, isNumber bool) {
	if i := slices.Index(numerals, text); i >= 0 {
		return float64(i), true
	}
	if text == "" || text[0] < '0' || '9' < text[0] {
		return 0, false
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
	return n, err == nil
}
