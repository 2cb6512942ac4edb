package scan

import "regexp/syntax"

// Allowance is how much searching the length of an expression allows, in characters
// for which each counts as often as the effort says. What a document has of patterns
// is then searched in bounded time, and what is found of one does not depend on the
// others.
func Allowance(expr string) int {
	const each, more = 8192, 16 // for each byte, and for so many bytes more
	return each * (len(expr) + more)
}

// Effort is how many times as long as for a short expression a search for this one
// takes at most. Go looks at all its parts at each character, and at each round of a
// repetition with a number apart.
func Effort(re *syntax.Regexp) int {
	const short = 4
	return 1 + parts(re)/short
}

// parts is how many parts an expression has, its repetitions written out. Go refuses
// more than 1000 rounds, also of repetitions within each other.
func parts(re *syntax.Regexp) int {
	n := max(1, len(re.Sub))
	if re.Op == syntax.OpLiteral {
		n = len(re.Rune)
	}
	for _, sub := range re.Sub {
		n += parts(sub)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(1, re.Min, re.Max)
	}
	return n
}
