package levels

import (
	"slices"
	"testing"
)

func TestLevelsBecomeAnchorsOnlyIfTheTextsAllowIt(t *testing.T) {
	at := func(low, high float64, text string) Level { return Level{Low: low, High: high, Text: text} }
	own := Declared{Low: 1, High: 5, IsKnown: true}
	for _, test := range []struct {
		name     string
		levels   []Level
		declared Declared
		want     []int
	}{
		{"our scale", []Level{at(5, 5, "e"), at(1, 1, "a")}, own, []int{5, 1}},
		{"our scale with a level of another", []Level{at(0, 0, "z"), at(1, 1, "a")}, own, []int{0, 1}},
		{"our scale, as its last score shows", []Level{at(1, 1, "a"), at(3, 3, "c"), at(5, 5, "e")}, Declared{}, []int{1, 3, 5}},
		{"the same score twice", []Level{at(1, 1, "a"), at(1, 1, "b"), at(5, 5, "e")}, Declared{}, []int{1, 0, 5}},
		{"yes and no", []Level{at(1, 1, "yes"), at(0, 0, "no")}, Declared{}, []int{5, 1}},
		{"three ranges", []Level{at(0, 4, "a"), at(5, 7, "b"), at(8, 10, "c")}, Declared{}, []int{1, 3, 5}},
		{"five of ten", []Level{at(0, 2, "a"), at(3, 4, "b"), at(5, 6, "c"), at(7, 8, "d"), at(9, 10, "e")}, Declared{}, []int{1, 2, 3, 4, 5}},
		{"one alone is no scale", []Level{at(1, 1, "a")}, Declared{}, []int{0}},
		{"ranges that overlap", []Level{at(0, 5, "a"), at(5, 10, "b")}, Declared{}, []int{0, 0}},
		{"a text with a score of its own", []Level{at(0, 4, "a"), at(5, 7, "b"), at(8, 10, "Score 9: c")}, Declared{}, []int{0, 0, 0}},
	} {
		p, err := Place([]Ladder{{Levels: test.levels}}, test.declared, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Ladders[0].Scores; !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
		if (len(p.Dropped) > 0) != slices.Contains(test.want, 0) {
			t.Errorf("%s: said %v", test.name, p.Dropped)
		}
	}
}
