package clients_test

import (
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/text/regex"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// The random cases are the same every time, unless there is another seed:
//
//	go test ./clients -run MeanTheSame -client-seed 7 -client-cases 100000
var (
	clientSeed  = flag.Uint64("client-seed", 1, "seed of the random cases for which the clients must agree with Go")
	clientCases = flag.Int("client-cases", 8000, "number of random cases of each kind")
)

// parts of random expressions, including those that languages are known to read differently.
var (
	atoms = []string{
		"a", "b", "c", "s", "K", "ä", "😀", ".", "^", "$", `\b`, `\B`, `\A`, `\z`, `\d`, `\D`, `\w`, `\W`, `\s`, `\S`,
		`\n`, `\t`, `\a`, `\.`, `\-`, `\_`, `\/`, `\<`, "\\\t",
		`\x61`, `\x61-`, `\x{1F600}`, `\x{0000000061}`, `[\x{000061}-c]`, "[ab]", "[^a]", `[^\n]`, "[a-c]", "[]a]", "[^]a]",
		"[a-]", "[-a]", `[\d-z]`, `[\w.]`, `[\s]`, `[\^a]`, "[a&&b]", "[a||b]", "[a[b]", "[😀-😎]", "[!-[:]", "[[-a:]",
		`[\s\S]`, `[\D]`, `[^\W]`, `[\W_]`, `[\S\n]`, `[^\S]`, `[\Wk]`, `[\D-a]`,
		"{", "}", "]", "{,2}", "a{,2}", "a{,}", "a{01}", "a{1,02}", "a{0}", "x{", "-", "/", "&&", "#", " ",
		"(?P<1>c)", "(?<m>b)", "(?:)", "()", "(|a)", "(a|)", "(?:^|a)", `\x{212A}`, "é",
	}
	// doubtful are the parts that Go or a client refuses.
	doubtful = []string{
		`\Qa.b\E`, `\Q\E`, `\Q`, `\E`, `\pL`, `\p{Greek}`, `[\pL]`, `[^\P{Lu}]`, "[[:alpha:]]", "[[:^digit:]]", "[^[:space:]a]", "[[:]", "[a[:b]", "[[:foo:]]",
		"(?i)", "(?i)a", "(?i:a)", "(?s:.)", "(?s).", "(?m)^a$", "(?m:^)", "(?-s)a", "(?im)b", "(?i-s:b)", "(?U)a+", "(?)", "(?=a)", "(?P=n)",
		`\0`, `\01`, `\08`, `\07`, `\141`, `\400`, `[\0-z]`, `[\101]`, `[\12a]`, `\1`, `\8`,
		`[\x{D800}]`, `\x{DFFF}`, `[\x{D7FF}-\x{E000}]`, `\x{110000}`, `\C`, `\ä`, `\k`, `\Z`, `[\b]`, `[\Q]`, "a{1001}", "a{2,1}",
	}
	quantifiers = []string{"", "", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,1}", "{1,}?", "{0}", "**", "{2}{2}"}
	texts       = []string{"", "a", "aab", "abcabc", "a.b\nab", "a\r\nb\rc\n", "ä😀a", "a\u0308b😀😁", "A1 b_2\tC\v\f", "K\u212ask\u017fS",
		"x{,2}]}-/#&|", "a\u2028b\u0085c\u00a0d\ufeff", "😀", "\x00\x07a", "b\n", "\n\n"}
)

// expression returns a random expression that mostly has Go's syntax.
func expression(r *rand.Rand, depth int) string {
	var out strings.Builder
	for range 1 + r.IntN(3) {
		if depth > 0 && r.IntN(4) == 0 {
			open := []string{"(", "(?:", "(?P<n>"}[r.IntN(3)]
			out.WriteString(open + expression(r, depth-1) + ")")
		} else {
			from := atoms
			if r.IntN(16) == 0 {
				from = doubtful
			}
			out.WriteString(from[r.IntN(len(from))])
		}
		out.WriteString(quantifiers[r.IntN(len(quantifiers))])
		if r.IntN(6) == 0 {
			out.WriteByte('|')
		}
	}
	return out.String()
}

// search is a random negative criterion with one pattern, a text, and what Go finds in it.
type search struct {
	rubric.NegativeCriterion
	text string
	hits []rubric.Hit
	err  error
	// portable says that every client can apply the pattern, and valid that the gate lets it through
	// if that is so.
	valid, portable bool
}

func newSearch(pattern, text string, ignoreCase bool) *search {
	s := &search{NegativeCriterion: rubric.NegativeCriterion{Name: "n", FailPatterns: []string{pattern}, IgnoreCase: ignoreCase}, text: text}
	s.hits, s.err = s.rubric().NegativeHits(text)
	s.valid = s.err == nil && regex.Valid(pattern)
	s.portable = s.valid && regex.Refused(pattern, regex.Flags{IgnoreCase: ignoreCase}) == nil
	return s
}

func (s *search) rubric() *rubric.Rubric {
	return &rubric.Rubric{ID: "a", NegativeCriteria: []rubric.NegativeCriterion{s.NegativeCriterion}}
}

// wrong says how a client's answer differs from the table of package regex or from Go, or "". What
// Go alone accepts, such as a name of two groups, the client may refuse or find.
func (s *search) wrong(t *testing.T, a answer) string {
	switch refused := a.Error != nil && a.Error.Type == "InputError"; {
	case refused && s.portable:
		return "the table says that clients accept it: " + a.Error.Text
	case refused:
		return ""
	case a.Error != nil:
		return "the client fails: " + a.Error.Text
	case s.err != nil:
		return "Go rejects it: " + s.err.Error()
	case s.valid && !s.portable:
		return "the table says that clients refuse it"
	}
	return cmp.Diff(s.hits, into[[]rubric.Hit](t, a))
}

// TestPatternsMeanTheSame searches with each part in the empty text and in a short one, and with
// random expressions. A client accepts exactly what the table of package regex says, and then it
// finds the same as Go.
func TestPatternsMeanTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(*clientSeed, 2))
	parts := slices.Concat(atoms, doubtful)
	for _, kind := range regex.Refusals() {
		parts = append(parts, kind.Example)
	}
	var requests []request
	var searches []*search
	for i := range 2*len(parts) + *clientCases {
		pattern, text := expression(r, 2), texts[r.IntN(len(texts))]+texts[r.IntN(len(texts))]
		if i < 2*len(parts) {
			pattern, text = parts[i/2], texts[i%2]
		}
		s := newSearch(pattern, text, r.IntN(3) == 0)
		requests = append(requests, request{"op": "hits", "rubric": s.rubric(), "text": text})
		searches = append(searches, s)
	}
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		accepted, refused := 0, 0
		for i, a := range ask(requests...) {
			s := searches[i]
			if wrong := s.wrong(t, a); wrong != "" {
				t.Errorf("%q (ignore_case %v) in %+q: %s", s.FailPatterns[0], s.IgnoreCase, s.text, wrong)
			}
			if s.portable {
				accepted++
			} else if s.valid {
				refused++
			}
		}
		if accepted < len(searches)/3 || refused < len(searches)/20 {
			t.Errorf("of %d expressions, %d are accepted and %d refused only by clients: they are too one-sided to show anything", len(searches), accepted, refused)
		}
	})
}

// TestVerdictsMeanTheSame computes verdicts and scores of random documents from random
// input, some of it wrong, and compares them with Go's to the last bit.
func TestVerdictsMeanTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(*clientSeed, 4))
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	number := func() float64 {
		return []float64{1, 2, 3, 3.5, 4, 5, 1 + 4*r.Float64(), float64(10+r.IntN(40)) / 10}[r.IntN(8)]
	}
	var requests []request
	var want []any
	for range *clientCases {
		doc := &rubric.Rubric{ID: "a", Scoring: rubric.Scoring{PassThreshold: number(), EssentialMinimum: number()}}
		scores := map[string]float64{}
		for i := range 1 + r.IntN(5) {
			name := string(rune('a' + i))
			doc.Criteria = append(doc.Criteria, rubric.Criterion{Name: name, Weight: rubric.Weight(pick("essential", "important")), Threshold: number()})
			scores[name] = number()
		}
		if r.IntN(10) == 0 {
			scores[pick("a", "b", "z")] = 7 * r.Float64()
		}
		doc.NegativeCriteria = []rubric.NegativeCriterion{{Name: "n", FailPatterns: []string{pick("x", "y", "z")}, Effect: rubric.Effect(pick("fail", "report"))}}
		text := pick("x", "y y", "none")
		hits := must.Get(doc.NegativeHits(text))(t)
		requests = append(requests, request{"op": "verdict_of_hits", "rubric": doc, "scores": scores, "text": text})
		want = append(want, orError(doc.Verdict(scores, rubric.HitNames(hits))))
	}
	for range *clientCases {
		set := &ruleset.RuleSet{ID: "a", Scoring: ruleset.Scoring{PassThreshold: float64(r.IntN(11)) / 10}}
		results := map[string]ruleset.Result{}
		for i := range 1 + r.IntN(6) {
			rule := ruleset.Rule{ID: "r" + string(rune('a'+i)), Severity: ruleset.Severity(pick("fail", "warn", "info")), Weight: number() / 10, Phase: ruleset.Phase(pick("A", "A", "B"))}
			set.Rules = append(set.Rules, rule)
			if rule.Phase == "A" || r.IntN(10) == 0 {
				results[rule.ID] = ruleset.Result{Verdict: ruleset.Verdict(pick("pass", "pass", "fail", "skipped")), Reason: pick("why", "why", "why", " ")}
			}
		}
		requests = append(requests, request{"op": "rule_score", "ruleset": set, "phase": "A", "results": results})
		want = append(want, orError(set.Score("A", results)))
	}
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		wrong := 0
		for i, a := range ask(requests...) {
			var diff string
			switch want := want[i].(type) {
			case *rubric.Verdict:
				diff = cmp.Diff(*want, into[rubric.Verdict](t, a))
			case *ruleset.Score:
				diff = cmp.Diff(*want, into[ruleset.Score](t, a))
			case error:
				wrong++
				if a.Error == nil || a.Error.Type != "InputError" {
					diff = "Go says " + want.Error()
				}
			}
			if diff != "" {
				t.Fatalf("%+v: got %s (-want +got):\n%s", requests[i], a.Result, diff)
			}
		}
		if wrong < len(want)/150 || wrong > len(want)/2 {
			t.Errorf("%d of %d inputs are wrong: they are too one-sided to show anything", wrong, len(want))
		}
	})
}

// orError returns the value, or the error instead of it.
func orError[T any](value T, err error) any {
	if err != nil {
		return err
	}
	return &value
}
