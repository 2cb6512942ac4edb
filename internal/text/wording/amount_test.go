package wording

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestMeasuresOf(t *testing.T) {
	for _, c := range []struct{ reason, anchor, want string }{
		{"a number and what it counts", "3 steps are named.", "3 step"},
		{"a word for a number", "Three steps are named.", "3 step"},
		{"zero is a number", "Zero of five steps are named.", "0 of 5 step"},
		{"a range", "3 to 5 of the steps are named.", "3-5 step"},
		{"a range with a dash and a percent sign", "60–80 % of them.", "share 0.6-0.8"},
		{"percent in words", "Under 10 percent of the steps", "share 0-0.09 step"},
		{"a range of percents", "10% to 30% of the steps", "share 0.1-0.3 step"},
		{"a range without spaces", "Names 2-3 steps.", "2-3 step"},
		{"a number before a dash is a label", "Two - the steps", ""},
		{"and so is one before a colon", "0: nothing is named", ""},
		{"a number of thousands", "1,000 words", "1e+03 word"},
		{"a version is no number", "1.2.3 works", ""},
		{"an ordinal is no amount", "3rd step", ""},
		{"nor is one in words", "The third step", ""},
		{"nor is a kind of thing", "A third party signs", ""},
		{"a limit before the number", "At least 3 steps", "3-+Inf step"},
		{"and one that excludes it", "Fewer than 3 steps", "0-2 step"},
		{"no more than is a limit", "No more than 3 steps", "0-3 step"},
		{"a limit after the number", "3 or more steps", "3-+Inf step"},
		{"a plus sign is a limit", "3+ steps", "3-+Inf step"},
		{"an upper limit after the number", "Two or fewer steps", "0-2 step"},
		{"or, with another number, is a range", "Two or three steps", "2-3 step"},
		{"how many there are in all", "Two of its three steps", "2 of 3 step"},
		{"with a slash", "2/3 steps", "2 of 3 step"},
		{"with out of", "2 out of the 3 steps", "2 of 3 step"},
		{"a quantifier", "Most of the steps", "share 0.8 step"},
		{"none is also a number", "None of the steps", "share 0 0 step"},
		{"not a single one is none", "Not a single step", "share 0 0 step"},
		{"not every one is no amount", "Not every step", ""},
		{"three quarters", "Three quarters of the steps", "share 0.75 step"},
		{"two thirds with a hyphen", "Two-thirds of the steps", "share 0.667 step"},
		{"a third", "A third of the steps", "share 0.333 step"},
		{"more than a third", "More than a third of the steps", "share 0.343-+Inf step"},
		{"half", "Half of the steps", "share 0.5 step"},
		{"one half of two is no amount", "The second half of the steps", ""},
		{"all of a number", "All four steps", "share 1 4 of 4 step"},
		{"both are all of two", "Both steps", "share 1 2 of 2 step"},
		{"all but one", "All but one of the steps", "share 0.95 step"},
		{"the noun before but", "Every step except the last", "share 0.95 step"},
		{"all but one of a number", "All four steps but one", "share 0.95 3 of 4 step"},
		{"nearly all", "Nearly all steps", "share 0.9 step"},
		{"a large majority", "The vast majority of steps", "share 0.9 step"},
		{"without a noun, at the beginning", "Three are named", "3"},
		{"without a noun, after its verb", "Names three of them", "3 name"},
		{"with adjectives, each word can be the noun", "No merged change", "share 0 0 merge,chang"},
		{"the plural of a word has its stem", "Two queries", "2 query"},
		{"at most is no quantifier, and nor is at all", "At most two steps at all", "0-2 step"},
		{"what is missing differs from what is there", "3 steps are missing.", "3 wrong step"},
		{"what is missing in another clause is another matter", "3 steps, without a date", "3 step"},
		{"after six words, an amount is about something else", "The text as a whole names 3 steps", ""},
		{"only the first sentence counts", "It is short. 3 steps", ""},
		{"and only what is before a semicolon", "It is short; 3 steps", ""},
		{"a letter outside ASCII ends the amount", "7é items", "7"},
	} {
		var got []string
		for _, m := range measuresOf(c.anchor) {
			if !m.isLate {
				got = append(got, m.String())
			}
		}
		if got := strings.Join(got, "; "); got != c.want {
			t.Errorf("%s: %q has %q, want %q", c.reason, c.anchor, got, c.want)
		}
	}
}

func (m *measure) String() string {
	text := ""
	add := func(format string, args ...any) { text += " " + fmt.Sprintf(format, args...) }
	limits := func(a *amount) string {
		if a.low == a.high {
			return fmt.Sprintf("%.3g", a.low)
		}
		return fmt.Sprintf("%.3g-%.3g", a.low, a.high)
	}
	if m.share != nil {
		add("share %s", limits(m.share))
	}
	if m.count != nil {
		add("%s", limits(m.count))
	}
	if m.total > 0 {
		add("of %v", m.total)
	}
	if m.isWrong {
		add("wrong")
	}
	if len(m.of) > 0 {
		add("%s", strings.Join(m.of, ","))
	}
	return strings.TrimSpace(text)
}

func TestOrderNeedsMostAnchors(t *testing.T) {
	for _, c := range []struct {
		reason  string
		anchors []string
		at      int
		found   bool
	}{
		{"four of five", []string{"1 step", "3 steps", "2 steps", "Nothing else", "5 steps"}, 2, true},
		{"three of five are too few", []string{"1 step", "3 steps", "2 steps", "Nothing else", "Clear"}, 0, false},
		{"three at the end are too few, too", []string{"Clear", "Short", "1 step", "3 steps", "2 steps"}, 0, false},
	} {
		var texts []Text
		for _, anchor := range c.anchors {
			texts = append(texts, Read(anchor))
		}
		if at, found := AmountsOf(texts).OutOfOrder(); at != c.at || found != c.found {
			t.Errorf("%s: %d, %t, want %d, %t", c.reason, at, found, c.at, c.found)
		}
	}
	ranges := []Text{Read("Clear"), Read("Short"), Read("0 to 3 steps"), Read("2 to 5 steps"), Read("6 to 9 steps")}
	if at, gap, found := AmountsOf(ranges).Misfit(); at != 3 || gap || !found {
		t.Errorf("the last three ranges: %d, %t, %t, want an overlap at 3", at, gap, found)
	}
	if got := AmountsOf(slices.Insert(ranges, 0, Read("Good"))); got == nil {
		t.Error("with three measured anchors of six, there are no amounts")
	}
}
