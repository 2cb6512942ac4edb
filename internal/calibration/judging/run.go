package judging

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// Plan has the settings of a run.
type Plan struct {
	// Name is the name of the run. In a plan, "" is the date, with a suffix such as -2 if a
	// run of that date has a different wording, model, or start.
	Name string
	// Model is the exact name of the model that the judge uses.
	Model string
	// Start is when the run begins. Its name is not used.
	Start calibration.Start
	// Now means that nobody chose the start: an earlier run of the day is resumed.
	Now bool
	// Repeats is how often the judge is asked about each item, or 0 to import its answers.
	Repeats int
	// Coverage is the least share of readable answers that a run must have. Without a name, a run
	// that can't reach it, or has no readable answer, is not resumed.
	Coverage float64
	// Prompt is the digest of the prompt of imported answers, "" if it is unknown. A judge that
	// is asked names its own.
	Prompt string
}

// Run is a run of a judge: the items of a dataset with the answers so far.
type Run struct {
	Plan
	// Criteria are the criteria that the judge scores, in the rubric's order.
	Criteria []string
	// Unlabeled are the rubric's other criteria, which have no labels.
	Unlabeled []string

	subject   *calibration.Subject
	items     []calibration.Item
	prompt    *string        // the digest of the judge's prompt, nil before the first answer
	questions []question     // in the order of the items
	place     map[string]int // index of each item in its file, by ID
	attempts  map[key][]calibration.Answer

	journal *Journal
	ended   bool // all questions were asked
}

// NewRun starts or resumes a run of a judge, whose answers are in the journal. The dataset
// must be read after the journal is opened. Without a journal, the run can't ask.
func NewRun(d *calibration.Dataset, s *calibration.Subject, judge string, j *Journal, p Plan) (*Run, error) {
	r := &Run{
		Plan: p, subject: s, journal: j, items: d.Items, place: map[string]int{},
		attempts: map[key][]calibration.Answer{},
	}
	known := d.Judge(judge)
	if known == nil {
		known = &calibration.Judge{Name: judge}
	}
	r.Criteria = s.Names(func(name string) bool { return len(d.Digests(name)) > 0 })
	r.Unlabeled = s.Names(func(name string) bool { return len(d.Digests(name)) == 0 })
	if err := r.choose(known, p.Name); err != nil {
		return nil, err
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	if len(r.Criteria) == 0 {
		return nil, fmt.Errorf("no criterion of %s has labels in the dataset %s, so there is nothing to ask the judge",
			s.Rubric.ID, d.Name)
	}
	if len(d.Items) == 0 {
		return nil, fmt.Errorf("the dataset %s has no items, so there is nothing to ask the judge", d.Name)
	}
	r.fill()
	for _, a := range known.Answers {
		if a.Run == r.Name {
			r.attempts[key{a.Item, a.Repeat}] = append(r.attempts[key{a.Item, a.Repeat}], a)
			if len(a.Scores) > 0 {
				r.prompt = &a.PromptDigest
			}
		}
	}
	return r, nil
}

// choose sets the name of the run, and the start if it resumes an existing run.
func (r *Run) choose(known *calibration.Judge, name string) error {
	for n := 1; ; n++ {
		r.Name = cmp.Or(name, r.Start.Date)
		if name == "" && n > 1 {
			r.Name += fmt.Sprintf("-%d", n)
		}
		run := known.Run(r.Name)
		if run == nil {
			return r.order(known)
		}
		different := r.differs(run)
		if later := known.Follower(run); different == nil && r.Repeats > 0 && later != nil {
			different = fmt.Errorf("run %s was followed by run %s, so it gets no more answers. Use another --run",
				r.Name, later.Name)
		}
		lost := run.WasStopped() && r.isLost(run.Items*max(run.Repeats, 1), run.Open, run.Lost)
		if different == nil && (name != "" || !lost) {
			r.Start = run.Start()
			return nil
		}
		if name != "" {
			return different
		}
	}
}

// order makes sure that a new run has its place among those of the judge: their names do not order them.
// One that begins in the second of another begins in the next.
func (r *Run) order(known *calibration.Judge) error {
	for _, other := range known.Runs() {
		start := r.Start
		start.Run = r.Name
		if start.Compare(other.Start()) != 0 {
			continue
		}
		at, err := time.Parse(time.RFC3339, start.Time)
		if !r.Now || err != nil {
			return fmt.Errorf("run %s began at %s, too, and nothing says which was first: names do not. Give --date the time at which this one began, such as %sT09:30:00Z",
				other.Name, start, start.Date)
		}
		r.Start = calibration.StartAt(at.Add(time.Second))
	}
	return nil
}

// isLost reports whether a run would count against the judge if it were finished: of all questions,
// none has a readable answer, or too few can get one.
func (r *Run) isLost(all, open, lost int) bool {
	return lost > 0 && (open+lost == all || float64(all-lost) < r.Coverage*float64(all))
}

// differs returns why a run can't be resumed, or nil if it can.
func (r *Run) differs(o *calibration.Run) error {
	switch {
	case !r.Now && r.Start.Time != "" && o.Started != r.Start.Time:
		return fmt.Errorf("run %s began at %s, not at %s: the start of a run does not change. Use another --run",
			o.Name, o.Start(), r.Start)
	case o.Model != r.Model:
		return fmt.Errorf("run %s was answered by the model %q, not %q: a run can't mix models. Use another --run",
			o.Name, o.Model, r.Model)
	case o.Items == 0:
		return fmt.Errorf("run %s was recorded by an earlier program, whose runs can't be continued. Use another --run", o.Name)
	case o.Items != len(r.items):
		return fmt.Errorf("run %s began when the dataset had %d items, and now it has %d. Use another --run",
			o.Name, o.Items, len(r.items))
	case r.Repeats == 0 && o.Prompt != r.Prompt:
		return fmt.Errorf("run %s is by %s, not by %s: all answers of a run are by one prompt. Use another --run",
			o.Name, promptText(o.Prompt), promptText(r.Prompt))
	case r.Repeats > 0 && o.Repeats != r.Repeats:
		return fmt.Errorf("run %s began with --repeats %d, not %d: the repeats of a run do not change. Use --repeats %[2]d or another --run",
			o.Name, o.Repeats, r.Repeats)
	case o.Digest != r.subject.Digest:
		return fmt.Errorf("run %s was answered for a different wording of %s: a run can't mix wordings. Use another --run",
			o.Name, r.subject.Rubric.ID)
	}
	for _, a := range o.Answers {
		for _, name := range r.Criteria {
			if _, ok := a.Scores[name]; !ok && a.Error == "" {
				return fmt.Errorf("run %s was answered without a score for %s, and recorded answers do not change. Use another --run", o.Name, name)
			}
		}
	}
	return nil
}

func promptText(digest string) string {
	if digest == "" {
		return "an unknown prompt"
	}
	return "the prompt " + digest
}

// HasUnknownPrompt reports whether the run has scores, and nothing says by which prompt.
func (r *Run) HasUnknownPrompt() bool { return r.prompt != nil && *r.prompt == "" }

// check returns an error if the answers of the run could not be read again.
func (r *Run) check() error {
	a := r.Answer()
	a.Item, a.Error = "x", "none"
	line, err := marshal(a)
	if err != nil {
		return err
	}
	if d := document.ParseRun(source.NewFile("answer.json", line), &document.Answer); len(d.Problems) > 0 {
		return errors.New(d.Problems[0].Message)
	}
	if !calibration.IsJudgeName(r.Name) {
		return fmt.Errorf("--run: %s can't be the name of a file: expected at most 64 lowercase letters and digits with single dashes or underscores", schema.Quote(r.Name))
	}
	return nil
}

// Answer returns what all answers of the run have in common.
func (r *Run) Answer() calibration.Answer {
	a := calibration.Answer{
		Run: r.Name, Model: r.Model, Date: r.Start.Date, Started: r.Start.Time,
		Digest: r.subject.Digest, Items: len(r.items),
	}
	if r.Repeats > 1 { // the default
		a.Repeats = r.Repeats
	}
	if r.Repeats == 0 {
		a.PromptDigest, a.Imported = r.Prompt, true
	}
	return a
}

// RecordedAnswers returns all attempts of the run, in the order of the items and repeats.
func (r *Run) RecordedAnswers() []calibration.Answer {
	all := slices.Concat(slices.Collect(maps.Values(r.attempts))...)
	slices.SortFunc(all, func(a, b calibration.Answer) int {
		return cmp.Or(cmp.Compare(r.place[a.Item], r.place[b.Item]), cmp.Compare(a.Repeat, b.Repeat),
			cmp.Compare(a.Attempt, b.Attempt))
	})
	return all
}

// Import records answers that no question was asked for, and that the run does not have.
// Without a journal, nothing is written.
func (r *Run) Import(answers []calibration.Answer) error {
	for _, a := range answers {
		a.Labels = r.items[r.place[a.Item]].AnsweredCriteria()
		r.attempts[key{a.Item, a.Repeat}] = []calibration.Answer{a}
	}
	if len(answers) == 0 || r.journal == nil {
		return nil
	}
	return r.finish()
}

func (r *Run) fill() {
	number := numbers(r.Name, r.items)
	for i := range r.items {
		item := &r.items[i]
		r.place[item.ID] = i
		for repeat := range max(r.Repeats, 1) {
			r.questions = append(r.questions, question{item, number[item.ID], repeat + 1})
		}
	}
}

// answer returns the answer to a question, or nil and whether it can be asked.
func (r *Run) answer(q question) (answer *calibration.Answer, open bool) {
	attempts := r.attempts[q.key()]
	if i := slices.IndexFunc(attempts, func(a calibration.Answer) bool { return a.Unavailable == "" }); i >= 0 {
		return &attempts[i], false
	}
	return nil, len(attempts) < document.MostAttempts
}

// Count counts the questions of a run: all, those with a readable answer, those with an
// unreadable one, and those that can still be asked.
type Count struct{ All, Answered, Unreadable, Open int }

// IsLost reports whether the run would count against the judge if it were finished.
func (r *Run) IsLost() bool {
	n := r.Count()
	return r.isLost(n.All, n.Open, n.All-n.Answered-n.Open)
}

// MissingAnswers returns how many questions have no readable answer.
func (n Count) MissingAnswers() int { return n.All - n.Answered }

// Count counts the questions.
func (r *Run) Count() Count {
	n := Count{All: len(r.questions)}
	for _, q := range r.questions {
		switch answer, open := r.answer(q); {
		case open:
			n.Open++
		case answer == nil: // the judge was unavailable in each attempt
		case answer.Error != "":
			n.Unreadable++
		default:
			n.Answered++
		}
	}
	return n
}

// record appends an attempt to the file. It returns the failure of the attempt, if any.
func (r *Run) record(q question, res *response, f *Failure) (*Failure, error) {
	a := r.Answer()
	a.Item, a.Repeat, a.Labels = q.item.ID, q.repeat, q.item.AnsweredCriteria()
	if before := len(r.attempts[q.key()]); before > 0 {
		a.Attempt = before + 1
	}
	if f != nil {
		a.Error = f.Reason
		if f.Unavailable {
			a.Error, a.Unavailable = "", f.Reason
		}
		f.Subject = "item " + a.Item
		if a.Repeat > 1 {
			f.Subject += fmt.Sprintf(", repeat %d", a.Repeat)
		}
	} else {
		if err := r.sameJudge(res); err != nil {
			_, wrong := r.record(q, nil, &Failure{Reason: err.Error()})
			return nil, cmp.Or(wrong, err)
		}
		a.Scores, a.Reasons, a.PromptDigest, a.Usage = res.Scores, res.Reasons, res.PromptDigest, res.Usage
	}
	line, err := marshal(a)
	if err != nil {
		return nil, err
	}
	if len(line) > safefile.MaxLine {
		return r.record(q, nil, &Failure{Reason: fmt.Sprintf("the answer takes more than %d KiB", safefile.MaxLine>>10)})
	}
	if err := r.journal.Append(line); err != nil {
		return nil, err
	}
	r.attempts[q.key()] = append(r.attempts[q.key()], a)
	return f, nil
}

// finish writes the file: the attempts, in the order of the items and repeats. Each recorded
// line stays as it was.
func (r *Run) finish() error {
	var data []byte
	for _, a := range r.RecordedAnswers() {
		if a.Line > 0 {
			data = append(append(data, a.Text()...), '\n')
			continue
		}
		a.Ended = r.ended
		line, err := marshal(a)
		if err != nil {
			return err
		}
		data = append(data, line...)
	}
	return r.journal.Replace(data)
}
