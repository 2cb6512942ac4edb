package rubric_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// searching returns a rubric with one negative criterion, "n".
func searching(ignoreCase bool, patterns ...string) *rubric.Rubric {
	return &rubric.Rubric{ID: "search_v1", NegativeCriteria: []rubric.NegativeCriterion{
		{Name: "n", FailPatterns: patterns, IgnoreCase: ignoreCase},
	}}
}

// TestHitsOfLongS checks a letter that is replaced only if case is ignored; the conformance
// vectors in internal/release/conformance check other texts and patterns.
func TestHitsOfLongS(t *testing.T) {
	got, err := searching(false, "ſ").NegativeHits("sſ")
	if diff := cmp.Diff([]rubric.Hit{{Name: "n", Pattern: "ſ", Start: 1, End: 2}}, got); err != nil || diff != "" {
		t.Errorf("error %v, hits (-want +got):\n%s", err, diff)
	}
}

// With the two functions, callers can search like a Matcher.
func TestCompiledPatternsFindWhatHitsDo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		patterns := []string{"s", "[^k]", `\bS`, "(?m)^x*"}
		ignoreCase := rapid.Bool().Draw(t, "ignore_case")
		if !ignoreCase {
			patterns = append(patterns, "\u017F")
		}
		pattern := rapid.SampledFrom(patterns).Draw(t, "pattern")
		text := rapid.StringOf(rapid.SampledFrom([]rune("sSkKxé\u0301\u017F\u212A\r\n "))).Draw(t, "text")

		hits := must.Get(searching(ignoreCase, pattern).NegativeHits(text))(t)
		expression := must.Get(rubric.CompilePattern(pattern, ignoreCase))(t)
		searched, normalized := rubric.PatternText(text, ignoreCase), rubric.Normalize(text)
		var got []rubric.Hit
		for _, span := range expression.FindAllStringIndex(searched, -1) {
			got = append(got, rubric.Hit{
				Name: "n", Pattern: pattern,
				Start: utf8.RuneCountInString(normalized[:span[0]]), End: utf8.RuneCountInString(normalized[:span[1]]),
			})
		}
		if diff := cmp.Diff(hits, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("(-hits +found):\n%s", diff)
		}
	})
}

func TestHitNames(t *testing.T) {
	hits := []rubric.Hit{{Name: "z"}, {Name: "z", Start: 3}, {Name: "a", Start: 1}, {Name: "z"}}
	if diff := cmp.Diff([]string{"a", "z"}, rubric.HitNames(hits)); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

func TestHitsRefuseTextThatIsNotUTF8(t *testing.T) {
	const want = "the text is not UTF-8 at byte 7 (counted from 0). Convert it to UTF-8 first"
	// The offset counts bytes of the text as given. The replacement character is valid.
	hits, err := searching(false, ".").NegativeHits("ä\r\n\uFFFD\x80")
	got, ok := errors.AsType[*rubric.TextError](err)
	if !ok || got.Offset != 7 || got.Error() != want || hits != nil {
		t.Errorf("hits %v, error %v, want %s", hits, err, want)
	}
}

func TestMatcherRefusesPatterns(t *testing.T) {
	const ascii = `with ignore_case it may name ASCII characters only (no \p, and no character by number but \x00 to \x7F)`
	tests := []struct {
		reason string
		rubric *rubric.Rubric
		want   []string
	}{
		{
			"every pattern that does not compile is named",
			searching(false, "a(", "fine", "b)"),
			[]string{
				"pattern \"a(\" of negative criterion \"n\" can't be used: error parsing regexp: missing closing ): `a(`",
				"pattern \"b)\" of negative criterion \"n\" can't be used: error parsing regexp: unexpected ): `b)`",
			},
		},
		{
			"without patterns it could never be hit",
			searching(false),
			[]string{`negative criterion "n" has no fail_patterns`},
		},
		{
			"é has a capital letter, but not in ASCII",
			searching(true, "café"),
			[]string{`pattern "café" of negative criterion "n" can't be used: ` + ascii},
		},
		{
			"nor when it is written by its number",
			searching(true, `caf\xe9`),
			[]string{`pattern "caf\\xe9" of negative criterion "n" can't be used: ` + ascii},
		},
		{
			"in any way",
			searching(true, `[\x{17F}]`, `\351`),
			[]string{
				`pattern "[\\x{17F}]" of negative criterion "n" can't be used: ` + ascii,
				`pattern "\\351" of negative criterion "n" can't be used: ` + ascii,
			},
		},
		{
			"nor as part of a class",
			searching(true, `\p{Lu}`, `\PL`),
			[]string{
				`pattern "\\p{Lu}" of negative criterion "n" can't be used: ` + ascii,
				`pattern "\\PL" of negative criterion "n" can't be used: ` + ascii,
			},
		},
		{
			"hits of criteria with the same name are ambiguous",
			&rubric.Rubric{ID: "search_v1", NegativeCriteria: []rubric.NegativeCriterion{
				{Name: "n", FailPatterns: []string{"a"}}, {Name: "n", FailPatterns: []string{"b"}},
			}},
			[]string{`the name of negative criterion "n" is used more than once`},
		},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			m, err := tt.rubric.Matcher()
			checkInputError(t, err, &rubric.InputError{RubricID: "search_v1", Definition: tt.want})
			if m != nil {
				t.Error("a matcher beside an error")
			}
			if _, err := tt.rubric.NegativeHits("text"); err == nil {
				t.Error("NegativeHits found nothing, which would pass")
			}
		})
	}
}

// Run this test with the race detector.
func TestMatcherIsSafeForGoroutines(t *testing.T) {
	m := must.Get(searching(true, "s+", `\w`).Matcher())(t)
	text := strings.Repeat("Mississippi ſ ä\r\n", 50)
	want := must.Get(m.Hits(text))(t)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			got, err := m.Hits(text)
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("error %v, hits (-want +got):\n%s", err, diff)
			}
		})
	}
	group.Wait()
}

// Hits are in ascending order within the text, and each pattern matches the text at its
// hits.
func FuzzMatcherHits(f *testing.F) {
	m := must.Get((&rubric.Rubric{NegativeCriteria: []rubric.NegativeCriterion{
		{Name: "0", FailPatterns: []string{"[^b-z]", "x*"}},
		{Name: "1", FailPatterns: []string{"s", "[^k]+?"}, IgnoreCase: true},
	}}).Matcher())(f)
	order := map[string]int{"[^b-z]": 0, "x*": 1, "s": 2, "[^k]+?": 3}
	f.Add("Mississippi")
	f.Add("a\u0308\r\n\rſ\u212A😀")
	f.Add("a" + strings.Repeat("\u0300", 40) + "xx")
	f.Add("\xFF")
	f.Fuzz(func(t *testing.T, text string) {
		hits, err := m.Hits(text)
		if (err == nil) != utf8.ValidString(text) {
			t.Fatalf("error %v for %q", err, text)
		}
		characters := []rune(rubric.Normalize(text))
		var before rubric.Hit
		for i, h := range hits {
			if h.Start < 0 || h.Start > h.End || h.End > len(characters) {
				t.Fatalf("%+v is outside the %d characters", h, len(characters))
			}
			if i > 0 && (order[h.Pattern] < order[before.Pattern] ||
				h.Pattern == before.Pattern && (h.Start < before.End || h.End <= before.End)) {
				t.Fatalf("%+v comes after %+v", h, before)
			}
			found := string(characters[h.Start:h.End])
			if h.Pattern == "s" && found != "s" && found != "S" || h.Pattern == "x*" && strings.Trim(found, "x") != "" {
				t.Fatalf("%+v is at %q", h, found)
			}
			before = h
		}
	})
}
