package judging

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"sync"
	"time"

	"github.com/rubric-library/rubric-library/internal/calibration"
)

// StoppedError means that the judge failed too often in a row.
type StoppedError struct{ Failures int }

func (e *StoppedError) Error() string {
	return fmt.Sprintf("the run was stopped after %d failures in a row", e.Failures)
}

// firstFailures is how many failures end the work if there is no answer yet.
const firstFailures = 3

// Ask asks the questions without an answer, up to parallel at a time, and records the
// answers. When it returns, the file is sorted, even if ctx was canceled or an error
// stopped the work. report is called after each answer, never concurrently; the failure
// is nil if the answer could be read.
func (r *Run) Ask(ctx context.Context, judge *Judge, parallel int, report func(Progress, *Failure)) error {
	missing := r.missing()
	if err := r.prepare(missing); err != nil {
		return err
	}
	err := r.askAll(ctx, judge, parallel, missing, report)
	if _, stopped := errors.AsType[*StoppedError](err); stopped {
		// The failures are about the judge's set-up and not about items. They would
		// otherwise be committed, and the next call asks again.
		maps.DeleteFunc(r.answers, func(_ key, a calibration.Answer) bool { return a.Error != "" })
	}
	finished := r.finish()
	return cmp.Or(err, finished)
}

// askAll asks questions. The error is a *StoppedError, the cause of a cancellation before
// the last answer, or the first error of the file.
func (r *Run) askAll(ctx context.Context, judge *Judge, parallel int, questions []question, report func(Progress, *Failure)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	p, inARow := Progress{Total: len(questions)}, 0
	for o := range r.synced(r.outcomes(ctx, judge, parallel, questions)) {
		if o.err == nil {
			o.err = r.record(o.question, o.response, o.failure)
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
		report(p, o.failure)
		tooMany := inARow == judge.MaxFailures || p.Failed == p.Done && p.Done == firstFailures && p.Total > firstFailures
		if judge.MaxFailures > 0 && tooMany {
			cancel(&StoppedError{inARow})
		}
	}
	err := context.Cause(ctx)
	if _, stopped := errors.AsType[*StoppedError](err); stopped || p.Done < p.Total {
		return err
	}
	return r.journal.Sync()
}

// outcome is the outcome of a question: an answer that was read, a failure, or an error
// that ends the work.
type outcome struct {
	question question
	response *response
	failure  *Failure
	err      error
}

// outcomes asks the questions and sends their outcomes until all are asked or ctx is
// canceled.
func (r *Run) outcomes(ctx context.Context, judge *Judge, parallel int, questions []question) <-chan outcome {
	waiting, outcomes := make(chan question), make(chan outcome)
	go func() {
		defer close(waiting)
		for _, q := range questions {
			select {
			case waiting <- q:
			case <-ctx.Done():
				return
			}
		}
	}()
	var workers sync.WaitGroup
	for range max(parallel, 1) {
		workers.Go(func() {
			once, end := judge.worker()
			defer end()
			for q := range waiting {
				o := outcome{question: q}
				o.response, o.failure, o.err = r.ask(ctx, judge, q, once)
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

// ask asks one question until the judge succeeds, and reads its output. If it can't be
// read, the failure has the reason but no subject.
func (r *Run) ask(ctx context.Context, judge *Judge, q question, once attempt) (*response, *Failure, error) {
	input, err := marshal(r.request(q))
	if err != nil {
		return nil, nil, err
	}
	for attempt := 0; ; attempt++ {
		output, f, err := once(ctx, input)
		if err != nil {
			return nil, nil, err
		}
		if f.Reason == "" {
			res, err := r.read(judge, q, output)
			if err == nil {
				return res, nil, nil
			}
			f.Reason = "the answer can't be read: " + err.Error()
			return nil, &f, nil
		}
		if attempt >= judge.Retries {
			return nil, &f, nil
		}
		select {
		case <-time.After(min(judge.Pause<<min(attempt, 16), longestPause)):
		case <-ctx.Done():
			return nil, nil, context.Cause(ctx)
		}
	}
}

// synced returns the outcomes, and syncs the file in the meantime.
func (r *Run) synced(outcomes <-chan outcome) iter.Seq[outcome] {
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
				if err := r.journal.Sync(); err != nil && !yield(outcome{err: err}) {
					return
				}
			}
		}
	}
}
