package rules

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

const anchorKeys = `      1: No merged change is mentioned.
      2: Fewer than half of the merged changes are mentioned.
      3: Half of the merged changes are mentioned, or more.
      4: All merged changes except one are mentioned.
      5: Every merged change is mentioned.
`

// mistakes are what people do when they write a rubric by hand, each as texts of the good
// rubric and what they write instead.
var mistakes = []struct {
	reason string
	pairs  []string
}{
	{"anchors from 0 to 4", []string{anchorKeys, "      0: None has a time.\n      1: One has a time.\n      2: Two have a time.\n      3: All but one have a time.\n      4: All have a time.\n"}},
	{"anchors from 1 to 4", []string{"      5: Every merged change is mentioned.\n", ""}},
	{"anchors from 1 to 10", []string{anchorKeys, "      1: None.\n      3: One change.\n      5: Two changes.\n      7: Three changes.\n      10: All changes.\n"}},
	{"anchors from 0 to 100", []string{anchorKeys, "      0: None.\n      25: One change.\n      50: Two changes.\n      75: Three changes.\n      100: All changes.\n"}},
	{"anchors from poor to excellent", []string{anchorKeys, "      poor: None.\n      fair: One change.\n      good: Two changes.\n      very good: Three changes.\n      excellent: All changes.\n"}},
	{"anchors as a list", []string{anchorKeys, strings.ReplaceAll(anchorKeys, "      ", "      - ")}},
	{"an anchor in words", []string{"      4: All", "      four: All"}},
	{"the best anchor first", []string{"1: No merged change is mentioned.", "1: Excellent, nothing is missing.", "5: Every merged change is mentioned.", "5: Very poor, everything is missing."}},
	{"a comment with slashes", []string{"rubric_id:", "// our postmortem rubric\nrubric_id:"}},
	{"no-break spaces", []string{"    weight:", "\u00a0\u00a0\u00a0\u00a0weight:"}},
	{"a tab", []string{"    weight:", "\tweight:"}},
	{"one space too many", []string{"    threshold:", "     threshold:"}},
	{"no space after the colon", []string{"weight: essential", "weight:essential"}},
	{"a colon in a text", []string{"description: How many of the", "description: Question: how many of the"}},
	{"a quote that is not closed", []string{"name: Release notes", `name: "Release notes`}},
	{"a key twice", []string{"    weight: essential\n", "    weight: essential\n    weight: important\n"}},
	{"a misspelled key", []string{"    threshold: 3.0", "    treshold: 3.0"}},
	{"a name in words", []string{"name: completeness", `name: "Root Cause"`}},
	{"another weight", []string{"weight: essential", "weight: high"}},
	{"a misspelled weight", []string{"weight: essential", "weight: esential"}},
	{"the opposite of a weight", []string{"weight: essential", "weight: non-essential"}},
	{"the opposite of a key", []string{"fail_patterns:", "pass_patterns:"}},
	{"the edge of a word in grep", []string{`'\bTBD\b'`, `'\<TBD\>'`}},
	{"an intersection of classes", []string{`'\bTBD\b'`, `'[a-z&&[^aeiou]]TBD'`}},
	{"a version in an ID", []string{"rubric_id: good_v1", "rubric_id: good_v1.0"}},
	{"a misspelled ID", []string{"rubric_id: good_v1", "rubric_id: godo_v1"}},
	{"curly quotes", []string{"weight: essential", "weight: “essential”"}},
	{"a comma in a number", []string{"    threshold: 3.0", "    threshold: 3,0"}},
	{"a number in quotes", []string{"    threshold: 3.0", `    threshold: "3.0"`}},
	{"a percentage", []string{"    threshold: 3.0", "    threshold: 70"}},
	{"a version without quotes", []string{`version: "1.2.0"`, "version: 1.2"}},
	{"a version of two numbers", []string{`version: "1.2.0"`, `version: "1.2"`}},
	{"an example for another score", []string{"      score_5: |-", "      score_4: |-"}},
	{"a key one level too high", []string{"scoring:\n  pass_threshold: 3.5\n  essential_minimum: 3.0\n", "pass_threshold: 3.5\nscoring:\n  essential_minimum: 3.0\n"}},
	{"a single pattern", []string{`fail_patterns: ['\bTBD\b']`, `fail_patterns: '\bTBD\b'`}},
	{"a reference to a group", []string{`'\bTBD\b'`, `'(?P<w>[a-z]+) (?P=w)'`}},
	{"lookahead", []string{`'\bTBD\b'`, `'TBD(?!: see)'`}},
	{"an ID without its version", []string{"rubric_id: good_v1", "rubric_id: good"}},
	{"decomposed letters in a description", []string{"description: >-\n  Scores the notes\n  of a release.", "description: The re\u0301sume\u0301s of a release."}},
	{"letters in a pattern that no artifact has", []string{`'\bTBD\b'`, "'\u09dc'"}},
	{"an ID that has no version", []string{"rubric_id: good_v1", "rubric_id: notes"}},
	{"decomposed letters in a name", []string{"name: Release notes", "name: Re\u0301sume\u0301"}},
	{"ordinary Bengali", []string{"description: >-\n  Scores the notes\n  of a release.", "description: \u09aa\u09dc\u09be\u09b0"}},
	{"blank texts, as in a draft", []string{"description: How many of the merged changes does the text mention?", `description: ""`}},
}

// TestNaturalMistakes holds where each mistake is reported, and with which advice.
func TestNaturalMistakes(t *testing.T) {
	const golden = "testdata/mistakes.golden"
	var got strings.Builder
	for _, m := range mistakes {
		files := linttest.Library(map[string]string{linttest.GoodPath: linttest.Changed(t, m.pairs...), lint.Root + "/corpus/other_v1.yaml": linttest.Other("other_v1")})
		report := linttest.Run(t, files, All(), lint.Options{})
		got.WriteString("# " + m.reason + "\n" + goldenOf(files, report.Findings, true) + "\n")
	}
	if *update {
		must.Do(t, os.WriteFile(golden, []byte(got.String()), 0o644))
	}
	if diff := cmp.Diff(string(must.Get(os.ReadFile(golden))(t)), got.String()); diff != "" {
		t.Errorf("the findings differ (-want +got):\n%s", diff)
	}
}

// suggestion matches what a message suggests to write.
var suggestion = regexp.MustCompile(`Did you mean "?([^"?]+)"?\?`)

// followed returns a text after its findings were followed: each fix is applied, or else each
// suggestion is written at the place of its finding. It reports false if there is nothing to
// follow.
func followed(t rapid.TB, text string, findings []lint.Finding) (string, bool) {
	var edits []source.Edit
	f := source.NewFile("x.yaml", []byte(text))
	offset := func(p source.Position) int {
		line := []rune(f.Text(f.LineSpan(p.Line)))
		return f.LineSpan(p.Line).Start + len(string(line[:p.Column-1]))
	}
	for _, finding := range findings {
		more := []source.Edit{}
		if finding.Fix != nil {
			more = finding.Fix.Edits
		} else if m := suggestion.FindStringSubmatch(finding.Message); m != nil {
			more = []source.Edit{{Span: source.Span{Start: offset(finding.Start), End: offset(finding.End)}, Text: m[1]}}
		}
		if _, err := source.Apply(f.Data, append(slices.Clone(edits), more...)); err == nil {
			edits = append(edits, more...)
		}
	}
	after := must.Get(source.Apply(f.Data, edits))(t)
	return string(after), len(edits) > 0
}

// slips are what hands do to a word.
var slips = []func(t *rapid.T, word string) string{
	func(t *rapid.T, word string) string { // a letter is missing
		i := rapid.IntRange(0, len(word)-1).Draw(t, "missing")
		return word[:i] + word[i+1:]
	},
	func(t *rapid.T, word string) string { // a letter is written twice
		i := rapid.IntRange(0, len(word)-1).Draw(t, "twice")
		return word[:i+1] + word[i:]
	},
	func(t *rapid.T, word string) string { // another letter or digit
		i := rapid.IntRange(0, len(word)-1).Draw(t, "other")
		return word[:i] + rapid.StringMatching(`[a-z0-6]`).Draw(t, "letter") + word[i+1:]
	},
	func(_ *rapid.T, word string) string { return strings.ToUpper(word[:1]) + word[1:] },
	func(_ *rapid.T, word string) string { return strings.ReplaceAll(word, "_", " ") },
	func(_ *rapid.T, word string) string { return strings.ReplaceAll(word, ".", ",") },
	func(_ *rapid.T, word string) string { return "“" + word + "”" },
	func(_ *rapid.T, word string) string { return `"` + word + `"` },
	func(t *rapid.T, word string) string {
		return rapid.SampledFrom([]string{"one", "two", "three", "four", "five", "0", "6", "high", "best"}).Draw(t, "word")
	},
}

// writtenWords matches the keys and the short values of the good rubric, and slippery the words
// that can slip, once more too.
var (
	writtenWords = regexp.MustCompile(`(?m)^[ -]*([a-z0-9_]+)(?:: (["a-z0-9_.]+))?`)
	slippery     = regexp.MustCompile(`^["a-z0-9_.]+$`)
)

// place is a word of a text that slipped: as it was at first, and after each slip.
type place struct {
	source.Span
	words []string
}

// drawSlips returns the places of up to two slips in a text.
func drawSlips(t *rapid.T, text string) []place {
	var places []place
	for range rapid.IntRange(0, 2).Draw(t, "slips") {
		m := rapid.SampledFrom(writtenWords.FindAllStringSubmatchIndex(text, -1)).Draw(t, "place")
		span := source.Span{Start: m[2], End: m[3]}
		if m[4] >= 0 && rapid.Bool().Draw(t, "value") {
			span = source.Span{Start: m[4], End: m[5]}
		}
		i := slices.IndexFunc(places, func(p place) bool { return p.Span == span })
		if i < 0 {
			i, places = len(places), append(places, place{span, []string{text[span.Start:span.End]}})
		}
		words := places[i].words
		if last := words[len(words)-1]; slippery.MatchString(last) {
			places[i].words = append(words, rapid.SampledFrom(slips).Draw(t, "slip")(t, last))
		}
	}
	return places
}

// written returns all texts that have one of the words in each place: first the text as it was,
// last the one with all slips.
func written(t rapid.TB, text string, places []place) []string {
	choices := [][]source.Edit{nil}
	for _, p := range places {
		var more [][]source.Edit
		for _, edits := range choices {
			for _, word := range p.words {
				more = append(more, append(slices.Clone(edits), source.Edit{Span: p.Span, Text: word}))
			}
		}
		choices = more
	}
	var texts []string
	for _, edits := range choices {
		texts = append(texts, string(must.Get(source.Apply([]byte(text), edits))(t)))
	}
	return texts
}

// meant returns the places with each word also as people read it: 3,0 as 3.0, and five as 5.
func meant(places []place) []place {
	var read []place
	for _, p := range places {
		words := slices.Clone(p.words)
		for _, word := range p.words {
			word = strings.NewReplacer("“", "", "”", "", `"`, "", ",", ".").Replace(word)
			if i := slices.Index([]string{"one", "two", "three", "four", "five"}, word); i >= 0 {
				word = fmt.Sprint(i + 1)
			}
			words = append(words, word)
		}
		read = append(read, place{p.Span, words})
	}
	return read
}

// scored returns what decides about a verdict: the weights, the thresholds, and the anchors, in
// the order of the file.
func scored(r *rubric.Rubric) string {
	var b strings.Builder
	fmt.Fprintln(&b, r.Scoring)
	for _, c := range r.Criteria {
		fmt.Fprintf(&b, "%v %v %q\n", c.Weight, c.Threshold, c.Anchors)
	}
	return b.String()
}

// TestAdviceKeepsWhatTheAuthorWrote makes slips in a rubric, or moves its scale, and follows all
// advice: if no error is left, its verdict depends on the same numbers and texts as before, or on
// those that the slips wrote. One slip can make the whole rubric unreadable for programs, but
// what the other slip wrote remains the author's, so each counts without the other as well.
func TestAdviceKeepsWhatTheAuthorWrote(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		moved := linttest.GoodRubric
		if from := rapid.IntRange(-1, 3).Draw(t, "scale"); from != 1 && from >= 0 {
			for score := range 5 {
				moved = strings.Replace(moved, fmt.Sprintf("      %d: ", score+1), fmt.Sprintf("      %d:  ", score+from), 1)
			}
		}
		places := drawSlips(t, moved)
		texts := written(t, moved, places)
		text := texts[len(texts)-1]
		for range 6 {
			files := linttest.Library(map[string]string{linttest.GoodPath: text})
			report := must.Get(lint.Run(files, All(), lint.Options{}))(t)
			after, more := followed(t, text, report.Findings)
			if !more || after == text {
				got := rubricOf(text)
				if report.Summary.Errors == 0 && got != nil && !wrote(append(written(t, moved, meant(places)), linttest.GoodRubric), got) {
					t.Fatalf("advice changed the rubric to\n%s", text)
				}
				return
			}
			text = after
		}
	})
}

// wrote reports whether one of the texts has the verdicts of a rubric.
func wrote(texts []string, r *rubric.Rubric) bool {
	return slices.ContainsFunc(texts, func(text string) bool {
		w := rubricOf(text)
		return w != nil && scored(w) == scored(r)
	})
}

func rubricOf(text string) *rubric.Rubric {
	return document.Parse(source.NewFile("x.yaml", []byte(text))).Rubric()
}
