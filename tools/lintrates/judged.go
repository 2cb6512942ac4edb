package main

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

//go:embed judged.jsonl
var judgedFile []byte

// judgment says which faults a reader found in the texts of a criterion.
type judgment struct {
	Source string `json:"source"`
	Key    string `json:"criterion"`
	Text   string `json:"text"` // the digest of the texts that were read
	// Finding says that the criterion was read because a rule fires on it. The others were
	// drawn, and the reader did not know which rules fire.
	Finding bool `json:"finding,omitempty"`
	// Faults are named after the rules that look for them.
	Faults map[string]bool `json:"faults"`
}

// placed is a judgment with the place of its criterion.
type placed struct {
	judgment
	place place
}

// readJudged reads judged.jsonl.
func readJudged(data []byte) (all []judgment, err error) {
	err = eachLine(data, func(j judgment) { all = append(all, j) })
	if err != nil {
		return nil, fmt.Errorf("judged.jsonl: %w", err)
	}
	return all, nil
}

// drawn returns the criteria of a source that can be judged, in an order that depends only
// on their keys. The half that was read when the rules were written is left out.
func (s *origin) drawn(items []item) []criterion {
	var all []criterion
	for _, i := range items {
		for _, c := range i.criteria {
			if !s.half || hash("held", s.name, c.ID)[0]&0x10 == 0 {
				all = append(all, c)
			}
		}
	}
	order := func(c criterion) string { return hash("random-1", s.name+"/"+c.ID) }
	slices.SortFunc(all, func(a, b criterion) int { return cmp.Compare(order(a), order(b)) })
	return all
}

func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\n")))
	return string(sum[:])
}

// judgedOf returns the judgments of a source. All must be on the texts of its criteria, and
// those without a finding on the criteria that are drawn first, so that nobody chose them.
func (s *origin) judgedOf(all []judgment, items []item) ([]placed, error) {
	criteria, places := map[string]criterion{}, map[string]place{}
	for _, i := range items {
		for n, c := range i.criteria {
			criteria[c.ID], places[c.ID] = c, place{i.id, n}
		}
	}
	var of []placed
	judged := map[string]bool{}
	for _, j := range all {
		if j.Source != s.name {
			continue
		}
		if c, ok := criteria[j.Key]; !ok || c.digest() != j.Text {
			return nil, fmt.Errorf("%s: the judgment on %s is stale: no criterion has the text that was read", s.name, j.Key)
		}
		of = append(of, placed{j, places[j.Key]})
		if !j.Finding {
			judged[j.Key] = true
		}
	}
	for n, c := range s.drawn(items) {
		if n < len(judged) && !judged[c.ID] {
			return nil, fmt.Errorf("%s: %s was drawn before a criterion that is judged: judge what -sample prints, in its order", s.name, c.ID)
		}
	}
	return of, nil
}

// printSample writes the first n criteria of each source to judge, shuffled, with a line
// of judged.jsonl to fill in before each. It does not say what the linter reports.
func printSample(w io.Writer, folder string, n int) error {
	var all []string
	for _, s := range sources {
		items, err := s.items(folder)
		if err != nil {
			return err
		}
		drawn := s.drawn(items)
		for _, c := range drawn[:min(n, len(drawn))] {
			line, err := json.Marshal(judgment{Source: s.name, Key: c.ID, Text: c.digest(), Faults: map[string]bool{}})
			if err != nil {
				return err
			}
			all = append(all, fmt.Sprintf("%s\n%s\n1: %s\n2: %s\n3: %s\n4: %s\n5: %s\n", line, c.Criteria,
				c.Anchors["1"], c.Anchors["2"], c.Anchors["3"], c.Anchors["4"], c.Anchors["5"]))
		}
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Compare(hash(a), hash(b)) })
	_, err := io.WriteString(w, strings.Join(all, "\n"))
	return err
}
