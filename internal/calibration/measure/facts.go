package measure

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/text/duplicate"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

// Facts are counts of what could have been chosen after answers were seen. They decide nothing,
// except that copies and equal texts count once.
type Facts struct {
	// Averaged is how many answers a score is the mean of, 0 for one.
	Averaged int `json:"answers_averaged,omitempty"`
	// After is the first run of any judge, "" if nothing was added after it. Items and labels of
	// earlier items were added after it.
	After       string `json:"first_run,omitempty"`
	ItemsAfter  int    `json:"items_added,omitempty"`
	LabelsAfter int    `json:"labels_added,omitempty"`
	// ItemsRemoved counts the items that are known to be gone.
	ItemsRemoved int `json:"items_removed,omitempty"`
	// Judges and Runs count those that were tried on the items, and Stopped the runs that did not end.
	// They are 0 for the runs of one judge that all ended.
	Judges  int `json:"judges,omitempty"`
	Runs    int `json:"runs,omitempty"`
	Stopped int `json:"runs_stopped,omitempty"`
	// Datasets counts the other datasets for the rubric in which judges answered, and DatasetRuns their runs.
	Datasets    int `json:"other_datasets,omitempty"`
	DatasetRuns int `json:"runs_in_other_datasets,omitempty"`
	// SameAsOther counts the runs of the judge that have the answers of another judge.
	SameAsOther int `json:"runs_of_other_judge,omitempty"`
	// CopiedRuns counts the runs of the judge that were imported with the answers of another one, with
	// which they count as one, and EqualRuns the others that gave the answers of an earlier one, or 99% of them.
	CopiedRuns int `json:"runs_copied,omitempty"`
	EqualRuns  int `json:"runs_equal,omitempty"`
	// EqualTexts counts the items that have the text of another one, and count with it as one. Similar
	// counts those whose text is similar to another, and DevTexts those that have the text of an item
	// that prompts were tuned on.
	EqualTexts int `json:"equal_texts,omitempty"`
	Similar    int `json:"similar_texts,omitempty"`
	DevTexts   int `json:"dev_texts,omitempty"`
	// Together counts the labels that reached the history in the same commit as answers.
	Together int `json:"labels_committed_with_answers,omitempty"`
	Copies
}

// Facts are those about a run, or about the labels alone if it is nil.
func (meter *Meter) Facts(run *calibration.Run) Facts {
	d, of := meter.dataset, meter.countRun(run)
	f := Facts{
		Copies: of.copies, EqualTexts: of.asked.equalTexts(), Similar: of.similarTexts(),
		DevTexts: meter.devTexts(of.Items),
	}
	f.countAdded(d, of.asked, meter.firsts)
	f.ItemsRemoved = max(d.Removed, removed(d))
	all := meter.allRuns()
	f.countTried(all)
	f.Together = d.Together
	elsewhere := d.Elsewhere[meter.subject.Rubric.ID]
	f.Datasets, f.DatasetRuns = elsewhere.Datasets, elsewhere.Runs
	if run != nil {
		if repeats := run.Identity().Repeats; repeats > 1 {
			f.Averaged = repeats
		}
		if judge := d.Judge(run.Judge); judge != nil {
			f.countRepeated(judge, run)
		}
		f.ofOthers(all, run.Identity())
	}
	return f
}

// countAdded counts what was added after the first run. An item that it did not answer can have been
// there, as many as it had without an answer.
func (f *Facts) countAdded(d *calibration.Dataset, of *asked, firsts calibration.Firsts) {
	if firsts.First == nil {
		return
	}
	begin, answered := firsts.First.Start(), 0
	byFirst := func(item string) bool {
		a := firsts.ByItem[item]
		return a != nil && a.Start() == begin
	}
	for item := range firsts.ByItem {
		if byFirst(item) {
			answered++
		}
	}
	for i := range of.test {
		item := &of.test[i]
		if !byFirst(item.ID) {
			f.ItemsAfter++
		}
		for rater, labels := range item.Labels {
			for criterion := range labels {
				if firsts.IsLater(item.ID, rater, criterion) {
					f.LabelsAfter++
				}
			}
		}
	}
	f.ItemsAfter = max(0, f.ItemsAfter-max(0, firsts.First.Items-answered-d.Removed))
	if f.ItemsAfter+f.LabelsAfter > 0 {
		f.After = begin.Run
	}
}

// removed counts the items that must be gone, because a run asked about more than there are.
func removed(d *calibration.Dataset) (most int) {
	for i := range d.Judges {
		for k := range d.Judges[i].Answers {
			most = max(most, d.Judges[i].Answers[k].Items-len(d.Items))
		}
	}
	return most
}

// countTried counts the judges and runs, if there is more than the runs of one judge that all ended. A run
// without a readable answer does not say which judge it was.
func (f *Facts) countTried(all []calibration.Run) {
	judges := map[calibration.Identity]bool{}
	for i := range all {
		run := &all[i]
		if run.WasStopped() {
			f.Stopped++
		}
		if slices.ContainsFunc(run.Answers, func(a calibration.Answer) bool { return len(a.Scores) > 0 }) {
			judges[run.Identity()] = true
		}
	}
	if len(judges) > 1 || f.Stopped > 0 {
		f.Judges, f.Runs = len(judges), len(all)
	}
}

// countRepeated counts the runs of the judge that have the answers of another one.
func (f *Facts) countRepeated(judge *calibration.Judge, run *calibration.Run) {
	other := func(r calibration.Run) bool { return r.Identity() != run.Identity() }
	counted := slices.DeleteFunc(judge.CountedRuns(), other)
	ended := slices.DeleteFunc(judge.Runs(), func(r calibration.Run) bool { return other(r) || r.WasStopped() })
	f.CopiedRuns = len(ended) - len(counted)
	for i := range counted {
		if slices.ContainsFunc(counted[:i], func(before calibration.Run) bool { return repeats(&counted[i], &before) }) {
			f.EqualRuns++
		}
	}
}

// repeats reports whether two runs have the same answers, or so many that it takes a look to tell.
func repeats(run, other *calibration.Run) bool {
	same, common := run.EqualAnswers(other)
	return common > 0 && same == common || (Equal{Same: same, Common: common}).isCopy()
}

// ofOthers counts the runs of a judge that have the answers of another judge, as if both were one. A
// run that was stopped has few answers, which can be equal by chance.
func (f *Facts) ofOthers(all []calibration.Run, judge calibration.Identity) {
	var own, others []calibration.Run
	for _, run := range all {
		switch {
		case run.WasStopped():
		case run.Identity() == judge:
			own = append(own, run)
		default:
			others = append(others, run)
		}
	}
	for i := range own {
		if slices.ContainsFunc(others, func(other calibration.Run) bool { return repeats(&own[i], &other) }) {
			f.SameAsOther++
		}
	}
}

// allRuns are those of all judges.
func (meter *Meter) allRuns() (all []calibration.Run) {
	for i := range meter.dataset.Judges {
		all = append(all, meter.dataset.Judges[i].Runs()...)
	}
	return all
}

// similarTexts counts the items whose text is similar to that of an earlier one.
func (c *counted) similarTexts() int {
	if c.similar != nil {
		return *c.similar
	}
	var index duplicate.Index
	c.similar = new(0)
	for i := range c.Items {
		sketch := duplicate.SketchOfShort(wording.Read(c.Items[i].Artifact).Words())
		if sketch == nil {
			continue
		}
		if _, _, found := index.Find(sketch, func(int) bool { return true }); found {
			*c.similar++
		}
		index.Add(sketch)
	}
	return *c.similar
}

// devTexts counts the items that have the text of a dev item.
func (meter *Meter) devTexts(items []calibration.Item) (n int) {
	dev := map[string]bool{}
	for i := range meter.dataset.Items {
		if item := &meter.dataset.Items[i]; item.Split == calibration.Dev {
			dev[meter.texts.keyOf(item)] = true
		}
	}
	for i := range items {
		if dev[meter.texts.keyOf(&items[i])] {
			n++
		}
	}
	return n
}
