// Package judging passes the items of a dataset to a judge command and records its
// answers.
//
// It promises:
//
//   - A judge reads the wording of the rubric and one item, but nothing that shows how
//     people score: no labels, raters, other items, or item IDs.
//   - No question is asked again after a readable answer. Each answer is written to the
//     file before the next one is awaited, and an interrupted run resumes where it
//     stopped.
//   - No answer is guessed. An unreadable answer is recorded as such and counted.
//   - The same answers give the same file, in whatever order they arrive.
package judging

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/rubric-library/rubric-library/internal/calibration"
)

type question struct {
	item   *calibration.Item
	number int // of the item, from 1
	repeat int // from 1
}

type key struct {
	item   string
	repeat int
}

func (q question) key() key { return key{q.item.ID, q.repeat} }

// Progress is the progress of Ask.
type Progress struct {
	// Total counts the questions without an answer at the start, Done those asked
	// since, and Failed those of them without a readable answer.
	Done, Failed, Total int
}

// Failure is an answer that could not be read.
type Failure struct {
	Item   string
	Repeat int
	Reason string
	// Output is the end of the command's standard error. It is never recorded,
	// because it can contain secrets.
	Output string
}

// Ask asks the questions without an answer, up to parallel at a time, and records the
// answers. When it returns, the file is sorted, even if ctx was canceled or an error
// stopped the work. report is called after each answer, never concurrently; the failure
// is nil if the answer could be read.
func (r *Run) Ask(ctx context.Context, judge *Judge, parallel int, report func(Progress, *Failure)) error {
	missing := r.missing()
	if err := r.prepare(missing); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	p, inARow := Progress{Total: len(missing)}, 0
	var stopped error // because nothing works
	for o := range r.synced(r.outcomes(ctx, judge, parallel, missing)) {
		if o.err == nil {
			o.err = r.samePrompt(o.response)
		}
		if o.err == nil {
			o.err = r.record(o)
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
		if judge.MaxFailures > 0 && tooMany && stopped == nil {
			stopped = fmt.Errorf("the run was stopped after %d failures in a row", inARow)
			cancel(stopped)
		}
	}
	if stopped != nil && errors.Is(context.Cause(ctx), stopped) {
		// The failures are about the judge's set-up and not about items. They would
		// otherwise be committed, and the next call asks again.
		maps.DeleteFunc(r.answers, func(_ key, a calibration.Answer) bool { return a.Error != "" })
	}
	finished := r.finish()
	if err := context.Cause(ctx); err != nil && p.Done < p.Total {
		return err
	}
	return finished
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
				outcomes <- r.ask(ctx, judge, once, q)
			}
		})
	}
	go func() {
		workers.Wait()
		close(outcomes)
	}()
	return outcomes
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
				if err := r.journal.sync(); err != nil && !yield(outcome{err: err}) {
					return
				}
			}
		}
	}
}

// outcome is the outcome of a question: a response, a failure, or an error that stops
// the work.
type outcome struct {
	question question
	response *response
	failure  *Failure
	err      error
}

func (r *Run) ask(ctx context.Context, judge *Judge, once attempt, q question) outcome {
	o := outcome{question: q}
	o.response, o.failure, o.err = judge.ask(ctx, r.request(q), once)
	switch {
	case o.failure != nil:
		o.failure.Item, o.failure.Repeat = q.item.ID, q.repeat
	case o.response != nil && o.response.Model != "" && o.response.Model != r.model:
		o.err = &ModelError{Run: r.Name, Want: r.model, Got: o.response.Model}
	}
	return o
}

// firstFailures is how many failures end a run that has no answer yet.
const firstFailures = 3

// samePrompt checks that all answers of a run are by one prompt.
func (r *Run) samePrompt(res *response) error {
	switch {
	case res == nil:
		return nil
	case r.prompt == nil:
		r.prompt = &res.PromptDigest
	case *r.prompt != res.PromptDigest:
		return fmt.Errorf("the judge's prompt has changed since run %s began, and all answers of a run are by one prompt. Start another run with --run", r.Name)
	}
	return nil
}

// ModelError means that a different model answered than that of the run.
type ModelError struct{ Run, Want, Got string }

func (e *ModelError) Error() string {
	return fmt.Sprintf("the judge says that the model %q answered, but run %q is for %q", e.Got, e.Run, e.Want)
}

// missing returns the questions without a readable answer, in the order in which they
// are asked. It is the order of the numbers, so it reveals nothing about the items.
func (r *Run) missing() []question {
	var missing []question
	for _, q := range r.questions {
		if !r.answered(q) {
			missing = append(missing, q)
		}
	}
	slices.SortFunc(missing, func(a, b question) int {
		return cmp.Or(cmp.Compare(a.repeat, b.repeat), cmp.Compare(a.number, b.number))
	})
	return missing
}

// numbers assigns each item a number from 1, derived from the run and the IDs. The
// numbers are the same when a run is resumed, and reveal nothing about the order of the
// items in their file.
func numbers(run string, items []calibration.Item) map[string]int {
	ids := map[string]string{} // by hash
	for _, item := range items {
		sum := sha256.Sum256([]byte(run + "\x00" + item.ID))
		ids[string(sum[:])] = item.ID
	}
	numbers := make(map[string]int, len(ids))
	for i, sum := range slices.Sorted(maps.Keys(ids)) {
		numbers[ids[sum]] = i + 1
	}
	return numbers
}
