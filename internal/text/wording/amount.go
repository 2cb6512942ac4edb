package wording

import (
	"math"
	"slices"
	"strings"
	"sync"
)

// amount is how many or how much of something there is, such as 3 to 5 or, as a share, 0.5. Amounts
// are ordered by at.
type amount struct{ low, high, at float64 }

// exactly returns an amount without a range.
func exactly(n float64) *amount { return &amount{n, n, n} }

// measure is an amount in an anchor: a count, a share, or both, such as "3 of 4 claims".
type measure struct {
	count, share *amount
	// total is how many there are, such as 4 in "3 of 4" and "all four", or 0.
	total float64
	// but is how many are not among all of them, such as 1 in "all but one", or 0.
	but float64
	// isPercent says that the share is a number.
	isPercent bool
	// of are the stems of words for what is counted. There are none in "Three", which means what
	// another anchor names.
	of []string
	// isWrong says that what is counted is missing or wrong, and isLate that the amount is too far from
	// the beginning of the anchor to measure it: it can only contradict another.
	isWrong, isLate bool
}

// firstWords is how many words of an anchor measure it, and nextWords are how many can contradict
// them. What follows is about other things.
const firstWords, nextWords = 6, 20

// measuresOf returns the amounts at the beginning of an anchor.
func measuresOf(anchor string) (all []measure) {
	sentence, _, _ := strings.Cut(anchor, ". ")
	sentence, _, _ = strings.Cut(sentence, ";")
	var room [256]byte // for most texts
	begin, n := room[:0], 0
	for word := range strings.FieldsSeq(sentence) {
		if n++; n > nextWords {
			break
		}
		begin = append(append(begin, strings.ToLower(word)...), ' ')
	}
	text := strings.TrimSuffix(string(begin), " ")
	for from, to := nextWord(text, 0); from < to; from, to = nextWord(text, to) {
		if len(all) == 0 && strings.Count(text[:from], " ") >= firstWords {
			break
		}
		if text[from] > '9' && !quantities()[text[from:to]] {
			continue
		}
		m, rest, ok := readQuantity(text[:from], text[from:])
		to = len(text) - len(rest)
		if ok {
			m.isWrong = isWrong(deniedLimit.Replace(text[:from])) || isWrong(clause(rest))
			m.isLate = strings.Count(text[:from], " ") >= firstWords
			all = append(all, m)
		}
	}
	return all
}

// deniedLimit removes denials that only make a number a limit.
var deniedLimit = strings.NewReplacer("no more than ", "", "not more than ", "",
	"no fewer than ", "", "no less than ", "", "not less than ", "")

// quantities are the words that quantities are read at.
var quantities = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{"single": true, "couple": true, "both": true}
	for word := range lexicon().levels {
		all[word] = true
	}
	for word := range parts {
		all[word] = true
	}
	for _, word := range numerals {
		all[word] = true
	}
	return all
})

// denies reports whether a word says that there is none of something.
func denies(word string) bool {
	level, found := lexicon().levels[word]
	return found && level == 0
}

// clause returns a text up to the sign that ends its first clause.
func clause(text string) string {
	if i := strings.IndexAny(text, ",:(–—"); i >= 0 {
		return text[:i]
	}
	return text
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

// bounded returns an amount with the limits that words before it and after it set. The step is
// from one amount to the next.
func bounded(a amount, before, after string, step float64) *amount {
	ends := func(limits ...string) bool {
		return slices.ContainsFunc(limits, func(limit string) bool { return strings.HasSuffix(before, limit+" ") })
	}
	after = strings.TrimPrefix(after, " ")
	begins := func(limits ...string) bool {
		return slices.ContainsFunc(limits, func(limit string) bool { return strings.HasPrefix(after, limit) })
	}
	switch {
	case ends("no more than", "not more than", "up to", "at most", "maximum of"),
		begins("or fewer", "or less", "or below", "at most"):
		return &amount{0, a.high, a.high}
	case ends("no fewer than", "no less than", "not less than", "at least", "minimum of"),
		begins("or more", "or above", "+", "and more", "and above", "at least"):
		return &amount{a.low, math.Inf(1), a.low}
	case ends("more than", "over", "above", "exceeding"):
		return &amount{a.high + step, math.Inf(1), a.high + step}
	case ends("fewer than", "less than", "under", "below", "not even"):
		return &amount{0, a.low - step, a.low - step}
	case step == shareStep && ends("nearly", "almost", "close to"):
		return &amount{a.low - step, a.low, a.low - step/2}
	}
	return &a
}
