package compat

import (
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// negatives lowers the class of a change of a negative criterion if nothing more can fail:
// a pattern that repeats another hits nothing new, and hits with the effect report fail
// nothing.
func (w *walk) negatives(base, head *rubric.Rubric) {
	for i := range w.found {
		f := &w.found[i]
		if !strings.HasPrefix(f.key, "negative_criteria[]") {
			continue
		}
		was, is := negative(base, f.index.base), negative(head, f.index.head)
		if f.key == "negative_criteria[].fail_patterns[]" {
			f.repeats(was.FailPatterns, is.FailPatterns)
		}
		if is == nil {
			is = was // it was removed
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

// repeats classifies a change of one pattern of a negative criterion. Only the set of
// patterns matters, not how often each occurs.
func (f *finding) repeats(base, head []string) {
	comes := f.Head != nil && !slices.Contains(base, f.Head.Text)
	goes := f.Base != nil && !slices.Contains(head, f.Base.Text)
	switch {
	case comes:
	case goes:
		f.Class, f.effect = f.field.Class.Removed, "work that failed can now pass"
	default:
		f.Class, f.effect = schema.Patch, "another pattern is the same, so no verdict changes"
	}
}
