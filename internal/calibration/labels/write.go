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

// MostCharacters is how many characters of a cell a spreadsheet keeps.
const MostCharacters = 32767

// Choice says which items a sheet has.
type Choice struct {
	Rater string
	// Criteria are those that are to be labelled.
	Criteria []string
	// Seed decides which items are taken and in which order. With the same one,
	// raters who have labelled nothing get the same items, each in another order.
	Seed uint64
	// Count is how many items are wanted at most.
	Count int
}

// Choose picks the items for a sheet, in its order. done counts those that were
// left out because the rater has labelled them.
func Choose(items []calibration.Item, c Choice) (chosen []calibration.Item, done int) {
	for _, item := range items {
		if labelled(item, c) {
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

// labelled tells whether the rater has given an item all labels.
func labelled(item calibration.Item, c Choice) bool {
	return !slices.ContainsFunc(c.Criteria, func(name string) bool { return item.Labels[c.Rater][name] == 0 })
}

// take takes items by what their IDs and the seed hash to, so that an item's place
// does not depend on which others are there.
func take(items []calibration.Item, seed uint64, count int) []calibration.Item {
	rank := func(item calibration.Item) uint64 { return rand.NewPCG(seed, hash(item.ID)).Uint64() }
	slices.SortFunc(items, func(a, b calibration.Item) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.ID, b.ID))
	})
	return items[:count]
}

// shuffle puts items into an order that does not depend on that of the file.
func shuffle(items []calibration.Item, seed, stream uint64) {
	slices.SortFunc(items, func(a, b calibration.Item) int { return strings.Compare(a.ID, b.ID) })
	rand.New(rand.NewPCG(seed, stream)).Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
}

func hash(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}

// Write is a sheet for a rater: a row an item, and for each criterion of the
// rubric a column that says what its labels mean beside an empty one for the
// label. It is CSV in UTF-8 as spreadsheets read it, with a byte order mark and
// CRLF.
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

// inputKeys are the keys of all inputs, sorted.
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

// text is a text as a cell has it.
func text(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return defuse(strings.ReplaceAll(s, "\r", "\n"))
}

// guide is what a rater reads of a criterion. It stands in every row, beside the
// label: a header row is out of sight in row 20, and rows of anchors get lost when
// a sheet is sorted.
func guide(c rubric.Criterion) string {
	var b strings.Builder
	b.WriteString(strings.TrimSpace(c.Description))
	for i, anchor := range c.Anchors {
		fmt.Fprintf(&b, "\n%d: %s", i+1, strings.TrimSpace(anchor))
	}
	return b.String()
}

// writer writes rows that end with CRLF, as RFC 4180 has it. Within a cell, line
// ends are LF, as spreadsheets have them; csv.Writer makes both the same.
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
