package report

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rubric-library/rubric-library/internal/calibration"
)

// TestEarlierHistoryIsRead reads records of a program that also recorded what the recorded answers
// tell: no other value is lost.
func TestEarlierHistoryIsRead(t *testing.T) {
	data, err := os.ReadFile("testdata/earlier-history.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	d := &calibration.Dataset{}
	for line := range strings.Lines(string(data)) {
		d.History = append(d.History, []byte(line))
	}
	read := append(Records(d, "depth_v1", "steady"), Records(d, "depth_v1", "lenient")...)
	if len(read) != 3 {
		t.Fatalf("%d of 3 records are read", len(read))
	}
	for i, line := range []int{0, 2, 1} {
		again, err := read[i].Encode()
		if diff := cmp.Diff(kept(t, d.History[line]), kept(t, again)); diff != "" || err != nil {
			t.Errorf("the record differs: %v%s", err, diff)
		}
		if !Recorded(d, &read[i]) {
			t.Errorf("%s of %s counts as not recorded", read[i].Judge.Run, read[i].Judge.Name)
		}
	}
}

// kept are the values of a record that are still recorded.
func kept(t *testing.T, line []byte) map[string]any {
	t.Helper()
	var record map[string]any
	if err := json.Unmarshal(line, &record); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"coverage", "mean", "minimum", "outcome", "calibrated", "drift"} {
		delete(record, key)
	}
	for _, c := range record["criteria"].([]any) {
		for _, key := range []string{"items", "mean_absolute_error"} {
			delete(c.(map[string]any), key)
		}
	}
	return record
}
