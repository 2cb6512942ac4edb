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

	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// searching returns a rubric with one negative criterion, "n".
func searching(ignoreCase bool, patterns ...string) *rubric.Rubric {
	return &rubric.Rubric{ID: "search_v1", NegativeCriteria: []rubric.NegativeCriterion{
		{Name: "n", FailPatterns: patterns, IgnoreCase: ignoreCase},
	}}
}

func TestHitsPlaces(t *testing.T) {
	tests := []struct {
		reason  string
		pattern string
		text    string
		want    [][2]int // places
	}{
		{"found anywhere, every time", "etc", "etc, etc", [][2]int{{0, 3}, {5, 8}}},
		{"not found", "etc", "all of them", nil},
		{"nothing to search in", "etc", "", nil},
		{"case counts", "etc", "ETC", nil},
		{"code points are counted, not bytes", "b", "äb😀b", [][2]int{{1, 2}, {3, 4}}},
		{"a match can hold characters of several bytes", "b.", "äb😀b", [][2]int{{1, 3}}},
		{"the text is composed before it is counted", "b", "a\u0308b", [][2]int{{1, 2}}},
		{"a composed pattern finds decomposed text", "ä", "a\u0308", [][2]int{{0, 1}}},
		{"CRLF is one character", "b", "a\r\nb", [][2]int{{2, 3}}},
		{"a CR alone ends a line like any other", `a\nb`, "a\rb", [][2]int{{0, 3}}},
		{"matches do not overlap", "aa", "aaaaa", [][2]int{{0, 2}, {2, 4}}},
		{"the first alternative counts, not the longest", "a|ab", "ab", [][2]int{{0, 1}}},
		{"an empty match is a hit, in an empty text too", "x*", "", [][2]int{{0, 0}}},
		{"empty matches are everywhere", "x*", "äb", [][2]int{{0, 0}, {1, 1}, {2, 2}}},
		{"but not right after another match", "a*", "aab", [][2]int{{0, 2}, {3, 3}}},
		{"^ and $ are the ends of the text", "^b|b$", "b\nb\nb", [][2]int{{0, 1}, {4, 5}}},
		{"$ is not before a last line end", "b$", "b\n", nil},
		{"a dot does not match a line end", "a.b", "a\nb a-b", [][2]int{{4, 7}}},
		{`\d is ASCII`, `\d`, "٣3", [][2]int{{1, 2}}},
		{`\w is ASCII`, `\w+`, "éa_1ſ", [][2]int{{1, 4}}},
		{`\b is ASCII`, `\bb\b`, "äbä", [][2]int{{1, 2}}},
		{"a replacement character in the text is a character", "b", "\uFFFDb", [][2]int{{1, 2}}},
		{"more than 30 marks in a row shift nothing", "b", "a" + strings.Repeat("\u0300", 40) + "b", [][2]int{{40, 41}}},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			hits, err := searching(false, tt.pattern).NegativeHits(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			want := []rubric.Hit{}
			for _, p := range tt.want {
				want = append(want, rubric.Hit{Name: "n", Pattern: tt.pattern, Start: p[0], End: p[1]})
			}
			if diff := cmp.Diff(want, hits); diff != "" {
				t.Errorf("hits (-want +got):\n%s", diff)
			}
		})
	}
}

// The matches of each pattern were compared with Python's re.ASCII|re.IGNORECASE.
func TestHitsIgnoreCase(t *testing.T) {
	const longS, kelvin = "ſ", "\u212A"
	tests := []struct {
		reason  string
		pattern string
		text    string
		want    int // number of hits
	}{
		{"either case of the text", "etc", "ETC Etc etc", 3},
		{"either case of the pattern", "ETC", "etc", 1},
		{"alternatives on both sides", "a|b", "AB", 2},
		{"letters in a class", "[a-c]", "B", 1},
		{"a range across both cases", "[Z-a]", "zA_", 3},
		{"a class that is negated", "[^s]", "sS", 0},
		{"é is not an ASCII letter", "caf.", "CAFÉ", 1},
		{"the long s is not an s", "s", longS, 0},
		{"nor an S", "S", longS, 0},
		{"nor in a class", "[r-t]", longS, 0},
		{"so it is something else than s", "[^s]", longS, 1},
		{"the long s is not in \\w", `\w`, longS, 0},
		{"but in \\W", `\W`, longS, 1},
		{"and no part of a word", `\bs`, longS + "s", 1},
		{"it counts as one character", "a.c", "A" + longS + "C", 1},
		{"the Kelvin sign is a K, because the text is normalized", "k", kelvin, 1},
		{"the dotless i is not an i", "i", "ıİ", 0},
		{"an escaped ASCII character by number", `\x53`, "s" + longS, 1},
		{"an escaped backslash before text that is not a number", `\\xe9`, `\XE9`, 1},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			hits, err := searching(true, tt.pattern).NegativeHits(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if len(hits) != tt.want {
				t.Errorf("%d hits of %q in %q, want %d", len(hits), tt.pattern, tt.text, tt.want)
			}
		})
	}
}

// With the two functions, callers can search like a Matcher.
func TestCompiledPatternsFindWhatHitsDo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.SampledFrom([]string{"s", "[^k]", `\bS`, "(?m)^x*"}).Draw(t, "pattern")
		text := rapid.StringOf(rapid.SampledFrom([]rune("sSkKxé\u0301\u017F\u212A\r\n "))).Draw(t, "text")
		ignoreCase := rapid.Bool().Draw(t, "ignore_case")

		hits, err := searching(ignoreCase, pattern).NegativeHits(text)
		if err != nil {
			t.Fatal(err)
		}
		expression, err := rubric.CompilePattern(pattern, ignoreCase)
		if err != nil {
			t.Fatal(err)
		}
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

func TestIgnoreCaseKeepsPlaces(t *testing.T) {
	got, err := searching(true, "s").NegativeHits("ſSäſs")
	if err != nil {
		t.Fatal(err)
	}
	want := []rubric.Hit{{Name: "n", Pattern: "s", Start: 1, End: 2}, {Name: "n", Pattern: "s", Start: 4, End: 5}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("hits (-want +got):\n%s", diff)
	}
}

func TestHitsOrderAndNames(t *testing.T) {
	r := &rubric.Rubric{NegativeCriteria: []rubric.NegativeCriterion{
		{Name: "z", FailPatterns: []string{"c", "a"}},
		{Name: "a", FailPatterns: []string{"B"}, IgnoreCase: true},
		{Name: "m", FailPatterns: []string{"nowhere"}},
	}}
	hits, err := r.NegativeHits("abcab")
	if err != nil {
		t.Fatal(err)
	}
	want := []rubric.Hit{
		{Name: "z", Pattern: "c", Start: 2, End: 3},
		{Name: "z", Pattern: "a", Start: 0, End: 1},
		{Name: "z", Pattern: "a", Start: 3, End: 4},
		{Name: "a", Pattern: "B", Start: 1, End: 2},
		{Name: "a", Pattern: "B", Start: 4, End: 5},
	}
	if diff := cmp.Diff(want, hits); diff != "" {
		t.Errorf("hits (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a", "z"}, rubric.HitNames(hits)); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

func TestHitsRefuseTextThatIsNotUTF8(t *testing.T) {
	tests := []struct {
		reason string
		text   string
		offset int
	}{
		{"a byte that starts nothing", "ab\xFFcd", 2},
		{"a character cut off at the end", "ab😀"[:5], 2},
		{"a surrogate is no character", "\xED\xA0\x80", 0},
		{"an overlong form", "a\xC0\xAF", 1},
		{"the offset counts bytes of the text as given, line ends included", "ä\r\n\x80", 4},
		{"a replacement character is not the fault", "\uFFFD\x80", 3},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			hits, err := searching(false, ".").NegativeHits(tt.text)
			got, ok := errors.AsType[*rubric.TextError](err)
			if !ok || got.Offset != tt.offset || hits != nil {
				t.Errorf("hits %v, error %v, want offset %d", hits, err, tt.offset)
			}
		})
	}
	const want = "the text is not UTF-8 at byte 2 (counted from 0). Convert it to UTF-8 first"
	if got := (&rubric.TextError{Offset: 2}).Error(); got != want {
		t.Errorf("message is %q, want %q", got, want)
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

func TestMatcherKeepsNoLinkToTheRubric(t *testing.T) {
	r := searching(false, "a")
	m, err := r.Matcher()
	if err != nil {
		t.Fatal(err)
	}
	r.NegativeCriteria[0].FailPatterns[0] = "b"
	r.NegativeCriteria[0].Name = "changed"
	hits, err := m.Hits("ab")
	if diff := cmp.Diff([]rubric.Hit{{Name: "n", Pattern: "a", Start: 0, End: 1}}, hits); err != nil || diff != "" {
		t.Errorf("error %v, hits (-want +got):\n%s", err, diff)
	}
}

// Run this test with the race detector.
func TestMatcherIsSafeForGoroutines(t *testing.T) {
	m, err := searching(true, "s+", `\w`).Matcher()
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("Mississippi ſ ä\r\n", 50)
	want, err := m.Hits(text)
	if err != nil {
		t.Fatal(err)
	}
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
	m, err := (&rubric.Rubric{NegativeCriteria: []rubric.NegativeCriterion{
		{Name: "0", FailPatterns: []string{"[^b-z]", "x*"}},
		{Name: "1", FailPatterns: []string{"s", "[^k]+?"}, IgnoreCase: true},
	}}).Matcher()
	if err != nil {
		f.Fatal(err)
	}
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
