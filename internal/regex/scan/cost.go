package scan

import "regexp/syntax"

// Allowance returns how much search an expression of a length gets, in characters
// multiplied by the effort. The patterns of a document are then searched in bounded
// time, and the result for one does not depend on the others.
func Allowance(expr string) int {
	const each, more = 8192, 16 // per byte, and additional bytes
	return each * (len(expr) + more)
}

// Effort returns the maximum time of a search, as a multiple of that for a short
// expression. Go checks all parts at each character, and each round of a counted
// repetition separately.
func Effort(re *syntax.Regexp) int {
	const short = 4
	return 1 + parts(re)/short
}

// parts returns how many parts an expression has with its repetitions expanded. Go refuses
// more than 1000 rounds, including nested repetitions.
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
