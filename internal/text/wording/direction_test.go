package wording

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"
)

func TestDirectionOfAnchors(t *testing.T) {
	for _, test := range []struct {
		why     string
		anchors []string
	}{
		{"faults and praise", []string{"The claims are wrong.", "Some claims are wrong.", "The claims are accurate and complete."}},
		{"faults, and their denial", []string{"There are many errors.", "There are some minor errors.", "There are no errors."}},
		{"a denial, and none", []string{"No price is named.", "The price is named."}},
		{"what fails", []string{"It fails to name an owner.", "It names an owner for each step."}},
		{"none, some, and all", []string{"None of the steps has an owner.", "Half of the steps have an owner.", "All of the steps have an owner."}},
		{"shares", []string{"0 % of the tests pass.", "50 % of the tests pass.", "100 % of the tests pass."}},
		{"counts", []string{"1 of 4 parts is there.", "2 of 4 parts are there.", "4 of 4 parts are there."}},
		{"counts of faults", []string{"4 errors", "2 errors", "1 error"}},
		{"free of faults", []string{"It is rude and confusing.", "It is free of insults."}},
		{"does not miss", []string{"It misses the deadline and the owner.", "It does not miss anything."}},
	} {
		var texts []Text
		for _, anchor := range test.anchors {
			texts = append(texts, Read(anchor))
		}
		if d := Direction(texts...); d <= 0.1 {
			t.Errorf("%s: the direction is %.2f, want above 0.1", test.why, d)
		}
		slices.Reverse(texts)
		if d := Direction(texts...); d >= -0.1 {
			t.Errorf("%s: in the opposite order, the direction is %.2f, want below -0.1", test.why, d)
		}
	}
	for _, anchors := range [][]string{{"a"}, {"red", "blue"}, {"at most 20 lines", "20 to 40 lines", "more than 40 lines"}, {"", ""}} {
		var texts []Text
		for _, anchor := range anchors {
			texts = append(texts, Read(anchor))
		}
		if d := Direction(texts...); d != 0 {
			t.Errorf("%q: the direction is %.2f, want 0", anchors, d)
		}
	}
}

// TestDirectionOfRealAnchors measures texts that nobody here wrote, in both orders. The words were
// chosen after reading every second of these criteria; the others are as good.
func TestDirectionOfRealAnchors(t *testing.T) {
	f, err := os.Open("../../../../shared/data/biggen-bench/rubrics.jsonl")
	if err != nil {
		t.Skip("the data is not here")
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	const against = 0.1 // at which an import stops
	found, wrong, all := 0, 0, 0
	for ; s.Scan(); all++ {
		var row struct{ Anchors map[string]string }
		if err := json.Unmarshal(s.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		var texts []Text
		for score := lowest; score <= highest; score++ {
			texts = append(texts, Read(row.Anchors[fmt.Sprint(score)]))
		}
		switch d := Direction(texts...); {
		case d > against:
			found++
		case d < -against:
			wrong++
		}
	}
	t.Logf("of %d reversed criteria, %d are found; of %[1]d upright ones, %[3]d seem to be reversed", all, found, wrong)
	if all != 510 || found < 490 || wrong > 3 {
		t.Errorf("of %d reversed criteria, %d are found; of %[1]d upright ones, %[3]d seem to be reversed", all, found, wrong)
	}
}
