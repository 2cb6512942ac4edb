package clients_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/pkg/rubric"
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

// TestPatternsMeanTheSame searches with random expressions. A client must find the same as
// Go, or reject the expression.
func TestPatternsMeanTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2)) // the same expressions every time
	var requests []request
	var want []any
	usable := 0
	for range 8000 {
		n := rubric.NegativeCriterion{Name: "n", FailPatterns: []string{expression(r, 2)}, IgnoreCase: r.IntN(3) == 0}
		doc := &rubric.Rubric{ID: "a", NegativeCriteria: []rubric.NegativeCriterion{n}}
		text := texts[r.IntN(len(texts))] + texts[r.IntN(len(texts))]
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
