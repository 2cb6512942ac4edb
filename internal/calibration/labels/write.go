package labels

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// MostCharacters is the most characters that a spreadsheet keeps in a cell.
const MostCharacters = 32767

// Choice selects the items of a sheet.
type Choice struct {
	Rater string
	// Criteria are the criteria to label.
	Criteria []string
	// Seed determines which items are chosen and in which order. With the same seed,
	// raters without labels get the same items in different orders.
	Seed uint64
	// Count is the maximum number of items.
	Count int
}

// Choose returns the items of a sheet in order. done counts the items left out because
// the rater has already labeled them.
func Choose(items []calibration.Item, c Choice) (chosen []calibration.Item, done int) {
	for _, item := range items {
		if labeled(item, c) {
			done++
		} else {
			chosen = append(chosen, item)
		}
	}
	if c.Count < len(chosen) {
		chosen = take(chosen, c.Seed, c.Count)
	}
	shuffle(chosen, c.Seed, hash(c.Rater))
	return chosen, done
}

// labeled reports whether the rater has labeled all criteria of an item.
func labeled(item calibration.Item, c Choice) bool {
	return !slices.ContainsFunc(c.Criteria, func(name string) bool { return item.Labels[c.Rater][name] == 0 })
}

// take chooses items by a hash of their IDs and the seed, so that an item's rank does not
// depend on the other items.
func take(items []calibration.Item, seed uint64, count int) []calibration.Item {
	rank := func(item calibration.Item) uint64 { return rand.NewPCG(seed, hash(item.ID)).Uint64() }
	slices.SortFunc(items, func(a, b calibration.Item) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.ID, b.ID))
	})
	return items[:count]
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

// Write returns a sheet for a rater: one row for each item, and for each criterion of the
// rubric one column with guidance and one empty column for labels. The format is CSV for
// spreadsheets: UTF-8 with a byte order mark and CRLF.
func Write(s *calibration.Subject, rater string, items []calibration.Item, separator rune) ([]byte, error) {
	w := &writer{separator: separator}
	w.out.WriteString(byteOrderMark)
	keys, width := inputKeys(items), 0
	for _, item := range items {
		width = max(width, len(item.ID))
	}
	header := []string{itemColumn, artifactColumn}
	for _, key := range keys {
		header = append(header, inputPrefix+" "+key)
	}
	for _, c := range s.Rubric.Criteria {
		header = append(header, c.Name+guideSuffix, c.Name+labelSuffix)
	}
	w.row(append(header, newForm(s, rater).String()))
	for _, item := range items {
		cells := []string{rowCode(item.ID, width), text(item.Artifact)}
		for _, key := range keys {
			cells = append(cells, text(item.Inputs[key]))
		}
		for _, c := range s.Rubric.Criteria {
			cells = append(cells, text(guide(c)), "")
		}
		w.row(append(cells, ""))
	}
	return w.out.Bytes(), w.err
}

// inputKeys returns the sorted keys of all inputs.
func inputKeys(items []calibration.Item) []string {
	var keys []string
	for _, item := range items {
		for key := range item.Inputs {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// text returns the content of a cell for a text.
func text(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return defuse(strings.ReplaceAll(s, "\r", "\n"))
}

// guide returns the guidance for a criterion. It is repeated next to the label in every
// row: the header row scrolls out of view, and separate rows would be misplaced by
// sorting.
func guide(c rubric.Criterion) string {
	var b strings.Builder
	b.WriteString(strings.TrimSpace(c.Description))
	for i, anchor := range c.Anchors {
		fmt.Fprintf(&b, "\n%d: %s", i+1, strings.TrimSpace(anchor))
	}
	return b.String()
}

// writer ends rows with CRLF (RFC 4180) and lines in cells with LF, as spreadsheets do;
// csv.Writer uses the same line end for both.
type writer struct {
	out       bytes.Buffer
	separator rune
	err       error
}

func (w *writer) row(cells []string) {
	var line bytes.Buffer
	c := csv.NewWriter(&line)
	c.Comma = w.separator
	if err := c.Write(cells); err != nil && w.err == nil {
		w.err = err
	}
	c.Flush()
	w.out.Write(bytes.TrimSuffix(line.Bytes(), []byte("\n")))
	w.out.WriteString("\r\n")
}
