package wording

import (
	"fmt"
	"slices"
	"testing"
)

func TestMeasuresOf(t *testing.T) {
	for _, c := range []struct{ reason, anchor, want string }{
		{"a number and what it counts", "3 steps are named.", "3-3 step"},
		{"a word for a number", "Three steps are named.", "3-3 step"},
		{"zero is a number", "Zero of five steps are named.", "0-0 step"},
		{"a range", "3 to 5 of the steps are named.", "3-5 step"},
		{"a range with a dash and a percent sign", "60–80 % of them.", "60-80 %"},
		{"a range without spaces", "Names 2-3 steps.", "2-3 step"},
		{"without a number after it, a dash ends the amount", "Two - the steps", ""},
		{"a number of thousands", "1,000 words", "1000-1000 word"},
		{"a version is no number, but is counted", "1.2.3 works", "0-0 work"},
		{"an ordinal is no amount", "3rd step", ""},
		{"a limit before the number", "At least 3 steps", "3-+Inf step"},
		{"and one that excludes it", "Fewer than 3 steps", "0-2 step"},
		{"a limit after the number", "3 or more steps", "3-+Inf step"},
		{"an upper limit after the number", "Two or fewer steps", "0-2 step"},
		{"or, with another number, is a range", "Two or three steps", "2-3 step"},
		{"a second number belongs to the first", "Two of its three steps", "2-2 step"},
		{"a quantifier", "Most of the steps", "0.8-0.8 share of step"},
		{"none is also a number", "None of the steps", "0-0 share of step, 0-0 step"},
		{"a quarter as a part of three", "Three quarters of the steps", "0.75-0.75 share of step"},
		{"what is missing differs from what is there", "3 steps are missing.", "3-3 wrong step"},
		{"common words are not counted", "3 of them", ""},
		{"two numbers of one unit contradict each other", "3 steps, of 5 steps", ""},
		{"after six words, an amount is about something else", "The text as a whole names 3 steps", ""},
		{"only the first sentence counts", "It is short. 3 steps", ""},
		{"a letter outside ASCII ends the amount", "7é items", ""},
	} {
		got := ""
		for i, m := range measuresOf(c.anchor) {
			kind := ""
			if m.isShare {
				kind += "share of "
			}
			if m.isWrong {
				kind += "wrong "
			}
			got += fmt.Sprintf("%s%v-%v %s%s", []string{"", ", "}[min(i, 1)], m.low, m.high, kind, m.of)
		}
		if got != c.want {
			t.Errorf("%s: %q has %q, want %q", c.reason, c.anchor, got, c.want)
		}
	}
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
