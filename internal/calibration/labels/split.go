package labels

import (
	"crypto/sha256"
	"encoding/binary"
	"math"

	"github.com/rubric-library/rubric-library/internal/calibration"
)

const test = "test"

// splits decides whether a new item is dev, on which prompts are tuned, or test, which counts.
// Items with the same texts have the same split.
type splits struct {
	dev   float64           // the share of dev
	known map[string]string // by what is the same of their texts
}

// newSplits also knows the items of the dataset and, if a sheet names their split, those of the
// file. Of two splits, dev remains: a prompt was tuned on the text.
func newSplits(d *calibration.Dataset, l *Labels, dev float64) *splits {
	s := &splits{dev: dev, known: map[string]string{}}
	there := map[string]bool{}
	for i := range d.Items {
		item := &d.Items[i]
		there[item.ID] = true
		s.learn(item, item.Split)
	}
	of := &splits{known: map[string]string{}}
	for _, item := range l.Items {
		if !there[item.ID] && item.Split != "" {
			of.learn(item.storedForm(), item.Split)
		}
	}
	for same, split := range of.known {
		if s.known[same] == "" {
			s.known[same] = split
		}
	}
	return s
}

func (s *splits) learn(item *calibration.Item, split string) {
	if same := item.SameKey(); split == calibration.Dev || s.known[same] == "" {
		if split == "" {
			split = test
		}
		s.known[same] = split
	}
}

// chooseSplit returns the split of a new item: dev, or "".
func (s *splits) chooseSplit(item *calibration.Item) string {
	same := item.SameKey()
	switch s.known[same] {
	case calibration.Dev:
		return calibration.Dev
	case test:
		return ""
	}
	sum := sha256.Sum256([]byte("rubric-calibrate split\x00" + same))
	if float64(binary.BigEndian.Uint64(sum[:])) < s.dev*math.MaxUint64 {
		return calibration.Dev
	}
	return ""
}
