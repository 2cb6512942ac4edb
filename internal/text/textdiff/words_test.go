package textdiff

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// marked writes parts as a terminal without colors shows them.
func marked(parts []Part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(map[Side]string{Old: "[-", New: "{+"}[p.Side] + p.Text + map[Side]string{Old: "-]", New: "+}"}[p.Side])
	}
	return b.String()
}

func TestWordsMarkWhatChanged(t *testing.T) {
	long := strings.Repeat("word ", 3000)
	tests := []struct {
		reason      string
		before, new string
		want        string
	}{
		{"equal texts have no mark", "One fact.", "One fact.", "One fact."},
		{"two empty texts are nothing", "", "", ""},
		{"a word that is new", "One fact.", "One new fact.", "One {+new +}fact."},
		{"a word that is gone", "One new fact.", "One fact.", "One [-new -]fact."},
		{"a word instead of another", "One fact counts.", "One claim counts.", "One [-fact-]{+claim+} counts."},
		{"adjacent words are marked together", "The reader knows who acts.", "The reader guesses what acts.", "The reader [-knows who-]{+guesses what+} acts."},
		{"punctuation is apart from its word", "Actor, action.", "Actor; action.", "Actor[-,-]{+;+} action."},
		{"an apostrophe is part of its word", "It isn't there.", "It is there.", "It [-isn't-]{+is+} there."},
		{"other blanks are a change", "a\nb c d", "a b c d", "a[-\n-]{+ +}b c d"},
		{"a text that is added as a whole", "", "All new.", "{+All new.+}"},
		{"hardly a word in common: the whole text", "Neither actor nor action is named.", "Two figures, a date and the action.", "[-Neither actor nor action is named.-]{+Two figures, a date and the action.+}"},
		{"scripts without blanks change by character", "評価基準は明確です", "評価基準は曖昧です", "評価基準は[-明確-]{+曖昧+}です"},
		{"marks stay with their letter", "re\u0301sume\u0301 a b", "re\u0301sume a b", "[-re\u0301sume\u0301-]{+re\u0301sume+} a b"},
		{"one word in a very long text", long + "a " + long, long + "b " + long, long + "[-a-]{+b+} " + long},
		{"a very long text of other words", long, strings.Repeat("other ", 3000), "[-" + long + "-]{+" + strings.Repeat("other ", 3000) + "+}"},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, marked(Words(tt.before, tt.new))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

// checkWords holds the promise of Words.
func checkWords(t interface{ Fatalf(string, ...any) }, before, after string) {
	parts := Words(before, after)
	var old, current strings.Builder
	for i, p := range parts {
		if p.Text == "" || i > 0 && (parts[i-1].Side == p.Side || parts[i-1].Side == New && p.Side == Old) {
			t.Fatalf("part %d of %q is in the wrong place", i, parts)
		}
		if p.Side != New {
			old.WriteString(p.Text)
		}
		if p.Side != Old {
			current.WriteString(p.Text)
		}
	}
	if old.String() != before || current.String() != after {
		t.Fatalf("%q of %q and %q do not give them back", parts, before, after)
	}
}

func TestWordsGiveBothTextsBack(t *testing.T) {
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"a", "b", "c", "word", " ", "  ", "\n", ".", ",", "é", "字", "\xff"})).Draw(t, "words"), "")
	})
	rapid.Check(t, func(t *rapid.T) {
		checkWords(t, text.Draw(t, "before"), text.Draw(t, "after"))
	})
}

func FuzzWords(f *testing.F) {
	f.Add("One fact is stated.", "Two facts are stated.")
	f.Add("a b a b", "b a b a")
	f.Fuzz(func(t *testing.T, before, after string) { checkWords(t, before, after) })
}

// TestAlignedWordsAreLongest compares with the textbook's table of all prefixes.
func TestAlignedWordsAreLongest(t *testing.T) {
	words := rapid.SliceOfN(rapid.SampledFrom([]token{{"a", word}, {"b", word}, {"c", word}}), 0, 30)
	rapid.Check(t, func(t *rapid.T) {
		a, b := words.Draw(t, "a"), words.Draw(t, "b")
		var before, after []token
		same := 0
		for _, r := range align(a, b) {
			before = append(append(before, r.same...), r.old...)
			after = append(append(after, r.same...), r.new...)
			same += len(r.same)
		}
		if !slices.Equal(before, a) || !slices.Equal(after, b) || same != longest(a, b) {
			t.Fatalf("%d words of %v and %v are paired and give back %v and %v; %d can be paired", same, a, b, before, after, longest(a, b))
		}
	})
}

func longest(a, b []token) int {
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
	}
	for i := range a {
		for j := range b {
			table[i+1][j+1] = max(table[i][j+1], table[i+1][j])
			if a[i] == b[j] {
				table[i+1][j+1] = table[i][j] + 1
			}
		}
	}
	return table[len(a)][len(b)]
}
