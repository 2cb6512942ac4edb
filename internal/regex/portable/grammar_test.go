package portable_test

import (
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/regex/portable"
)

// pieces are what random expressions are made of, whole and in halves.
var pieces = strings.Split(`a b [ ] ( ) { } | * + ? ^ $ . \ - , : 0 1 2 9 x p L = ! < > P n i m s U # & (? (?: (?P<n> (?<m> (?i) (?-s: (?i- [^ [: :] [:alpha:] [:^word:] [:beta:] `+
	`{2} {2,} {0,3} {3,2} {01} {,2} {1000} {1001} {0} {0,} *? \Q \E \d \S \b \B \A \z \Z \C \a \e \_ \- \] \[ \\ \0 \01 \12 \1 \400 \8 \x41 \x{41} \x{110000} \x{} \x4 \x `+
	`\pL \p{Lu} \p{^Greek} \P{N} \p{ \p{} a-z z-a é 😀`, " ")

// agrees compares Valid with package regexp, names of classes and limits aside.
func agrees(t *testing.T, pattern string) (valid bool) {
	t.Helper()
	_, err := syntax.Parse(pattern, syntax.Perl)
	valid = portable.Valid(pattern)
	if valid != (err == nil) && !(valid && strings.Contains(strings.ToLower(pattern), `\p`) && strings.Contains(err.Error(), `range: `+"`\\")) {
		t.Errorf("%q is valid: %v, and Go says %v", pattern, valid, err)
	}
	return valid
}

func TestTheGrammarIsThatOfGo(t *testing.T) {
	count := map[bool]int{}
	for _, list := range [][]part{shared, doubtful} {
		for _, p := range list {
			count[agrees(t, p.pattern)]++
		}
	}
	for _, s := range collected() {
		if strings.Count(s.pattern, "(") <= portable.MaxDepth {
			count[agrees(t, s.pattern)]++
		}
	}
	r := rand.New(rand.NewPCG(3, 4)) // the same expressions every time
	for range 100_000 {
		var pattern strings.Builder
		for range 1 + r.IntN(8) {
			pattern.WriteString(pieces[r.IntN(len(pieces))])
		}
		count[agrees(t, pattern.String())]++
	}
	if count[true] < 10_000 || count[false] < 10_000 {
		t.Errorf("the expressions are too one-sided: %v", count)
	}
}

// TestTheGrammarHasLimits: they are the same in every language, and Go takes what is
// within them.
func TestTheGrammarHasLimits(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("(", n) + "a" + strings.Repeat(")", n) }
	for pattern, want := range map[string]bool{
		deep(portable.MaxDepth): true, deep(portable.MaxDepth + 1): false,
		"(?:a{10}){100}": true, "(?:a{11}){100}": false, "(?:(?:a{1000}){0}){2}": true, "(?:a{1000}|b){0,}": true, "(){1000}": true, "(){1001}": false, "(){1001,}": false, "(|){0,1001}": false,
		strings.Repeat("(?:abc|de)x{3} ", 20_000): true,
	} {
		if got := portable.Valid(pattern); got != want {
			t.Errorf("%.40q… (%d bytes) is valid: %v, want %v", pattern, len(pattern), got, want)
		}
		if _, err := syntax.Parse(pattern, syntax.Perl); want && err != nil {
			t.Errorf("%.40q…: Go refuses what is within the limits: %v", pattern, err)
		}
	}
	for _, start := range []string{"[[:", `\x{0`, "(?i", "{1", `\p{A`, "[a-", `\Q`, "(?P<n"} {
		portable.Valid(strings.Repeat(start, 1<<18/len(start))) // in time that grows with the length
		portable.Valid("[" + strings.Repeat(start, 1<<18/len(start)) + ":]")
	}
}
