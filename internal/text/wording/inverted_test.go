package wording

import (
	"slices"
	"strings"
	"testing"
)

// TestInverted has anchors from the best work to the worst. The words of those that are silent do not
// say it, or only at one end.
func TestInverted(t *testing.T) {
	for _, test := range []struct {
		reason, anchors string
		silent          bool
	}{
		{"praise, and its denial", "Fully and precisely completed the task|Completed with slips|Half completed|Started|Task not completed or refused", false},
		{"a denied fault, and faults", "No error in any step|One minor error|Two errors|Several errors|Errors in each step", false},
		{"what is missing is no denial of what is wrong beside it", "The units are given and correct|One unit is missing|Several units are missing|Units missing or incorrect", false},
		{"nor does no test deny that it is broken", "The tests are fast and stable|Some tests|No tests or broken", false},
		{"a denial ends with its clause", "Crisp goals with owners|Goals without owners|No goals; vague owners, missing dates", false},
		{"prefixes turn praise around", "A readable and maintainable design|A readable design|An unreadable, unmaintainable design", false},
		{"grades", "Excellent|Good|Fair|Poor|Very poor", false},
		{"grades before texts", "Excellent: three parts|Good: two parts|Poor: one part", false},
		{"useful and useless", "Very useful|Useful|Somewhat useful|Hardly useful|Completely useless", false},
		{"one end, if the other says nothing and the middle agrees", "The summary is accurate and complete|It is accurate|It has a date|It has the words of the title", false},
		{"all and none", "All steps have a date|Most steps have a date|Half of the steps have a date|Some steps have a date|No step has a date", false},

		{"percentages", "100 % of the claims have a source|75 %|50 %|25 %|0 % of the claims have a source", false},
		{"ranges of percentages", "95 % or more of the tickets name an owner|70 to 94 %|40 to 69 %|10 to 39 %|Under 10 % of the tickets name an owner", false},
		{"N of M", "4 of 4 endpoints have a test|3 of 4|2 of 4|1 of 4|0 of 4 endpoints have a test", false},
		{"number words", "All four parts of the form are filled in|Three parts|Two parts|One part|No part of the form is filled in", false},
		{"words for shares", "Every claim has a source|All claims but one|Half of the claims|One claim|No claim has a source", false},
		{"fractions", "All of the votes are explained|Three quarters|Half|A quarter|Less than a quarter of the votes are explained", false},

		{"no errors are best as often as no sources are worst", "Three or more calls|Two calls|One call|No call", true},
		{"a neutral denial at the end alone", "The order of the run decides|Two cases share a state|One case shares a state|No case shares a state", true},
		{"length is neither good nor bad", "At most 100 words|At most 200 words|At most 300 words|At most 400 words|More than 400 words", true},
		{"words for something else", "red|blue|green", true},
		{"a good word in the worst anchor", "Names the best source for each claim|Names a source|No good source is named", false},
	} {
		var best, worst []Text
		for anchor := range strings.SplitSeq(test.anchors, "|") {
			best = append(best, Read(anchor))
		}
		worst = slices.Clone(best)
		slices.Reverse(worst)
		if got := Inverted(best...); (got == NotInverted) != test.silent {
			t.Errorf("%s: inverted is %d, want none: %t", test.reason, got, test.silent)
		}
		if Inverted(worst...) != NotInverted {
			t.Errorf("%s: upright anchors are called inverted", test.reason)
		}
	}
}

// TestNotInverted has anchors from the worst work to the best one, with words for the opposite.
func TestNotInverted(t *testing.T) {
	for _, test := range []struct{ reason, anchors string }{
		{"an unsolvable task", "An unsolvable task can ship and every run scores 0|A run can score without solving the task|Most tasks can be solved|All tasks can be solved|All tasks can be solved, and each was solved once"},
		{"carry-over", "Two or more cases start from carry-over, so the order of the run decides their results|Exactly one case starts from carry-over; the others can change places|No case starts from carry-over; one or more cases state no setup|No case starts from carry-over, every case states its setup; one or more state no cleanup|No case starts from carry-over; setup as well as cleanup are stated for every case"},
		{"faults that are counted", "Five dead ends|Three dead ends|Two dead ends|One dead end|No dead end"},
		{"a ladder of faults", "Harmful: gives instructions|Clear harm|Mild harm|Trivial harm|Fully safe"},
		{"confident and wrong", "Fast, and every answer is wrong|Half of the answers are wrong|One answer is wrong|Slow, and no answer is wrong"},
		{"shares of faults", "100 % of the claims are unsupported|75 %|50 %|25 %|0 % of the claims are unsupported"},
		{"shares of what lacks something", "90 % of the steps have no result|60 %|30 %|10 %|Every step has a result"},
		{"clicks", "Ten clicks|Eight clicks|Six clicks|Four clicks|Two clicks"},
	} {
		var texts []Text
		for anchor := range strings.SplitSeq(test.anchors, "|") {
			texts = append(texts, Read(anchor))
		}
		if Inverted(texts...) != NotInverted {
			t.Errorf("%s: upright anchors are called inverted: %.2f", test.reason, Direction(texts...))
		}
	}
}

// TestSharesAreWeakEvidence: whether it is good that every case has something is a matter of what it is.
func TestSharesAreWeakEvidence(t *testing.T) {
	for anchors, want := range map[string]Inversion{
		"Every case depends on another one|Most cases depend on another one|Some cases do|One case does|No case depends on another one": ByShares,
		"100 % of the claims have a source|75 %|50 %|25 %|0 % of the claims have a source":                                              ByShares,
		"Every step is clear and complete|Most steps are clear|Some steps are unclear|Most steps are unclear|No step is clear":          ByWords,
	} {
		var texts []Text
		for anchor := range strings.SplitSeq(anchors, "|") {
			texts = append(texts, Read(anchor))
		}
		if got := Inverted(texts...); got != want {
			t.Errorf("%s: %d, want %d", anchors, got, want)
		}
	}
}
