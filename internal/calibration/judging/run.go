package judging

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// Plan has the settings of a run.
type Plan struct {
	// Name is the name of the run. The default is the date, with a suffix such as -2
	// if a run of that date has a different wording or model.
	Name string
	// Model is the exact name of the model that the judge uses.
	Model string
	// Date is the date of a new run, such as 2026-11-21.
	Date string
	// Repeats is how often the judge is asked about each item, at least 1.
	Repeats int
}

// Run is a run of a judge: the items of a dataset with the answers so far.
type Run struct {
	Name string
	// Criteria are the criteria that the judge scores, in the rubric's order.
	Criteria []string
	// Unlabeled are the rubric's other criteria, which have no labels.
	Unlabeled []string

	subject     *calibration.Subject
	model, date string
	prompt      *string        // the digest of the judge's prompt, nil before the first answer
	questions   []question     // in the order of the items
	place       map[string]int // index of each item in its file, by ID
	answers     map[key]calibration.Answer

	journal *Journal
	// before and after are the lines of other runs.
	before, after [][]byte
}

// NewRun starts or resumes a run of the judge whose answers are in the journal. The
// dataset must be read after the journal is opened. Without a journal, the run can't ask.
func NewRun(d *calibration.Dataset, s *calibration.Subject, judge string, j *Journal, p Plan) (*Run, error) {
	r := &Run{subject: s, model: p.Model, date: p.Date, journal: j, place: map[string]int{}, answers: map[key]calibration.Answer{}}
	known := d.Judge(judge)
	if known == nil {
		known = &calibration.Judge{Name: judge}
	}
	if err := r.choose(known.Runs(), p.Name); err != nil {
		return nil, err
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	for _, c := range s.Rubric.Criteria {
		if slices.ContainsFunc(d.Criteria, func(l calibration.Labeled) bool { return l.Name == c.Name }) {
			r.Criteria = append(r.Criteria, c.Name)
		} else {
			r.Unlabeled = append(r.Unlabeled, c.Name)
		}
	}
	if len(r.Criteria) == 0 {
		return nil, fmt.Errorf("no criterion of %s has labels in the dataset %s, so there is nothing to ask the judge", s.Rubric.ID, d.Name)
	}
	if len(d.Items) == 0 {
		return nil, fmt.Errorf("the dataset %s has no items, so there is nothing to ask the judge", d.Name)
	}
	r.fill(d.Items, p.Repeats)
	r.load(known)
	return r, nil
}

// choose sets the name of the run, and the date if it resumes an existing run.
func (r *Run) choose(runs []calibration.Run, name string) error {
	given := name != ""
	for n := 1; ; n++ {
		switch {
		case given:
			r.Name = name
		case n == 1:
			r.Name = r.date
		default:
			r.Name = fmt.Sprintf("%s-%d", r.date, n)
		}
		i := slices.IndexFunc(runs, func(o calibration.Run) bool { return o.Name == r.Name })
		if i < 0 {
			return nil
		}
		different := r.differs(runs[i])
		if different == nil {
			r.date = runs[i].Date
			return nil
		}
		if given {
			return different
		}
	}
}

// differs returns why a run can't be resumed, or nil if it can.
func (r *Run) differs(o calibration.Run) error {
	switch {
	case o.Model != r.model:
		return fmt.Errorf("run %s was answered by the model %q, not %q: a run can't mix models. Use another --run", o.Name, o.Model, r.model)
	case o.Digest != r.subject.Digest:
		return fmt.Errorf("run %s was answered for a different wording of %s: a run can't mix wordings. Use another --run", o.Name, r.subject.Rubric.ID)
	}
	return nil
}

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
	return nil
}

// Answer returns what all answers of the run have in common.
func (r *Run) Answer() calibration.Answer {
	return calibration.Answer{Run: r.Name, Model: r.model, Date: r.date, Digest: r.subject.Digest}
}

// Recorded returns the answers of the run, in no order.
func (r *Run) Recorded() []calibration.Answer { return slices.Collect(maps.Values(r.answers)) }

// Import records answers that no question was asked for, and that the run does not have.
// Without a journal, nothing is written.
func (r *Run) Import(answers []calibration.Answer) error {
	if len(answers) > 0 && r.prompt != nil && *r.prompt != "" {
		return fmt.Errorf("run %s names the judge's prompt, which imported scores do not, and all answers of a run are by one prompt. Import into another run with --run", r.Name)
	}
	for _, a := range answers {
		r.answers[key{a.Item, a.Repeat}] = a
	}
	if len(answers) == 0 || r.journal == nil {
		return nil
	}
	return r.finish()
}

func (r *Run) fill(items []calibration.Item, repeats int) {
	number := numbers(r.Name, items)
	for i := range items {
		item := &items[i]
		r.place[item.ID] = i
		for repeat := 1; repeat <= max(repeats, 1); repeat++ {
			r.questions = append(r.questions, question{item, number[item.ID], repeat})
		}
	}
}

// load reads the answers of the run and keeps the lines of other runs.
func (r *Run) load(known *calibration.Judge) {
	if known.File == nil {
		return
	}
	own := map[int]bool{}
	for _, a := range known.Answers {
		if a.Run == r.Name {
			own[a.Line] = true
			r.answers[key{a.Item, a.Repeat}] = a
			if a.Error == "" {
				r.prompt = &a.PromptDigest
			}
		}
	}
	other := &r.before
	for i, line := range bytes.Split(known.File.Data, []byte("\n")) {
		switch {
		case own[i+1]:
			other = &r.after
		case len(bytes.TrimSpace(line)) > 0:
			*other = append(*other, line)
		}
	}
}

// answered reports whether a question has a readable answer with all requested criteria.
func (r *Run) answered(q question) bool {
	a, ok := r.answers[q.key()]
	if !ok || a.Error != "" {
		return false
	}
	for _, name := range r.Criteria {
		if _, ok := a.Scores[name]; !ok {
			return false
		}
	}
	return true
}

// Count returns the number of questions, and how many have a readable answer.
func (r *Run) Count() (questions, answered int) {
	for _, q := range r.questions {
		if r.answered(q) {
			answered++
		}
	}
	return len(r.questions), answered
}

// prepare removes answers that are requested again from the file, so that a question
// never has two lines. finish restores those without a new answer.
func (r *Run) prepare(missing []question) error {
	without := maps.Clone(r.answers)
	for _, q := range missing {
		delete(without, q.key())
	}
	if len(without) == len(r.answers) {
		return nil
	}
	return r.write(without)
}

// record appends an answer, or a failure, to the file.
func (r *Run) record(q question, res *response, f *Failure) error {
	a := r.Answer()
	a.Item, a.Repeat = q.item.ID, q.repeat
	if f != nil {
		a.Error = f.Reason
		if f.Subject = "item " + a.Item; a.Repeat > 1 {
			f.Subject += fmt.Sprintf(", repeat %d", a.Repeat)
		}
	} else {
		if err := r.sameJudge(res); err != nil {
			return err
		}
		a.Scores, a.Reasons, a.PromptDigest, a.Usage = res.Scores, res.Reasons, res.PromptDigest, res.Usage
	}
	line, err := marshal(a)
	if err != nil {
		return err
	}
	if err := r.journal.Append(line); err != nil {
		return err
	}
	r.answers[q.key()] = a
	return nil
}

func (r *Run) finish() error { return r.write(r.answers) }

// write writes the file: the answers of this run, in the order of the items and repeats,
// between the lines of other runs.
func (r *Run) write(answers map[key]calibration.Answer) error {
	sorted := slices.SortedFunc(maps.Values(answers), func(a, b calibration.Answer) int {
		return cmp.Or(cmp.Compare(r.place[a.Item], r.place[b.Item]), cmp.Compare(a.Repeat, b.Repeat))
	})
	var out bytes.Buffer
	lines := func(lines [][]byte) {
		for _, line := range lines {
			out.Write(line)
			out.WriteByte('\n')
		}
	}
	lines(r.before)
	for _, a := range sorted {
		line, err := marshal(a)
		if err != nil {
			return err
		}
		out.Write(line)
	}
	lines(r.after)
	return r.journal.Replace(out.Bytes())
}
