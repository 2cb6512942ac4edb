package serve

import (
	"context"
	"math"
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

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/pkg/library"
	"github.com/rubric-library/rubric-library/pkg/library/libraryotel"
)

// both reports to two telemetries.
type both struct{ a, b library.Telemetry }

func (t both) Opened(l *library.Library) func() {
	a, b := t.a.Opened(l), t.b.Opened(l)
	return func() { a(); b() }
}

func (t both) Followed(l *library.Live) func() {
	a, b := t.a.Followed(l), t.b.Followed(l)
	return func() { a(); b() }
}

func (t both) Retrieved(ctx context.Context, r library.Retrieval) {
	t.a.Retrieved(ctx, r)
	t.b.Retrieved(ctx, r)
}

func (t both) Checked(ctx context.Context, err error) {
	t.a.Checked(ctx, err)
	t.b.Checked(ctx, err)
}

// TestMetricsAreThoseOfTheExporter compares all metrics with what OpenTelemetry's exporter
// for Prometheus writes for the same measurements.
func TestMetricsAreThoseOfTheExporter(t *testing.T) {
	registry := prometheus.NewRegistry()
	e := must.Get(exporter.New(exporter.WithRegisterer(registry), exporter.WithoutScopeInfo(), exporter.WithoutTargetInfo(),
		exporter.WithTranslationStrategy(otlptranslator.UnderscoreEscapingWithoutSuffixes)))(t)
	l := sample()
	l.Documents[1] += "calibration_dataset: https://example.org/labels\n"
	l.Judges = map[string][]bundlefile.Judge{"story_v1": {bundletest.Judge("flat", "m \"1\" C:\\new\nline", math.NaN()), bundletest.Judge("steady", "Größe", 0.75)}}
	own := newMetrics()
	s := start(t, l, library.WithTelemetry(both{own, libraryotel.New(metric.NewMeterProvider(metric.WithReader(e)))}))
	for _, err := range []error{s.live.Check(t.Context()), s.live.Check(t.Context())} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"story_v1", "story_v1", "api_v1", "nothing_v1", "story_v1?version=~9", "story_v1/judge-view"} {
		s.send("GET", "/v1/documents/"+path, "")
	}
	w := httptest.NewRecorder()
	promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	got := must.Get(own.text(s.live))(t)
	age := regexp.MustCompile(`(?m)^(bundle_age\{.*) .*$`) // it differs between two moments
	if diff := cmp.Diff(age.ReplaceAllString(w.Body.String(), "$1"), age.ReplaceAllString(string(got), "$1")); diff != "" {
		t.Errorf("the metrics (-exporter +own):\n%s", diff)
	}
	for _, want := range []string{"\nrubric_retrieval_time_ms_bucket{", "\nrubric_total_count ", "\nrubric_usage_count{", "\nrubric_calibration_correlation{gate=\"no\",id=\"story_v1\",judge=\"flat\",model=\"m \\\"1\\\" C:\\\\new\\nline\",rank=\"no\"} NaN\n",
		"\nrubric_calibration_correlation{gate=\"yes\",id=\"story_v1\",judge=\"steady\",model=\"Größe\",rank=\"yes\"} 0.75\n", "\nbundle_age{", "\nbundle_checks{"} {
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
