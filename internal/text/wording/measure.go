package wording

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// measure is what an anchor says about how much or how many of something there is: a share
// from 0 to 1, a percentage, or a count.
type measure struct {
	low, high float64
	isRange   bool // is written as a range, or has a limit
}

// value returns a number by which measures can be ordered.
func (m measure) value() float64 {
	if math.IsInf(m.high, 1) {
		return m.low
	}
	return (m.low + m.high) / 2
}

// unit is what a measure counts, such as the beginning of the word "sources".
type unit struct {
	what    string
	isShare bool
}

const percent = "%"

// numerals are the words for the numbers from 0.
var numerals = strings.Fields("zero one two three four five six seven eight nine ten")

// token is a word of a text, with its number if it is one.
type token struct {
	word     string
	from, to int
	number   float64 // -1 if the word is not a number
}

// tokensOf returns the first words of a text, at most as many as most.
func tokensOf(text string, most int) []token {
	all := make([]token, 0, min(most, len(text)/4))
	for from, to := nextWord(text, 0); from < to && len(all) < most; from, to = nextWord(text, to) {
		t := token{fold(text[from:to]), from, to, -1}
		if n, err := strconv.ParseUint(t.word, 10, 32); err == nil {
			t.number = float64(n)
		} else if i := slices.Index(numerals, t.word); i > 0 {
			t.number = float64(i)
		}
		all = append(all, t)
	}
	return all
}

// reading goes through the words of an anchor.
type reading struct {
	text   string
	tokens []token
	found  map[unit]measure
	// several are the units with different measures, such as the two limits of a length: which
	// one decides is unknown.
	several map[unit]bool
}

// firstWords is how many words of an anchor measure it, and nextWords are how many can
// contradict them. What follows is about other things; a unit is in the words up to unitWords.
const firstWords, nextWords, unitWords = 6, 20, 30

// measuresOf returns the measures at the beginning of an anchor, if there is one of a unit.
func measuresOf(text string) map[unit]measure {
	r := &reading{text: text, tokens: tokensOf(text, unitWords), found: map[unit]measure{}, several: map[unit]bool{}}
	for i := 0; i < min(len(r.tokens), nextWords); i++ {
		level, isLevel := lexicon().levels[r.tokens[i].word]
		switch {
		case r.is(i, "quarter", "quarters"):
			level = 0.25
			if i > 0 && r.tokens[i-1].number > 0 {
				level *= r.tokens[i-1].number
			}
			r.share(i, level)
		case isLevel:
			r.share(i, level)
		case r.tokens[i].number >= 0:
			i = r.count(i)
		}
	}
	maps.DeleteFunc(r.found, func(u unit, _ measure) bool { return r.several[u] })
	return r.found
}

// is reports whether a word is one of some.
func (r *reading) is(i int, words ...string) bool {
	return i >= 0 && i < len(r.tokens) && slices.Contains(words, r.tokens[i].word)
}

func (r *reading) add(i int, u unit, m measure) {
	before, known := r.found[u]
	switch {
	case u.what == "":
	case known && before != m:
		r.several[u] = true
	case i < firstWords:
		r.found[u] = m
	}
}

func (r *reading) share(i int, level float64) {
	before := i
	for r.is(before-1, "a", "one", "three") {
		before--
	}
	switch {
	case r.is(before-1, "than") && r.is(before-2, "less", "fewer"):
		level -= 0.05
	case r.is(before-1, "than") && r.is(before-2, "more"):
		level += 0.05
	case level == 1 && (strings.Contains(r.text, " except ") || strings.Contains(r.text, " but one")):
		level = 0.9
	}
	for k := range r.tokens[:min(len(r.tokens), 2*firstWords)] {
		if k != i && lexicon().kinds[r.tokens[k].word]&absent != 0 || r.is(k, "outside", "deviate", "deviates") {
			return // how much is missing
		}
	}
	what := r.unitAfter(i + 1)
	r.add(i, unit{what, true}, measure{low: level, high: level})
	if level == 0 {
		r.add(i, unit{what, false}, measure{})
	}
}

// count reads a number or a range and returns its last word.
func (r *reading) count(i int) (last int) {
	m := measure{low: r.tokens[i].number, high: r.tokens[i].number}
	last = i
	if end := r.rangeEnd(i); end > i {
		m.high, m.isRange, last = r.tokens[end].number, true, end
	}
	next := last + 1
	if r.is(next, "or") && r.is(next+1, "more", "fewer", "less") {
		next += 2
	}
	what := r.unitAfter(next)
	step := 1.0
	if strings.HasPrefix(strings.TrimLeft(r.text[r.tokens[last].to:], " "), percent) {
		what, step = percent, 0
	} else if rest := r.text[r.tokens[last].to:]; len(rest) > 1 && rest[0] == ',' && '0' <= rest[1] && rest[1] <= '9' {
		return last // a part of a number such as 1,000
	} else if next < len(r.tokens) && !r.is(next, "of") && lexicon().kinds[r.tokens[next].word]&idle != 0 {
		return last
	}
	switch {
	case r.is(i-1, "than") && r.is(i-2, "more"), r.is(i-1, "over", "above"):
		m.low, m.high = m.high+step, math.Inf(1)
	case r.is(i-1, "than") && r.is(i-2, "less", "fewer"), r.is(i-1, "under", "below"):
		m.low, m.high, m.isRange = 0, m.low-step, true
	case r.is(i-1, "to") && r.is(i-2, "up"), r.is(i-1, "most") && r.is(i-2, "at"), strings.Contains(r.text, "or fewer"), strings.Contains(r.text, "or less"):
		m.low, m.isRange = 0, true
	case r.is(i-1, "least") && r.is(i-2, "at"), strings.Contains(r.text, "or more"):
		m.high = math.Inf(1)
	}
	r.add(i, unit{what, false}, m)
	return last
}

// rangeEnd returns the word that ends the range which begins with a number, or i if there
// is no range.
func (r *reading) rangeEnd(i int) int {
	for _, end := range []int{i + 1, i + 2} {
		if end >= len(r.tokens) || r.tokens[end].number <= r.tokens[i].number {
			continue
		}
		dash := strings.Trim(r.text[r.tokens[i].to:r.tokens[end].from], " %")
		if dash == "-" || dash == "–" || dash == "—" || dash == "to" || dash == "or" || dash == "and" && r.is(i-1, "between") {
			return end
		}
	}
	return i
}

// unitAfter returns the beginning of the word that is counted, in the singular.
func (r *reading) unitAfter(i int) string {
	for i < len(r.tokens) && (r.is(i, "of", "the", "a", "its", "all") || r.tokens[i].number >= 0) {
		i++
	}
	if i >= len(r.tokens) || strings.ContainsAny(r.text[r.tokens[i-1].to:r.tokens[i].from], ".,;:()") {
		return ""
	}
	return stem(strings.TrimSuffix(r.tokens[i].word, "s"))
}

// byUnit returns the measures of anchors, from the lowest score, by their unit. A missing
// one is nil.
func byUnit(anchors []string) map[unit][]*measure {
	all := map[unit][]*measure{}
	for i, anchor := range anchors {
		for u, m := range measuresOf(anchor) {
			if all[u] == nil {
				all[u] = make([]*measure, len(anchors))
			}
			all[u][i] = &m
		}
	}
	return all
}

// turn returns the first measure after which the direction changes, from rising to falling or the
// other way around, and how many measures there are.
func turn(measures []*measure) (at, n int, turns bool) {
	var before *measure
	direction := 0.0
	for i, m := range measures {
		if m == nil {
			continue
		}
		n++
		if before != nil && m.value() != before.value() {
			step := math.Copysign(1, m.value()-before.value())
			if direction != 0 && step != direction && !turns {
				at, turns = i, true
			}
			direction = step
		}
		before = m
	}
	return at, n, turns
}

// mostlyMeasured is how many anchors need a measure of one unit to be compared.
const mostlyMeasured = 4

// OutOfOrder returns the first of English anchors, from the lowest score, that breaks the order of
// the others: their numbers, shares, or quantifiers rise or fall, and it does not.
func OutOfOrder(anchors []string) (at int, found bool) {
	for _, measures := range byUnit(anchors) {
		if i, n, turns := turn(measures); turns && n >= mostlyMeasured && (!found || i < at) {
			at, found = i, true
		}
	}
	return at, found
}

// Misfit returns the first of English anchors, from the lowest score, whose range of numbers
// overlaps with that of the anchor before it, or leaves a gap.
func Misfit(anchors []string) (at int, gap, found bool) {
	for u, measures := range byUnit(anchors) {
		_, n, turns := turn(measures)
		if u.isShare || turns || n < 3 || !inRanges(measures) {
			continue
		}
		for i := 1; i < len(measures); i++ {
			low, high := measures[i-1], measures[i]
			if low == nil || high == nil || found && (i > at || i == at && gap) {
				continue
			}
			if low.value() > high.value() {
				low, high = high, low
			}
			isGap := high.low > low.high+1
			overlaps := high.low < low.high && high.high > low.high && low.low < high.low
			if isGap || overlaps && !math.IsInf(low.high, 1) {
				at, gap, found = i, isGap, true
			}
		}
	}
	return at, gap, found
}

// inRanges reports whether at least two measures are ranges, and all differ.
func inRanges(measures []*measure) bool {
	ranges := 0
	seen := map[measure]bool{}
	for _, m := range measures {
		if m == nil {
			continue
		}
		if seen[*m] {
			return false
		}
		seen[*m] = true
		if m.isRange {
			ranges++
		}
	}
	return ranges >= 2
}

// mostlyNamed is how many anchors need to name something bad, so that the others are about it
// too.
const mostlyNamed = 3

// Inverted reports whether English anchors, from the lowest score, describe the best work first:
// their first words praise at the lowest score and blame at the highest, quantifiers fall
// from all to none, or there is nothing bad at the lowest score and only at the others.
func Inverted(anchors []string) bool {
	lowest, highest := anchors[0], anchors[len(anchors)-1]
	if verdict(lowest) > 0 && verdict(highest) < 0 {
		return true
	}
	named := 0
	for _, anchor := range anchors {
		if isNamed, _ := faults(anchor); isNamed {
			named++
		}
	}
	_, none := faults(lowest)
	if _, last := faults(highest); named > 0 {
		return named >= mostlyNamed && none && !last
	}
	var levels []float64
	for _, anchor := range anchors {
		if level, ok := levelOf(anchor); ok {
			levels = append(levels, level)
		}
	}
	first, _ := levelOf(lowest)
	last, found := levelOf(highest)
	falls := slices.IsSortedFunc(levels, func(a, b float64) int { return cmp.Compare(b, a) })
	return falls && first == 1 && found && last == 0 && len(slices.Compact(levels)) >= mostlyMeasured
}

// verdict is 1 if the first words of an anchor praise, -1 if they blame, and 0 otherwise.
func verdict(anchor string) int {
	for _, t := range tokensOf(anchor, firstWords) {
		switch kind := lexicon().kinds[t.word]; {
		case kind&praise != 0:
			return 1
		case kind&blame != 0:
			return -1
		case kind&(article|degree) == 0:
			return 0
		}
	}
	return 0
}

// levelOf returns the quantifier at the beginning of an anchor.
func levelOf(anchor string) (level float64, found bool) {
	for _, t := range tokensOf(anchor, 3) {
		if level, found = lexicon().levels[t.word]; found {
			return level, true
		}
	}
	return 0, false
}

// faults says whether a text has a word for something bad, and whether it denies it: "no
// errors".
func faults(text string) (named, denied bool) {
	tokens := tokensOf(text, math.MaxInt)
	for i, t := range tokens {
		if lexicon().kinds[t.word]&bad == 0 {
			continue
		}
		named = true
		for _, before := range tokens[max(0, i-2):i] {
			denied = denied || slices.Contains([]string{"no", "not", "none", "without", "never", "free"}, before.word)
		}
	}
	return named, denied
}
