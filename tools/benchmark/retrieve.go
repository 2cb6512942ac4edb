package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/metric"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/pkg/library"
	"github.com/rubric-library/rubric-library/pkg/library/libraryotel"
)

// limit is the upper bound for the 99th percentile of the retrieval time.
const limit = 10 * time.Millisecond

// small is the number of rubrics in the small library.
const small = 100

// retrieveBenchmark measures library.Rubric within one process, starting with the
// first call on an open bundle.
type retrieveBenchmark struct {
	size, times, goroutines int

	work string // a temporary folder
}

func (b *retrieveBenchmark) run() (err error) {
	if b.work, err = os.MkdirTemp("", "rubric-benchmark-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.work)
	fmt.Printf("%d × %s, %s\n\n", runtime.NumCPU(), processor(), runtime.Version())
	fmt.Printf("| | retrievals | P50 | P99 | slowest |\n|---|---|---|---|---|\n")
	return errors.Join(b.one(), b.audited(), b.all())
}

// one retrieves a rubric many times, as in the specification.
func (b *retrieveBenchmark) one() error {
	bundle := filepath.Join(b.work, "small.zip")
	if _, err := writeBundle(bundle, small); err != nil {
		return err
	}
	lib, err := library.Open(bundle)
	if err != nil {
		return err
	}
	_, _, id := names(0)
	times, err := retrieveAll(lib, slices.Repeat([]string{id}, b.times), wall)
	if err != nil {
		return err
	}
	return errors.Join(judge(fmt.Sprintf("one rubric of %d", small), times), lib.Close())
}

// audited retrieves a rubric with audit records that are only written, and with records that are
// also on the disk before the call returns, as those of `rubric serve`.
func (b *retrieveBenchmark) audited() error {
	written, err := os.Create(filepath.Join(b.work, "written.jsonl"))
	if err != nil {
		return err
	}
	defer written.Close()
	synced, err := safefile.OpenLog(filepath.Join(b.work, "synced.jsonl"), 0o600)
	if err != nil {
		return err
	}
	defer synced.Close()
	_, _, id := names(0)
	var medians [2]time.Duration
	for i, log := range []io.Writer{written, synced} {
		lib, err := library.Open(filepath.Join(b.work, "small.zip"),
			library.WithAudit(slog.New(slog.NewJSONHandler(log, nil))))
		if err != nil {
			return err
		}
		times, err := retrieveAll(lib, slices.Repeat([]string{id}, b.times), wall)
		if err := errors.Join(err, lib.Close()); err != nil {
			return err
		}
		what := []string{"written", "on the disk"}[i]
		medians[i] = report(fmt.Sprintf("one rubric of %d, each record %s", small, what), times)
	}
	fmt.Printf("| the ratio of the two P50 is %.0f | | | | |\n", float64(medians[1])/float64(medians[0]))
	return nil
}

// all retrieves rubrics in random order from a large library in several goroutines,
// with telemetry and an audit log on disk.
func (b *retrieveBenchmark) all() error {
	bundle := filepath.Join(b.work, "large.zip")
	if _, err := writeBundle(bundle, b.size); err != nil {
		return err
	}
	return errors.Join(
		b.open(bundle, b.newAndUsed),
		b.open(bundle, b.processors),
	)
}

// open opens a library with telemetry and an audit log on disk.
func (b *retrieveBenchmark) open(bundle string, use func(*library.Library) error) error {
	log, err := os.Create(filepath.Join(b.work, "audit.jsonl"))
	if err != nil {
		return err
	}
	defer log.Close()
	provider := sdk.NewMeterProvider(sdk.WithReader(sdk.NewManualReader()))
	lib, err := library.Open(bundle,
		library.WithTelemetry(libraryotel.New(provider)), library.WithAudit(slog.New(slog.NewJSONHandler(log, nil))))
	if err != nil {
		return err
	}
	return errors.Join(use(lib), lib.Close())
}

// newAndUsed measures a newly opened library, and again after each rubric was
// retrieved, when none is left to decode.
func (b *retrieveBenchmark) newAndUsed(lib *library.Library) error {
	what := fmt.Sprintf("%d rubrics, %d goroutines, telemetry and audit", b.size, b.goroutines)
	before := readWaits()
	times, err := b.together(lib, wall)
	waits := readWaits().since(before)
	if err != nil {
		return err
	}
	first := judge(what+", first calls included", times)
	waits.report("of these, waits for a core: a sample by the runtime")
	if _, err := retrieveAll(lib, allIDs(b.size), wall); err != nil {
		return errors.Join(first, err)
	}
	runtime.GC()
	if times, err = b.together(lib, wall); err != nil {
		return errors.Join(first, err)
	}
	return errors.Join(first, judge(what+", each rubric retrieved before", times))
}

// processors measures the CPU time of the calls on a newly opened library, each goroutine on a
// thread of its own.
func (b *retrieveBenchmark) processors(lib *library.Library) error {
	times, err := b.together(lib, thread)
	if err == nil {
		report("CPU time, first calls included, in a run of its own", times)
	}
	return err
}

// allIDs returns the IDs of n generated rubrics.
func allIDs(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		_, _, ids[i] = names(i)
	}
	return ids
}

// together retrieves random rubrics in several goroutines and returns the time of each
// call.
func (b *retrieveBenchmark) together(lib *library.Library, c clock) ([]time.Duration, error) {
	var wg sync.WaitGroup
	times, errs := make([][]time.Duration, b.goroutines), make([]error, b.goroutines)
	for i := range b.goroutines {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(20261120, uint64(i)))
			ids := make([]string, 3*b.size/b.goroutines+1)
			for j := range ids {
				_, _, ids[j] = names(r.IntN(b.size))
			}
			times[i], errs[i] = retrieveAll(lib, ids, c)
		})
	}
	wg.Wait()
	return slices.Concat(times...), errors.Join(errs...)
}

// writeBundle writes a bundle of n generated rubrics to a file and returns its digest.
// It collects its garbage, which would slow down the measurement.
func writeBundle(name string, n int) (digest string, err error) {
	if n > maxRubrics {
		return "", fmt.Errorf("%d rubrics are too many: at most %d have unique IDs", n, maxRubrics)
	}
	documents := make([]string, n)
	for number := range n {
		documents[number] = string(generateRubric(number))
	}
	defer runtime.GC()
	return writeLibrary(name, bundletest.Library{Documents: documents})
}

// writeLibrary writes a bundle to a file and returns its digest.
func writeLibrary(name string, l bundletest.Library) (digest string, err error) {
	f, err := os.Create(name)
	if err != nil {
		return "", err
	}
	out := bufio.NewWriter(f)
	digest, err = bundletest.Write(out, l)
	return digest, errors.Join(err, out.Flush(), f.Close())
}

// retrieveAll retrieves the latest versions of rubrics and returns the time of each call.
func retrieveAll(lib *library.Library, ids []string, c clock) ([]time.Duration, error) {
	if c.isOfThread {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
	}
	ctx := context.Background()
	times := make([]time.Duration, len(ids))
	for i, id := range ids {
		start := c.now()
		_, err := lib.Rubric(ctx, id, "")
		times[i] = c.now() - start
		if err != nil {
			return nil, err
		}
	}
	return times, nil
}

// report prints a line of the table, sorts the times, and returns the median.
func report(what string, times []time.Duration) time.Duration {
	slices.Sort(times)
	p50 := percentile(times, 50)
	fmt.Printf("| %s | %d | %v | %v | %v |\n", what, len(times), p50, percentile(times, 99), times[len(times)-1])
	return p50
}

// judge reports times. It returns an error if the limit is exceeded.
func judge(what string, times []time.Duration) error {
	report(what, times)
	if p99 := percentile(times, 99); p99 >= limit {
		return fmt.Errorf("%s: the 99th percentile of the retrieval time is %v, but must be below %v (RL-07)", what, p99, limit)
	}
	return nil
}

// percentile returns the smallest value that at least p percent of the sorted values
// don't exceed.
func percentile(sorted []time.Duration, p int) time.Duration {
	return sorted[(len(sorted)*p+99)/100-1]
}
