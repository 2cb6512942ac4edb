package labels

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/jsontext"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// Merged is the items of a dataset with the labels of a file.
type Merged struct {
	// Items is the new content of items.jsonl. Lines without new labels are unchanged.
	Items []byte
	// NewItems counts new items, Unlabeled the new items without labels, and NewDev those that
	// are dev. Known counts the items that the dataset already had.
	NewItems, Unlabeled, NewDev, Known int
	// NewLabels counts new labels, CannotTell new answers that the item does not let the
	// rater tell, Replaced answers that differ from before, and Unchanged answers that the
	// dataset already had.
	NewLabels, CannotTell, Replaced, Unchanged int
	// Raters are the raters of the new labels, in the order of the file.
	Raters []string
}

// Merge adds the labels of a file to the items of a dataset. Existing labels are only
// changed if replace is set, and those of an item that a run has answered never. dev is the share
// of the new items that are put aside for tuning; other items keep their split. If there are
// problems, Merge returns all of them, with positions in the file of labels, and merges nothing.
func Merge(d *calibration.Dataset, l *Labels, replace bool, dev float64) (*Merged, []source.Problem) {
	items := cmp.Or(d.ItemsSource, source.NewFile(calibration.ItemsFile, nil))
	m := &merger{
		file: items, replace: replace, splits: newSplits(d, l, dev), merged: &Merged{},
		there: map[string]*calibration.Item{}, answered: d.FirstRuns(),
	}
	for i := range d.Items {
		m.there[d.Items[i].ID] = &d.Items[i]
	}
	for _, item := range l.Items {
		m.item(item)
	}
	if len(m.problems) > 0 {
		slices.SortStableFunc(m.problems, func(a, b source.Problem) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
		return nil, m.problems
	}
	data, err := source.Apply(items.Data, m.edits)
	if err != nil {
		return nil, []source.Problem{{Code: CodeConflict, Message: err.Error()}}
	}
	if m.added.Len() > 0 && len(data) > 0 && data[len(data)-1] != '\n' {
		data = append(data, '\n')
	}
	m.merged.Items = append(data, m.added.Bytes()...)
	return m.merged, nil
}

type merger struct {
	file     *source.File
	replace  bool
	splits   *splits
	merged   *Merged
	there    map[string]*calibration.Item
	answered map[string]string // the run that answered each item
	edits    []source.Edit
	added    bytes.Buffer
	problems []source.Problem
}

func (m *merger) report(p source.Problem) { m.problems = append(m.problems, p) }

// line returns an item as a line without line end. It reports an item that could not be
// read again.
func (m *merger) line(at place, item calibration.Item) []byte {
	line, _ := jsontext.Encode(item, "", "") // texts and numbers can always be written
	line = yamltree.Escape(line)
	if problem := problemOf(line); problem != "" {
		m.report(at.problem(CodeCell, fmt.Sprintf("the item %s can't be stored. %s", schema.Quote(item.ID), problem)))
	}
	return line
}

// problemOf says why the line of an item could not be read again, or "".
func problemOf(line []byte) string {
	if len(line) > safefile.MaxLine {
		return fmt.Sprintf("Its line would have %d bytes, more than the limit of %d. Shorten its texts.",
			len(line), safefile.MaxLine)
	}
	d := document.ParseRun(source.NewFile(calibration.ItemsFile+".json", line), &document.Item)
	if len(d.Problems) > 0 {
		return d.Problems[0].Message
	}
	return ""
}

// count counts a new answer.
func (m *merger) count(label Label) {
	if label.Value == CannotTell {
		m.merged.CannotTell++
	} else {
		m.merged.NewLabels++
	}
	if !slices.Contains(m.merged.Raters, label.Rater) {
		m.merged.Raters = append(m.merged.Raters, label.Rater)
	}
}

// item adds labels to an item: a new one, or one of the dataset, whose line is rewritten.
func (m *merger) item(item *Item) {
	there, known := m.there[item.ID]
	switch {
	case known:
		m.merged.Known++
		m.sameTexts(item, there)
	case item.Artifact == "":
		m.report(item.place.problem(CodeCell, fmt.Sprintf(
			"the item %s is not in the dataset, and its text is missing. Add the text in a column artifact, or fix the ID.", schema.Quote(item.ID))))
		return
	default:
		there = item.storedForm()
		there.Split = m.splits.chooseSplit(there)
	}
	full := cloned(there)
	changes := false
	for _, label := range item.Labels {
		if m.accepts(item.ID, label, answerOf(there, label.Rater, label.Criterion)) {
			add(&full, label)
			changes = true
		}
	}
	switch {
	case !known:
		m.merged.NewItems++
		if len(item.Labels) == 0 {
			m.merged.Unlabeled++
		}
		if full.Split == calibration.Dev {
			m.merged.NewDev++
		}
		m.added.Write(append(m.line(item.text, full), '\n'))
	case changes:
		m.edits = append(m.edits, source.Edit{Span: m.file.LineSpan(there.Line), Text: string(m.line(item.place, full))})
	}
}

// cloned is a copy of an item whose labels can be changed.
func cloned(item *calibration.Item) calibration.Item {
	full := *item
	full.Labels, full.CannotTell = map[string]map[string]float64{}, map[string][]string{}
	for rater, labels := range item.Labels {
		full.Labels[rater] = maps.Clone(labels)
	}
	for rater, criteria := range item.CannotTell {
		full.CannotTell[rater] = slices.Clone(criteria)
	}
	return full
}

// accepts reports whether a label changes what the dataset has, known, which is 0 for nothing. It
// counts the label, and reports one that must not change the dataset.
func (m *merger) accepts(id string, label Label, known float64) bool {
	switch {
	case known == label.Value:
		m.merged.Unchanged++
		return false
	case known == 0:
		m.count(label)
		return true
	case m.replace && m.answered[id] == "":
		m.merged.Replaced++
		return true
	}
	advice := "Add --replace to change labels."
	if run := m.answered[id]; run != "" {
		advice = fmt.Sprintf("Its labels stay, because %s answered it: add the label of another rater, or label a new item.", run)
	}
	m.report(label.place.problem(CodeConflict, fmt.Sprintf(
		"found %s, but the dataset has %s as the label of %s for the %s of item %s. %s",
		wordOf(label.Value), wordOf(known), label.Rater, label.Criterion, id, advice)))
	return false
}

// add adds an answer to an item, instead of another of the rater for the criterion.
func add(item *calibration.Item, label Label) {
	unsure := slices.DeleteFunc(item.CannotTell[label.Rater], func(criterion string) bool {
		return criterion == label.Criterion
	})
	if label.Value == CannotTell {
		delete(item.Labels[label.Rater], label.Criterion)
		unsure = append(unsure, label.Criterion)
		slices.Sort(unsure)
	}
	item.CannotTell[label.Rater] = unsure
	if len(unsure) == 0 {
		delete(item.CannotTell, label.Rater)
	}
	if label.Value == CannotTell {
		return
	}
	if item.Labels[label.Rater] == nil {
		item.Labels[label.Rater] = map[string]float64{}
	}
	item.Labels[label.Rater][label.Criterion] = label.Value
}

// sameTexts reports texts that differ from those of the dataset: a label is only valid
// for the text that the rater read.
func (m *merger) sameTexts(item *Item, there *calibration.Item) {
	if item.Artifact != "" && !sameText(item.Artifact, there.Artifact) {
		m.report(item.text.problem(CodeConflict, fmt.Sprintf("found %s, but the dataset has %s for item %s. Use another ID for a different text.",
			schema.Quote(item.Artifact), schema.Quote(there.Artifact), item.ID)))
	}
	for _, key := range slices.Sorted(maps.Keys(item.Inputs)) {
		if text := item.Inputs[key]; !sameText(text, there.Inputs[key]) {
			m.report(item.place.problem(CodeConflict, fmt.Sprintf("found %s as the input %s, but the dataset has %s for item %s. Restore the text or remove the column.",
				schema.Quote(text), key, schema.Quote(there.Inputs[key]), item.ID)))
		}
	}
}
