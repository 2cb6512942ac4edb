package libraryotel_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"
	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/pkg/library"
	"github.com/rubric-library/rubric-library/pkg/library/libraryotel"
)

const rubricYAML = `rubric_id: ID
name: Story quality
version: "VERSION"
artifact_type: jira_tickets
criteria:
  - name: clarity
    description: Whether the reader knows who does what.
    weight: essential
    threshold: 3.0
    anchors: {1: None, 2: One, 3: Two, 4: Three, 5: All}
    examples: {score_1: Better., score_5: A clerk archives an invoice.}
`

const ruleSetYAML = `ruleset_id: api_v1
name: API
version: "1.0.0"
artifact_type: api_design
scoring: {pass_threshold: 0.8}
rules:
  - {id: a.correctness.endpoints, description: All are there., severity: fail, check: Compare them.}
`

func rubricOf(id, version string) string {
	return strings.NewReplacer("ID", id, "VERSION", version).Replace(rubricYAML)
}

// open opens a library with three rubrics and a rule set, one of the rubrics
// retired and one calibrated, another with a run that has no correlation, and one without a run.
func open(opts ...library.Option) (*library.Library, error) {
	return openLibrary(bundletest.Library{
		Documents: []string{
			rubricOf("story_v1", "1.0.0"), rubricOf("story_v1", "1.1.0"), rubricOf("plan_v1", "1.0.0"),
			rubricOf("old_v1", "1.0.0") + "deprecated: {reason: Too old.}\n", rubricOf("gone_v1", "1.0.0"), ruleSetYAML,
		},
		Ledger: "retired:\n  - {id: gone_v1, kind: rubric, last_version: \"1.0.0\", reason: Unused.}\n",
		Judges: map[string][]bundlefile.Judge{
			"story_v1": {bundletest.Judge("lively", "m 2", 0.625), stale(), bundletest.Judge("steady", "m-1", 0.75)},
			"plan_v1":  {bundletest.Judge("flat", "m-1", math.NaN())}, "old_v1": nil,
		},
	}, opts...)
}

// stale is a judge without a run on the words of today.
func stale() bundlefile.Judge {
	j := bundletest.Judge("stale", "m-1", 0.5)
	j.Correlation, j.Rank, j.Gate, j.Reason = nil, bundlefile.No, bundlefile.No, "The words have changed."
	return j
}

func openLibrary(l bundletest.Library, opts ...library.Option) (*library.Library, error) {
	var out bytes.Buffer
	if _, err := bundletest.Write(&out, l); err != nil {
		return nil, err
	}
	return library.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()), opts...)
}

// collect returns the metrics by name.
func collect(t *testing.T, reader sdk.Reader) map[string]metricdata.Metrics {
	t.Helper()
	var all metricdata.ResourceMetrics
	must.Do(t, reader.Collect(t.Context(), &all))
	found := map[string]metricdata.Metrics{}
	for _, scope := range all.ScopeMetrics {
		if scope.Scope.Name != libraryotel.Scope {
			t.Errorf("the meter is called %s", scope.Scope.Name)
		}
		for _, m := range scope.Metrics {
			found[m.Name] = m
		}
	}
	return found
}

// series returns the values of a metric by attributes, or the counts for a histogram.
func series(t *testing.T, m metricdata.Metrics) map[string]float64 {
	t.Helper()
	encoder := attribute.DefaultEncoder()
	values := map[string]float64{}
	switch data := m.Data.(type) {
	case metricdata.Gauge[int64]:
		for _, p := range data.DataPoints {
			values[p.Attributes.Encoded(encoder)] = float64(p.Value)
		}
	case metricdata.Gauge[float64]:
		for _, p := range data.DataPoints {
			values[p.Attributes.Encoded(encoder)] = p.Value
		}
	case metricdata.Sum[int64]:
		if !data.IsMonotonic {
			t.Errorf("%s is not a counter", m.Name)
		}
		for _, p := range data.DataPoints {
			values[p.Attributes.Encoded(encoder)] = float64(p.Value)
		}
	case metricdata.Histogram[float64]:
		for _, p := range data.DataPoints {
			values[p.Attributes.Encoded(encoder)] = float64(p.Count)
			if p.Sum <= 0 || p.Sum > 10_000 {
				t.Errorf("%s measured %v ms", m.Name, p.Sum)
			}
		}
	case nil: // not collected
	default:
		t.Errorf("%s is a %T", m.Name, data)
	}
	return values
}

func TestMetrics(t *testing.T) {
	reader := sdk.NewManualReader()
	failing := false
	handler := &failAfter{Handler: slog.DiscardHandler, failing: &failing}
	l, err := open(library.WithTelemetry(libraryotel.New(sdk.NewMeterProvider(sdk.WithReader(reader)))), library.WithAudit(slog.New(handler)))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, c := range []struct{ id, constraint string }{
		{"story_v1", ""}, {"story_v1", "1.1.0"}, {"story_v1", "1.0.0"},
		{"made_up_by_a_caller", ""}, {"made_up_by_a_caller", "1.0.0"}, {"gone_v1", ""}, {"story_v1", "^7"},
	} {
		_, _ = l.Rubric(t.Context(), c.id, c.constraint) // the outcomes are counted below
	}
	must.Get(l.Get(t.Context(), "api_v1", ""))(t)
	if _, err := l.GetReference(t.Context(), "story_v1@1.0.0#sha256:"+strings.Repeat("0", 64)); err == nil {
		t.Fatal("another digest is accepted")
	}
	failing = true
	if _, err := l.Rubric(t.Context(), "story_v1", "1.0.0"); err == nil {
		t.Fatal("the audit did not fail")
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Rubric(canceled, "story_v1", ""); err == nil {
		t.Fatal("the context is not looked at")
	}

	found := collect(t, reader)
	for _, c := range []struct {
		name, unit string
		want       map[string]float64
	}{
		{libraryotel.RetrievalTime, "ms", map[string]float64{
			"kind=rubric,outcome=ok": 3, "kind=rubric,outcome=not_found": 2, "kind=rubric,outcome=retired": 1, "kind=rubric,outcome=constraint": 1,
			"kind=rule_set,outcome=ok": 1, "kind=any,outcome=digest": 1, "kind=rubric,outcome=audit": 1, "kind=rubric,outcome=error": 1,
		}},
		{libraryotel.UsageCount, "{retrieval}", map[string]float64{"id=story_v1,version=1.1.0": 2, "id=story_v1,version=1.0.0": 1, "id=api_v1,version=1.0.0": 1}},
		{libraryotel.TotalCount, "{rubric}", map[string]float64{"": 3}},
		{libraryotel.CalibrationCorrelation, "1", map[string]float64{
			"gate=yes,id=story_v1,judge=steady,model=m-1,rank=yes": 0.75, "gate=yes,id=story_v1,judge=lively,model=m 2,rank=yes": 0.625,
			"gate=no,id=plan_v1,judge=flat,model=m-1,rank=no": math.NaN(),
		}},
	} {
		m := found[c.name]
		if diff := cmp.Diff(c.want, series(t, m), cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s differs:\n%s", c.name, diff)
		}
		if m.Unit != c.unit || m.Description == "" {
			t.Errorf("%s has the unit %q, want %q, and the description %q", c.name, m.Unit, c.unit, m.Description)
		}
	}
	if len(found) != 4 {
		t.Errorf("there are %d metrics", len(found))
	}
}

// failAfter is a log that fails after a number of records.
type failAfter struct {
	slog.Handler
	failing *bool
}

func (*failAfter) Enabled(context.Context, slog.Level) bool { return true }

func (h *failAfter) Handle(context.Context, slog.Record) error {
	if *h.failing {
		return errors.New("no space left")
	}
	return nil
}

// TestFormatOneNamesNoJudge: its bundles have no series.
func TestFormatOneNamesNoJudge(t *testing.T) {
	reader := sdk.NewManualReader()
	l, err := library.Open("../../../internal/release/testdata/format-1.zip", library.WithTelemetry(libraryotel.New(sdk.NewMeterProvider(sdk.WithReader(reader)))))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	found := collect(t, reader)
	if _, ok := found[libraryotel.CalibrationCorrelation]; ok || len(found) == 0 {
		t.Errorf("the metrics are %v", found)
	}
}

// TestNames checks the names from the specification.
func TestNames(t *testing.T) {
	got := []string{libraryotel.RetrievalTime, libraryotel.TotalCount, libraryotel.UsageCount, libraryotel.CalibrationCorrelation}
	want := []string{"rubric.retrieval_time_ms", "rubric.total_count", "rubric.usage_count", "rubric.calibration_correlation"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTimeHasABucketThatEndsAtTheTarget(t *testing.T) {
	reader := sdk.NewManualReader()
	telemetry := libraryotel.New(sdk.NewMeterProvider(sdk.WithReader(reader)))
	for _, d := range []time.Duration{10 * time.Millisecond, 10*time.Millisecond + 1} {
		telemetry.Retrieved(t.Context(), library.Retrieval{Kind: library.KindRubric, Duration: d, Reference: library.Reference{ID: "a", Version: "1.0.0"}})
	}
	// An unknown kind does not cause a panic.
	telemetry.Retrieved(t.Context(), library.Retrieval{Kind: "poem", Err: errors.New("none")})
	data := collect(t, reader)[libraryotel.RetrievalTime].Data.(metricdata.Histogram[float64])
	p := data.DataPoints[0]
	for i, bound := range p.Bounds {
		if want := bound == 10 || i > 0 && p.Bounds[i-1] == 10; (p.BucketCounts[i] == 1) != want {
			t.Errorf("%d measurements up to %v ms", p.BucketCounts[i], bound)
		}
	}
	if math.Abs(p.Sum-20.000001) > 1e-9 {
		t.Errorf("the sum is %v ms", p.Sum)
	}
}

func TestNothingIsShownWithoutCalibrations(t *testing.T) {
	reader := sdk.NewManualReader()
	telemetry := libraryotel.New(sdk.NewMeterProvider(sdk.WithReader(reader)))
	l, err := openLibrary(bundletest.Library{Documents: []string{rubricOf("story_v1", "1.0.0")}}, library.WithTelemetry(telemetry))
	if err != nil {
		t.Fatal(err)
	}
	found := collect(t, reader)
	if values := series(t, found[libraryotel.CalibrationCorrelation]); len(values) > 0 {
		t.Errorf("the correlation shows %v", values)
	}
	if values := series(t, found[libraryotel.TotalCount]); values[""] != 1 {
		t.Errorf("the count shows %v", values)
	}
	must.Do(t, l.Close())
	if values := series(t, collect(t, reader)[libraryotel.TotalCount]); len(values) > 0 {
		t.Errorf("a closed library still counts: %v", values)
	}
}

// TestReplacedLibrary opens a new library before it closes the old one, like a service that
// reloads.
func TestReplacedLibrary(t *testing.T) {
	reader := sdk.NewManualReader()
	telemetry := libraryotel.New(sdk.NewMeterProvider(sdk.WithReader(reader)))
	before := must.Get(open(library.WithTelemetry(telemetry)))(t)
	after, err := openLibrary(bundletest.Library{Documents: []string{rubricOf("new_v1", "1.0.0")}}, library.WithTelemetry(telemetry))
	if err != nil {
		t.Fatal(err)
	}
	defer after.Close()
	must.Do(t, before.Close())
	if values := series(t, collect(t, reader)[libraryotel.TotalCount]); values[""] != 1 {
		t.Errorf("the count shows %v", values)
	}
}

// broken is a meter that can't create instruments.
type broken struct{ noop.Meter }

var errBroken = errors.New("no instruments left")

func (broken) Float64Histogram(string, ...metric.Float64HistogramOption) (metric.Float64Histogram, error) {
	return nil, errBroken
}

func (broken) Int64Counter(string, ...metric.Int64CounterOption) (metric.Int64Counter, error) {
	return nil, errBroken
}

func (broken) Int64ObservableGauge(string, ...metric.Int64ObservableGaugeOption) (metric.Int64ObservableGauge, error) {
	return nil, errBroken
}

func (broken) Float64ObservableGauge(string, ...metric.Float64ObservableGaugeOption) (metric.Float64ObservableGauge, error) {
	return nil, errBroken
}

func (broken) RegisterCallback(metric.Callback, ...metric.Observable) (metric.Registration, error) {
	return nil, errBroken
}

type brokenProvider struct{ noop.MeterProvider }

func (brokenProvider) Meter(string, ...metric.MeterOption) metric.Meter { return broken{} }

func TestInstrumentsThatCannotBeMade(t *testing.T) {
	told := 0
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		if errors.Is(err, errBroken) {
			told++
		}
	}))
	for _, c := range []struct {
		reason   string
		provider metric.MeterProvider
		told     int
	}{
		{"nothing can be made: six instruments and the callback", brokenProvider{}, 7},
		{"nothing is measured", noop.NewMeterProvider(), 0},
		{"the global provider", nil, 0},
	} {
		told = 0
		l, err := open(library.WithTelemetry(libraryotel.New(c.provider)))
		if err != nil {
			t.Fatalf("%s: %v", c.reason, err)
		}
		if _, err := l.Rubric(t.Context(), "story_v1", ""); err != nil {
			t.Errorf("%s: %v", c.reason, err)
		}
		if err := l.Close(); err != nil {
			t.Errorf("%s: %v", c.reason, err)
		}
		if told != c.told {
			t.Errorf("%s: the error handler is told of %d errors, want %d", c.reason, told, c.told)
		}
	}
}

// TestLiveMetrics follows a file that is replaced by a damaged one.
func TestLiveMetrics(t *testing.T) {
	reader := sdk.NewManualReader()
	var out bytes.Buffer
	digest, err := bundletest.Write(&out, bundletest.Library{Verifiable: true, Version: "1.4.0", Documents: []string{rubricOf("story_v1", "1.0.0")}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "rubrics.zip")
	write := func(data []byte) {
		must.Do(t, os.WriteFile(path, data, 0o666))
	}
	write(out.Bytes())
	live := must.Get(library.Follow(t.Context(), library.File(path), library.WithDigest(digest), library.WithInterval(time.Hour),
		library.WithTelemetry(libraryotel.New(sdk.NewMeterProvider(sdk.WithReader(reader))))))(t)
	write(out.Bytes()[:out.Len()/2])
	time.Sleep(10 * time.Millisecond)
	if err := live.Check(t.Context()); err == nil {
		t.Error("a damaged bundle is used")
	}
	found := collect(t, reader)
	if age := series(t, found[libraryotel.BundleAge])["version=1.4.0"]; age < 0.01 || age > 60 {
		t.Errorf("the age is %v s", age)
	}
	if diff := cmp.Diff(map[string]float64{"outcome=ok": 1, "outcome=integrity": 1}, series(t, found[libraryotel.BundleChecks])); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]float64{"": 1}, series(t, found[libraryotel.TotalCount])); diff != "" {
		t.Error(diff)
	}
	if err := live.Close(); err != nil {
		t.Error(err)
	}
	found = collect(t, reader)
	if len(series(t, found[libraryotel.BundleAge])) > 0 || len(series(t, found[libraryotel.TotalCount])) > 0 {
		t.Error("a Live that is closed is still measured")
	}
}

// TestLargeLibrary tests the advice on cardinality in the package comment: without a View,
// the SDK merges versions; with it, the counts by ID are right.
func TestLargeLibrary(t *testing.T) {
	for _, c := range []struct {
		reason string
		opts   []sdk.Option
		series int
	}{
		{"without a View", nil, 2000},
		{"with the View", []sdk.Option{sdk.WithView(countByID())}, 50},
		{"with a higher limit", []sdk.Option{sdk.WithCardinalityLimit(10_000)}, 2500},
	} {
		reader := sdk.NewManualReader()
		telemetry := libraryotel.New(sdk.NewMeterProvider(append(c.opts, sdk.WithReader(reader))...))
		for i := range 2500 {
			ref := library.Reference{ID: fmt.Sprintf("r%d", i%50), Version: fmt.Sprintf("1.%d.0", i)}
			telemetry.Retrieved(t.Context(), library.Retrieval{Kind: library.KindRubric, Reference: ref})
		}
		if got := len(series(t, collect(t, reader)[libraryotel.UsageCount])); got != c.series {
			t.Errorf("%s: %d series, want %d", c.reason, got, c.series)
		}
	}
}

// countByID drops the version from the count.
func countByID() sdk.View {
	return sdk.NewView(
		sdk.Instrument{Name: libraryotel.UsageCount},
		sdk.Stream{AttributeFilter: attribute.NewAllowKeysFilter("id")},
	)
}

// In a program with more than 2,000 versions in use, a View counts by ID.
func ExampleNew() {
	reader := sdk.NewManualReader()
	provider := sdk.NewMeterProvider(sdk.WithReader(reader), sdk.WithView(sdk.NewView(
		sdk.Instrument{Name: libraryotel.UsageCount},
		sdk.Stream{AttributeFilter: attribute.NewAllowKeysFilter("id")},
	)))
	lib, err := open(library.WithTelemetry(libraryotel.New(provider)))
	if err != nil {
		log.Fatal(err)
	}
	defer lib.Close()
	for _, version := range []string{"1.0.0", "1.1.0"} {
		if _, err := lib.Rubric(context.Background(), "story_v1", version); err != nil {
			log.Fatal(err)
		}
	}
	var all metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &all); err != nil {
		log.Fatal(err)
	}
	for _, m := range all.ScopeMetrics[0].Metrics {
		if use, ok := m.Data.(metricdata.Sum[int64]); ok {
			p := use.DataPoints[0]
			fmt.Println(m.Name, p.Attributes.Encoded(attribute.DefaultEncoder()), p.Value)
		}
	}
	// Output:
	// rubric.usage_count id=story_v1 2
}
