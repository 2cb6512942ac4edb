package judging

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"
)

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
	return cmp.Or(err, r.finish())
}

// askAll asks questions. After an error, such as too many failures or a cancellation, it
// still records the attempts that are under way.
func (r *Run) askAll(ctx context.Context, judge *Judge, parallel int, questions []question, report func(Progress, *Failure)) (err error) {
	waiting, outcomes := make(chan question, parallel), make(chan outcome)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer close(waiting)
	for range parallel {
		workers.Go(func() { r.work(ctx, judge, waiting, outcomes) })
	}
	tick := time.NewTicker(syncInterval)
	defer tick.Stop()
	p, inARow, underWay := Progress{Total: len(questions)}, 0, 0
	answered := r.Count().Answered
	for {
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
		p.Done++
		if inARow++; o.failure == nil {
			inARow = 0
		} else {
			p.Failed++
		}
		report(p, o.failure)
		tooMany := inARow == judge.MaxFailures || answered == 0 && p.Failed == p.Done && p.Done == firstFailures && p.Total > firstFailures
		if judge.MaxFailures > 0 && tooMany {
			err = cmp.Or(err, fmt.Errorf("the run was stopped after %d failures in a row", inARow))
		}
	}
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
