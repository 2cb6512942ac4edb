package wording

import (
	"cmp"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
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

// series are the amounts of one unit in the anchors of a criterion, from the lowest score.
// That of an anchor without one is nil.
type series struct {
	unit
	amounts []*amount
}

// numerals are the words for the numbers from 1.
var numerals = strings.Fields("one two three four five six seven eight nine ten")

// amounts matches an amount: words before the number, the number or a quantifier, the end of a
// range, a percent sign, and the word that is counted.
var amounts = sync.OnceValue(func() *regexp.Regexp {
	number := `\d+(?:[.,]\d+)*|` + strings.Join(numerals, "|")
	quantifier := strings.Join(slices.Sorted(maps.Keys(lexicon().levels)), "|")
	return regexp.MustCompile(`(?i)\b(more than|over|above|fewer than|less than|under|below|up to|at most|at least)? ?` +
		`\b(` + number + `|` + quantifier + `)\b ?%?(?: ?(?:[-–—]|to|or|and) ?(` + number + `)\b)? ?(%?)(?: ?or (?:more|fewer|less))?` +
		`(?: ?\b(?:of|the|its|` + number + `)\b)* ?([a-z]*)`)
})

// firstWords is how many words of an anchor measure it, and nextWords are how many can contradict
// them. What follows is about other things.
const firstWords, nextWords = 6, 20

// seriesOf returns the amounts in English anchors by their unit, in the order of their first one.
func seriesOf(anchors []Text) (all []series) {
	for i, anchor := range anchors {
		for _, m := range measuresOf(anchor.written) {
			k := slices.IndexFunc(all, func(s series) bool { return s.unit == m.unit })
			if k < 0 {
				k = len(all)
				all = append(all, series{m.unit, make([]*amount, len(anchors))})
			}
			all[k].amounts[i] = &m.amount
		}
	}
	return all
}

// measure is an amount in an anchor.
type measure struct {
	unit
	amount
	// isUnclear says that the anchor has another amount of the unit, such as the second limit of a
	// length: which one decides is unknown.
	isUnclear bool
}

// measuresOf returns the amounts at the beginning of an anchor.
func measuresOf(anchor string) (all []measure) {
	sentence, _, _ := strings.Cut(anchor, ". ")
	words := strings.Fields(sentence)
	text := strings.Join(words[:min(len(words), nextWords)], " ")
	add := func(m measure, isFirst bool) {
		k := slices.IndexFunc(all, func(other measure) bool { return other.unit == m.unit })
		switch {
		case k >= 0:
			all[k].isUnclear = all[k].isUnclear || all[k].amount != m.amount
		case isFirst:
			all = append(all, m)
		}
	}
	for _, at := range amounts().FindAllStringSubmatchIndex(text, -1) {
		part := func(group int) string { return strings.ToLower(text[max(at[2*group], 0):max(at[2*group+1], 0)]) }
		counted := part(5)
		if part(4) != "" {
			counted = "%"
		} else if counted == "" || lexicon().kinds[counted]&idle != 0 {
			continue
		}
		m := measure{unit: unit{of: stem(strings.TrimSuffix(counted, "s")), isWrong: isWrong(text[:at[0]]) || isWrong(text[at[1]:])}}
		m.amount, m.isShare = amountOf(text, part(1), part(2), part(3))
		isFirst := strings.Count(text[:at[0]], " ") < firstWords
		add(m, isFirst)
		if m.isShare && m.high == 0 { // none is also a count
			m.isShare = false
			add(m, isFirst)
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

// amountOf returns the amount that is written as a number, or a range, with its limits, or as a
// quantifier, which is a share.
func amountOf(text, limit, from, to string) (a amount, isShare bool) {
	if level, ok := lexicon().levels[from]; ok {
		return amount{level, level}, true
	}
	a = amount{numberOf(from), numberOf(from)}
	if to != "" {
		a.high = max(a.low, numberOf(to))
	}
	switch {
	case limit == "more than", limit == "over", limit == "above":
		a.low, a.high = a.high+1, math.Inf(1)
	case limit == "fewer than", limit == "less than", limit == "under", limit == "below":
		a.low, a.high = 0, a.low-1
	case limit == "up to", limit == "at most", strings.Contains(text, "or fewer"), strings.Contains(text, "or less"):
		a.low = 0
	case limit == "at least", strings.Contains(text, "or more"):
		a.high = math.Inf(1)
	}
	return a, false
}

func numberOf(word string) float64 {
	if i := slices.Index(numerals, word); i >= 0 {
		return float64(i + 1)
	}
	n, _ := strconv.ParseFloat(strings.ReplaceAll(word, ",", ""), 64) // 0 for what is no number, such as 1.2.3
	return n
}

// turn returns the first amount after which the direction changes, from rising to falling or the
// other way around, 0 if none does, and how many amounts there are.
func (s *series) turn() (at, n int) {
	var before *amount
	direction := 0
	for i, a := range s.amounts {
		if a == nil {
			continue
		}
		n++
		if before != nil {
			step := cmp.Compare(a.value(), before.value())
			if at == 0 && step*direction < 0 {
				at = i
			}
			direction = cmp.Or(step, direction)
		}
		before = a
	}
	return at, n
}

// mostlyMeasured is how many anchors need an amount of one unit to be compared.
const mostlyMeasured = 4

// OutOfOrder returns the first of English anchors, from the lowest score, that breaks the order of
// the others: their numbers, shares, or quantifiers rise or fall, and it does not.
func OutOfOrder(anchors ...Text) (at int, found bool) {
	for _, s := range seriesOf(anchors) {
		if at, n := s.turn(); at > 0 && n >= mostlyMeasured {
			return at, true
		}
	}
	return 0, false
}

// Misfit returns the first of English anchors, from the lowest score, whose range of numbers
// overlaps with that of the anchor before it, or leaves a gap.
func Misfit(anchors ...Text) (at int, gap, found bool) {
	for _, s := range seriesOf(anchors) {
		if turn, n := s.turn(); s.isShare || turn > 0 || n < mostlyMeasured-1 || !s.inRanges() {
			continue
		}
		for i := 1; i < len(s.amounts); i++ {
			low, high := s.amounts[i-1], s.amounts[i]
			if low == nil || high == nil {
				continue
			}
			if low.value() > high.value() {
				low, high = high, low
			}
			overlaps := low.low < high.low && high.low < high.high && high.low < low.high && !math.IsInf(low.high, 1)
			if gap = high.low > low.high+1; gap || overlaps {
				return i, gap, true
			}
		}
	}
	return 0, false, false
}

// inRanges reports whether at least two amounts are ranges, and all differ.
func (s *series) inRanges() bool {
	ranges := 0
	seen := map[amount]bool{}
	for _, a := range s.amounts {
		if a == nil {
			continue
		}
		if seen[*a] {
			return false
		}
		seen[*a] = true
		if a.low < a.high {
			ranges++
		}
	}
	return ranges >= 2
}
