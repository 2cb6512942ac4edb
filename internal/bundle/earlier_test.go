package bundle

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/calibration"
)

// notReported are the statistics of criteria that an earlier program wrote.
var notReported = []string{"pearson", "kendall_tau_b", "exact", "adjacent"}

// TestEarlierBundle verifies a bundle whose statistics have values that are no longer
// computed, and reads the others.
func TestEarlierBundle(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "format-1-earlier.zip"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bundlecheck.Verify(bytes.NewReader(data), int64(len(data)), bundlefile.Options{}); err != nil {
		t.Fatal(err)
	}
	b, err := bundlefile.Open(bytes.NewReader(data), int64(len(data)), bundlefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := b.Read("calibration/stories/statistics.json")
	if err != nil {
		t.Fatal(err)
	}
	var s calibration.Statistics
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
	people, baseline := before["people"].(map[string]any), before["baseline"].(map[string]any)
	delete(people, "alternative")
	delete(baseline, "exact")
	delete(baseline, "adjacent")
	icc := people["icc"].(map[string]any)
	for _, form := range []string{"one_way", "agreement", "consistency", "one_way_mean", "agreement_mean"} {
		delete(icc, form)
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
