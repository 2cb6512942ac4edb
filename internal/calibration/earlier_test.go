package calibration

import (
	"os"
	"strings"
	"testing"
)

// TestEarlierHistoryIsRead reads records of the program that also computed correlations
// and annotator tests that are no longer reported: no value of a record is lost.
func TestEarlierHistoryIsRead(t *testing.T) {
	data, err := os.ReadFile("testdata/earlier-history.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	d := &Dataset{}
	for line := range strings.Lines(string(data)) {
		d.History = append(d.History, []byte(line))
	}
	read := append(d.Records("depth_v1", "steady"), d.Records("depth_v1", "lenient")...)
	if len(read) != 3 {
		t.Fatalf("%d of 3 records are read", len(read))
	}
	for i, line := range []int{0, 2, 1} {
		again, err := read[i].Encode()
		if err != nil || string(again) != string(d.History[line]) {
			t.Errorf("the record became\n%s and was\n%s%v", again, d.History[line], err)
		}
		if !d.Recorded(&read[i]) {
			t.Errorf("%s of %s counts as not recorded", read[i].Judge.Run, read[i].Judge.Name)
		}
	}
}
