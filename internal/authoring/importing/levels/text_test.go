package levels

import "testing"

func TestLevelsInTexts(t *testing.T) {
	for text, want := range map[string]string{
		"Is it right?\nScore 1: no\nScore 5: yes\n\nBe strict.": "Is it right?\n\nBe strict.|1 no|5 yes",
		"1 - bad\n2 – good":                            "|1 bad|2 good",
		"Score of 0.5: half\n  of it\nScore of 1: all": "|0.5 half\nof it|1 all",
		"- **Score 1**: a\n- **Score 2-3**: b":         "|1 a|2 to 3 b",
		"1. Read it.\n2. Judge it.":                    "1. Read it.\n2. Judge it.",
		"At 12:30 it ends.":                            "At 12:30 it ends.",
		"Score 1: alone":                               "Score 1: alone",
	} {
		rest, levels := In(text)
		for _, l := range levels {
			rest += "|" + l.String() + " " + l.Text
		}
		if rest != want {
			t.Errorf("%q: got %q, want %q", text, rest, want)
		}
	}
}
