package agreement

import (
	"bytes"
	"encoding/csv"
	"math"
	"strconv"
	"testing"
)

// TestPublishedCorrelations computes the Spearman correlations of the turn-level table of
// UniEval (Zhong and others 2022) on Topical-Chat.
func TestPublishedCorrelations(t *testing.T) {
	published := map[string]float64{
		"naturalness":       .513986,
		"coherence":         .612942,
		"engagingness":      .604739,
		"groundedness":      .574954,
		"understandability": .467807,
		"overall":           .662583,
	}
	rows, err := csv.NewReader(bytes.NewReader(readShared(t, "data/topical-chat-unieval/scores.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	number := func(text string) float64 {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	judge, people := map[string][]float64{}, map[string][]float64{}
	for _, row := range rows[1:] { // row, source, system, criterion, human mean, judge
		judge[row[3]] = append(judge[row[3]], number(row[5]))
		people[row[3]] = append(people[row[3]], number(row[4]))
	}
	for criterion, want := range published {
		x, y := judge[criterion], people[criterion]
		if len(x) != 360 {
			t.Errorf("%s has %d items, want 360", criterion, len(x))
		}
		if got := Spearman(x, y); !got.Defined() || math.Abs(got.Number-want) > 5.1e-7 {
			t.Errorf("%s: %.8f %s, want %.6f", criterion, got.Number, got.Undefined, want)
		}
	}
}
