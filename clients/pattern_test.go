package clients_test

import (
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
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
		`\n`, `\t`, `\a`, `\.`, `\-`, `\_`, `\/`,
		`\x61`, `\x{1F600}`, "[ab]", "[^a]", `[^\n]`, "[a-c]", "[]a]", "[^]a]",
		"[a-]", "[-a]", `[\d-z]`, `[\w.]`, `[\s]`, `[\^a]`, "[a&&b]", "[a||b]", "[a[b]", "[😀-😎]",
		"{", "}", "]", "{,2}", "a{,2}", "x{", "-", "/", "&&", "#", " ",
		`\Qa.b\E`, `\pL`, `\p{Greek}`, "[[:alpha:]]", "(?i)a", "(?i:a)", "(?s:.)", `\C`, `\0`, `\141`, `\x{212A}`, "é",
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
			out.WriteString(atoms[r.IntN(len(atoms))])
		}
		out.WriteString(quantifiers[r.IntN(len(quantifiers))])
		if r.IntN(6) == 0 {
			out.WriteByte('|')
		}
	}
	return out.String()
}

// TestPatternsMeanTheSame searches with each atom in the empty text and in a short one,
// and with random expressions. A client must find the same as Go, or reject the expression.
func TestPatternsMeanTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(*clientSeed, 2))
	var requests []request
	var want []any
	usable := 0
	for i := range 2*len(atoms) + *clientCases {
		pattern, text := expression(r, 2), texts[r.IntN(len(texts))]+texts[r.IntN(len(texts))]
		if i < 2*len(atoms) {
			pattern, text = atoms[i/2], texts[i%2]
		}
		n := rubric.NegativeCriterion{Name: "n", FailPatterns: []string{pattern}, IgnoreCase: r.IntN(3) == 0}
		doc := &rubric.Rubric{ID: "a", NegativeCriteria: []rubric.NegativeCriterion{n}}
		hits, err := doc.NegativeHits(text)
		requests = append(requests, request{"op": "hits", "rubric": doc, "text": text})
		if err != nil {
			want = append(want, err)
		} else {
			want = append(want, hits)
			usable++
		}
	}
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		found := 0
		for i, a := range ask(requests...) {
			switch {
			case a.Error != nil && a.Error.Type == "InputError":
			case a.Error != nil:
				t.Errorf("%v: got %+v", requests[i], a.Error)
			default:
				if hits, ok := want[i].([]rubric.Hit); !ok {
					t.Errorf("%v: Go rejects it (%v), but the client finds %s", requests[i]["rubric"].(*rubric.Rubric).NegativeCriteria, want[i], a.Result)
				} else if diff := cmp.Diff(hits, into[[]rubric.Hit](t, a)); diff != "" {
					t.Errorf("%+v in %+q (-want +got):\n%s", requests[i]["rubric"].(*rubric.Rubric).NegativeCriteria, requests[i]["text"], diff)
				}
				found++
			}
		}
		if found < usable/2 {
			t.Errorf("the client accepts %d of %d expressions that Go accepts", found, usable)
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
