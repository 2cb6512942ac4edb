package importing

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLevelsBecomeAnchorsOnlyIfTheTextsAllowIt(t *testing.T) {
	at := func(low, high float64, text string) level { return level{low, high, text} }
	for _, test := range []struct {
		name   string
		levels []level
		own    bool
		want   [5]string
		notes  int
	}{
		{"our scale", []level{at(5, 5, "e"), at(1, 1, "a")}, true, [5]string{"a", "", "", "", "e"}, 0},
		{"our scale with a level of another", []level{at(0, 0, "z"), at(1, 1, "a")}, true, [5]string{"a"}, 1},
		{"our scale, as its last score shows", []level{at(1, 1, "a"), at(3, 3, "c"), at(5, 5, "e")}, false, [5]string{"a", "", "c", "", "e"}, 0},
		{"the same score twice", []level{at(1, 1, "a"), at(1, 1, "b"), at(5, 5, "e")}, false, [5]string{"a", "", "", "", "e"}, 1},
		{"yes and no", []level{at(1, 1, "yes"), at(0, 0, "no")}, false, [5]string{"no", "", "", "", "yes"}, 0},
		{"three ranges", []level{at(0, 4, "a"), at(5, 7, "b"), at(8, 10, "c")}, false, [5]string{"a", "", "b", "", "c"}, 0},
		{"five of ten", []level{at(0, 2, "a"), at(3, 4, "b"), at(5, 6, "c"), at(7, 8, "d"), at(9, 10, "e")}, false, [5]string{"a", "b", "c", "d", "e"}, 0},
		{"four have no middle", []level{at(1, 1, "a"), at(2, 2, "b"), at(3, 3, "c"), at(4, 4, "d")}, false, [5]string{}, 4},
		{"one alone is no scale", []level{at(1, 1, "a")}, false, [5]string{}, 1},
		{"ranges that overlap", []level{at(0, 5, "a"), at(5, 10, "b")}, false, [5]string{}, 2},
		{"a text with a score of its own", []level{at(0, 4, "a"), at(5, 7, "b"), at(8, 10, "Score 9: c")}, false, [5]string{}, 3},
	} {
		r, c := &reader{}, criterion{}
		r.anchor(&c, test.levels, test.own, "here")
		if diff := cmp.Diff(test.want, c.anchors); diff != "" || len(c.notes) != test.notes {
			t.Errorf("%s: %d notes, want %d; anchors:\n%s", test.name, len(c.notes), test.notes, diff)
		}
		if (len(r.imported.Dropped) > 0) != (test.notes > 0) {
			t.Errorf("%s: said %v", test.name, r.imported.Dropped)
		}
		for _, l := range test.levels { // no text is lost
			if all := strings.Join(append(c.notes, c.anchors[:]...), "\n"); !strings.Contains(all, l.text) {
				t.Errorf("%s: %q is in %q", test.name, l.text, all)
			}
		}
	}
}

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
		rest, levels := levelsIn(text)
		for _, l := range levels {
			rest += "|" + l.String() + " " + l.text
		}
		if rest != want {
			t.Errorf("%q: got %q, want %q", text, rest, want)
		}
	}
}
