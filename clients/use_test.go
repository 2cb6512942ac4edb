package clients_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/pkg/library"
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

// measured are the metrics of four calls, by their attributes.
var measured = map[string]any{
	libraryotel.RetrievalTime + " kind=rubric,outcome=ok":                                                                               1.0,
	libraryotel.RetrievalTime + " kind=rubric,outcome=constraint":                                                                       1.0,
	libraryotel.RetrievalTime + " kind=rule_set,outcome=ok":                                                                             1.0,
	libraryotel.RetrievalTime + " kind=any,outcome=not_found":                                                                           1.0,
	libraryotel.UsageCount + " id=user_story_quality_v1,version=1.2.0":                                                                  1.0,
	libraryotel.UsageCount + " id=rest_api_design_v1,version=0.3.0":                                                                     1.0,
	libraryotel.TotalCount + " ":                                                                                                        2.0,
	libraryotel.CalibrationCorrelation + " gate=library_limits,id=user_story_quality_v1,judge=gpt-4,model=gpt-4-0613,rank=yes":          0.8125,
	libraryotel.CalibrationCorrelation + " gate=cannot_tell,id=user_story_quality_v1,judge=claude,model=claude \"4\" ü \u2028,rank=yes": 0.75,
	libraryotel.CalibrationCorrelation + " gate=no,id=prd_quality_v1,judge=flat,model=f,rank=not_yet":                                   "nan",
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
	if diff := cmp.Diff(measured, got); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
}

// TestMetricsInJavaScript collects what the JavaScript client measures with OpenTelemetry's SDK.
func TestMetricsInJavaScript(t *testing.T) {
	path, _, _ := openSample(t)
	if diff := cmp.Diff(measured, metricsInJavaScript(t, path)); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
}

// TestFollowMetricsInJavaScript collects what the JavaScript client measures of a source.
func TestFollowMetricsInJavaScript(t *testing.T) {
	dir := writeReleases(t)
	got := metricsInJavaScript(t, filepath.Join(dir, "1.4.0.zip"), filepath.Join(dir, "other-1.5.0.zip"))
	age := libraryotel.BundleAge + " version=1.4.0"
	if seconds, ok := got[age].(float64); !ok || seconds < 0 || seconds > 600 {
		t.Errorf("the age is %v", got[age])
	}
	delete(got, age)
	want := map[string]any{
		libraryotel.TotalCount + " ": 1.0, libraryotel.BundleChecks + " outcome=ok": 1.0, libraryotel.BundleChecks + " outcome=continuity": 1.0,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
}

// metricsInJavaScript runs testdata/metrics.mjs with bundles.
func metricsInJavaScript(t *testing.T, bundles ...string) (got map[string]any) {
	t.Helper()
	packages := os.Getenv("OPENTELEMETRY")
	if packages == "" {
		t.Skip("OPENTELEMETRY does not name a node_modules folder, so the metrics were not tested; .ci/run installs it")
	}
	dir := t.TempDir()
	must.Do(t, os.CopyFS(dir, os.DirFS("javascript")))
	must.Do(t, os.Symlink(packages, filepath.Join(dir, "node_modules")))
	program := filepath.Join(dir, "metrics.mjs")
	must.Do(t, os.WriteFile(program, must.Get(os.ReadFile("testdata/metrics.mjs"))(t), 0o666))
	cmd := exec.Command("node", append([]string{program}, bundles...)...)
	var warnings strings.Builder
	cmd.Stderr = &warnings
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, warnings.String())
	}
	must.Do(t, json.Unmarshal(out, &got))
	return got
}

// TestWrongArgumentsAreErrors: an argument that a client ignores would find other documents.
func TestWrongArgumentsAreErrors(t *testing.T) {
	_, _, open := openSample(t)
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		answers := ask(open, request{"op": "wrong_arguments"})
		if accepted := into[[]string](t, answers[1]); len(accepted) > 0 {
			t.Errorf("these are accepted: %q", accepted)
		}
	})
}

// TestDidYouMean compares the suggestions of the clients with those of Go.
func TestDidYouMean(t *testing.T) {
	path, _, open := openSample(t)
	lib := must.Get(library.Open(path))(t)
	defer lib.Close()
	_, err := lib.Resolve("user_stroy_quality_v1", "")
	_, want, _ := strings.Cut(err.Error(), ". ")
	if want != "Did you mean user_story_quality_v1?" {
		t.Fatalf("Go says %q", err)
	}
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		a := ask(open, request{"op": "get", "id": "user_stroy_quality_v1", "constraint": ""})[1]
		if a.Error == nil || a.Error.Type != "NotFoundError" || !strings.HasSuffix(a.Error.Text, ". "+want) {
			t.Errorf("the client says %+v", a.Error)
		}
	})
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
		l.add(bundlefile.IndexLine{ID: id, Kind: bundlefile.KindRubric, Name: "n", ArtifactType: "prd"}, string(canonical(doc)), "1.0.0")
	}
	data, _ := l.write(t)
	path := filepath.Join(t.TempDir(), "large.zip")
	must.Do(t, os.WriteFile(path, data, 0o666))
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		costs := into[[]float64](t, ask(request{"op": "costs", "path": path, "known": "user_story_quality_15000", "other": "user_stroy_quality_15000"})[0])
		t.Logf("open and get %.3f s, 200 known IDs %.4f s, 200 unknown IDs %.4f s", costs[0], costs[1], costs[2])
		start := time.Now()
		sha256.Sum256(data)
		if hash := time.Since(start).Seconds(); costs[0] > max(1, 30*hash) { // twice the target, or as slow as the machine
			t.Errorf("opening a bundle of 10,000 and getting one document takes %.2f s of CPU time, and its SHA-256 %.3f s", costs[0], hash)
		}
		if costs[2] > 2*costs[1]+0.02 {
			t.Errorf("200 unknown IDs take %.4f s, and 200 known ones %.4f s", costs[2], costs[1])
		}
	})
}
