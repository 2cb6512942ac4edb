package labels_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/labels"
)

func idsOf(items []calibration.Item) []string {
	var ids []string
	for _, item := range items {
		ids = append(ids, item.ID)
	}
	return ids
}

// TestOnlyItemsThatCountAreChosen: none that a prompt was tuned on, or that the rater has
// labeled.
func TestOnlyItemsThatCountAreChosen(t *testing.T) {
	d := &calibration.Dataset{}
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		d.Items = append(d.Items, calibration.Item{ID: id})
	}
	d.Items[1].Labels = map[string]map[string]float64{"ada": {"clarity": 1, "scope": 1}}
	d.Items = append(d.Items, calibration.Item{ID: "t", Split: calibration.Dev})
	more := &calibration.Dataset{Items: append(slices.Clone(d.Items), calibration.Item{ID: "f"})}
	s, choices := subject(t), map[string]bool{}
	for seed := range uint64(20) {
		c := labels.Choice{Rater: "ada", Seed: seed, Count: 4}
		chosen, done, err := labels.Choose(d, s, c)
		if got := strings.Join(slices.Sorted(slices.Values(idsOf(chosen))), " "); got != "a c d e" || done != 1 || err != nil {
			t.Errorf("seed %d: chosen %s, %d done, %v", seed, got, done, err)
		}
		chosen, _, err = labels.Choose(more, s, c)
		ids := slices.Sorted(slices.Values(idsOf(chosen)))
		if slices.Contains(ids, "b") || slices.Contains(ids, "t") || len(ids) != 4 || err != nil {
			t.Errorf("seed %d: chosen %v, %v", seed, ids, err)
		}
		choices[strings.Join(ids, " ")] = true
	}
	if len(choices) < 4 {
		t.Errorf("20 seeds make the choices %v", choices)
	}
	_, _, err := labels.Choose(d, s, labels.Choice{Rater: "ada", Count: 5})
	if want := `--choose is 5, but ada has only 4 left without "split": "dev"`; fmt.Sprint(err) != want {
		t.Errorf("got the error %v, want %s", err, want)
	}
}
