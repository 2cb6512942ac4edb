package duplicate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// anyText draws n words of a small vocabulary, so that sequences repeat.
func anyText(r *rand.Rand, n int) []string {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("w%d", r.IntN(400))
	}
	return words
}

// sketch is the sketch of words in a list.
func sketch(words []string) *Sketch { return SketchOf(slices.Values(words)) }

// exact is the resemblance, counted.
func exact(a, b []string) float64 {
	sequences := func(words []string) map[string]bool {
		all := map[string]bool{}
		for i := shingle; i <= len(words); i++ {
			all[strings.Join(words[i-shingle:i], " ")] = true
		}
		return all
	}
	x, y := sequences(a), sequences(b)
	both := 0
	for s := range x {
		if y[s] {
			both++
		}
	}
	return float64(both) / float64(len(x)+len(y)-both)
}

// TestEstimateIsNearTheCount changes ever more words of texts of many lengths.
func TestEstimateIsNearTheCount(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var worst, sum float64
	n := 0
	for _, length := range []int{Fewest, 40, 80, 150, 300} {
		for changed := range 12 {
			a := anyText(r, length)
			b := append([]string(nil), a...)
			for range changed * length / 40 {
				b[r.IntN(length)] = "other"
			}
			if length <= largest && Estimate(sketch(a), sketch(b)) != exact(a, b) {
				t.Errorf("texts of %d words resemble each other by %v, want %v", length, Estimate(sketch(a), sketch(b)), exact(a, b))
			}
			if by, alike := Resembles(sketch(a), sketch(b)); alike != (Estimate(sketch(a), sketch(b)) >= Threshold) || alike && by != Estimate(sketch(a), sketch(b)) {
				t.Errorf("of texts of %d words with %v alike, it is said that they resemble each other by %v (%t)", length, Estimate(sketch(a), sketch(b)), by, alike)
			}
			off := math.Abs(Estimate(sketch(a), sketch(b)) - exact(a, b))
			worst, sum, n = max(worst, off), sum+off, n+1
		}
	}
	t.Logf("off by %.3f on average and by %.3f at worst", sum/float64(n), worst)
	if worst > 0.15 || sum/float64(n) > 0.02 {
		t.Errorf("the estimates are off by %.3f on average and by %.3f at worst", sum/float64(n), worst)
	}
}

func TestShortTextsHaveNoSketch(t *testing.T) {
	words := anyText(rand.New(rand.NewPCG(1, 2)), Fewest)
	if sketch(words) == nil || sketch(words[1:]) != nil || sketch(nil) != nil {
		t.Errorf("a text of %d words has a sketch, and one with fewer has none", Fewest)
	}
}

func TestResemblanceIsSymmetricAndFullForEqualTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-d]{1,2}`)
		a := rapid.SliceOfN(word, Fewest, 60).Draw(t, "a")
		b := rapid.SliceOfN(word, Fewest, 60).Draw(t, "b")
		if Estimate(sketch(a), sketch(a)) != 1 {
			t.Fatal("a text does not resemble itself")
		}
		if Estimate(sketch(a), sketch(b)) != Estimate(sketch(b), sketch(a)) {
			t.Fatal("the order of two texts matters")
		}
	})
}

// TestIndexFindsWhatIsThere hides near copies of texts among thousands of others.
func TestIndexFindsWhatIsThere(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var x Index
	var texts [][]string
	for i := range 3000 {
		texts = append(texts, anyText(r, 100))
		x.Add(sketch(texts[i]))
	}
	all := func(int) bool { return true }
	found, wrong := 0, 0
	const copies = 200
	for i := range copies {
		near := append([]string(nil), texts[i]...)
		near[10], near[50] = "other", "word" // 6 of 98 sequences: a resemblance of 0.88
		number, by, ok := x.Find(sketch(near), all)
		switch {
		case ok && number == i && by >= Threshold:
			found++
		case ok:
			wrong++
		}
		if _, _, ok := x.Find(sketch(anyText(r, 100)), all); ok {
			wrong++
		}
	}
	if found < copies || wrong > 0 {
		t.Errorf("of %d near copies %d are found, and %d answers are wrong", copies, found, wrong)
	}
}

func TestIndexPassesOverWhatDoesNotFit(t *testing.T) {
	var x Index
	s := sketch(anyText(rand.New(rand.NewPCG(1, 2)), 30))
	if _, _, found := x.Find(s, func(int) bool { return true }); found {
		t.Error("an empty index has found something")
	}
	x.Add(s)
	x.Add(s)
	if number, by, found := x.Find(s, func(int) bool { return true }); !found || number != 0 || by != 1 {
		t.Errorf("found %d by %v (%t), want the first", number, by, found)
	}
	if _, _, found := x.Find(s, func(int) bool { return false }); found {
		t.Error("found what does not fit")
	}
}
