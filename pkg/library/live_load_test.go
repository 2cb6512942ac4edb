package library_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// The full run is
//
//	go test ./pkg/library -run LiveUnderLoad -v -live-rubrics 10000 -live-duration 1m
var (
	liveRubrics  = flag.Int("live-rubrics", 100, "number of rubrics in the library of TestLiveUnderLoad")
	liveDuration = flag.Duration("live-duration", 2*time.Second, "duration of TestLiveUnderLoad")
)

// counted counts what a Live reports.
type counted struct{ opened, closed, checks, failed atomic.Int64 }

func (c *counted) Opened(*library.Library) func() {
	c.opened.Add(1)
	return func() { c.closed.Add(1) }
}
func (c *counted) Retrieved(context.Context, library.Retrieval) {}
func (c *counted) Followed(*library.Live) func()                { return func() {} }
func (c *counted) Checked(_ context.Context, err error) {
	c.checks.Add(1)
	if err != nil {
		c.failed.Add(1)
	}
}

// large writes two consecutive releases of n rubrics, of which each tenth has a new version
// in the second, and returns their paths and the size of the larger.
func large(t testing.TB, n int) (paths [2]string, size int64) {
	t.Helper()
	l := bundletest.Library{Verifiable: true, Version: "1.4.0"}
	filler := strings.Repeat("A clerk archives an invoice so that the audit finds it. ", 60) // about 5 KB in all
	document := func(i int, version string) string {
		return strings.Replace(rubricOf(fmt.Sprintf("story_%d_v1", i), version), "Make it better.", filler, 1)
	}
	for i := range n {
		l.Documents = append(l.Documents, document(i, "1.0.0"))
	}
	for release := range paths {
		data, digest := bundle(t, l)
		paths[release], size = filepath.Join(t.TempDir(), "release.zip"), int64(len(data))
		put(t, paths[release], data)
		l.Version, l.Previous = "1.5.0", digest
		for i := 0; release == 0 && i < n; i += 10 {
			l.Documents = append(l.Documents, document(i, "1.1.0"))
		}
	}
	return paths, size
}

// expected returns the reference of the latest version of each document by library version.
func expected(t *testing.T, paths [2]string) map[string]map[string]library.Reference {
	t.Helper()
	all := map[string]map[string]library.Reference{}
	for _, path := range paths {
		l := must.Get(library.Open(path))(t)
		entries := must.Get(l.Search(library.Query{}))(t)
		all[l.Version()] = map[string]library.Reference{}
		for _, e := range entries {
			last := e.Versions[len(e.Versions)-1]
			all[l.Version()][e.ID] = library.Reference{ID: e.ID, Version: last.Version, Digest: last.Digest}
		}
		must.Do(t, l.Close())
	}
	return all
}

// replace renames a copy of a release to path.
func replace(t testing.TB, release, path string) {
	next := path + ".next"
	if err := os.Link(release, next); err != nil {
		t.Error(err)
	}
	if err := os.Rename(next, path); err != nil {
		t.Error(err)
	}
}

// TestLiveUnderLoad reads in 8 goroutines while the bundle changes every 100 ms: no call
// fails, no answer is wrong, and earlier bundles are released.
func TestLiveUnderLoad(t *testing.T) {
	paths, size := large(t, *liveRubrics)
	want := expected(t, paths)
	path := filepath.Join(t.TempDir(), "rubrics.zip")
	replace(t, paths[0], path)
	seen := &counted{}
	live := must.Get(library.Follow(t.Context(), library.File(path), library.WithAnyDigest(), library.WithDowngrades(),
		library.WithLastGood(t.TempDir()), library.WithInterval(100*time.Millisecond), library.WithTelemetry(seen)))(t)
	runtime.GC()
	start := time.Now()
	var wg sync.WaitGroup
	times := make([][]time.Duration, 8)
	for i := range times {
		wg.Go(func() { times[i] = read(t, live, want, start.Add(*liveDuration), uint64(i)) })
	}
	var peak uint64
	for release := 1; time.Since(start) < *liveDuration; release = 1 - release {
		time.Sleep(100 * time.Millisecond)
		replace(t, paths[release], path)
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		peak = max(peak, memory.HeapInuse)
	}
	wg.Wait()
	if err := live.Close(); err != nil {
		t.Error(err)
	}
	calls := slices.Concat(times...)
	slices.Sort(calls)
	t.Logf("%d rubrics, bundle of %d MB: %d calls, P99 %s, slowest %s; %d checks, %d bundles used; heap at most %d MB, %.1f bundles",
		*liveRubrics, size>>20, len(calls), calls[len(calls)*99/100], calls[len(calls)-1],
		seen.checks.Load(), seen.opened.Load(), peak>>20, float64(peak)/float64(size))
	if seen.failed.Load() > 0 || seen.opened.Load() < 3 || seen.opened.Load() != seen.closed.Load() {
		t.Errorf("%d bundles were used, %d released, and %d of %d checks failed", seen.opened.Load(), seen.closed.Load(), seen.failed.Load(), seen.checks.Load())
	}
	if limit := uint64(16*size) + 64<<20; peak > limit {
		t.Errorf("the heap has up to %d bytes, more than %d", peak, limit)
	}
}

// read gets random documents and returns the duration of each call. Every second round
// holds one library over several changes of the bundle.
func read(t *testing.T, live *library.Live, want map[string]map[string]library.Reference, end time.Time, seed uint64) []time.Duration {
	r := rand.New(rand.NewPCG(1, seed))
	var times []time.Duration
	for round := 0; time.Now().Before(end); round++ {
		held, until := live.Current(), time.Now().Add(300*time.Millisecond)
		for time.Now().Before(until) && time.Now().Before(end) {
			id := fmt.Sprintf("story_%d_v1", r.IntN(*liveRubrics))
			from, allowed := live.Get, []library.Reference{want["1.4.0"][id], want["1.5.0"][id]}
			if round%2 == 0 {
				from, allowed = held.Get, []library.Reference{want[held.Version()][id]}
			}
			start := time.Now()
			d, err := from(t.Context(), id, "")
			times = append(times, time.Since(start))
			if err != nil || !slices.Contains(allowed, d.Reference) || d.Rubric.ID != id || d.Rubric.Version != d.Reference.Version {
				t.Errorf("%s of library %s gives %v, %v", id, held.Version(), d, err)
				return times
			}
			time.Sleep(50 * time.Microsecond) // some idle time, as in a service
		}
	}
	return times
}
