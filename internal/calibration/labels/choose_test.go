package labels_test

import (
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

// answered returns a dataset with the items a to e to tune on, and t to test with. One
// judge's answers are the given pairs of clarity, for which 3 passes, and scope.
func answered(s *calibration.Subject, judges ...map[string][2]float64) *calibration.Dataset {
	d := &calibration.Dataset{Name: "stories"}
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		d.Items = append(d.Items, calibration.Item{ID: id, Split: calibration.Dev})
	}
	d.Items = append(d.Items, calibration.Item{ID: "t"})
	for i, given := range judges {
		j := calibration.Judge{Name: string(rune('j' + i))}
		for id, pair := range given {
			j.Answers = append(j.Answers, calibration.Answer{Run: "1", Date: "2026-11-21", Digest: s.Digest, Item: id, Scores: map[string]float64{"clarity": pair[0], "scope": pair[1]}})
		}
		d.Judges = append(d.Judges, j)
	}
	return d
}

func TestChoosingByAnswers(t *testing.T) {
	s := subject(t)
	first := map[string][2]float64{"a": {1, 1}, "b": {3, 3}, "c": {5, 5}, "d": {4, 4}, "t": {1, 1}}
	second := map[string][2]float64{"a": {5, 5}, "b": {3, 4}, "c": {5, 5}, "d": {2, 4}, "t": {5, 5}}
	stale := answered(s, first, second)
	for i := range stale.Judges[0].Answers {
		stale.Judges[0].Answers[i].Digest = "sha256:other"
	}
	labeled := answered(s, first)
	labeled.Items[2].Labels = map[string]map[string]float64{"bob": {"clarity": 1}, "cem": {"clarity": 3}} // c: 2, and the judge 5
	labeled.Items[3].Labels = map[string]map[string]float64{"bob": {"clarity": 3}}                        // d: 3, and the judge 4
	done := answered(s, first, second)
	done.Items[0].Labels = map[string]map[string]float64{"ada": {"clarity": 1, "scope": 1}}
	untuned := answered(s, first, second)
	for i := range untuned.Items {
		untuned.Items[i].Split = "test"
	}
	for _, test := range []struct {
		name  string
		d     *calibration.Dataset
		by    labels.By
		count int
		want  string // the items, or a part of the error
	}{
		{"the judges that differ most, and no item that a certificate counts", answered(s, first, second), labels.Disagreement, 2, "a d"},
		{"a judge and people", labeled, labels.Disagreement, 1, "c"},
		{"a judge and people, all of them", labeled, labels.Disagreement, 2, "c d"},
		{"what the rater has labeled is left out", done, labels.Disagreement, 1, "d"},
		{"one judge alone disagrees with nobody", answered(s, first), labels.Disagreement, 1, `ada has only 0 left with "split": "dev" and scores by two judges`},
		{"answers for other words do not count", stale, labels.Disagreement, 1, `ada has only 0 left with "split": "dev" and scores by two judges`},
		{"closest to the line of clarity", answered(s, first), labels.Uncertainty, 2, "b d"},
		{"between two judges of whom one passes what the other fails by as much", answered(s, first, second), labels.Uncertainty, 3, "a b d"},
		{"answers for today's words only", stale, labels.Uncertainty, 1, "b"},
		{"an item without an answer is not uncertain", answered(s, first), labels.Uncertainty, 5, `ada has only 4 left with "split": "dev" and a judge's scores of all criteria`},
		{"nothing to tune on", untuned, labels.Uncertainty, 1, `no item with "split": "dev" is left for ada`},
		{"random items are those that count", answered(s), labels.Random, 1, "t"},
		{"no more than there are", answered(s), labels.Random, 2, `--choose is 2, but ada has only 1 left without "split": "dev"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, seed := range []uint64{1, 2, 3} { // which decides only between equals
				chosen, _, err := labels.Choose(test.d, s, labels.Choice{Rater: "ada", By: test.by, Seed: seed, Count: test.count})
				if err != nil {
					if !strings.Contains(err.Error(), test.want) {
						t.Errorf("got the error %q, want %q", err, test.want)
					}
				} else if ids := idsOf(chosen); strings.Join(slices.Sorted(slices.Values(ids)), " ") != test.want {
					t.Errorf("got %v, want %s", ids, test.want)
				}
			}
		})
	}
}

// Equals are chosen by their IDs and the seed, whatever their order in the file.
func TestTheSeedDecidesBetweenEquals(t *testing.T) {
	s, same := subject(t), map[string][2]float64{"a": {3, 3}, "b": {3, 3}, "c": {3, 3}, "d": {3, 3}, "e": {3, 3}}
	choices := map[string]bool{}
	for seed := range uint64(20) {
		d := answered(s, same)
		c := labels.Choice{Rater: "ada", By: labels.Uncertainty, Seed: seed, Count: 2}
		first, _, err := labels.Choose(d, s, c)
		if err != nil {
			t.Fatal(err)
		}
		slices.Reverse(d.Items)
		if again, _, err := labels.Choose(d, s, c); err != nil || !slices.Equal(idsOf(first), idsOf(again)) {
			t.Errorf("seed %d: %v, then %v (%v)", seed, idsOf(first), idsOf(again), err)
		}
		choices[strings.Join(slices.Sorted(slices.Values(idsOf(first))), " ")] = true
	}
	if len(choices) < 4 {
		t.Errorf("20 seeds make the choices %v", choices)
	}
}
