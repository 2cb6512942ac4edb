package main

import (
	"fmt"
	"math"
	gometrics "runtime/metrics"
	"time"
)

// clock tells the time since some start.
type clock struct {
	now        func() time.Duration
	isOfThread bool // it stands still while the thread has no core
}

var (
	wall   = clock{now: func() time.Duration { return time.Since(started) }}
	thread = clock{now: threadTime, isOfThread: true}

	started = time.Now()
)

// waits has how often goroutines that could run waited for a core, by the length of the wait. The runtime
// records every eighth wait or so.
type waits struct {
	counts []uint64
	bounds []float64 // in seconds; counts[i] waits were from bounds[i] to bounds[i+1]
}

// readWaits returns the waits since the start of the program.
func readWaits() waits {
	sample := []gometrics.Sample{{Name: "/sched/latencies:seconds"}}
	gometrics.Read(sample)
	h := sample[0].Value.Float64Histogram()
	return waits{h.Counts, h.Buckets}
}

// since removes the waits before.
func (w waits) since(before waits) waits {
	for i := range w.counts {
		w.counts[i] -= before.counts[i]
	}
	return w
}

// percentile returns the upper bound of a percentile, in seconds.
func (w waits) percentile(p float64) float64 {
	total, sum := uint64(0), uint64(0)
	for _, n := range w.counts {
		total += n
	}
	for i, n := range w.counts {
		if sum += n; n > 0 && float64(sum) >= p/100*float64(total) {
			return w.bounds[i+1]
		}
	}
	return 0
}

// report prints a line of the table.
func (w waits) report(what string) {
	total := uint64(0)
	for _, n := range w.counts {
		total += n
	}
	duration := func(p float64) time.Duration {
		seconds := w.percentile(p)
		if math.IsInf(seconds, 1) {
			return math.MaxInt64
		}
		return time.Duration(seconds * float64(time.Second))
	}
	fmt.Printf("| %s | %d | %v | %v | %v |\n", what, total, duration(50), duration(99), duration(100))
}
