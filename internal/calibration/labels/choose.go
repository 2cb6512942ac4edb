package labels

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// Choice selects the items of a sheet.
type Choice struct {
	Rater string
	// Seed determines which items are chosen and in which order. With the same seed, raters
	// without labels get the same items in different orders.
	Seed uint64
	// Count is the number of items, 0 for all.
	Count int
}

// Choose returns the items of a sheet in order. done counts the items left out because
// the rater has already labeled them. It is an error if there are fewer items than the
// choice wants.
func Choose(d *calibration.Dataset, s *calibration.Subject, c Choice) (chosen []calibration.Item, done int, err error) {
	for _, item := range d.Items {
		if slices.ContainsFunc(s.Rubric.Criteria, func(of rubric.Criterion) bool { return answerOf(&item, c.Rater, of.Name) == 0 }) {
			chosen = append(chosen, item)
		}
	}
	done = len(d.Items) - len(chosen)
	if len(chosen) == 0 {
		return nil, done, fmt.Errorf("there is nothing to label: %s has labeled %d of %d items", c.Rater, done, len(d.Items))
	}
	if c.Count > 0 {
		chosen, err = c.take(chosen)
	}
	// The order must not depend on that of the file.
	slices.SortFunc(chosen, func(a, b calibration.Item) int { return strings.Compare(a.ID, b.ID) })
	rand.New(rand.NewPCG(c.Seed, hash(c.Rater))).Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
	return chosen, done, err
}

// take returns random items of those that count for a certificate: those with the lowest
// hashes of their IDs and the seed, which do not depend on the other items.
func (c Choice) take(items []calibration.Item) ([]calibration.Item, error) {
	items = slices.DeleteFunc(items, func(item calibration.Item) bool { return item.Split == calibration.Dev })
	if c.Count > len(items) {
		return nil, fmt.Errorf("--choose is %d, but %s has only %d left without \"split\": \"dev\"", c.Count, c.Rater, len(items))
	}
	rank := func(item calibration.Item) uint64 { return rand.NewPCG(c.Seed, hash(item.ID)).Uint64() }
	slices.SortFunc(items, func(a, b calibration.Item) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.ID, b.ID))
	})
	return items[:c.Count], nil
}

func hash(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}
