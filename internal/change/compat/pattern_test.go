package compat

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

func TestAFlagBesideThePatternsReplacesOneInAll(t *testing.T) {
	const patterns, ignoreCase, first, second = "fail_patterns: [assume]", "negative_criteria[assumptions].ignore_case",
		"negative_criteria[assumptions].fail_patterns[0]", "negative_criteria[assumptions].fail_patterns[1]"
	ignoring := "\n    ignore_case: true"
	for _, tt := range []struct {
		reason, base, head string
		want               []string
	}{
		{"in the only pattern", `['(?i)asap']`, "[asap]" + ignoring, []string{"patch changed " + first, "patch changed " + ignoreCase}},
		{"for a group that is the whole pattern", `['(?i:asap)']`, "[asap]" + ignoring, []string{"patch changed " + first, "patch changed " + ignoreCase}},
		{"in all patterns", `['(?i)asap', '(?i)etc']`, "[asap, etc]" + ignoring, []string{"patch changed " + first, "patch changed " + second, "patch changed " + ignoreCase}},
		{"in all alternatives", `['(?i:a)|(?i:b)']`, "['a|b']" + ignoring, []string{"patch changed " + first, "patch changed " + ignoreCase}},
		{"not if a pattern had none", `['(?i)asap', etc]`, "[asap, etc]" + ignoring, []string{"major changed " + ignoreCase, "patch changed " + first}},
		{"unless that pattern has no letters", `['(?i)asap', '[0-9]']`, "[asap, '[0-9]']" + ignoring, []string{"patch changed " + first, "patch changed " + ignoreCase}},
		{"not if it was for a part", `['(?i:as)ap']`, "[asap]" + ignoring, []string{"major changed " + first, "major changed " + ignoreCase}},
		{"not if another pattern comes", `['(?i)asap']`, "[asap, etc]" + ignoring, []string{"major added " + second, "major changed " + ignoreCase, "patch changed " + first}},
		{"not if one goes", `['(?i)asap', '(?i)etc']`, "[asap]" + ignoring, []string{"major changed " + ignoreCase, "minor removed " + second, "patch changed " + first}},
		{"not if the flag is forgotten", `['(?i)asap']`, "[asap]", []string{"major changed " + first}},
		{"not for a flag that has no key here", `['(?m)^asap']`, "['^asap']", []string{"major changed " + first}},
		{"not with letters that ignore_case does not support", `['(?i)später']`, "[später]" + ignoring, []string{"major changed " + first, "major changed " + ignoreCase}},
		{"another spelling means the same", `['[[:alpha:]]\07\Qa.b\E']`, `['[A-Za-z]\x07a\.b']`, []string{"patch changed " + first}},
	} {
		text := read(t, "rubric.yaml")
		base := parse(t, []byte(edit(t, text, patterns, "fail_patterns: "+tt.base)))
		got := lines(Compare(base, parse(t, []byte(edit(t, text, patterns, "fail_patterns: "+tt.head)))))
		if diff := cmp.Diff(slices.Sorted(slices.Values(tt.want)), slices.Sorted(slices.Values(got))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

func TestAFlagBesideThePatternOfACheckReplacesOne(t *testing.T) {
	const was, path = "        pattern: '^GET '\n        ignore_case: true\n        multiline: true\n", " changed rules[a.correctness.endpoints].checks[0]."
	for _, tt := range []struct {
		reason, base, head string
		want               []string
	}{
		{"for lines", "(?m)^GET$", "multiline", []string{"patch" + path + "multiline", "patch" + path + "pattern"}},
		{"both", "(?im)^GET$", "multiline ignore_case", []string{"patch" + path + "ignore_case", "patch" + path + "multiline", "patch" + path + "pattern"}},
		{"not one of two", "(?im)^GET$", "multiline", []string{"major" + path + "multiline", "major" + path + "pattern"}},
		{"not the other", "(?m)^GET$", "ignore_case", []string{"major" + path + "ignore_case", "major" + path + "pattern"}},
	} {
		head := "        pattern: '^GET$'\n"
		for key := range strings.FieldsSeq(tt.head) {
			head += "        " + key + ": true\n"
		}
		text := read(t, "ruleset.yaml")
		base := parse(t, []byte(edit(t, text, was, "        pattern: '"+tt.base+"'\n")))
		got := lines(Compare(base, parse(t, []byte(edit(t, text, was, head)))))
		if diff := cmp.Diff(tt.want, slices.Sorted(slices.Values(got))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

// TestAReplacedFlagFindsTheSame holds for any patterns, in texts without a long s: a change that is
// patch finds the same, and it is patch if all patterns had the flag.
func TestAReplacedFlagFindsTheSame(t *testing.T) {
	doc := full(t, &document.Rubric)
	with := func(patterns []string, ignoreCase bool) *document.Document {
		negative := map[string]any{"name": "n", "fail_patterns": patterns, "ignore_case": ignoreCase}
		return made(t, edited(doc, nil, func(d map[string]any) { d["negative_criteria"] = []any{negative} }))
	}
	count := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		patterns := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "ab", "[^a]", `\W`, "a+b", "[0-9]", "(a|B)c", "K", "^s$"}), 1, 3).Draw(t, "patterns")
		var flagged []string
		mixed := false
		for _, pattern := range patterns {
			flag := rapid.SampledFrom([]string{"(?i)", "(?i)", "(?i)", ""}).Draw(t, "flag")
			mixed = mixed || flag == ""
			flagged = append(flagged, flag+pattern)
		}
		base, head := with(flagged, false), with(patterns, true)
		changes := Compare(base, head)
		isPatch := Class(changes) <= schema.Patch
		if !isPatch && !mixed {
			t.Fatalf("%q becomes %q: %q", flagged, patterns, lines(changes))
		}
		count[isPatch]++
		text := rapid.StringOf(rapid.SampledFrom([]rune("aAbBcCkKsS01 \n\u00e9"))).Draw(t, "text")
		if was, is := placesIn(t, base.Rubric(), text), placesIn(t, head.Rubric(), text); isPatch && !cmp.Equal(was, is) {
			t.Fatalf("%q becomes %q, which finds %v instead of %v in %q", flagged, patterns, is, was, text)
		}
	})
	if !testing.Short() && (count[true] < 20 || count[false] < 20) { // -short makes 20 changes
		t.Errorf("%d changes are patch and %d are not, which shows little", count[true], count[false])
	}
}

// placesIn are the places that a rubric hits, each once.
func placesIn(t fataler, r *rubric.Rubric, text string) map[[2]int]bool {
	places := map[[2]int]bool{}
	for _, h := range hits(t, r, text) {
		places[[2]int{h.Start, h.End}] = true
	}
	return places
}
