package agreement

import (
	"bytes"
	"encoding/csv"
	"math"
	"strconv"
	"testing"
)

// TestPublishedCorrelations computes the turn-level table of UniEval (Zhong and
// others 2022) on Topical-Chat: Pearson, Spearman, Kendall's tau-b.
func TestPublishedCorrelations(t *testing.T) {
	published := map[string][3]float64{
		"naturalness":       {.443666, .513986, .373973},
		"coherence":         {.595143, .612942, .465915},
		"engagingness":      {.55651, .604739, .455941},
		"groundedness":      {.536209, .574954, .451533},
		"understandability": {.380038, .467807, .360741},
		"overall":           {.632796, .662583, .487272},
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
		for i, got := range []Value{Pearson(x, y), Spearman(x, y), KendallTauB(x, y)} {
			if !got.Defined() || math.Abs(got.Number-want[i]) > 5.1e-7 {
				t.Errorf("%s, %s: %.8f %s, want %.6f", criterion, []string{"Pearson", "Spearman", "tau-b"}[i], got.Number, got.Undefined, want[i])
			}
		}
	}
}
