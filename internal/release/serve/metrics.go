package serve

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rubric-library/rubric-library/pkg/library"
)

// metrics counts what libraryotel counts, and writes it as OpenTelemetry's exporter for
// Prometheus does, with which the program would be larger and start more slowly. A test
// compares the two. It implements library.Telemetry.
type metrics struct {
	mu     sync.Mutex
	times  map[string]*histogram // by labels
	uses   map[string]int
	checks map[string]int
}

// histogram has the times of a series: how many are up to each boundary and above the one
// before, and above all of them.
type histogram struct {
	counts [len(boundaries) + 1]int
	sum    float64
}

// boundaries are in ms.
var boundaries = [...]float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 100}

func newMetrics() *metrics {
	return &metrics{times: map[string]*histogram{}, uses: map[string]int{}, checks: map[string]int{}}
}

// Opened and Followed do nothing: the gauges are read from the library in use.
func (m *metrics) Opened(*library.Library) func() { return func() {} }
func (m *metrics) Followed(*library.Live) func()  { return func() {} }

// Retrieved counts a retrieval and its time.
func (m *metrics) Retrieved(_ context.Context, r library.Retrieval) {
	m.mu.Lock()
	defer m.mu.Unlock()
	series := labels("kind", cmp.Or(string(r.Kind), "any"), "outcome", library.Outcome(r.Err))
	if m.times[series] == nil {
		m.times[series] = &histogram{}
	}
	ms := float64(r.Duration) / float64(time.Millisecond)
	at, _ := slices.BinarySearch(boundaries[:], ms)
	m.times[series].counts[at]++
	m.times[series].sum += ms
	if r.Err == nil {
		m.uses[labels("id", r.Reference.ID, "version", r.Reference.Version)]++
	}
}

// Checked counts a check of the source.
func (m *metrics) Checked(_ context.Context, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.checks[labels("outcome", library.Outcome(err))]++
}

// escape has the escapes of the text format in labels.
var escape = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// labels returns pairs of names and values as labels.
func labels(pairs ...string) string {
	var all []string
	for pair := range slices.Chunk(pairs, 2) {
		all = append(all, pair[0]+`="`+escape.Replace(pair[1])+`"`)
	}
	return strings.Join(all, ",")
}

// text returns the metrics in the text format of Prometheus. The gauges are those of the library in use,
// and without a library (nil) there are none. The error says that its index can't be read.
func (m *metrics) text(live *library.Live) (text, error) {
	var b strings.Builder
	var rubrics []library.Match
	if live != nil {
		var err error
		rubrics, err = live.Current().Search(library.Query{Kind: library.KindRubric, IncludeDeprecated: true})
		if err != nil {
			return "", err
		}
		family(&b, "bundle_age", "gauge", "Time since the source last confirmed the bundle in use.")
		line(&b, "bundle_age", labels("version", live.Current().Version()), time.Since(live.Status().Confirmed).Seconds())
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	counters(&b, "bundle_checks", "Number of checks of the source for a new bundle.", m.checks)
	correlations(&b, rubrics)
	m.histograms(&b)
	if live != nil {
		family(&b, "rubric_total_count", "gauge", "Number of rubrics in the library that are not retired.")
		line(&b, "rubric_total_count", "", float64(len(rubrics)))
	}
	counters(&b, "rubric_usage_count", "Number of times a version of a rubric or rule set was returned.", m.uses)
	return text(b.String()), nil
}

// correlations has a series for each judge with a run that counts.
func correlations(b *strings.Builder, rubrics []library.Match) {
	const name = "rubric_calibration_correlation"
	first := true
	for _, r := range rubrics {
		if r.Calibration == nil {
			continue
		}
		for _, j := range r.Calibration.Judges {
			value, ok := j.Measured()
			if !ok {
				continue
			}
			if first {
				family(b, name, "gauge", "Correlation of a judge's scores with people's labels, the lowest of the criteria.")
			}
			first = false
			of := labels("gate", string(j.Gate), "id", r.ID, "judge", j.Judge, "model", j.Model, "rank", string(j.Rank))
			line(b, name, of, value)
		}
	}
}

func (m *metrics) histograms(b *strings.Builder) {
	const name = "rubric_retrieval_time_ms"
	if len(m.times) > 0 {
		family(b, name, "histogram", "Time to get a rubric or a rule set from the library.")
	}
	for _, series := range slices.Sorted(maps.Keys(m.times)) {
		h, below := m.times[series], 0
		for i, count := range h.counts {
			below += count
			bound := "+Inf"
			if i < len(boundaries) {
				bound = number(boundaries[i])
			}
			line(b, name+"_bucket", series+","+labels("le", bound), float64(below))
		}
		line(b, name+"_sum", series, h.sum)
		line(b, name+"_count", series, float64(below))
	}
}

func counters(b *strings.Builder, name, help string, series map[string]int) {
	if len(series) > 0 {
		family(b, name, "counter", help)
	}
	for _, labels := range slices.Sorted(maps.Keys(series)) {
		line(b, name, labels, float64(series[labels]))
	}
}

func family(b *strings.Builder, name, kind, help string) {
	fmt.Fprintf(b, "# HELP %[1]s %[2]s\n# TYPE %[1]s %[3]s\n", name, help, kind)
}

func line(b *strings.Builder, name, labels string, value float64) {
	if labels != "" {
		name += "{" + labels + "}"
	}
	b.WriteString(name + " " + number(value) + "\n")
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
