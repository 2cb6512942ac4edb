package labels

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// mostLine is the size in bytes of the longest line of items.jsonl that is read.
const mostLine = 1 << 20

// Merged is the items of a dataset with the labels of a file.
type Merged struct {
	// Items is the new content of items.jsonl. Lines that get no label, and what
	// others held before, are as they were.
	Items []byte
	// NewItems counts items that were not there, and Unlabelled those of them that
	// have no label.
	NewItems, Unlabelled int
	// NewLabels counts labels that were not there, Replaced those that were another
	// before, and Unchanged those that were there already.
	NewLabels, Replaced, Unchanged int
	// Raters are those of the new labels, in the order of the file.
	Raters []string
}

// Merge adds the labels of a file to the items of a dataset. items is items.jsonl
// as the dataset was read from it, and can be empty. A label that is there is only
// changed with replace. With problems, which are all and have their places in the
// file of labels, nothing was merged.
func Merge(d *calibration.Dataset, items *source.File, l *Labels, replace bool) (*Merged, []source.Problem) {
	m := &merger{file: items, replace: replace, merged: &Merged{}, there: map[string]*calibration.Item{}}
	for i := range d.Items {
		m.there[d.Items[i].ID] = &d.Items[i]
	}
	for _, item := range l.Items {
		if there := m.there[item.ID]; there != nil {
			m.known(item, there)
		} else {
			m.unknown(item)
		}
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
	merged   *Merged
	there    map[string]*calibration.Item
	edits    []source.Edit
	added    bytes.Buffer
	problems []source.Problem
}

func (m *merger) report(p source.Problem) { m.problems = append(m.problems, p) }

// unknown adds an item.
func (m *merger) unknown(item *Item) {
	if item.Artifact == "" {
		m.report(item.place.problem(CodeCell, fmt.Sprintf(
			"found the item %s, which the dataset does not have, expected its text in a column artifact. Give the text, or mend the ID.", schema.Quote(item.ID))))
		return
	}
	full := calibration.Item{ID: item.ID, Artifact: item.Artifact, Inputs: item.Inputs, Labels: map[string]map[string]int{}}
	for _, label := range item.Labels {
		if full.Labels[label.Rater] == nil {
			full.Labels[label.Rater] = map[string]int{}
		}
		full.Labels[label.Rater][label.Criterion] = label.Value
		m.counted(label)
	}
	line := encode(full)
	if problem := checkLine(line); problem != "" {
		m.report(item.text.problem(CodeCell, fmt.Sprintf("the item %s can't be kept. %s", schema.Quote(item.ID), problem)))
		return
	}
	m.merged.NewItems++
	if len(item.Labels) == 0 {
		m.merged.Unlabelled++
	}
	m.added.Write(line)
	m.added.WriteByte('\n')
}

// encode is an item as a line without its end.
func encode(item calibration.Item) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(item) // texts and whole numbers can always be written
	return yamltree.Escape(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// checkLine says why a line could not be read again, or "".
func checkLine(line []byte) string {
	if len(line) > mostLine {
		return fmt.Sprintf("Its line would have %d bytes, more than the %d that are read. Shorten its texts.", len(line), mostLine)
	}
	if d := parseItem(line); len(d.Problems) > 0 {
		return d.Problems[0].Message
	}
	return ""
}

func parseItem(line []byte) *document.Document {
	return document.ParseRun(source.NewFile(calibration.ItemsFile+".json", line), &document.Item)
}

// counted counts a new label and its rater.
func (m *merger) counted(label Label) {
	m.merged.NewLabels++
	if !slices.Contains(m.merged.Raters, label.Rater) {
		m.merged.Raters = append(m.merged.Raters, label.Rater)
	}
}

// known adds labels to an item that is there.
func (m *merger) known(item *Item, there *calibration.Item) {
	m.sameTexts(item, there)
	var added, replaced []Label
	for _, label := range item.Labels {
		switch value := there.Labels[label.Rater][label.Criterion]; {
		case value == 0:
			added = append(added, label)
		case value == label.Value:
			m.merged.Unchanged++
		case m.replace:
			replaced = append(replaced, label)
		default:
			m.report(label.place.problem(CodeConflict, fmt.Sprintf(
				"found %d, and the dataset has %d as the label of %s for the %s of item %s. Labels are only changed with --replace.",
				label.Value, value, label.Rater, label.Criterion, item.ID)))
		}
	}
	if len(added)+len(replaced) > 0 {
		m.edit(item, m.file.LineSpan(there.Line), added, replaced)
	}
}

// sameTexts reports texts that are not those of the dataset: labels of another
// text say nothing of this one.
func (m *merger) sameTexts(item *Item, there *calibration.Item) {
	if item.Artifact != "" && !sameText(item.Artifact, there.Artifact) {
		m.report(item.text.problem(CodeConflict, fmt.Sprintf("found %s, and the dataset has %s for item %s. Labels of another text need another ID.",
			schema.Quote(item.Artifact), schema.Quote(there.Artifact), item.ID)))
	}
	for _, key := range slices.Sorted(maps.Keys(item.Inputs)) {
		if text := item.Inputs[key]; !sameText(text, there.Inputs[key]) {
			m.report(item.place.problem(CodeConflict, fmt.Sprintf("found %s as the input %s, and the dataset has %s for item %s. Put it back, or remove the column.",
				schema.Quote(text), key, schema.Quote(there.Inputs[key]), item.ID)))
		}
	}
}

// edit writes labels into the line of an item, and nothing else.
func (m *merger) edit(item *Item, span source.Span, added, replaced []Label) {
	line := m.file.Data[span.Start:span.End]
	labels := parseItem(line).Root().Get("labels")
	var edits []source.Edit
	for _, label := range replaced {
		value := labels.Get(label.Rater).Get(label.Criterion)
		edits = append(edits, source.Edit{Span: value.Span, Text: strconv.Itoa(label.Value)})
		m.merged.Replaced++
	}
	for _, rater := range ratersOf(added) {
		edits = append(edits, insertion(labels, rater, added))
	}
	for _, label := range added {
		m.counted(label)
	}
	edits = joined(edits)
	after, err := source.Apply(line, edits)
	problem := ""
	if err != nil {
		problem = err.Error()
	} else {
		problem = checkLine(after)
	}
	if problem != "" {
		m.report(item.place.problem(CodeCell, fmt.Sprintf("the labels of item %s can't be added. %s", schema.Quote(item.ID), problem)))
	}
	for _, e := range edits {
		e.Start += span.Start
		e.End += span.Start
		m.edits = append(m.edits, e)
	}
}

// ratersOf are the raters of labels, in their order.
func ratersOf(labels []Label) []string {
	var raters []string
	for _, label := range labels {
		if !slices.Contains(raters, label.Rater) {
			raters = append(raters, label.Rater)
		}
	}
	return raters
}

// insertion adds the labels of a rater at the end of those that the rater has, or
// the rater at the end of all.
func insertion(labels *yamltree.Node, rater string, added []Label) source.Edit {
	var pairs []string
	for _, label := range added {
		if label.Rater == rater {
			pairs = append(pairs, fmt.Sprintf("%q:%d", label.Criterion, label.Value))
		}
	}
	text := strings.Join(pairs, ",")
	into := labels.Get(rater)
	if into == nil {
		into, text = labels, fmt.Sprintf("%q:{%s}", rater, text)
	}
	if len(into.Entries) > 0 {
		text = "," + text
	}
	end := into.Span.End - 1 // before the bracket
	return source.Edit{Span: source.Span{Start: end, End: end}, Text: text}
}

// joined puts insertions at one place into one edit, in their order.
func joined(edits []source.Edit) []source.Edit {
	slices.SortStableFunc(edits, func(a, b source.Edit) int { return cmp.Compare(a.Start, b.Start) })
	var out []source.Edit
	for _, e := range edits {
		if last := len(out) - 1; last >= 0 && out[last].Span == e.Span {
			out[last].Text += "," + strings.TrimPrefix(e.Text, ",")
			continue
		}
		out = append(out, e)
	}
	return out
}
