package conformance

import (
	"errors"
	"strings"

	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// hitVector is one case of hits.json.
type hitVector struct {
	Name   string         `json:"name"`
	Reason string         `json:"reason"`
	Rubric *rubric.Rubric `json:"rubric"`
	Text   string         `json:"text"`
	Result *[]rubric.Hit  `json:"result,omitempty"`
	Error  *refusal       `json:"error,omitempty"`
}

// negatives is a rubric with the negative criteria.
func negatives(list ...rubric.NegativeCriterion) *rubric.Rubric {
	r := rubricOf(essential("a", 3))
	r.NegativeCriteria = list
	return r
}

// pattern is a rubric that searches for one expression, folded one that ignores
// the case of letters.
func pattern(p string) *rubric.Rubric {
	return negatives(rubric.NegativeCriterion{Name: "n", FailPatterns: []string{p}})
}

func folded(p string) *rubric.Rubric {
	return negatives(rubric.NegativeCriterion{Name: "n", FailPatterns: []string{p}, IgnoreCase: true})
}

// hitVectors computes what is expected of each case.
func hitVectors() []hitVector {
	vectors := hitCases()
	for i := range vectors {
		v := &vectors[i]
		result, err := v.Rubric.NegativeHits(v.Text)
		var input *rubric.InputError
		if errors.As(err, &input) {
			v.Error = refusalOf(input)
		} else {
			v.Result = must(result, err)
		}
	}
	return vectors
}

func hitCases() []hitVector {
	cases := []hitVector{
		{Name: "anywhere", Reason: "a pattern is searched, not matched as a whole, and every place counts", Rubric: pattern("etc"), Text: "etc, etc."},
		{Name: "nowhere", Reason: "no hit is an empty list", Rubric: pattern("etc"), Text: "all of them"},
		{Name: "no-text", Reason: "an empty text is a text", Rubric: pattern("etc"), Text: ""},
		{Name: "no-patterns", Reason: "a rubric without negative criteria hits nothing", Rubric: negatives(), Text: "etc"},
		{Name: "case-counts", Reason: "capitals are other letters unless ignore_case says otherwise", Rubric: pattern("etc"), Text: "ETC"},
		{Name: "no-overlap", Reason: "matches do not overlap", Rubric: pattern("aa"), Text: "aaaaa"},
		{Name: "first-alternative", Reason: "of alternatives the first counts, not the longest", Rubric: pattern("a|ab"), Text: "ab"},
		{Name: "lazy", Reason: "a lazy repetition takes as little as it can", Rubric: pattern("a.*?b"), Text: "aXbXb"},
		{Name: "counted", Reason: "a counted repetition takes as much as it can", Rubric: pattern("a{2,3}"), Text: "aaaaaa a"},
		{Name: "empty-everywhere", Reason: "an empty match is a hit, at the end of the text too", Rubric: pattern("x*"), Text: "ab"},
		{Name: "empty-in-no-text", Reason: "an empty match is a hit in an empty text", Rubric: pattern("x*"), Text: ""},
		{Name: "empty-after-a-match", Reason: "an empty match right at the end of the match before is dropped", Rubric: pattern("a*"), Text: "baac"},
		{Name: "empty-by-code-point", Reason: "the search goes on after a whole code point, not in the middle of a pair", Rubric: pattern("x*"), Text: "\U0001F600\u00e4"},
		{Name: "boundaries", Reason: "matches of word boundaries are empty", Rubric: pattern(`\b`), Text: "ab cd"},
		{Name: "code-points", Reason: "places count code points: neither bytes nor UTF-16 units", Rubric: pattern("b"), Text: "\u00e4b\U0001F600b"},
		{Name: "dot-is-a-code-point", Reason: "a dot takes a character beyond the first plane as one", Rubric: pattern("^.$"), Text: "\U0001F600"},
		{Name: "class-beyond-the-first-plane", Reason: "a range in a class can hold such characters", Rubric: pattern("[\U0001F600-\U0001F64F]+"), Text: "a\U0001F600\U0001F601b\U0001F680"},
		{Name: "negated-class", Reason: "a negated class takes such a character, and the end of a line, as one", Rubric: pattern("[^a]"), Text: "a\U0001F600\na"},
		{Name: "composed", Reason: "the text is brought to NFC before it is counted", Rubric: pattern("b"), Text: "a\u0308b"},
		{Name: "composed-pattern", Reason: "a composed pattern finds decomposed text", Rubric: pattern("\u00e4"), Text: "a\u0308 \u00e4"},
		{Name: "composition-excluded", Reason: "NFC decomposes what is excluded from composition, so the text becomes longer", Rubric: pattern("b"), Text: "\u0958b"},
		{Name: "marks-reordered", Reason: "marks are sorted by class before they are composed", Rubric: pattern("\u1e69"), Text: "s\u0307\u0323"},
		{Name: "hangul", Reason: "Korean syllables are composed by a rule", Rubric: pattern("\uac01"), Text: "\u1100\u1161\u11a8"},
		{Name: "singleton", Reason: "the Kelvin sign becomes a K", Rubric: pattern("K"), Text: "\u212a"},
		{Name: "many-marks", Reason: "more than 30 marks in a row are kept as they are: nothing is inserted", Rubric: pattern("b"), Text: "a" + strings.Repeat("\u0300", 40) + "b"},
		{Name: "joiner-kept", Reason: "a grapheme joiner that the text has stays", Rubric: pattern("b"), Text: "a\u034f\u0300b"},
		{Name: "crlf", Reason: "CRLF is one LF", Rubric: pattern(`a\nb`), Text: "a\r\nb"},
		{Name: "lone-cr", Reason: "a CR alone is an LF", Rubric: pattern(`a\nb`), Text: "a\rb"},
		{Name: "cr-cr-lf", Reason: "the first CR is an end of line of its own", Rubric: pattern(`\n`), Text: "a\r\r\nb"},
		{Name: "begin-and-end", Reason: "^ and $ are the ends of the text, not of lines", Rubric: pattern("^b|b$"), Text: "b\nb\nb"},
		{Name: "end-before-a-line-end", Reason: "$ is not before a last end of line", Rubric: pattern("b$"), Text: "b\n"},
		{Name: "dot-and-line-end", Reason: "a dot does not take an end of line", Rubric: pattern("a.b"), Text: "a\nb a-b"},
		{Name: "dot-and-separators", Reason: "a dot takes the separators that some languages count as ends of lines", Rubric: pattern("a.b"), Text: "a\u2028b a\u0085b"},
		{Name: "ascii-digits", Reason: `\d is ASCII`, Rubric: pattern(`\d`), Text: "\u06633"},
		{Name: "ascii-words", Reason: `\w is ASCII`, Rubric: pattern(`\w+`), Text: "\u00e9a_1"},
		{Name: "ascii-boundaries", Reason: `\b is ASCII`, Rubric: pattern(`\bb\b`), Text: "\u00e4b\u00e4"},
		{Name: "ascii-space", Reason: `\s is tab, LF, form feed, CR and space`, Rubric: pattern(`\s`), Text: "a b\tc\u00a0d\u2003e\ufefff"},
		{Name: "not-space", Reason: `\S is everything else`, Rubric: pattern(`\S`), Text: "\u00a0 \n"},
		{Name: "replacement-character", Reason: "a replacement character in the text is a character", Rubric: pattern("b"), Text: "\ufffdb"},
		{Name: "order", Reason: "negative criteria, patterns and places, each in its order; a pattern that hits nothing leaves nothing", Rubric: negatives(
			rubric.NegativeCriterion{Name: "z", FailPatterns: []string{"c", "nothing", "a"}},
			rubric.NegativeCriterion{Name: "a", FailPatterns: []string{"B"}, IgnoreCase: true, Effect: rubric.EffectReport},
		), Text: "abcab"},
	}
	return append(append(cases, foldedCases()...), refusedPatterns()...)
}

// foldedCases are about ignore_case.
func foldedCases() []hitVector {
	return []hitVector{
		{Name: "ignore-case", Reason: "ASCII letters are found in either case", Rubric: folded("etc"), Text: "ETC Etc etc"},
		{Name: "ignore-case-class", Reason: "in classes too", Rubric: folded("[a-c]+"), Text: "aBcD"},
		{Name: "ignore-case-across", Reason: "a range from capitals to small letters holds both and what stands between", Rubric: folded("[Z-a]+"), Text: "zA_b"},
		{Name: "ignore-case-negated", Reason: "a negated class leaves out both cases", Rubric: folded("[^s]"), Text: "sSt"},
		{Name: "ignore-case-ascii-only", Reason: "letters beyond ASCII keep their case", Rubric: folded("caf."), Text: "CAF\u00c9"},
		{Name: "long-s", Reason: "a long s is no s, though some languages fold it", Rubric: folded("s"), Text: "\u017fS"},
		{Name: "long-s-in-a-class", Reason: "nor in a class", Rubric: folded("[r-t]"), Text: "\u017f"},
		{Name: "long-s-negated", Reason: "so a negated class takes it", Rubric: folded("[^s]"), Text: "\u017f"},
		{Name: "long-s-no-word", Reason: `nor is it in \w`, Rubric: folded(`\w`), Text: "\u017f"},
		{Name: "long-s-outside-words", Reason: `but in \W`, Rubric: folded(`\W`), Text: "\u017f"},
		{Name: "long-s-boundary", Reason: "a word can begin after it", Rubric: folded(`\bs`), Text: "\u017fs"},
		{Name: "long-s-keeps-places", Reason: "it counts as one character", Rubric: folded("a.c"), Text: "A\u017fC"},
		{Name: "kelvin", Reason: "the Kelvin sign is a K because the text is brought to NFC", Rubric: folded("k"), Text: "\u212a"},
		{Name: "dotted-and-dotless-i", Reason: "the Turkish letters are no i", Rubric: folded("i"), Text: "\u0130\u0131I"},
	}
}

// refusedPatterns can't be used in any language.
func refusedPatterns() []hitVector {
	return []hitVector{
		{Name: "invalid-pattern", Reason: "what is no expression hits nothing and passes nothing", Rubric: pattern("(a"), Text: "a"},
		{Name: "look-around", Reason: "look-around is not there, even where a language has it", Rubric: pattern("a(?=b)"), Text: "ab"},
		{Name: "back-reference", Reason: "nor are back references", Rubric: pattern(`(a)\1`), Text: "aa"},
		{Name: "ignore-case-beyond-ascii", Reason: "languages disagree on capitals beyond ASCII", Rubric: folded("\u00e4"), Text: "\u00e4"},
		{Name: "no-fail-patterns", Reason: "a negative criterion that can never be hit", Rubric: negatives(rubric.NegativeCriterion{Name: "n", FailPatterns: []string{}}), Text: "a"},
		{Name: "name-twice", Reason: "two negative criteria of one name can't be told apart", Rubric: negatives(
			rubric.NegativeCriterion{Name: "n", FailPatterns: []string{"a"}},
			rubric.NegativeCriterion{Name: "n", FailPatterns: []string{"b"}},
		), Text: "a"},
	}
}
