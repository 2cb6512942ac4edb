package textdiff

import (
	"slices"
	"strings"
	"unicode"
)

// Became is a number that another one replaced, both as they are written.
type Became struct{ From, To string }

// Numbers returns which numbers became others, in the order of the new text, each pair once. It
// leaves out what can't be told: where the words around a number are others, where numbers only
// changed places or their form, in texts with characters that change the visible order, and where
// there are more than people can compare.
func Numbers(before, after string) []Became {
	isBidi := func(r rune) bool { return unicode.Is(unicode.Bidi_Control, r) }
	if before == after || strings.ContainsFunc(before+after, isBidi) {
		return nil
	}
	a, b := split(before), split(after)
	var pairs []Became
	if sameWords(a, b) {
		pairs = paired(numbersOf(a), numbersOf(b))
	} else {
		pairs = replaced(a, b)
	}
	var once []Became
	seen := map[Became]bool{}
	for _, p := range pairs {
		if !seen[p] && !sameNumber(p.From, p.To) {
			once = append(once, p)
		}
		seen[p] = true
	}
	if len(once) > mostPairs {
		return nil
	}
	return withoutSwaps(once)
}

// mostPairs is how many numbers people can compare.
const mostPairs = 200

// replaced pairs the numbers of texts in which other words changed, too.
func replaced(a, b []token) (pairs []Became) {
	runs, similar := compare(a, b)
	if !similar {
		return nil
	}
	inOld, inNew := counted(a), counted(b)
	i, j := 0, 0
	for _, r := range runs {
		i, j = i+len(r.same), j+len(r.same)
		from, to := numbersOf(r.old), numbersOf(r.new)
		if len(from) == len(to) &&
			(sameWords(r.old, r.new) || len(from) == 1 && sameContext(a, b, i+place(r.old), j+place(r.new))) {
			for _, p := range paired(from, to) {
				old, now := readings(p.From)[0], readings(p.To)[0]
				if inNew[old] < inOld[old] && inOld[now] < inNew[now] { // otherwise, it moved
					pairs = append(pairs, p)
				}
			}
		}
		i, j = i+len(r.old), j+len(r.new)
	}
	return pairs
}

// sameContext reports whether two numbers are about the same: the same word follows both, or
// precedes both if none follows.
func sameContext(a, b []token, i, j int) bool {
	after, otherAfter := neighbor(a, i, 1), neighbor(b, j, 1)
	if after != "" || otherAfter != "" {
		return after == otherAfter
	}
	before := neighbor(a, i, -1)
	return before != "" && before == neighbor(b, j, -1)
}

// neighbor is the word next to a token, in one form for one and for many, or "" if there is none.
func neighbor(tokens []token, at, step int) string {
	for at += step; at >= 0 && at < len(tokens); at += step {
		switch t := tokens[at]; {
		case t.kind == word || t.kind == single && strings.ContainsFunc(t.text, unicode.IsLetter):
			return singular(strings.ToLower(t.text))
		case t.kind != space:
			return ""
		}
	}
	return ""
}

// singular is one form of an English noun for one and for many. It need not be a word.
func singular(noun string) string {
	if stem, isPlural := strings.CutSuffix(noun, "ies"); isPlural {
		return stem + "y"
	}
	return strings.TrimSuffix(strings.TrimSuffix(noun, "s"), "e")
}

// place is the index of the only number.
func place(tokens []token) int {
	return slices.IndexFunc(tokens, func(t token) bool { return t.kind == number })
}

func numbersOf(tokens []token) (numbers []string) {
	for _, t := range tokens {
		if t.kind == number {
			numbers = append(numbers, t.text)
		}
	}
	return numbers
}

// counted counts the numbers of a text by their value.
func counted(tokens []token) map[string]int {
	n := map[string]int{}
	for _, text := range numbersOf(tokens) {
		n[readings(text)[0]]++
	}
	return n
}

// sameWords reports whether tokens are the same except for numbers, layout, and case.
func sameWords(a, b []token) bool {
	same := func(x, y token) bool {
		return x.kind == y.kind && (x.kind == number || x.kind == space || strings.EqualFold(x.text, y.text))
	}
	return slices.EqualFunc(a, b, same)
}

func paired(from, to []string) []Became {
	pairs := make([]Became, len(from))
	for i := range from {
		pairs[i] = Became{from[i], to[i]}
	}
	return pairs
}

// sameNumber reports whether two numbers can mean the same.
func sameNumber(from, to string) bool {
	all := readings(to)
	return slices.ContainsFunc(readings(from), func(one string) bool { return slices.Contains(all, one) })
}

// withoutSwaps removes the pairs that lead back to where they began: such numbers changed places.
func withoutSwaps(pairs []Became) []Became {
	next := map[string][]string{}
	for _, p := range pairs {
		from := readings(p.From)[0]
		next[from] = append(next[from], readings(p.To)[0])
	}
	return slices.DeleteFunc(slices.Clone(pairs), func(p Became) bool {
		return leads(next, readings(p.To)[0], readings(p.From)[0])
	})
}

// leads reports whether pairs lead from one number to another.
func leads(next map[string][]string, from, to string) bool {
	seen, waiting := map[string]bool{}, []string{from}
	for len(waiting) > 0 {
		at := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		if at == to {
			return true
		}
		if !seen[at] {
			seen[at] = true
			waiting = append(waiting, next[at]...)
		}
	}
	return false
}
