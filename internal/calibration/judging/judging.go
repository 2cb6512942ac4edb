// Package judging passes the items of a dataset to a judge command and records its
// answers.
//
// It promises:
//
//   - A judge reads the wording of the rubric and one item, but nothing that shows how
//     people score: no labels, raters, other items, or item IDs.
//   - No question is asked again after an answer, readable or not. A judge that was not
//     available is asked at most document.MostAttempts times in a run. Each attempt is
//     written to the file before the next one is awaited, and an interrupted run resumes
//     where it stopped.
//   - No answer is guessed. An unreadable answer is recorded as such and counted.
//   - The same answers give the same file, in whatever order they arrive.
package judging

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
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

// Progress is the progress of Run.Ask.
type Progress struct {
	// Total counts the questions that are asked, or asked again, Done those asked since,
	// and Failed those of them without a readable answer.
	Done, Failed, Total int
}

// Failure is an attempt without a readable answer.
type Failure struct {
	// Unavailable means that it is not the judge's fault, so that it is asked again.
	Unavailable bool
	// Subject is what the question was about, such as "item i7, repeat 2".
	Subject string
	Reason  string
	// Output is the end of the command's standard error. It is never recorded,
	// because it can contain secrets.
	Output string
}

func (r *Run) read(judge *Judge, q question, output []byte) (*response, error) {
	res, err := readResponse(output, r.Criteria)
	if err == nil && res.Unavailable == "" && (judge.Lines || res.Number != 0) && res.Number != q.number {
		err = fmt.Errorf("\"number\" must be %d, the number of the item, got %d", q.number, res.Number)
	}
	return res, err
}

func (r *Run) sameJudge(res *response) error {
	switch {
	case res.Model != "" && res.Model != r.Model:
		return fmt.Errorf("the judge says that the model %q answered, but run %q is for %q. All answers of a run must be from one model: set its exact name with --model, or start another --run if it changed",
			res.Model, r.Name, r.Model)
	case r.prompt == nil:
		r.prompt = &res.PromptDigest
	case *r.prompt != res.PromptDigest:
		return fmt.Errorf("the judge's prompt has changed since run %s began, and all answers of a run are by one prompt. Start another run with --run", r.Name)
	}
	return nil
}

// open returns the questions that can be asked, in the order of their numbers, which
// reveals nothing about the items.
func (r *Run) open() []question {
	open := slices.DeleteFunc(slices.Clone(r.questions), func(q question) bool { _, open := r.answer(q); return !open })
	slices.SortFunc(open, func(a, b question) int {
		return cmp.Or(cmp.Compare(a.repeat, b.repeat), cmp.Compare(a.number, b.number))
	})
	return open
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

// firstFailures is how many failures end the work if the run has no answer yet.
const firstFailures = 3

// Ask asks the open questions, up to parallel at a time, and records each attempt. Where
// the judge was unavailable, it asks again when the other questions were asked. When it
// returns, the file is sorted, even if ctx was canceled or an error stopped the work.
// report is called after each attempt, never concurrently; the failure is nil if the
// answer could be read.
func (r *Run) Ask(ctx context.Context, judge *Judge, parallel int, report func(Progress, *Failure)) (err error) {
	for again := 0; err == nil && again <= judge.Retries; again++ {
		open := r.open()
		if len(open) == 0 {
			break
		}
		if again > 0 {
			select {
			case <-time.After(min(judge.Pause<<min(again-1, 16), longestPause)):
			case <-ctx.Done():
			}
		}
		err = r.askAll(ctx, judge, parallel, open, report)
	}
	r.ended = err == nil
	return cmp.Or(err, r.finish())
}

// askAll asks questions. After an error, such as too many failures or a cancellation, it
// still records the attempts that are under way.
func (r *Run) askAll(
	ctx context.Context, judge *Judge, parallel int, questions []question, report func(Progress, *Failure),
) (err error) {
	waiting, outcomes := make(chan question, parallel), make(chan outcome)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer close(waiting)
	for range parallel {
		workers.Go(func() { r.work(ctx, judge, waiting, outcomes) })
	}
	tick := time.NewTicker(syncInterval)
	defer tick.Stop()
	failures := failures{Progress: Progress{Total: len(questions)}, isNew: r.Count().Answered == 0}
	for underWay := 0; ; {
		for ; err == nil && underWay < parallel && len(questions) > 0; underWay++ {
			waiting <- questions[0]
			questions = questions[1:]
		}
		if underWay == 0 {
			return cmp.Or(err, r.journal.Sync())
		}
		var o outcome
		select {
		case <-tick.C:
			err = cmp.Or(err, r.journal.Sync())
			continue
		case o = <-outcomes:
			underWay--
		}
		if o.err == nil {
			o.failure, o.err = r.record(o.question, o.response, o.failure)
		}
		if o.err != nil {
			err = cmp.Or(err, o.err)
			continue
		}
		failures.count(o.failure)
		report(failures.Progress, o.failure)
		if failures.areTooMany(judge) {
			err = cmp.Or(err, fmt.Errorf("the run was stopped after %d failures in a row", failures.inARow))
		}
	}
}

// failures counts the questions that were asked, and those of them that failed.
type failures struct {
	Progress
	inARow int
	isNew  bool // whether the run had no answer before
}

// count counts an answer, or a failure.
func (f *failures) count(failure *Failure) {
	f.Done++
	if failure == nil {
		f.inARow = 0
		return
	}
	f.inARow++
	f.Failed++
}

// areTooMany reports whether so many failures end the run: many in a row, or already the first few
// of a new run, of which none will succeed.
func (f *failures) areTooMany(judge *Judge) bool {
	if judge.MaxFailures == 0 {
		return false
	}
	areFirst := f.isNew && f.Failed == f.Done && f.Done == firstFailures && f.Total > firstFailures
	return f.inARow == judge.MaxFailures || areFirst
}

// outcome is the outcome of a question: an answer that was read, a failure, or an error
// that ends the work.
type outcome struct {
	question question
	response *response
	failure  *Failure
	err      error
}

func (r *Run) work(ctx context.Context, judge *Judge, questions <-chan question, outcomes chan<- outcome) {
	once, end := judge.worker()
	defer end()
	for q := range questions {
		o := outcome{question: q}
		o.response, o.failure, o.err = r.ask(ctx, judge, q, once)
		outcomes <- o
	}
}

// ask asks one question once and reads the output. If there is no answer, the failure has
// the reason but no subject.
func (r *Run) ask(ctx context.Context, judge *Judge, q question, once attempt) (*response, *Failure, error) {
	input, err := marshal(r.request(q))
	if err != nil {
		return nil, nil, err
	}
	output, f, err := once(ctx, input)
	if err != nil {
		return nil, nil, err
	}
	if f.Reason != "" {
		return nil, &f, nil
	}
	res, err := r.read(judge, q, output)
	switch {
	case err != nil:
		f.Reason = "the answer can't be read: " + err.Error()
	case res.Unavailable != "":
		f.Reason, f.Unavailable = "the judge is unavailable: "+res.Unavailable, true
	default:
		return res, nil, nil
	}
	return nil, &f, nil
}
