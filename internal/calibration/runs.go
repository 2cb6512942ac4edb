package calibration

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rubric-library/rubric-library/internal/document"
)

// Start says when a run began. It alone decides in which order runs happened.
type Start struct {
	// Run is the name of the run: its date, with a number such as -2 for each further run of the
	// day, or another name, which says nothing about the order.
	Run string
	// Date is the day in UTC, and Time the moment, such as 2026-11-21T09:30:00Z, or "" if only
	// the day is known.
	Date, Time string
}

// ParseStart reads a date, or a moment in RFC 3339 in any time zone.
func ParseStart(text string) (s Start, ok bool) {
	if _, err := time.Parse(time.DateOnly, text); err == nil {
		return Start{Date: text}, true
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return s, false
	}
	return StartAt(at), true
}

// StartAt is the start of a run that begins at a moment. It is recorded to the second.
func StartAt(at time.Time) Start {
	at = at.UTC()
	return Start{Date: at.Format(time.DateOnly), Time: at.Format(time.RFC3339)}
}

// String is the moment, or the date where only that is known.
func (s Start) String() string { return cmp.Or(s.Time, s.Date) }

// Compare orders starts, the earlier first. What is not known is decided as follows: a run of
// which only the date is known began before the others of its day, and among these, those with
// another name than DATE-N began first.
func (s Start) Compare(o Start) int {
	return cmp.Or(cmp.Compare(s.Date, o.Date), cmp.Compare(s.Time, o.Time), cmp.Compare(s.number(), o.number()))
}

// Follows reports whether a run is known to have begun after another one.
func (s Start) Follows(o Start) bool {
	switch {
	case s.Date != o.Date:
		return s.Date > o.Date
	case s.Time != o.Time:
		return s.Time > o.Time && o.Time != ""
	}
	return o.number() > 0 && s.number() > o.number()
}

// number is the N of a run that is named DATE-N, 1 if its name is DATE, and 0 for other names.
func (s Start) number() int {
	rest, ok := strings.CutPrefix(s.Run, s.Date)
	if ok && rest == "" {
		return 1
	}
	text, ok := strings.CutPrefix(rest, "-")
	n, err := strconv.Atoi(text)
	if !ok || err != nil || n < 2 || strconv.Itoa(n) != text {
		return 0
	}
	return n
}

// Run is a set of answers that a judge gave together.
type Run struct {
	Name, Judge, Model, Digest string
	// Date is the day on which the run began, and Started when, "" if that is not recorded.
	Date, Started string
	// Prompt is the digest of the judge's prompt, "" if it gave none.
	Prompt string
	// Items is how many items the dataset had when the run began, 0 if that is not recorded.
	Items int
	// Imported means that answers were imported.
	Imported bool
	// Repeats is how often it asks about each item, as recorded or as it did.
	Repeats int
	// Answers are sorted by item and repeat, with one for each. Where each attempt was
	// unavailable, it is the last, with an error.
	Answers []Answer

	// Unavailable counts the attempts in which the judge could not answer.
	Unavailable int
	// Open counts the questions that can still be asked, and Lost those that were asked and have no
	// readable answer. Both are 0 if the number of items is not recorded.
	Open, Lost int

	ended bool // an answer says so
}

// Stopped reports whether the run was stopped before its end, as by a missing key. It says nothing
// about the judge until it is finished. A run with all answers has ended, whatever it says.
func (r *Run) Stopped() bool { return r.Open > 0 && !r.ended && !r.Imported }

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
	at, place, attempts := map[string]int{}, map[answerKey]int{}, map[answerKey]int{} // of runs, and of the answers in them
	for _, a := range j.Answers {
		i, ok := at[a.Run]
		if !ok {
			i = len(runs)
			at[a.Run] = i
			runs = append(runs, Run{Name: a.Run, Judge: j.Name, Model: a.Model, Date: a.Date, Started: a.Started, Digest: a.Digest, Items: a.Items})
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

// Unfinished is the newest run that was stopped, if no run of the judge ended since, else nil.
func (j *Judge) Unfinished() *Run {
	runs := j.Runs()
	if len(runs) == 0 || !runs[len(runs)-1].Stopped() {
		return nil
	}
	return &runs[len(runs)-1]
}

// Newest returns the newest run for the first of the judge digests that has one. If
// none has, it returns the newest run of all, which is stale, or nil if there are no runs. A run
// that was stopped only counts as one if there is no other.
func (j *Judge) Newest(digests ...string) *Run {
	runs := j.Counted()
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
