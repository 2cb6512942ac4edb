package wording

import (
	"cmp"
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

// measure is an amount in an anchor.
type measure struct {
	unit
	amount
	// isUnclear says that the anchor has another amount of the unit, such as the second limit of a
	// length: which one decides is unknown.
	isUnclear bool
}

// series are the amounts of one unit in the anchors of a criterion, from the lowest score. That of
// an anchor without one is nil.
type series struct {
	unit
	amounts []*amount
}

// Amounts are the amounts in the anchors of a criterion.
type Amounts []series

// AmountsOf returns the amounts in English anchors, from the lowest score.
func AmountsOf(anchors []Text) (all Amounts) {
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

// numerals are the words for the numbers from 1.
var numerals = strings.Fields("one two three four five six seven eight nine ten")

// written matches a number or a quantifier, the end of a range, a percent sign, and the word that
// is counted.
var written = sync.OnceValue(func() *regexp.Regexp {
	number := `\d+(?:[.,]\d+)*|` + strings.Join(numerals, "|")
	return regexp.MustCompile(`^(\d+(?:[.,]\d+)*|[a-z]+)\b ?%?(?: ?(?:[-–—]|to|or|and) ?(` + number + `)\b)? ?(%?)(?: ?or (?:more|fewer|less))?` +
		`(?: ?\b(?:of|the|its|` + number + `)\b)* ?([a-z]*)`)
})

// firstWords is how many words of an anchor measure it, and nextWords are how many can contradict
// them. What follows is about other things.
const firstWords, nextWords = 6, 20

// measuresOf returns the amounts at the beginning of an anchor.
func measuresOf(anchor string) (all []measure) {
	sentence, _, _ := strings.Cut(anchor, ". ")
	words := strings.Fields(strings.ToLower(sentence))
	text := strings.Join(words[:min(len(words), nextWords)], " ")
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
		m := written().FindStringSubmatch(text[from:])
		if m == nil {
			continue // such as 3rd
		}
		before, counted := text[:from], m[4]
		to = from + len(m[0])
		if m[3] != "" {
			counted = "%"
		} else if counted == "" || lexicon().kinds[counted]&idle != 0 {
			continue
		}
		u := unit{stem(strings.TrimSuffix(counted, "s")), isShare, isWrong(before) || isWrong(text[to:])}
		if !isShare {
			add(measure{unit: u, amount: counts(before, m[1], m[2], text[from:])}, before)
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
		return float64(i + 1), true
	}
	if text == "" || text[0] < '0' || '9' < text[0] {
		return 0, false
	}
	n, _ = strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
	return n, true
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

// OutOfOrder returns the first anchor that breaks the order of the others: their numbers, shares,
// or quantifiers rise or fall, and it does not.
func (all Amounts) OutOfOrder() (at int, found bool) {
	for _, s := range all {
		if at, n := s.turn(); at > 0 && n >= mostlyMeasured {
			return at, true
		}
	}
	return 0, false
}

// Misfit returns the first anchor whose range of numbers overlaps with that of the anchor before
// it, or leaves a gap.
func (all Amounts) Misfit() (at int, gap, found bool) {
	for _, s := range all {
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
