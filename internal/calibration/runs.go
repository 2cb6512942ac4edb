package calibration

import (
	"cmp"
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document"
)

// WasStopped reports whether the run was stopped before its end, as by a missing key. It says nothing
// about the judge until it is finished. A run with all answers has ended, whatever it says.
func (r *Run) WasStopped() bool { return r.Open > 0 && !r.ended && !r.Imported }

// count counts the questions, given how often each was asked and the items of the dataset, if these
// are known: one that was removed can't be asked about.
func (r *Run) count(attempts map[answerKey]int, items map[string]int) {
	if r.Items == 0 {
		return
	}
	readable, all := 0, map[string]bool{}
	for _, a := range r.Answers {
		all[a.Item] = true
		switch {
		case a.Error == "":
			readable++
		case a.Unavailable == "" || attempts[answerKey{a.Run, a.Item, a.Repeat, 0}] >= document.MostAttempts:
			r.Lost++
		}
	}
	for id := range items {
		all[id] = true
	}
	asked := r.Items
	if items != nil {
		asked = min(asked, len(all))
	}
	r.Open = max(0, asked*max(r.Repeats, 1)-readable-r.Lost)
}

// compare orders the answers of a run by item and repeat.
func (a *Answer) compare(o *Answer) int {
	return cmp.Or(cmp.Compare(a.Item, o.Item), cmp.Compare(a.Repeat, o.Repeat))
}

// Start is when the run of the answer began.
func (a *Answer) Start() Start { return Start{a.Run, a.Date, a.Started} }

// Start is when the run began.
func (r *Run) Start() Start { return Start{r.Name, r.Date, r.Started} }

// Runs returns the runs of a judge from oldest to newest, by their starts.
func (j *Judge) Runs() []Run {
	if j.runs != nil {
		return slices.Clone(j.runs())
	}
	return j.readRuns()
}

func (j *Judge) readRuns() []Run {
	var runs []Run
	at := map[string]int{} // of runs
	place, attempts := map[answerKey]int{}, map[answerKey]int{}
	for _, a := range j.Answers {
		i, ok := at[a.Run]
		if !ok {
			i = len(runs)
			at[a.Run] = i
			runs = append(runs, Run{
				Name: a.Run, Judge: j.Name, Model: a.Model, Date: a.Date, Started: a.Started,
				Digest: a.Digest, Items: a.Items,
			})
		}
		r := &runs[i]
		r.Prompt = cmp.Or(r.Prompt, a.PromptDigest)
		r.Imported, r.ended = r.Imported || a.Imported, r.ended || a.Ended
		r.Repeats = max(r.Repeats, a.Repeats, a.Repeat)
		if a.Unavailable != "" {
			r.Unavailable++
			a.Error = a.Unavailable
		}
		question := answerKey{a.Run, a.Item, a.Repeat, 0}
		attempts[question]++
		if k, again := place[question]; !again {
			place[question] = len(r.Answers)
			r.Answers = append(r.Answers, a)
		} else if r.Answers[k].Unavailable != "" {
			r.Answers[k] = a
		}
	}
	for i := range runs {
		runs[i].count(attempts, j.items)
		slices.SortStableFunc(runs[i].Answers, func(a, b Answer) int { return a.compare(&b) })
	}
	slices.SortStableFunc(runs, func(a, b Run) int { return a.Start().Compare(b.Start()) })
	attribute(runs)
	return runs
}

// attribute gives each run without a readable answer, which names no prompt, that of the run before it
// by the same model with the same repeats, or else after it. Otherwise, a judge that fails would be
// another one, and the failure would not count against it.
func attribute(runs []Run) {
	silent, prompts := make([]bool, len(runs)), map[Identity]string{} // by what else is known of a judge
	for i := range runs {
		silent[i] = !slices.ContainsFunc(runs[i].Answers, func(a Answer) bool { return len(a.Scores) > 0 })
	}
	visit := func(i int) {
		of := runs[i].Identity()
		of.Prompt = ""
		prompt, known := prompts[of]
		switch {
		case !silent[i]:
			prompts[of] = runs[i].Prompt
		case known:
			runs[i].Prompt, silent[i] = prompt, false
		}
	}
	for i := range runs {
		visit(i)
	}
	clear(prompts)
	for i := range slices.Backward(runs) {
		visit(i)
	}
}

// Run returns the run of that name, or nil.
func (j *Judge) Run(name string) *Run {
	runs := j.Runs()
	if i := slices.IndexFunc(runs, func(r Run) bool { return r.Name == name }); i >= 0 {
		return &runs[i]
	}
	return nil
}

// Follower returns the newest of the runs that are known to have begun after a run, or nil. Such
// a run gets no more answers: they could be added until it says what it should.
func (j *Judge) Follower(run *Run) *Run {
	for _, other := range slices.Backward(j.Runs()) {
		if other.Start().Follows(run.Start()) {
			return &other
		}
	}
	return nil
}

// UnfinishedRun returns the newest run that was stopped, if no run of the judge ended since, else nil.
func (j *Judge) UnfinishedRun() *Run {
	runs := j.Runs()
	if len(runs) == 0 || !runs[len(runs)-1].WasStopped() {
		return nil
	}
	return &runs[len(runs)-1]
}

// NewestRun returns the newest run for the first of the judge digests that has one. If
// none has, it returns the newest run of all, which is stale, or nil if there are no runs. A run
// that was stopped only counts as one if there is no other.
func (j *Judge) NewestRun(digests ...string) *Run {
	runs := j.CountedRuns()
	if len(runs) == 0 {
		runs = j.Runs()
	}
	slices.Reverse(runs)
	for _, digest := range digests {
		if i := slices.IndexFunc(runs, func(r Run) bool { return r.Digest == digest }); i >= 0 {
			return &runs[i]
		}
	}
	if len(runs) == 0 {
		return nil
	}
	return &runs[0]
}

// AskedLike reports whether two runs asked about the same labels, so that AsOf is the same for both.
func (r *Run) AskedLike(o *Run) bool {
	return r.Items == o.Items && slices.EqualFunc(r.firsts(), o.firsts(), func(a, b *Answer) bool {
		return a.Item == b.Item && maps.EqualFunc(a.Labels, b.Labels, slices.Equal)
	})
}

// firsts are the first answers to each item, in the order in which they are recorded. Intervals depend
// on the order of items, which can change in items.jsonl but not in recorded answers.
func (r *Run) firsts() []*Answer {
	seen := map[string]bool{}
	var firsts []*Answer
	for i := range r.Answers {
		if a := &r.Answers[i]; !seen[a.Item] {
			seen[a.Item] = true
			firsts = append(firsts, a)
		}
	}
	slices.SortStableFunc(firsts, func(a, b *Answer) int { return cmp.Compare(a.Line, b.Line) })
	return firsts
}
