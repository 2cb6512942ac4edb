package measure

import (
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
)

// PairedItems is how many test items the same two raters must both label.
const PairedItems = 30

// enoughLabels is how many labels in common it takes to tell a copy by, and copiedPercent is how
// many of 100 must be equal. Honest labels of an easy set can be equal in 95 of 100.
const (
	enoughLabels  = 100
	copiedPercent = 99
)

// Copies says which labels are those of another rater or of a judge. It names no rater, because
// statistics are public.
type Copies struct {
	// SameRaters counts the raters that count as one with another.
	SameRaters int `json:"same_raters,omitempty"`
	// SameAsJudge counts the raters that are left out because their labels are those of a judge, and
	// LabelsOfJudge their labels.
	SameAsJudge   int `json:"same_as_judge,omitempty"`
	LabelsOfJudge int `json:"labels_of_judge,omitempty"`
	// Raters is the highest share of equal labels of two raters that both count, and Judge that of a
	// rater who counts and a run of a judge. They decide nothing.
	Raters Equal `json:"equal_raters,omitzero"`
	Judge  Equal `json:"equal_to_judge,omitzero"`
}

// Equal is how many of the labels in common are equal. Run is that of a judge, or "".
type Equal struct {
	Same   int    `json:"same"`
	Common int    `json:"common"`
	Judge  string `json:"judge,omitempty"`
	Run    string `json:"run,omitempty"`
}

// Percent is the share in whole percent, rounded down: 100 means all.
func (e Equal) Percent() int { return 100 * e.Same / max(e.Common, 1) }

// IsMost reports whether more than half are equal. What people agree on less says nothing about copies.
func (e Equal) IsMost() bool { return 2*e.Same > e.Common }

func (e Equal) isCopy() bool { return e.Common >= enoughLabels && 100*e.Same >= copiedPercent*e.Common }

func (e *Equal) add(other Equal) { e.Same, e.Common = e.Same+other.Same, e.Common+other.Common }

// exceeds reports whether more speaks for a copy: the lower end of the share's interval decides,
// because few labels are equal by chance.
func (e Equal) exceeds(other Equal) bool { return e.low() > other.low() }

func (e Equal) low() float64 {
	if e.Common == 0 {
		return -1
	}
	return agreement.Share{Part: e.Same, Whole: e.Common}.Estimate().Interval.Low
}

// column has a level for each item and criterion, 0 where it is missing. Fractions are rounded: they
// hide no copy.
type column []int8

func (c column) countEqual(other column) (e Equal) {
	for i, level := range c {
		if level > 0 && other[i] > 0 {
			e.Common++
			if level == other[i] {
				e.Same++
			}
		}
	}
	return e
}

// hand is a rater with enough labels to tell, or several with fewer, who are judged together.
type hand struct {
	raters []string
	of     []column
}

func (h *hand) labels() (n int) {
	for _, c := range h.of {
		n += len(c) - countOf(c, 0)
	}
	return n
}

func countOf(c column, level int8) (n int) {
	for _, one := range c {
		if one == level {
			n++
		}
	}
	return n
}

// countEqual counts the equal labels of each rater of a hand with each of another, or of those of one
// hand with each other.
func (h *hand) countEqual(other *hand) (e Equal) {
	for i, a := range h.of {
		for j, b := range other.of {
			if h != other || j < i {
				e.add(a.countEqual(b))
			}
		}
	}
	return e
}

// copies finds the labels that are those of another rater or of a judge, in the runs that began no
// later than a run, or in all if it is nil. It returns, for each rater to be renamed, the rater with
// whom they count as one, or "" for those that are left out.
func copies(hands []*hand, runs []recorded, until *calibration.Run) (found Copies, renamed map[string]string) {
	renamed = map[string]string{}
	hands = slices.DeleteFunc(slices.Clone(hands), func(h *hand) bool {
		most, isCopy := h.mostLike(runs, until)
		switch {
		case isCopy:
			found.SameAsJudge += len(h.raters)
			found.LabelsOfJudge += h.labels()
			for _, rater := range h.raters {
				renamed[rater] = ""
			}
		case most.exceeds(found.Judge):
			found.Judge = most
		}
		return isCopy
	})
	found.renameRaters(hands, renamed)
	return found, renamed
}

// mostLike compares a hand with the runs that began no later than a run, or with all if it is nil: it
// returns the first that it is a copy of, or the one that it is most like.
func (h *hand) mostLike(runs []recorded, until *calibration.Run) (most Equal, isCopy bool) {
	for _, r := range runs {
		if until != nil && r.start.Compare(until.Start()) > 0 {
			continue
		}
		var e Equal
		for _, c := range h.of {
			e.add(c.countEqual(r.column))
		}
		e.Judge, e.Run = r.judge, r.start.Run
		if e.isCopy() {
			return e, true
		}
		if e.exceeds(most) {
			most = e
		}
	}
	return most, false
}

// renameRaters finds the hands that are copies of each other, and gives their raters the name of the
// first.
func (found *Copies) renameRaters(hands []*hand, renamed map[string]string) {
	first := map[*hand]string{} // the rater as whom a hand counts
	for i, h := range hands {
		for _, other := range hands[:i+1] {
			e := h.countEqual(other)
			switch {
			case !e.isCopy():
				if e.exceeds(found.Raters) {
					found.Raters = e
				}
			case first[other] != "":
				first[h] = first[other]
			default:
				first[h], first[other] = other.raters[0], other.raters[0]
			}
		}
		for _, rater := range h.raters {
			if one := first[h]; one != "" && one != rater {
				found.SameRaters++
				renamed[rater] = one
			}
		}
	}
}

// handsOf has the raters with enough labels to tell, and the others together: those who labeled
// before the first run, and those who only did after it, who could copy what it answered.
func handsOf(d *calibration.Dataset, firsts calibration.Firsts) []*hand {
	var hands []*hand
	early, late := &hand{}, &hand{}
	for _, rater := range d.Raters() {
		labels, isLate := make(column, 0, len(d.Items)*len(d.Criteria)), true
		for i := range d.Items {
			item := &d.Items[i]
			for _, c := range d.Criteria {
				label := level(item.Labels[rater][c.Name])
				labels = append(labels, label)
				isLate = isLate && (label == 0 || firsts.IsLater(item.ID, rater, c.Name))
			}
		}
		h := &hand{[]string{rater}, []column{labels}}
		switch few := h.labels() < enoughLabels; {
		case !few:
			hands = append(hands, h)
		case isLate:
			late.raters, late.of = append(late.raters, rater), append(late.of, labels)
		default:
			early.raters, early.of = append(early.raters, rater), append(early.of, labels)
		}
	}
	for _, h := range []*hand{early, late} {
		if len(h.raters) > 0 {
			hands = append(hands, h)
		}
	}
	return hands
}

// level is a label or a score rounded, 0 if it is missing.
func level(x float64) int8 {
	if x < agreement.Lowest {
		return 0
	}
	return int8(agreement.Round(x))
}

// recorded is the scores of a run, or one repeat of it.
type recorded struct {
	judge  string
	start  calibration.Start
	column column
}

// answersOf has the scores of each run, and those of each of its repeats.
func answersOf(d *calibration.Dataset) (all []recorded) {
	place := map[string]int{}
	for i := range d.Items {
		place[d.Items[i].ID] = i * len(d.Criteria)
	}
	for i := range d.Judges {
		sums := map[string]*sum{} // by run
		for k := range d.Judges[i].Answers {
			a := &d.Judges[i].Answers[k]
			at, known := place[a.Item]
			if !known || len(a.Scores) == 0 {
				continue
			}
			if sums[a.Run] == nil {
				size := len(d.Items) * len(d.Criteria)
				sums[a.Run] = &sum{a.Start(), make([]float64, size), make([]int, size), map[int]column{}}
			}
			sums[a.Run].add(d, a, at)
		}
		for _, name := range slices.Sorted(maps.Keys(sums)) {
			for _, c := range sums[name].columns() {
				all = append(all, recorded{d.Judges[i].Name, sums[name].start, c})
			}
		}
	}
	return all
}

// sum adds up the scores of a run.
type sum struct {
	start   calibration.Start
	of      []float64
	n       []int
	repeats map[int]column
}

func (s *sum) add(d *calibration.Dataset, a *calibration.Answer, at int) {
	if s.repeats[a.Repeat] == nil {
		s.repeats[a.Repeat] = make(column, len(s.of))
	}
	for i, c := range d.Criteria {
		if score, ok := a.Scores[c.Name]; ok {
			s.of[at+i], s.n[at+i] = s.of[at+i]+score, s.n[at+i]+1
			s.repeats[a.Repeat][at+i] = level(score)
		}
	}
}

// columns are the means, and if there are repeats, each of them.
func (s *sum) columns() []column {
	means := make(column, len(s.of))
	for i, n := range s.n {
		if n > 0 {
			means[i] = level(s.of[i] / float64(n))
		}
	}
	if len(s.repeats) == 1 {
		return []column{means}
	}
	columns := []column{means}
	for _, repeat := range slices.Sorted(maps.Keys(s.repeats)) {
		columns = append(columns, s.repeats[repeat])
	}
	return columns
}
