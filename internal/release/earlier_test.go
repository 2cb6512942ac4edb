package release

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// notReported are the statistics of criteria that an earlier program wrote.
var notReported = []string{"pearson", "kendall_tau_b", "exact", "adjacent"}

// earlier reads and verifies a bundle that an earlier program wrote.
func earlier(t *testing.T, name string) *bundlefile.Bundle {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	b, err := bundlecheck.Verify(bytes.NewReader(data), int64(len(data)), bundlefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestCalibratedByOneRun reads the statistics of a program that called a judge calibrated
// after one run: it says that still, and nothing about what the judge may be used for.
func TestCalibratedByOneRun(t *testing.T) {
	text, err := earlier(t, "format-1.zip").Read("calibration/stories/statistics.json")
	if err != nil {
		t.Fatal(err)
	}
	var s report.Statistics
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	r := &s.Reports[0]
	section, err := report.Section(r)
	if err != nil || !r.Calibrated || r.Gate.Outcome != "" {
		t.Fatalf("%v, calibrated %v, gate %+v", err, r.Calibrated, r.Gate)
	}
	if text := string(section); !strings.Contains(text, "<strong>Calibrated</strong> <span class=\"badge met\">✓ met</span>") || strings.Contains(text, "May ") {
		t.Error(text)
	}
}

// TestEarlierBundle verifies a bundle whose statistics have values that are no longer
// computed, and reads the others.
func TestEarlierBundle(t *testing.T) {
	b := earlier(t, "format-1-earlier.zip")
	text, err := b.Read("calibration/stories/statistics.json")
	if err != nil {
		t.Fatal(err)
	}
	var s report.Statistics
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	again, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	before, after := criterion(t, text), criterion(t, again)
	for _, name := range notReported {
		if before[name] == nil {
			t.Errorf("the bundle has no %s, so that nothing is tested", name)
		}
		delete(before, name)
	}
	people := before["people"].(map[string]any)
	for _, part := range []struct {
		of      any
		removed string
	}{
		{people, "alternative"}, {people["icc"], "one_way agreement consistency one_way_mean agreement_mean"},
		{before["baseline"], "exact adjacent bias"}, {before["repeats"], "mean_difference alpha"}, {before["verdict"], "agreement kappa"},
	} {
		for _, key := range strings.Fields(part.removed) {
			delete(part.of.(map[string]any), key)
		}
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("values are lost (-was +is):\n%s", diff)
	}
}

// criterion is the first one of the first report in statistics.
func criterion(t *testing.T, text []byte) map[string]any {
	t.Helper()
	var s struct {
		Reports []struct{ Criteria []map[string]any }
	}
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	return s.Reports[0].Criteria[0]
}
