// Package libraryotel measures the use of package library with OpenTelemetry.
// It needs the API only; which SDK collects the metrics is up to the program.
//
//	telemetry := libraryotel.New(nil)
//	lib, err := library.Open("rubrics.zip", library.WithTelemetry(telemetry))
//
// One Telemetry serves all libraries of a program, also those that replace each
// other. The metrics are
//
//	rubric.retrieval_time_ms         histogram in ms: the time of a call of Rubric or
//	                                 RuleSet, the audit included; attributes kind
//	                                 (rubric, rule_set) and outcome (ok, not_found,
//	                                 retired, constraint, digest, integrity, audit, error)
//	rubric.total_count               gauge: how many rubrics there are, without those
//	                                 that are retired
//	rubric.usage_count               counter of documents handed out; attributes id and
//	                                 version
//	rubric.calibration_correlation   gauge from -1 to 1: how well a judge agrees with
//	                                 people, the lowest over the criteria; attribute id.
//	                                 It shows nothing for what is not calibrated, or
//	                                 no longer by the words that it has now.
//
// # Cardinality
//
// An ID or a version in an attribute always comes from the library, so a caller
// who asks for what does not exist adds no series. rubric.usage_count has a series
// for each version that was handed out, and rubric.calibration_correlation one for
// each calibrated rubric. The SDK keeps 2,000 series of an instrument and puts the
// rest into one with the attribute otel.metric.overflow. Where a program uses more,
// count by ID with a View, as the example does:
//
//	metric.NewView(
//		metric.Instrument{Name: libraryotel.UsageCount},
//		metric.Stream{AttributeFilter: attribute.NewAllowKeysFilter("id")},
//	)
//
// or raise the limit with the SDK's WithCardinalityLimit; beyond 2,000 calibrated
// rubrics there is no other way.
package libraryotel

import (
	"context"
	"errors"
	"sync"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"

	"github.com/rubric-library/rubric-library/pkg/library"
)

// The names of the metrics.
const (
	RetrievalTime          = "rubric.retrieval_time_ms"
	TotalCount             = "rubric.total_count"
	UsageCount             = "rubric.usage_count"
	CalibrationCorrelation = "rubric.calibration_correlation"
)

// Scope is the name of the meter.
const Scope = "github.com/rubric-library/rubric-library/pkg/library/libraryotel"

// boundaries are the buckets of the retrieval time in ms. A bucket ends at 10,
// which the 99th percentile has to stay below.
var boundaries = []float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 100}

// Telemetry is a library.Telemetry. Make it with New.
type Telemetry struct {
	meter       metric.Meter
	time        metric.Float64Histogram
	usage       metric.Int64Counter
	total       metric.Int64ObservableGauge
	correlation metric.Float64ObservableGauge

	times map[timed]metric.MeasurementOption // all that there are
	// uses has the option with the attributes of each version that was handed
	// out, as []metric.AddOption by version.
	uses sync.Map
}

var _ library.Telemetry = (*Telemetry)(nil)

// timed is what the time of a retrieval is told apart by.
type timed struct {
	kind    library.Kind
	outcome string
}

// version is what a use is told apart by.
type version struct{ id, version string }

// New makes the instruments. A nil provider means the global one, also if it is
// set later. An instrument that can't be made measures nothing, and
// OpenTelemetry's error handler is told: that is no reason to go without rubrics.
func New(provider metric.MeterProvider) *Telemetry {
	if provider == nil {
		provider = otel.GetMeterProvider()
	}
	t := &Telemetry{meter: provider.Meter(Scope), times: map[timed]metric.MeasurementOption{}}
	for _, kind := range []library.Kind{library.KindRubric, library.KindRuleSet} {
		for _, outcome := range outcomes {
			t.times[timed{kind, outcome}] = metric.WithAttributeSet(attribute.NewSet(
				attribute.String("kind", string(kind)), attribute.String("outcome", outcome)))
		}
	}
	t.instruments()
	return t
}

func (t *Telemetry) instruments() {
	nothing := noop.Meter{}
	var err error
	t.time, err = t.meter.Float64Histogram(RetrievalTime, metric.WithUnit("ms"), metric.WithExplicitBucketBoundaries(boundaries...),
		metric.WithDescription("Time to get a rubric or a rule set from the library."))
	if report(err) {
		t.time, _ = nothing.Float64Histogram(RetrievalTime)
	}
	t.usage, err = t.meter.Int64Counter(UsageCount, metric.WithUnit("{retrieval}"),
		metric.WithDescription("How often a version of a rubric or rule set was handed out."))
	if report(err) {
		t.usage, _ = nothing.Int64Counter(UsageCount)
	}
	t.total, err = t.meter.Int64ObservableGauge(TotalCount, metric.WithUnit("{rubric}"),
		metric.WithDescription("How many rubrics the library has, without the retired ones."))
	if report(err) {
		t.total = nil
	}
	t.correlation, err = t.meter.Float64ObservableGauge(CalibrationCorrelation, metric.WithUnit("1"),
		metric.WithDescription("Correlation of a judge's scores with people's, the lowest over the criteria."))
	if report(err) {
		t.correlation = nil
	}
}

// report hands an error to OpenTelemetry and tells whether there is one.
func report(err error) bool {
	if err != nil {
		otel.Handle(err)
	}
	return err != nil
}

// Retrieved measures a retrieval.
func (t *Telemetry) Retrieved(ctx context.Context, r library.Retrieval) {
	if attributes, ok := t.times[timed{r.Kind, outcome(r.Err)}]; ok && t.time.Enabled(ctx) {
		t.time.Record(ctx, float64(r.Duration)/float64(time.Millisecond), attributes)
	}
	if r.Err == nil && t.usage.Enabled(ctx) {
		t.usage.Add(ctx, 1, t.use(r.Reference)...)
	}
}

// use is the option for a version, which is made once.
func (t *Telemetry) use(ref library.Reference) []metric.AddOption {
	key := version{ref.ID, ref.Version}
	if options, ok := t.uses.Load(key); ok {
		return options.([]metric.AddOption)
	}
	set := attribute.NewSet(attribute.String("id", ref.ID), attribute.String("version", ref.Version))
	options, _ := t.uses.LoadOrStore(key, []metric.AddOption{metric.WithAttributeSet(set)})
	return options.([]metric.AddOption)
}

// outcomes are the values of the attribute outcome.
var outcomes = []string{"ok", "not_found", "retired", "constraint", "digest", "integrity", "audit", "error"}

// outcome says in a word what became of a retrieval.
func outcome(err error) string {
	if err == nil {
		return "ok"
	}
	for _, o := range []struct {
		name   string
		target any
	}{
		{"not_found", new(*library.NotFoundError)},
		{"retired", new(*library.RetiredError)},
		{"constraint", new(*library.ConstraintError)},
		{"digest", new(*library.DigestError)},
		{"integrity", new(*library.IntegrityError)},
		{"audit", new(*library.AuditError)},
	} {
		if errors.As(err, o.target) {
			return o.name
		}
	}
	return "error"
}

// Opened begins to observe the size and the calibrations of a library, until it
// is closed.
func (t *Telemetry) Opened(l *library.Library) (closed func()) {
	g := &gauges{library: l}
	var instruments []metric.Observable
	if t.total != nil {
		instruments = append(instruments, t.total)
	}
	if t.correlation != nil {
		instruments = append(instruments, t.correlation)
	}
	registration, err := t.meter.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		return t.observe(g, o)
	}, instruments...)
	if report(err) {
		return func() {}
	}
	return func() { report(registration.Unregister()) }
}

// gauges are what the gauges show of one library, which doesn't change.
type gauges struct {
	library *library.Library

	mu           sync.Mutex
	read         bool
	rubrics      int64
	correlations []correlation
}

type correlation struct {
	value float64
	of    metric.MeasurementOption
}

func (t *Telemetry) observe(g *gauges, o metric.Observer) error {
	if err := g.fill(); err != nil {
		return err
	}
	if t.total != nil {
		o.ObserveInt64(t.total, g.rubrics)
	}
	if t.correlation != nil {
		for _, c := range g.correlations {
			o.ObserveFloat64(t.correlation, c.value, c.of)
		}
	}
	return nil
}

// fill reads the library's index, at the first collection and not before.
func (g *gauges) fill() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.read {
		return nil
	}
	entries, err := g.library.Search(library.Query{Kind: library.KindRubric, IncludeDeprecated: true})
	if err != nil {
		return err
	}
	g.read, g.rubrics = true, int64(len(entries))
	for _, e := range entries {
		if e.Calibration != nil && e.Calibration.Correlation != nil {
			set := attribute.NewSet(attribute.String("id", e.ID))
			g.correlations = append(g.correlations, correlation{*e.Calibration.Correlation, metric.WithAttributeSet(set)})
		}
	}
	return nil
}
