package calibration

import "slices"

// Firsts are the first answers that could be read and that say which labels there were: to each
// item, and of all.
type Firsts struct {
	ByItem map[string]*Answer
	// First is nil if there is none.
	First *Answer
}

// FirstAnswers returns the first answers, of any judge.
func (d *Dataset) FirstAnswers() Firsts {
	f := Firsts{ByItem: map[string]*Answer{}}
	earlier := func(a, b *Answer) bool { return b == nil || a.Start().Compare(b.Start()) < 0 }
	for i := range d.Judges {
		for k := range d.Judges[i].Answers {
			a := &d.Judges[i].Answers[k]
			if a.Items == 0 || len(a.Scores) == 0 {
				continue
			}
			if earlier(a, f.ByItem[a.Item]) {
				f.ByItem[a.Item] = a
			}
			if earlier(a, f.First) {
				f.First = a
			}
		}
	}
	return f
}

// IsLater reports whether a rater labeled an item for a criterion only after a judge had answered it.
func (f Firsts) IsLater(item, rater, criterion string) bool {
	a := f.ByItem[item]
	return a != nil && !slices.Contains(a.Labels[rater], criterion)
}
