package compat

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// minimums classifies changes of minimums by their effect: a higher minimum is raised,
// a lower one is lowered, and a change that another minimum hides is patch. The minimum
// of a criterion results from its threshold and essential_minimum; the score that all
// of them guarantee hides a lower pass_threshold. A change of weights that counts no score
// more than others before is patch, and so is any where the overall score decides nothing.
//
// This is sound: if the minimum of a criterion rises, some change is major. If the
// threshold changed, that change is major, because it has the class of the minimum. If
// it did not change, the criterion is now essential, because otherwise its minimum
// would be the threshold and no higher than before. Then either it was important, and
// that change is major, or essential_minimum rose and is now the minimum, and that
// change is major. The same applies to lower minimums and minor. If the minimums are the
// same, and the overall score decides in the head, work that passed can fail by it only if
// pass_threshold is higher or the criteria count differently, and both are major.
func (w *walk) minimums(base, head *rubric.Rubric) {
	for i := range w.found {
		switch f := &w.found[i]; f.key {
		case "criteria[].threshold":
			f.threshold(base, head)
		case "scoring.essential_minimum":
			f.essentialMinimum(base, head)
		case "criteria[].relative_weight":
			f.relativeWeight(base, head)
		case "scoring.pass_threshold":
			f.passThreshold(base, head)
		}
	}
}

// classByMinimum sets the class of a change by the direction of the minimum: up (1), down
// (-1), or unchanged (0).
func (f *finding) classByMinimum(direction int) {
	f.Class = []schema.Class{f.field.Class.Lowered, schema.Patch, f.field.Class.Raised}[direction+1]
}

func (f *finding) threshold(base, head *rubric.Rubric) {
	was, is := &base.Criteria[f.index.base], &head.Criteria[f.index.head]
	before, after := base.Minimum(was), head.Minimum(is)
	from, to := schema.Decimal(before), schema.Decimal(after)
	switch {
	case before == was.Threshold && after == is.Threshold:
		f.subject = "the minimum"
	case before < after:
		f.effect = fmt.Sprintf("its minimum rises from %s to %s, so work that passed can now fail", from, to)
	case before > after:
		f.effect = fmt.Sprintf("its minimum falls from %s to %s, so %s", from, to, canPass)
	default:
		f.effect = fmt.Sprintf("its minimum stays %s, so no verdict changes", to)
	}
	f.classByMinimum(cmp.Compare(after, before))
}

// essentialMinimum classifies a change of essential_minimum. It raises the minimums
// that are now higher and equal to it, and lowers those that are now lower and were
// equal to it.
func (f *finding) essentialMinimum(base, head *rubric.Rubric) {
	up := f.Kind == Added || f.Kind == Raised
	var names []string
	for i := range head.Criteria {
		after := &head.Criteria[i]
		at := slices.IndexFunc(base.Criteria, func(c rubric.Criterion) bool { return c.Name == after.Name })
		if at < 0 {
			continue
		}
		before := &base.Criteria[at]
		was, is := base.Minimum(before), head.Minimum(after)
		raised := up && is > was && after.Weight == rubric.Essential && is == head.Scoring.EssentialMinimum
		lowered := !up && is < was && before.Weight == rubric.Essential && was == base.Scoring.EssentialMinimum
		if raised || lowered {
			names = append(names, schema.Quote(after.Name))
		}
	}
	of := schema.Or(names, "and")
	switch {
	case len(names) == 0:
		f.effect = "no criterion's minimum changes, so no verdict changes"
		f.classByMinimum(0)
	case up:
		f.effect = "the minimum of " + of + " rises, so work that passed can now fail"
	default:
		f.effect = "the minimum of " + of + " falls, so " + canPass
	}
}

// passThreshold classifies a change of pass_threshold. The minimums of the less strict
// side guarantee an overall score, so a threshold up to that score fails nothing there.
func (f *finding) passThreshold(base, head *rubric.Rubric) {
	threshold, looser := head.Scoring.PassThreshold, base
	if f.Kind == Removed || f.Kind == Lowered {
		threshold, looser = base.Scoring.PassThreshold, head
	}
	if !canFail(threshold, looser) || !overallDecides(base) && !overallDecides(head) {
		f.effect = "the minimums of the criteria guarantee it, so no verdict changes"
		f.classByMinimum(0)
	}
}

// negatives lowers the class of a change of a negative criterion whose hits are only reported, so
// that nothing more can fail.
func (w *walk) negatives(base, head *rubric.Rubric) {
	for i := range w.found {
		f := &w.found[i]
		if !strings.HasPrefix(f.key, "negative_criteria[]") {
			continue
		}
		is := negative(head, f.index.head)
		if is == nil {
			is = negative(base, f.index.base) // it was removed
		}
		if is.Effect == rubric.EffectReport && f.Class >= schema.Minor && f.Kind != Lowered {
			f.Class = schema.Minor
			if f.Kind != Renamed {
				f.effect = "its hits are only reported, so nothing fails"
			}
		}
	}
}

// negative returns the negative criterion at an index, or nil.
func negative(r *rubric.Rubric, index int) *rubric.NegativeCriterion {
	if index == alone {
		return nil
	}
	return &r.NegativeCriteria[index]
}
