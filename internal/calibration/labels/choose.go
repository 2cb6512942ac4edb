package labels

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// By is how the items of a sheet are chosen.
type By string

const (
	// Random chooses from the items that count for a certificate.
	Random By = "random"
	// Disagreement chooses the items for which the scores of judges, and the mean label of
	// people, vary most (query by committee; Burbidge, Rowland, and King 2007).
	Disagreement By = "disagreement"
	// Uncertainty chooses the items whose scores are closest to the line between pass and
	// fail (uncertainty sampling; Lewis and Gale 1994).
	Uncertainty By = "uncertainty"
)

// Choice selects the items of a sheet.
type Choice struct {
	Rater string
	By    By
	// Seed determines which items are chosen among equals and in which order. With the
	// same seed, raters without labels get the same items in different orders.
	Seed uint64
	// Count is the number of items, 0 for all.
	Count int
}

// Choose returns the items of a sheet in order. done counts the items left out because
// the rater has already labeled them. It is an error if there are fewer items than the
// choice wants.
func Choose(d *calibration.Dataset, s *calibration.Subject, c Choice) (chosen []calibration.Item, done int, err error) {
	for _, item := range d.Items {
		if c.labeled(item, s) {
			done++
		} else {
			chosen = append(chosen, item)
		}
	}
	if len(chosen) == 0 {
		return nil, done, fmt.Errorf("there is nothing to label: %s has labeled %d of %d items", c.Rater, done, len(d.Items))
	}
	if c.Count > 0 {
		chosen, err = c.take(chosen, d, s)
	}
	shuffle(chosen, c.Seed, hash(c.Rater))
	return chosen, done, err
}

// labeled reports whether the rater has answered for all criteria of an item.
func (c Choice) labeled(item calibration.Item, s *calibration.Subject) bool {
	return !slices.ContainsFunc(s.Rubric.Criteria, func(of rubric.Criterion) bool { return answerOf(&item, c.Rater, of.Name) == 0 })
}

// take returns the items with the highest values. Items with equal values are ordered by a
// hash of their IDs and the seed, which does not depend on the other items.
//
// Items are chosen by judges' answers only if no certificate counts them. To leave them out
// later would make the rest too easy, and a second opinion on nothing but disagreements
// inflates agreement (discrepant analysis; Hadgu 2000, doi:10.1128/jcm.38.11.4301-4302.2000).
func (c Choice) take(items []calibration.Item, d *calibration.Dataset, s *calibration.Subject) ([]calibration.Item, error) {
	isTuning := c.By != Random
	items = slices.DeleteFunc(items, func(item calibration.Item) bool { return (item.Split == calibration.Dev) != isTuning })
	if isTuning && len(items) == 0 {
		return nil, fmt.Errorf("--by %s: no item with \"split\": \"dev\" is left for %s. Only those can be chosen by answers, which is a biased sample that would distort a certificate. "+
			"Mark the items to tune the prompt on in %s, or use --by random", c.By, c.Rater, calibration.ItemsFile)
	}
	value, needs := c.value(d, s)
	values, ranks := map[string]float64{}, map[string]uint64{}
	items = slices.DeleteFunc(items, func(item calibration.Item) bool {
		values[item.ID], ranks[item.ID] = value(item), rand.NewPCG(c.Seed, hash(item.ID)).Uint64()
		return math.IsNaN(values[item.ID])
	})
	if c.Count > len(items) {
		return nil, fmt.Errorf("--choose is %d, but %s has only %d left%s", c.Count, c.Rater, len(items), needs)
	}
	slices.SortFunc(items, func(a, b calibration.Item) int {
		return cmp.Or(cmp.Compare(values[b.ID], values[a.ID]), cmp.Compare(ranks[a.ID], ranks[b.ID]), cmp.Compare(a.ID, b.ID))
	})
	return items[:c.Count], nil
}

// value returns the value of an item, NaN if it can't be chosen, and what that needs.
func (c Choice) value(d *calibration.Dataset, s *calibration.Subject) (of func(calibration.Item) float64, needs string) {
	if c.By == Random {
		return func(calibration.Item) float64 { return 0 }, ` without "split": "dev"`
	}
	given := judged(d, s)
	if c.By == Uncertainty {
		return func(item calibration.Item) float64 {
				return -math.Abs(agreement.Mean(margins(s.Rubric, given[item.ID])))
			},
			` with "split": "dev" and a judge's scores of all criteria by the current words (rubric calibrate run)`
	}
	return func(item calibration.Item) float64 { return disagreement(item, s.Rubric, given[item.ID]) },
		` with "split": "dev" and scores by two judges for the current words, or a label and a score (rubric calibrate run)`
}

// scores are the mean scores of an item by criterion.
type scores map[string]float64

// judged returns the scores of each judge by item, from its newest run for the rubric's
// current words.
func judged(d *calibration.Dataset, s *calibration.Subject) map[string][]scores {
	all := map[string][]scores{}
	for i := range d.Judges {
		run := d.Judges[i].Newest(s.Digest)
		if run == nil || run.Digest != s.Digest {
			continue
		}
		given := map[string]scores{}
		for _, criterion := range s.Rubric.Criteria {
			for item, repeats := range run.Scores(criterion.Name) {
				if given[item] == nil {
					given[item] = scores{}
					all[item] = append(all[item], given[item])
				}
				given[item][criterion.Name] = agreement.Mean(repeats)
			}
		}
	}
	return all
}

// disagreement is the mean over the criteria of the variance of the opinions, which are the
// scores of each judge and the mean label; NaN without two opinions on any criterion.
func disagreement(item calibration.Item, r *rubric.Rubric, given []scores) float64 {
	var variances []float64
	for _, criterion := range r.Criteria {
		var opinions, labels []float64
		for _, by := range given {
			if score, ok := by[criterion.Name]; ok {
				opinions = append(opinions, score)
			}
		}
		for _, by := range item.Labels {
			if label := by[criterion.Name]; label > 0 {
				labels = append(labels, float64(label))
			}
		}
		if len(labels) > 0 && len(opinions) > 0 {
			opinions = append(opinions, agreement.Mean(labels))
		}
		if len(opinions) > 1 {
			variances = append(variances, variance(opinions))
		}
	}
	return agreement.Mean(variances)
}

// margins returns, for each judge that scored every criterion, the points by which an item
// passes; they are negative for one that fails.
func margins(r *rubric.Rubric, given []scores) []float64 {
	var all []float64
	for _, by := range given {
		v, err := r.Verdict(by, nil)
		if err != nil {
			continue // a score is missing
		}
		least := v.Overall - v.PassThreshold
		for _, c := range v.Criteria {
			if c.Weight == rubric.Essential {
				least = min(least, c.Score-c.Minimum)
			}
		}
		all = append(all, least)
	}
	return all
}

func variance(numbers []float64) float64 {
	center, sum := agreement.Mean(numbers), 0.0
	for _, x := range numbers {
		sum += (x - center) * (x - center)
	}
	return sum / float64(len(numbers))
}

// shuffle reorders items independently of their order in the file.
func shuffle(items []calibration.Item, seed, stream uint64) {
	slices.SortFunc(items, func(a, b calibration.Item) int { return strings.Compare(a.ID, b.ID) })
	rand.New(rand.NewPCG(seed, stream)).Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
}

func hash(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}
