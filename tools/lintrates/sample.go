package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

const (
	// seed chooses the sample. Another seed requires new judgments.
	seed = "lint-rates-1"
	// sampleSize is the number of findings of a rule to judge, if there are so many.
	sampleSize = 25
)

//go:embed judged.jsonl
var judgedFile []byte

// judgment is the verdict on a finding, by a reader of the whole criterion.
type judgment struct {
	hit
	// Verdict is right if the author should change what was found, wrong if not.
	Verdict string `json:"verdict"`
	Reason  string `json:"reason"`
}

const (
	right = "right"
	wrong = "wrong"
)

// sample returns the findings of one rule to judge, in an order that depends only
// on the seed and on each finding, so that a new finding replaces at most one.
func sample(hits []hit, rule string) []hit {
	of := slices.DeleteFunc(slices.Clone(hits), func(h hit) bool { return h.Rule != rule })
	draw := func(h hit) string {
		sum := sha256.Sum256([]byte(strings.Join([]string{seed, h.Rule, h.Item, h.At}, "\n")))
		return string(sum[:])
	}
	slices.SortFunc(of, func(a, b hit) int { return strings.Compare(draw(a), draw(b)) })
	return of[:min(len(of), sampleSize)]
}

// readJudged reads judged.jsonl.
func readJudged(data []byte) ([]judgment, error) {
	var all []judgment
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	for {
		var j judgment
		if err := dec.Decode(&j); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("judged.jsonl: judgment %d: %w", len(all)+1, err)
		}
		if j.Verdict != right && j.Verdict != wrong || j.Reason == "" {
			return nil, fmt.Errorf("judged.jsonl: %s at %s of %s needs the verdict right or wrong, and a reason", j.Rule, j.At, j.Item)
		}
		all = append(all, j)
	}
}

// judgedOf returns the judgments of one rule, which must be those of its sample. A
// judgment on a finding that is gone or has other text is an error, and so is a
// finding of the sample without a judgment.
func judgedOf(hits []hit, judged []judgment, rule string) ([]judgment, error) {
	of := slices.DeleteFunc(slices.Clone(judged), func(j judgment) bool { return j.Rule != rule })
	chosen := sample(hits, rule)
	for _, j := range of {
		if !slices.Contains(chosen, j.hit) {
			return nil, fmt.Errorf("the judgment of %s at %s of %s is stale: no finding with this text is in the sample. Judge the findings that -sample prints", rule, j.At, j.Item)
		}
	}
	for _, h := range chosen {
		n := 0
		for _, j := range of {
			if j.hit == h {
				n++
			}
		}
		if n != 1 {
			return nil, fmt.Errorf("%s at %s of %s has %d judgments, want 1. Judge the findings that -sample prints", rule, h.At, h.Item, n)
		}
	}
	return of, nil
}

// printSample writes the findings to judge, with the existing judgments.
func printSample(w io.Writer, folder string) error {
	items, err := readItems(folder)
	if err != nil {
		return err
	}
	hits, err := lintItems(items)
	if err != nil {
		return err
	}
	judged, err := readJudged(judgedFile)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, rule := range measured() {
		for _, h := range sample(hits, rule.ID) {
			j := judgment{hit: h}
			if i := slices.IndexFunc(judged, func(j judgment) bool { return j.hit == h }); i >= 0 {
				j = judged[i]
			}
			if err := enc.Encode(j); err != nil {
				return err
			}
		}
	}
	return nil
}
