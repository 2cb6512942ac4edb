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
	err = each(data, func(j judgment) { all = append(all, j) })
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
			if !s.half || hash("held", s.name, c.key)[0]&0x10 == 0 {
				all = append(all, c)
			}
		}
	}
	order := func(c criterion) string { return hash("random-1", s.name+"/"+c.key) }
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
			criteria[c.key], places[c.key] = c, place{i.id, n}
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
		if n < len(judged) && !judged[c.key] {
			return nil, fmt.Errorf("%s: %s was drawn before a criterion that is judged: judge what -sample prints, in its order", s.name, c.key)
		}
	}
	return of, nil
}

// printSample writes the first n criteria of each source to judge, shuffled, with the
// lines of judged.jsonl to fill in. It does not say what the linter reports.
func printSample(w io.Writer, folder string, n int) error {
	type toJudge struct {
		judgment
		Question string    `json:"question"`
		Anchors  [5]string `json:"anchors"`
	}
	var all []toJudge
	for _, s := range sources {
		items, err := s.items(folder)
		if err != nil {
			return err
		}
		drawn := s.drawn(items)
		for _, c := range drawn[:min(n, len(drawn))] {
			all = append(all, toJudge{judgment{Source: s.name, Key: c.key, Text: c.digest(), Faults: map[string]bool{}}, c.Question, c.Anchors})
		}
	}
	slices.SortFunc(all, func(a, b toJudge) int {
		return cmp.Compare(hash("shuffle-1", a.Source+"/"+a.Key), hash("shuffle-1", b.Source+"/"+b.Key))
	})
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, j := range all {
		if err := enc.Encode(j); err != nil {
			return err
		}
	}
	return nil
}
