package textdiff

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// pairsOf writes pairs as "20 became 3; 5 became 8".
func pairsOf(all []Became) string {
	var parts []string
	for _, b := range all {
		parts = append(parts, b.From+" became "+b.To)
	}
	return strings.Join(parts, "; ")
}

func TestNumbersThatBecameOthers(t *testing.T) {
	many := strings.Repeat("the word ", 3000)
	for _, tt := range []struct{ reason, before, after, want string }{
		{"a limit", "The change has at most 20 lines.", "The change has at most 3 lines.", "20 became 3"},
		{"a limit in other words", "The change has at most 20 lines.", "The change has no more than 3 lines.", "20 became 3"},
		{"the opposite of a limit", "Has at least 20 lines.", "Has at most 3 lines.", "20 became 3"},
		{"a singular", "Names one source for the claim.", "Names two sources for the claim.", "one became two"},
		{"a plural of another form", "Grades one story for a sprint.", "Grades 2 stories for a sprint.", "one became 2"},
		{"several", "Between 10 and 20 lines.", "Between 5 and 8 lines.", "10 became 5; 20 became 8"},
		{"one of several", "3 sources in 20 lines.", "3 sources in 10 lines.", "20 became 10"},
		{"the same twice", "At most 20 lines, or 20 rows.", "At most 3 lines, or 3 rows.", "20 became 3"},
		{"a chain", "Between 3 and 5 lines.", "Between 5 and 8 lines.", "3 became 5; 5 became 8"},
		{"a range is one number", "Has 10-20 lines.", "Has 5–8 lines.", "10-20 became 5–8"},
		{"a date", "Since 2024-01-01.", "Since 2025-01-01.", "2024-01-01 became 2025-01-01"},
		{"words", "At most twenty-one lines.", "At most three lines.", "twenty-one became three"},
		{"words for large numbers", "One hundred and twenty words.", "One hundred and thirty words.", "One hundred and twenty became One hundred and thirty"},
		{"digits instead of words", "At most twenty lines.", "At most 3 lines.", "twenty became 3"},
		{"fractions", "Cites one third of them.", "Cites two thirds of them.", "one third became two thirds"},
		{"half", "Half of them are cited.", "30% of them are cited.", "Half became 30%"},
		{"shares", "At least 20 % of the lines.", "At least 30% of the lines.", "20 % became 30%"},
		{"a share that is no share anymore", "At least 20% of lines.", "At least 20 of lines.", "20% became 20"},
		{"units", "Within 20ms.", "Within 3s.", "20ms became 3s"},
		{"millions", "Over 3 million rows.", "Over 5 million rows.", "3 million became 5 million"},
		{"groups with spaces", "Fewer than 100 000 users of 10\u00a0000.", "Fewer than 200 000 users of 20\u00a0000.", "100 000 became 200 000; 10\u00a0000 became 20\u00a0000"},
		{"a decimal", "A ratio of 0.5 or more.", "A ratio of 0.75 or more.", "0.5 became 0.75"},
		{"after a sign", "n<20, ≥20 and $20", "n<3, ≥3 and $3", "20 became 3"},
		{"in a compound", "A 20-line change.", "A 3-line change.", "20 became 3"},
		{"another script", "يجب ألا يزيد على ٢٠ سطرا", "يجب ألا يزيد على ٣ أسطر", ""},
		{"another script, and only the number", "حتى ٢٠ سطر", "حتى ٣٠ سطر", "٢٠ became ٣٠"},
		{"without spaces", "最多20行。", "最多3行。", "20 became 3"},
		{"an added sentence", "At most 20 lines.", "At most 3 lines. Names 2 sources.", "20 became 3"},
		{"wrapped at another place", "At most 20\nlines are long.", "At most\n3 lines are long.", "20 became 3"},
		{"in a long text", many + "20 lines" + many, many + "3 lines" + many, "20 became 3"},

		{"nothing", "At most 20 lines.", "At most 20 lines.", ""},
		{"only other words", "At most 20 lines.", "No more than 20 lines.", ""},
		{"a number that is new", "Names sources.", "Names 3 sources.", ""},
		{"a number that is gone", "Names 3 sources.", "Names sources.", ""},
		{"a range instead of one", "Exactly 20 words.", "3 to 5 words.", ""},
		{"sentences in another order", "Has 3 sources. Under 20 lines.", "Under 20 lines. Has 3 sources.", ""},
		{"numbers that changed places", "3 sources in 20 lines.", "20 lines with 3 sources.", ""},
		{"numbers in each other's place", "3 errors or 20 errors.", "20 errors or 3 errors.", ""},
		{"three numbers that went around", "1 is a, 2 is b, 3 is c.", "2 is a, 3 is b, 1 is c.", ""},
		{"a part that moved, and one that is new", "At most 3 lines of header and 20 lines of body.", "At most 20 lines of body and 5 lines of footer.", ""},
		{"something else is counted", "Names 3 sources of the claim.", "Names 5 authors of the claim.", ""},
		{"all other words", "Names 3 sources.", "Reads well within 5 minutes.", ""},
		{"another form", "At most 1,000 lines of 1.50 and 05.", "At most 1000 lines of 1.5 and 5.", ""},
		{"another form in words", "Three of 20 lines and half.", "3 of twenty lines and 50%.", ""},
		{"groups in another form", "Fewer than 100 000 users.", "Fewer than 100,000 users.", ""},
		{"a thousand or one", "At most 1.000 lines.", "At most 1000 lines.", ""},
		{"a decimal comma", "A ratio of 0,5.", "A ratio of 0.5.", ""},
		{"another dash", "10-20 lines.", "10–20 lines.", ""},
		{"full-width digits", "At most ２０ lines.", "At most 20 lines.", ""},
		{"names", "Uses v2, GPT-4, a.20, H2O, and 0x1F.", "Uses v3, GPT-5, a.30, H3O, and 0x2F.", ""},
		{"a version with a placeholder", "Runs on 3.x.", "Runs on 4.x.", ""},
		{"part of a word", "Someone and none are stoned.", "Sometwo and ntwo are sttwod.", ""},
		{"an invisible character inside", "At most 2\u200b0 lines.", "At most 3\u200b0 lines.", ""},
		{"a combining mark", "At most 2\u0335 lines.", "At most 3\u0335 lines.", ""},
		{"a text that is shown in reverse", "\u202eAt most 02 lines.", "\u202eAt most 03 lines.", ""},
		{"too long to compare", strings.Repeat("1", 50) + " lines", strings.Repeat("2", 50) + " lines", ""},
	} {
		if got := pairsOf(Numbers(tt.before, tt.after)); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.reason, got, tt.want)
		}
	}
}

// checkNumbers holds the promise of Numbers.
func checkNumbers(t interface{ Fatalf(string, ...any) }, before, after string) {
	if got := Numbers(before, before); got != nil {
		t.Fatalf("nothing changed in %q, and %q", before, pairsOf(got))
	}
	pairs := Numbers(before, after)
	for i, p := range pairs {
		if !strings.Contains(before, p.From) || !strings.Contains(after, p.To) || sameNumber(p.From, p.To) {
			t.Fatalf("%q and %q: %s became %s", before, after, p.From, p.To)
		}
		for _, other := range pairs[:i] {
			if p == other || sameNumber(p.From, other.To) && sameNumber(p.To, other.From) {
				t.Fatalf("%q and %q: %s", before, after, pairsOf(pairs))
			}
		}
	}
}

// pieces are what texts are drawn from: numbers in all forms, words, and what is hostile.
var pieces = []string{
	"1", "2", "20", "1,000", "1000", "1.5", "1,5", "half", "twenty", "one", "hundred", "and", "third", "50%", " %", "100", "\u202f", "ms", "lines", "line", "sources", "at most",
	" ", " ", " ", "-", "–", ".", ",", "\n", "v2", "٢", "２", "一", "行", "\u200b", "\u0301", "\u202e", "\xff", "_", "'", "x",
}

func TestNumbersAreInTheTextsAndDiffer(t *testing.T) {
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 30).Draw(t, "pieces"), "")
	})
	rapid.Check(t, func(t *rapid.T) { checkNumbers(t, text.Draw(t, "before"), text.Draw(t, "after")) })
}

// TestEachChangedLimitIsFound changes one number of a sentence, and nothing else.
func TestEachChangedLimitIsFound(t *testing.T) {
	limits := rapid.SliceOfN(rapid.IntRange(2, 99), 1, 6)
	rapid.Check(t, func(t *rapid.T) {
		before := limits.Draw(t, "limits")
		at, to := rapid.IntRange(0, len(before)-1).Draw(t, "place"), rapid.IntRange(100, 999).Draw(t, "new limit")
		sentence := func(numbers []int) string {
			var parts []string
			for i, n := range numbers {
				parts = append(parts, fmt.Sprintf("%d lines of part %c", n, 'a'+i))
			}
			return "At most " + strings.Join(parts, " and ") + "."
		}
		after := append([]int(nil), before...)
		after[at] = to
		want := fmt.Sprintf("%d became %d", before[at], to)
		if got := pairsOf(Numbers(sentence(before), sentence(after))); got != want {
			t.Fatalf("%s → %s: got %q, want %q", sentence(before), sentence(after), got, want)
		}
	})
}

// TestSentencesInAnotherOrderChangeNoNumber moves sentences with numbers, and changes none.
func TestSentencesInAnotherOrderChangeNoNumber(t *testing.T) {
	sentences := []string{"Has 3 sources.", "Under 20 lines.", "Names one author.", "At least 50% of them are cited.", "Half a page is enough.", "The score is 4."}
	rapid.Check(t, func(t *rapid.T) {
		moved := rapid.Permutation(sentences).Draw(t, "order")
		if got := Numbers(strings.Join(sentences, " "), strings.Join(moved, " ")); got != nil {
			t.Fatalf("%s", pairsOf(got))
		}
	})
}

// TestNumbersOfHugeTextsTakeLittleTime has the worst cases: many numbers, and many words that differ.
func TestNumbersOfHugeTextsTakeLittleTime(t *testing.T) {
	var a, b strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&a, "%d x%d ", i, i)
		fmt.Fprintf(&b, "%d x%d ", i+1, i*7%40_000)
	}
	start := time.Now()
	for _, after := range []string{b.String(), strings.ReplaceAll(a.String(), "1", "2"), strings.Repeat("one-", 100_000), strings.Repeat("one ", 100_000), strings.Repeat("1:", 100_000)} {
		checkNumbers(t, a.String(), after)
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("it took %v", took)
	}
}

func FuzzNumbers(f *testing.F) {
	f.Add("At most 20 lines.", "No more than three lines.")
	f.Add("10-20 of 1,000 (50 %)", "5–8 of 1000 (half)")
	f.Fuzz(func(t *testing.T, before, after string) { checkNumbers(t, before, after) })
}
