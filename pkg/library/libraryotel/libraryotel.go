// Package libraryotel measures the use of package library with OpenTelemetry. It depends
// only on the API; the program chooses the SDK that collects the metrics.
//
//	telemetry := libraryotel.New(nil)
//	lib, err := library.Open("rubrics.zip", library.WithTelemetry(telemetry))
//
// One Telemetry can serve all libraries of a program, including replacements. The metrics
// are
//
//	rubric.retrieval_time_ms         histogram in ms: the duration of a call of Rubric,
//	                                 RuleSet, or Get, including the audit; attributes kind
//	                                 (rubric, rule_set, or any for a Get that failed) and
//	                                 outcome (ok, not_found, retired, constraint, digest,
//	                                 integrity, audit, error)
//	rubric.total_count               gauge: the number of rubrics that are not retired
//	rubric.usage_count               counter: returned documents; attributes id and
//	                                 version
//	bundle.age                       gauge in s, of a library.Live: the time since the source
//	                                 last confirmed the bundle in use; attribute version
//	bundle.checks                    counter, of a library.Live: checks of the source;
//	                                 attribute outcome (ok, integrity, continuity, format,
//	                                 invalid, error)
//	rubric.calibration_correlation   gauge from -1 to 1: the agreement of a judge with
//	                                 people, the lowest of the criteria; NaN if it can't be
//	                                 computed, as of a judge that gives every item the same
//	                                 score. Attributes id, judge (its name), model, and rank
//	                                 and gate (yes, library_limits, not_yet, cannot_tell, or
//	                                 no). There is one value for each judge's name with a run
//	                                 on people's labels for the rubric's current wording, and
//	                                 none in bundles of format 1.
//
// To alert on a rubric, take the minimum of rubric.calibration_correlation over the judges that
// you use. A comparison with NaN is false, so alert on their gate, or rank, as well.
//
// # Cardinality
//
// IDs and versions in attributes always come from the library, so requests for documents
// that do not exist add no series. rubric.usage_count has one series for each returned
// version, and rubric.calibration_correlation one for each rubric and each judge's name in the
// bundle. The SDK keeps 2,000 series for each instrument and combines the rest in one series with the attribute
// otel.metric.overflow. If a program uses more, count by ID with a View, as in the example:
//
//	metric.NewView(
//		metric.Instrument{Name: libraryotel.UsageCount},
//		metric.Stream{AttributeFilter: attribute.NewAllowKeysFilter("id")},
//	)
//
// or raise the limit with the SDK's WithCardinalityLimit, which is required for more than
// 2,000 rubrics and judges.
package libraryotel

import (
	"cmp"
	"context"
	"slices"
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
	BundleAge              = "bundle.age"
	BundleChecks           = "bundle.checks"
)

// Scope is the name of the meter.
const Scope = "github.com/rubric-library/rubric-library/pkg/library/libraryotel"

// boundaries are the bucket boundaries of the retrieval time in ms. They include 10, the
// upper bound for the 99th percentile.
var boundaries = []float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 100}

// Telemetry implements library.Telemetry. Create it with New.
type Telemetry struct {
	meter       metric.Meter
	time        metric.Float64Histogram
	usage       metric.Int64Counter
	total       metric.Int64ObservableGauge
	correlation metric.Float64ObservableGauge
	age         metric.Float64ObservableGauge
	checks      metric.Int64Counter

	times map[[2]string]metric.MeasurementOption // by kind and outcome, all combinations
	// uses has the option with the attributes of each returned version, as
	// []metric.AddOption by ID and version.
	uses sync.Map
}

var _ library.Telemetry = (*Telemetry)(nil)

// New creates the instruments. A nil provider means the global provider, even if it is set
// later. If an instrument can't be created, New reports the error to OpenTelemetry's error
// handler and the instrument measures nothing; the library still works.
func New(provider metric.MeterProvider) *Telemetry {
	if provider == nil {
		provider = otel.GetMeterProvider()
	}
	t := &Telemetry{meter: provider.Meter(Scope), times: map[[2]string]metric.MeasurementOption{}}
	for _, kind := range []library.Kind{library.KindRubric, library.KindRuleSet, ""} {
		for _, outcome := range outcomes {
			t.times[[2]string{string(kind), outcome}] = metric.WithAttributeSet(attribute.NewSet(
				attribute.String("kind", cmp.Or(string(kind), "any")), attribute.String("outcome", outcome)))
		}
	}
	t.instruments()
	return t
}

func (t *Telemetry) instruments() {
	t.time = or[metric.Float64Histogram](noop.Float64Histogram{})(t.meter.Float64Histogram(RetrievalTime,
		metric.WithUnit("ms"),
		metric.WithExplicitBucketBoundaries(boundaries...),
		metric.WithDescription("Time to get a rubric or a rule set from the library.")))
	t.usage = or[metric.Int64Counter](noop.Int64Counter{})(t.meter.Int64Counter(UsageCount, metric.WithUnit("{retrieval}"),
		metric.WithDescription("Number of times a version of a rubric or rule set was returned.")))
	t.total = or[metric.Int64ObservableGauge](nil)(t.meter.Int64ObservableGauge(TotalCount, metric.WithUnit("{rubric}"),
		metric.WithDescription("Number of rubrics in the library that are not retired.")))
	t.correlation = or[metric.Float64ObservableGauge](nil)(t.meter.Float64ObservableGauge(CalibrationCorrelation,
		metric.WithUnit("1"),
		metric.WithDescription("Correlation of a judge's scores with people's labels, the lowest of the criteria.")))
	t.age = or[metric.Float64ObservableGauge](nil)(t.meter.Float64ObservableGauge(BundleAge, metric.WithUnit("s"),
		metric.WithDescription("Time since the source last confirmed the bundle in use.")))
	t.checks = or[metric.Int64Counter](noop.Int64Counter{})(t.meter.Int64Counter(BundleChecks, metric.WithUnit("{check}"),
		metric.WithDescription("Number of checks of the source for a new bundle.")))
}

// or replaces an instrument that can't be created.
func or[T any](instead T) func(T, error) T {
	return func(instrument T, err error) T {
		if report(err) {
			return instead
		}
		return instrument
	}
}

// report passes an error to OpenTelemetry and reports whether there is one.
func report(err error) bool {
	if err != nil {
		otel.Handle(err)
	}
	return err != nil
}

// Retrieved measures a retrieval.
func (t *Telemetry) Retrieved(ctx context.Context, r library.Retrieval) {
	if attributes, ok := t.times[[2]string{string(r.Kind), library.Outcome(r.Err)}]; ok && t.time.Enabled(ctx) {
		t.time.Record(ctx, float64(r.Duration)/float64(time.Millisecond), attributes)
	}
	if r.Err == nil && t.usage.Enabled(ctx) {
		t.usage.Add(ctx, 1, t.use(r.Reference)...)
	}
}

// use returns the option for a version, which is created once.
func (t *Telemetry) use(ref library.Reference) []metric.AddOption {
	key := [2]string{ref.ID, ref.Version}
	if options, ok := t.uses.Load(key); ok {
		return options.([]metric.AddOption)
	}
	set := attribute.NewSet(attribute.String("id", ref.ID), attribute.String("version", ref.Version))
	options, _ := t.uses.LoadOrStore(key, []metric.AddOption{metric.WithAttributeSet(set)})
	return options.([]metric.AddOption)
}

// outcomes are the values of the attribute outcome.
var outcomes = []string{"ok", "not_found", "retired", "constraint", "digest", "integrity", "audit", "error"}

// Checked counts a check of a source.
func (t *Telemetry) Checked(ctx context.Context, err error) {
	t.checks.Add(ctx, 1, metric.WithAttributes(attribute.String("outcome", library.Outcome(err))))
}

// Followed starts to observe the age of the bundle in use, until the Live is closed.
func (t *Telemetry) Followed(l *library.Live) (closed func()) {
	if t.age == nil {
		return func() {}
	}
	return t.observeWith(func(_ context.Context, o metric.Observer) error {
		version := attribute.String("version", l.Current().Version())
		o.ObserveFloat64(t.age, time.Since(l.Status().Confirmed).Seconds(), metric.WithAttributes(version))
		return nil
	}, t.age)
}

// observeWith registers a callback until the function that it returns is called.
func (t *Telemetry) observeWith(callback metric.Callback, instruments ...metric.Observable) (stop func()) {
	registration, err := t.meter.RegisterCallback(callback, instruments...)
	if report(err) {
		return func() {}
	}
	return func() { report(registration.Unregister()) }
}

// Opened starts to observe the size and the calibrations of a library, until it is closed.
func (t *Telemetry) Opened(l *library.Library) (closed func()) {
	values := sync.OnceValues(func() (gauges, error) { return gaugesOf(l) }) // at the first collection
	instruments := slices.DeleteFunc([]metric.Observable{t.total, t.correlation}, func(o metric.Observable) bool {
		return o == nil
	})
	return t.observeWith(func(_ context.Context, o metric.Observer) error {
		g, err := values()
		if err == nil && t.total != nil {
			o.ObserveInt64(t.total, g.rubrics)
		}
		if err == nil && t.correlation != nil {
			for _, c := range g.correlations {
				o.ObserveFloat64(t.correlation, c.value, c.of)
			}
		}
		return err
	}, instruments...)
}

// gauges are the constant values of the gauges for one library.
type gauges struct {
	rubrics      int64
	correlations []correlation
}

type correlation struct {
	value float64
	of    metric.MeasurementOption
}

func gaugesOf(l *library.Library) (g gauges, err error) {
	entries, err := l.Search(library.Query{Kind: library.KindRubric, IncludeDeprecated: true})
	g.rubrics = int64(len(entries))
	for _, e := range entries {
		if e.Calibration == nil {
			continue
		}
		for _, j := range e.Calibration.Judges {
			if value, ok := j.Measured(); ok {
				g.correlations = append(g.correlations, correlation{value, metric.WithAttributeSet(attributes(e.ID, &j))})
			}
		}
	}
	return g, err
}

// attributes are those of the correlation of a judge.
func attributes(id string, j *library.JudgeCalibration) attribute.Set {
	return attribute.NewSet(
		attribute.String("id", id), attribute.String("judge", j.Judge), attribute.String("model", j.Model),
		attribute.String("rank", string(j.Rank)), attribute.String("gate", string(j.Gate)),
	)
}
