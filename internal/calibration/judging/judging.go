// Package judging hands the items of a dataset to a judge command and records its
// answers.
//
// It promises:
//
//   - A judge reads the rubric's words and one item, and nothing that says how
//     people score: no labels, no raters, no other items and no item's ID.
//   - Nobody is asked twice for what was answered. Each answer is in the file
//     before the next one is waited for, and an interrupted run goes on where it
//     was.
//   - No answer is guessed. What could not be read is recorded as that, and
//     counted.
//   - The same answers give the same file, in whatever order they arrived.
package judging

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/rubric-library/rubric-library/internal/calibration"
)

// question is one time that a judge is asked.
type question struct {
	item   *calibration.Item
	number int // of the item
	repeat int // from 1
}

// key tells the answers of a run apart.
type key struct {
	item   string
	repeat int
}

func (q question) key() key { return key{q.item.ID, q.repeat} }

// Progress is how far the asking is.
type Progress struct {
	// Done are the questions that were asked, of Total that had no answer; Failed
	// are those of them whose answer could not be read.
	Done, Failed, Total int
}

// Failure is an answer that could not be read.
type Failure struct {
	Item   string
	Repeat int
	Reason string
	// Output is the end of what the command wrote to its standard error. It can
	// hold anything, also secrets, and is nowhere recorded.
	Output string
}

// Ask asks what was not answered, as many questions at once as parallel says, and
// records the answers. Before it returns, the file is in its order, also where
// ctx was cancelled or the work could not go on, which the error tells. report is
// called after each answer, one call at a time; the failure is nil for those that
// could be read.
func (r *Run) Ask(ctx context.Context, judge *Judge, parallel int, report func(Progress, *Failure)) error {
	missing := r.missing()
	if err := r.prepare(missing); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	p := Progress{Total: len(missing)}
	for o := range r.outcomes(ctx, judge, parallel, missing) {
		if o.err == nil {
			o.err = r.record(o)
		}
		if o.err != nil {
			cancel(o.err) // the first cause stays
			continue
		}
		p.Done++
		if o.failure != nil {
			p.Failed++
		}
		report(p, o.failure)
	}
	finished := r.finish()
	if err := context.Cause(ctx); err != nil && p.Done < p.Total {
		return err
	}
	return finished
}

// outcomes asks the questions and yields how each came out, until all are asked
// or ctx is cancelled.
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
			for q := range waiting {
				outcomes <- r.ask(ctx, judge, q)
			}
		})
	}
	go func() {
		workers.Wait()
		close(outcomes)
	}()
	return outcomes
}

// outcome is how a question came out: a response, a failure, or an error that
// keeps the work from going on.
type outcome struct {
	question question
	response *response
	failure  *Failure
	err      error
}

func (r *Run) ask(ctx context.Context, judge *Judge, q question) outcome {
	o := outcome{question: q}
	o.response, o.failure, o.err = judge.ask(ctx, r.request(q))
	switch {
	case o.failure != nil:
		o.failure.Item, o.failure.Repeat = q.item.ID, q.repeat
	case o.response != nil && o.response.Model != "" && o.response.Model != r.model:
		o.err = &ModelError{Run: r.Name, Want: r.model, Got: o.response.Model}
	}
	return o
}

// request is what the judge gets to read for a question.
func (r *Run) request(q question) *request {
	return newRequest(r.subject, r.criteria, shown{Number: q.number, Artifact: q.item.Artifact, Inputs: q.item.Inputs}, q.repeat)
}

// ModelError says that another model answered than the one that the run is of.
type ModelError struct{ Run, Want, Got string }

func (e *ModelError) Error() string {
	return fmt.Sprintf("the judge says that the model %q answered, and run %q is of %q", e.Got, e.Run, e.Want)
}

// missing are the questions without a readable answer, in the order in which they
// are asked: that of the numbers, so that what is asked first and what an
// interrupted run has says nothing of the items.
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

// numbers gives each item a number from 1. They follow from the run and the IDs,
// so that they stay when a run is taken up again, and say nothing of how the items
// are sorted in their file.
func numbers(run string, items []calibration.Item) map[string]int {
	ids := map[string]string{} // by the sums that they are sorted by
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
