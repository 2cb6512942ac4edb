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

// judgment says which faults a reader found in the texts of a criterion of the fresh source. There can
// be several on a criterion, each for other rules.
type judgment struct {
	Key  string `json:"criterion"`
	Text string `json:"text"` // the digest of the texts that were read
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

// drawn returns the criteria in an order that depends only on their keys.
func drawn(items []item) []criterion {
	var all []criterion
	for _, i := range items {
		all = append(all, i.criteria...)
	}
	slices.SortFunc(all, func(a, b criterion) int { return cmp.Compare(hash(a.ID), hash(b.ID)) })
	return all
}

func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\n")))
	return string(sum[:])
}

// placeJudged returns the judgments with their places. All must be on the texts of the criteria, and those
// without a finding on the criteria that are drawn first, so that nobody chose them.
func placeJudged(all []judgment, items []item) ([]placed, error) {
	criteria, places := map[string]criterion{}, map[string]place{}
	for _, i := range items {
		for n, c := range i.criteria {
			criteria[c.ID], places[c.ID] = c, place{i.id, n}
		}
	}
	var of []placed
	judged := map[string]bool{}
	for _, j := range all {
		if c, ok := criteria[j.Key]; !ok || c.digest() != j.Text {
			return nil, fmt.Errorf("the judgment on %s is stale: no criterion has the text that was read", j.Key)
		}
		of = append(of, placed{j, places[j.Key]})
		if !j.Finding {
			judged[j.Key] = true
		}
	}
	for n, c := range drawn(items) {
		if n < len(judged) && !judged[c.ID] {
			return nil, fmt.Errorf("%s was drawn before a criterion that is judged: judge what -sample prints, in its order", c.ID)
		}
	}
	return of, nil
}

// printSample writes the first n criteria to judge, each after a line of judged.jsonl to fill in. It
// does not say what the linter reports.
func printSample(w io.Writer, folder string, n int) error {
	items, err := readItems(folder, freshFolder)
	if err != nil {
		return err
	}
	all := drawn(items)
	for _, c := range all[:min(n, len(all))] {
		line, err := json.Marshal(judgment{Key: c.ID, Text: c.digest(), Faults: map[string]bool{}})
		if err != nil {
			return err
		}
		a := c.anchors()
		_, err = fmt.Fprintf(w, "%s\n%s\n1: %s\n2: %s\n3: %s\n4: %s\n5: %s\n\n",
			line, c.Criteria, a[0], a[1], a[2], a[3], a[4])
		if err != nil {
			return err
		}
	}
	return nil
}
