package calibration

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// Rewrite is recorded evidence that a dataset no longer has as it was.
type Rewrite struct {
	// Dataset is the name of the dataset. Item is the ID of an item, or the name of the
	// file if all items are concerned: DatasetFile.
	Dataset, Item string
	// At is the place in the head, or only the file.
	At source.Location
	// Message says what to restore, and why.
	Message string
	// Final says that no exception accepts it: recorded answers can be removed, but neither
	// changed nor added to.
	Final bool
}

// Rewrites returns what a dataset no longer has of the evidence at its base, and the answers
// that its recorded runs can't have. An item is
// evidence as soon as a run has answered it, at the base, on the target, or in the head.
// New items, raters, labels, and runs rewrite nothing, and neither does the end of a rubric that
// is gone. base is not nil; a nil head means that the dataset is gone.
func Rewrites(base, target, head *Dataset, gone map[string]bool) []Rewrite {
	rubrics := slices.DeleteFunc(slices.Clone(base.AppliesTo), func(id string) bool { return gone[id] })
	r := &rewrites{dataset: base.Name, answered: map[string]string{}}
	for _, d := range []*Dataset{head, target, base} {
		if d != nil {
			maps.Copy(r.answered, d.FirstRuns())
		}
	}
	switch {
	case len(r.answered) == 0 || head == nil && len(rubrics) == 0:
		return nil
	case head == nil:
		r.add(DatasetFile, DatasetFile, "Restore this dataset: runs of judges rely on it.")
	default:
		r.heads(base, head, rubrics)
		r.items(base, head)
		for i := range base.Judges {
			r.answers(&base.Judges[i], head.Judge(base.Judges[i].Name))
		}
		for i := range head.Judges {
			r.findAdded(&head.Judges[i], base, target)
		}
	}
	return r.found
}

type rewrites struct {
	dataset  string
	answered map[string]string // the first run that answered each item
	found    []Rewrite
}

func (r *rewrites) add(item, file, format string, args ...any) *Rewrite {
	at := source.Location{File: path.Join(Root, r.dataset, file)}
	r.found = append(r.found, Rewrite{r.dataset, item, at, fmt.Sprintf(format, args...), false})
	return &r.found[len(r.found)-1]
}

// FirstRuns returns the first run that answered each item, such as: run "2026-11-21" of gpt.
func (d *Dataset) FirstRuns() map[string]string {
	runs := map[string]string{}
	for i := range d.Judges {
		j := &d.Judges[i]
		for _, run := range j.Runs() {
			for _, a := range run.Answers {
				if runs[a.Item] == "" {
					runs[a.Item] = fmt.Sprintf("run %s of %s", schema.Quote(run.Name), j.Name)
				}
			}
		}
	}
	return runs
}

func (r *rewrites) heads(base, head *Dataset, rubrics []string) {
	var changed parts
	changed.addUnless(base.LabeledBy == head.LabeledBy, "labeled_by")
	changed.addUnless(hasAll(head.AppliesTo, rubrics), "applies_to")
	changed.addUnless(hasAll(head.Criteria, base.Criteria), "criteria")
	changed.addUnless(hasAll(head.Reaffirmed, base.Reaffirmed), "reaffirmed")
	changed.addUnless(slices.Equal(onlyOf(head.Accepted, base.Accepted), base.Accepted), "accepted")
	if len(changed) > 0 {
		r.add(DatasetFile, DatasetFile,
			"Restore the entries of %s: runs of judges rely on them. New entries may be added.", schema.Or(changed, "and"))
	}
}

// parts are the names of what is no longer what it was.
type parts []string

func (p *parts) addUnless(same bool, name string) {
	if !same {
		*p = append(*p, name)
	}
}

func hasAll[E comparable](list, wanted []E) bool {
	return !slices.ContainsFunc(wanted, func(e E) bool { return !slices.Contains(list, e) })
}

// onlyOf are the elements of a list that another one has, in their order.
func onlyOf[E comparable](list, wanted []E) []E {
	return slices.DeleteFunc(slices.Clone(list), func(e E) bool { return !slices.Contains(wanted, e) })
}

func (r *rewrites) items(base, head *Dataset) {
	now := map[string]*Item{}
	for i := range head.Items {
		now[head.Items[i].ID] = &head.Items[i]
	}
	for i := range base.Items {
		before := &base.Items[i]
		run, after := r.answered[before.ID], now[before.ID]
		switch {
		case run == "":
		case after == nil:
			r.add(before.ID, ItemsFile, "Restore the item %s: %s answered it.", schema.Quote(before.ID), run)
		default:
			if changed := before.changedParts(after); len(changed) > 0 {
				rewrite := r.add(before.ID, ItemsFile, "Restore %s of the item %s: %s answered it.",
					schema.Or(changed, "and"), schema.Quote(before.ID), run)
				rewrite.At = source.Locate(head.ItemsSource, after.Span)
			}
		}
	}
}

// changedParts lists the parts of an item that are no longer what they were. A new answer of a
// rater is no change.
func (i *Item) changedParts(now *Item) (changed parts) {
	changed.addUnless(i.Artifact == now.Artifact, "the text")
	changed.addUnless(maps.Equal(i.Inputs, now.Inputs), "the inputs")
	changed.addUnless((i.Split == Dev) == (now.Split == Dev), "the split")
	for _, rater := range slices.Sorted(maps.Keys(i.Labels)) {
		for _, criterion := range slices.Sorted(maps.Keys(i.Labels[rater])) {
			label, there := now.Labels[rater][criterion]
			changed.addUnless(there && label == i.Labels[rater][criterion], "the label of "+rater+" for "+criterion)
		}
	}
	for _, rater := range slices.Sorted(maps.Keys(i.CannotTell)) {
		changed.addUnless(hasAll(now.CannotTell[rater], i.CannotTell[rater]), "what "+rater+" could not tell")
	}
	return changed
}

// answers compares the recorded answers of a judge. now is nil if they are gone.
func (r *rewrites) answers(before, now *Judge) {
	var old, current [][]byte
	for _, a := range before.Answers {
		old = append(old, a.Text())
	}
	answered := map[[2]string]bool{} // by run and item
	if now != nil {
		for _, a := range now.Answers {
			current = append(current, a.Text())
			answered[[2]string{a.Run, a.Item}] = true
		}
	}
	gone, changed, told := lost(old, current), map[string]bool{}, map[string]bool{} // by item
	for _, i := range gone {
		a := &before.Answers[i]
		changed[a.Item] = changed[a.Item] || answered[[2]string{a.Run, a.Item}]
	}
	for _, rewrite := range r.found {
		told[rewrite.Item] = !changed[rewrite.Item]
	}
	for _, i := range gone {
		a := &before.Answers[i]
		if told[a.Item] {
			continue
		}
		told[a.Item] = true
		rewrite := r.add(a.Item, strings.TrimPrefix(a.File.Path, path.Join(Root, r.dataset)+"/"),
			"Restore the answer of run %s for the item %s as it was recorded, after the answers before it.",
			schema.Quote(a.Run), schema.Quote(a.Item))
		rewrite.Final = changed[a.Item]
	}
}

// findAdded finds answers that a recorded run can't get: one more repeat, or any after a later
// run of the judge. Otherwise, answers could be added until a run says what it should.
func (r *rewrites) findAdded(now *Judge, earlier ...*Dataset) {
	known, repeats, followed := map[string]bool{}, map[string]int{}, map[string]string{} // by line, and by run
	for _, d := range earlier {
		if d == nil || d.Judge(now.Name) == nil {
			continue
		}
		before := d.Judge(now.Name)
		for i := range before.Answers {
			known[string(before.Answers[i].Text())] = true
		}
		for _, run := range before.Runs() {
			repeats[run.Name] = run.Repeats
			if later := before.Follower(&run); later != nil {
				followed[run.Name] = later.Name
			}
		}
	}
	told := map[string]bool{} // by item
	for _, rewrite := range r.found {
		told[rewrite.Item] = told[rewrite.Item] || rewrite.Final
	}
	for i := range now.Answers {
		a := &now.Answers[i]
		most, later, why := repeats[a.Run], followed[a.Run], ""
		switch {
		case most == 0 || known[string(a.Text())] || told[a.Item]:
			continue
		case later != "":
			why = fmt.Sprintf("run %s followed, so this one gets no more answers.", schema.Quote(later))
		case max(a.Repeat, a.Repeats) > most:
			why = fmt.Sprintf("the number of repeats of a recorded run does not grow, and here it is %d.", most)
		default:
			continue
		}
		told[a.Item] = true
		rewrite := r.add(a.Item, "",
			"Remove the answer that was added to run %s for the item %s: %s", schema.Quote(a.Run), schema.Quote(a.Item), why)
		rewrite.At, rewrite.Final = source.Locate(a.File, a.File.LineSpan(a.Line)), true
	}
}

// lost returns the index of each old line that the current lines do not have, in their
// order. There may be new lines between them.
func lost(old, current [][]byte) (indexes []int) {
	places := map[string][]int{}
	for i, line := range current {
		places[string(line)] = append(places[string(line)], i)
	}
	next := 0
	for i, line := range old {
		list := places[string(line)]
		if at, _ := slices.BinarySearch(list, next); at < len(list) {
			next = list[at] + 1
		} else {
			indexes = append(indexes, i)
		}
	}
	return indexes
}
