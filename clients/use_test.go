package clients_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document/jsontext"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/pkg/library/libraryotel"
)

// TestPlainData uses what a client returns with the tools of its language.
func TestPlainData(t *testing.T) {
	_, _, open := openSample(t)
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		answers := ask(open, request{"op": "plain_data", "id": "user_story_quality_v1"})
		if failed := into[[]string](t, answers[1]); len(failed) > 0 {
			t.Errorf("these fail: %q", failed)
		}
	})
}

// TestMetricsInPython collects what the Python client measures with OpenTelemetry's SDK.
func TestMetricsInPython(t *testing.T) {
	path, _, _ := openSample(t)
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed, so its metrics were not tested")
	}
	got := into[map[string]any](t, run(t, python, "testdata/run.py", []request{{"op": "metrics", "path": path}})[0])
	if got == nil {
		t.Skip("OpenTelemetry is not installed for python3, so its metrics were not tested")
	}
	want := map[string]any{
		libraryotel.RetrievalTime + " kind=rubric,outcome=ok":                                         1.0,
		libraryotel.RetrievalTime + " kind=rubric,outcome=constraint":                                 1.0,
		libraryotel.RetrievalTime + " kind=rule_set,outcome=ok":                                       1.0,
		libraryotel.RetrievalTime + " outcome=not_found":                                              1.0,
		libraryotel.UsageCount + " id=user_story_quality_v1,version=1.2.0":                            1.0,
		libraryotel.UsageCount + " id=rest_api_design_v1,version=0.3.0":                               1.0,
		libraryotel.TotalCount + " ":                                                                  2.0,
		libraryotel.CalibrationCorrelation + " gate=library_limits,id=user_story_quality_v1,rank=met": 0.8125,
		libraryotel.CalibrationCorrelation + " gate=not_met,id=prd_quality_v1,rank=undecided":         "nan",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
}

// TestLargeBundle opens a bundle of 10,000 documents. An unknown ID costs no more than a
// known one, because a request can carry it.
func TestLargeBundle(t *testing.T) {
	l := &contents{}
	long := strings.Repeat("A clerk archives an invoice so that the audit finds it. ", 80) // about 5 KB in all
	for i := range 10_000 {
		id := fmt.Sprintf("user_story_quality_%d", 10_000+i)
		text := strings.Replace(fmt.Sprintf(leanRubric, id), `"score_1":"x"`, `"score_1":"`+long+`"`, 1)
		doc := map[string]any{}
		must.Do(t, json.Unmarshal([]byte(text), &doc))
		doc["name"], doc["artifact_type"], doc["version"] = "n", "prd", "1.0.0"
		l.add(bundlefile.IndexLine{ID: id, Kind: bundlefile.KindRubric, Name: "n", ArtifactType: "prd"}, string(sure(jsontext.Canonical(doc))), "1.0.0")
	}
	data, _ := l.write(t)
	path := filepath.Join(t.TempDir(), "large.zip")
	must.Do(t, os.WriteFile(path, data, 0o666))
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		costs := into[[]float64](t, ask(request{"op": "costs", "path": path, "known": "user_story_quality_15000", "other": "user_stroy_quality_15000"})[0])
		t.Logf("open and get %.3f s, 200 known IDs %.4f s, 200 unknown IDs %.4f s", costs[0], costs[1], costs[2])
		if costs[0] > 1 { // twice the target, for slow machines
			t.Errorf("opening a bundle of 10,000 and getting one document takes %.2f s of CPU time", costs[0])
		}
		if costs[2] > 2*costs[1]+0.02 {
			t.Errorf("200 unknown IDs take %.4f s, and 200 known ones %.4f s", costs[2], costs[1])
		}
	})
}
