package serve

import (
	"bytes"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/otlptranslator"
	exporter "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/sdk/metric"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile/bundletest"
	"github.com/rubric-library/rubric-library/pkg/library"
	"github.com/rubric-library/rubric-library/pkg/library/libraryotel"
)

// TestMetricsAreThoseOfTheExporter compares all metrics with what OpenTelemetry's exporter
// for Prometheus writes for the same measurements.
func TestMetricsAreThoseOfTheExporter(t *testing.T) {
	registry := prometheus.NewRegistry()
	e, err := exporter.New(exporter.WithRegisterer(registry), exporter.WithoutScopeInfo(), exporter.WithoutTargetInfo(),
		exporter.WithTranslationStrategy(otlptranslator.UnderscoreEscapingWithoutSuffixes))
	if err != nil {
		t.Fatal(err)
	}
	c := newCollector(metric.WithReader(e))
	telemetry := libraryotel.New(c.provider)
	l := sample()
	l.Documents[0] += "calibration_dataset: https://example.org/labels\n"
	correlation := 0.75
	l.Correlations = map[string]*float64{"story_v1": &correlation}
	var data bytes.Buffer
	if _, err := bundletest.Write(&data, l); err != nil {
		t.Fatal(err)
	}
	lib, err := library.NewReader(bytes.NewReader(data.Bytes()), int64(data.Len()), library.WithTelemetry(telemetry))
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	s := start(t, sample(), library.WithTelemetry(telemetry))
	if err := s.live.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"story_v1", "story_v1", "api_v1", "nothing_v1"} {
		_, err := lib.Get(t.Context(), id, "")
		if id != "nothing_v1" && err != nil {
			t.Fatal(err)
		}
	}
	w := httptest.NewRecorder()
	promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	got, err := c.text(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	age := regexp.MustCompile(`(?m)^(bundle_age\{.*) .*$`) // it differs between two moments
	if diff := cmp.Diff(age.ReplaceAllString(w.Body.String(), "$1"), age.ReplaceAllString(string(got), "$1")); diff != "" {
		t.Errorf("the metrics (-exporter +own):\n%s", diff)
	}
	for _, want := range []string{"\nrubric_retrieval_time_ms_bucket{", "\nrubric_total_count ", "\nrubric_usage_count{", "\nrubric_calibration_correlation{", "\nbundle_age{", "\nbundle_checks{"} {
		if !strings.Contains(string(got), want) {
			t.Errorf("there is no %s", strings.TrimSpace(want))
		}
	}
}

func TestMetricsRoute(t *testing.T) {
	s := start(t, sample())
	s.send("GET", "/v1/documents/story_v1", "")
	a := s.send("GET", "/metrics", "")
	if !strings.HasPrefix(a.Header.Get("Content-Type"), "text/plain; version=0.0.4") || !strings.Contains(string(a.body), `rubric_usage_count{id="story_v1",version="1.2.0"} 1`) {
		t.Errorf("%s\n%s", a.Header.Get("Content-Type"), a.body)
	}
}
