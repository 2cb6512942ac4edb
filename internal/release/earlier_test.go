package release

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

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

// TestEarlierStatistics: those of an earlier program name their dataset, and have no report whose
// words or numbers mean something else today.
func TestEarlierStatistics(t *testing.T) {
	for _, name := range []string{"format-1.zip", "format-1-earlier.zip"} {
		text, err := earlier(t, name).Read("calibration/stories/statistics.json")
		if err != nil {
			t.Fatal(err)
		}
		var s report.Statistics
		if err := json.Unmarshal(text, &s); err != nil || s.Dataset.Name != "stories" || len(s.Reports) > 0 {
			t.Errorf("%s: %v, %+v", name, err, s)
		}
	}
}
