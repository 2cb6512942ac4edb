package wording

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// amount is how many or how much of something there is, such as 3 to 5 or, as a share, 0.5.
type amount struct{ low, high float64 }

// value returns a number by which amounts can be ordered.
func (a *amount) value() float64 {
	if math.IsInf(a.high, 1) {
		return a.low
	}
	return (a.low + a.high) / 2
}

// unit is what an amount counts: the beginning of a word such as "sources", or "%".
type unit struct {
	of               string
	isShare, isWrong bool
}

// measure is an amount in an anchor.
type measure struct {
	unit
	amount
	// isUnclear says that the anchor has another amount of the unit, such as the second limit of a
	// length: which one decides is unknown.
	isUnclear bool
}

// numerals are the words for the numbers from 0.
var numerals = strings.Fields("zero one two three four five six seven eight nine ten")

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

// phrase is a number or a quantifier, the end of its range, and what it counts: "3", "5", and
// "sources" in "3 to 5 of the sources".
type phrase struct{ from, to, counted string }

// readPhrase reads the phrase at the beginning of a text, and returns what follows.
func readPhrase(text string) (p phrase, rest string) {
	skip := func(tokens ...string) bool {
		token, after := nextToken(rest)
		found := slices.Contains(tokens, token)
		if found {
			rest = after
		}
		return found
	}
	p.from, rest = nextToken(text)
	skip("%")
	before := rest
	if skip("-", "–", "—", "to", "or", "and") {
		token, after := nextToken(rest)
		if _, isNumber := numberOf(token); isNumber {
			p.to, rest = token, after
		} else {
			rest = before
		}
	}
	if skip("%") {
		p.counted = "%"
	}
	if before := rest; skip("or") && !skip("more", "fewer", "less") {
		rest = before
	}
	for token, after := nextToken(rest); ; token, after = nextToken(rest) {
		_, isNumber := numberOf(token)
		if !isNumber && token != "of" && token != "the" && token != "its" {
			if token != "" && 'a' <= token[0] && token[0] <= 'z' {
				p.counted, rest = cmp.Or(p.counted, token), after
			}
			return p, rest
		}
		rest = after
	}
}

// firstWords is how many words of an anchor measure it, and nextWords are how many can contradict
// them. What follows is about other things.
const firstWords, nextWords = 6, 20

// measuresOf returns the amounts at the beginning of an anchor.
func measuresOf(anchor string) (all []measure) {
	sentence, _, _ := strings.Cut(anchor, ". ")
	var room [256]byte // for most texts
	begin, n := room[:0], 0
	for word := range strings.FieldsSeq(sentence) {
		if n++; n > nextWords {
			break
		}
		begin = append(append(begin, strings.ToLower(word)...), ' ')
	}
	text := strings.TrimSuffix(string(begin), " ")
	text = strings.ReplaceAll(text, "three quarters", "quarters")
	add := func(m measure, before string) {
		k := slices.IndexFunc(all, func(other measure) bool { return other.unit == m.unit })
		if k >= 0 {
			all[k].isUnclear = all[k].isUnclear || all[k].amount != m.amount
		} else if strings.Count(before, " ") < firstWords {
			all = append(all, m)
		}
	}
	for from, to := nextWord(text, 0); from < to; from, to = nextWord(text, to) {
		if len(all) == 0 && strings.Count(text[:from], " ") >= firstWords {
			break
		}
		level, isShare := lexicon().levels[text[from:to]]
		if _, isNumber := numberOf(text[from:to]); !isShare && !isNumber {
			continue
		}
		before := text[:from]
		p, rest := readPhrase(text[from:])
		if p.from == "" {
			continue // such as 3rd
		}
		if to = len(text) - len(rest); p.counted == "" || lexicon().kinds[p.counted]&idle != 0 {
			continue
		}
		u := unit{stem(strings.TrimSuffix(p.counted, "s")), isShare, isWrong(before) || isWrong(rest)}
		if !isShare {
			add(measure{unit: u, amount: counts(before, p.from, p.to, text[from:])}, before)
			continue
		}
		add(measure{unit: u, amount: amount{level, level}}, before)
		if level == 0 { // none is also a count
			u.isShare = false
			add(measure{unit: u}, before)
		}
	}
	return slices.DeleteFunc(all, func(m measure) bool { return m.isUnclear })
}

// isWrong reports whether a text says that something is missing or wrong.
func isWrong(text string) bool {
	for w := range Read(text).Words() {
		if lexicon().kinds[w]&absent != 0 || w == "outside" || w == "deviate" || w == "deviates" {
			return true
		}
	}
	return false
}

// counts returns the amount that is written as a number, or as a range if to is not "", after and
// before other words, which can make it a limit.
func counts(before, from, to, after string) amount {
	var a amount
	a.low, _ = numberOf(from)
	a.high, _ = numberOf(to)
	a.high = max(a.low, a.high)
	ends := func(limits ...string) bool {
		return slices.ContainsFunc(limits, func(limit string) bool { return strings.HasSuffix(before, limit+" ") })
	}
	switch {
	case ends("more than", "over", "above"):
		a.low, a.high = a.high+1, math.Inf(1)
	case ends("fewer than", "less than", "under", "below"):
		a.low, a.high = 0, a.low-1
	case ends("up to", "at most"), strings.Contains(after, "or fewer"), strings.Contains(after, "or less"):
		a.low = 0
	case ends("at least"), strings.Contains(after, "or more"):
		a.high = math.Inf(1)
	}
	return a
}

// numberOf returns the number that a word or digits name. It is 0 for what only looks like one,
// such as 1.2.3.
func numberOf(text string) (n float64, isNumber bool) {
	if i := slices.Index(numerals, text); i >= 0 {
		return float64(i), true
	}
	if text == "" || text[0] < '0' || '9' < text[0] {
		return 0, false
	}
	n, _ = strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
	return n, true
}
