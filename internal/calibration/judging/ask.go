package judging

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"time"
)

// Questions are what Judge.Ask asks, numbered from 0. Only Request and Read are called
// concurrently, for different questions.
type Questions struct {
	Count int
	// Request returns the request, which is sent as one line of JSON.
	Request func(i int) any
	// Read parses an answer. After an error, it is a failure and not asked again.
	Read func(i int, output []byte) error
	// Record records the answer that was read, or the failure. An error ends the work.
	Record func(i int, f *Failure) error
	// Sync is called every second and at the end.
	Sync func() error
	// Report is called after each recorded answer. The failure is nil if the answer could
	// be read.
	Report func(Progress, *Failure)
}

// StoppedError means that the judge failed too often in a row.
type StoppedError struct{ Failures int }

func (e *StoppedError) Error() string {
	return fmt.Sprintf("the run was stopped after %d failures in a row", e.Failures)
}

// firstFailures is how many failures end the work if there is no answer yet.
const firstFailures = 3

// Ask asks questions, up to parallel at a time. The error is a *StoppedError, the cause of
// a cancellation before the last answer, or the first error of Record or Sync.
func (j *Judge) Ask(ctx context.Context, parallel int, q Questions) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	p, inARow := Progress{Total: q.Count}, 0
	for o := range q.synced(j.outcomes(ctx, parallel, &q)) {
		if o.err == nil {
			o.err = q.Record(o.question, o.failure)
		}
		if o.err != nil {
			cancel(o.err) // keeps the first cause
			continue
		}
		p.Done++
		if inARow++; o.failure == nil {
			inARow = 0
		} else {
			p.Failed++
		}
		q.Report(p, o.failure)
		tooMany := inARow == j.MaxFailures || p.Failed == p.Done && p.Done == firstFailures && p.Total > firstFailures
		if j.MaxFailures > 0 && tooMany {
			cancel(&StoppedError{inARow})
		}
	}
	err := context.Cause(ctx)
	if _, stopped := errors.AsType[*StoppedError](err); stopped || p.Done < p.Total {
		return err
	}
	return q.Sync()
}

// outcome is the outcome of a question: an answer that was read, a failure, or an error
// that ends the work.
type outcome struct {
	question int
	failure  *Failure
	err      error
}

// outcomes asks the questions and sends their outcomes until all are asked or ctx is
// canceled.
func (j *Judge) outcomes(ctx context.Context, parallel int, q *Questions) <-chan outcome {
	waiting, outcomes := make(chan int), make(chan outcome)
	go func() {
		defer close(waiting)
		for i := range q.Count {
			select {
			case waiting <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	var workers sync.WaitGroup
	for range max(parallel, 1) {
		workers.Go(func() {
			once, end := j.worker()
			defer end()
			for i := range waiting {
				o := outcome{question: i}
				o.failure, o.err = j.ask(ctx, q.Request(i), func(output []byte) error { return q.Read(i, output) }, once)
				outcomes <- o
			}
		})
	}
	go func() {
		workers.Wait()
		close(outcomes)
	}()
	return outcomes
}

// synced returns the outcomes, and syncs in the meantime.
func (q *Questions) synced(outcomes <-chan outcome) iter.Seq[outcome] {
	return func(yield func(outcome) bool) {
		tick := time.NewTicker(syncInterval)
		defer tick.Stop()
		for {
			select {
			case o, ok := <-outcomes:
				if !ok || !yield(o) {
					return
				}
			case <-tick.C:
				if err := q.Sync(); err != nil && !yield(outcome{err: err}) {
					return
				}
			}
		}
	}
}
