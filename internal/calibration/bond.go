package calibration

import (
	"maps"
	"slices"
	"strings"
)

// Bond says which words of a rubric have evidence in a dataset: a rubric with these words must name
// the dataset. It is small, so that it can be kept when the dataset is dropped.
type Bond struct {
	// AppliesTo are the rubrics that the dataset is for.
	AppliesTo []string

	digests  map[string][]string        // the wordings that the labels of a criterion are valid for
	measured map[string]map[string]bool // by judge digest, the sets of criteria that a run was measured on
}

// Bond is that of the dataset. Labels that are not by people calibrate no judge, so they bind no
// rubric.
func (d *Dataset) Bond() *Bond {
	b := &Bond{AppliesTo: d.AppliesTo, digests: map[string][]string{}, measured: map[string]map[string]bool{}}
	if d.LabeledBy != People {
		return b
	}
	for _, c := range d.Criteria {
		b.digests[c.Name] = d.Digests(c.Name)
	}
	for i := range d.Judges {
		for _, run := range d.Judges[i].Runs() {
			if b.measured[run.Digest] == nil {
				b.measured[run.Digest] = map[string]bool{}
			}
			b.measured[run.Digest][strings.Join(d.labeledCriteria(&run), " ")] = true
		}
	}
	return b
}

// labeledCriteria returns the criteria that an item of a run had a label for when it asked. Earlier programs
// did not record them: then, these are all.
func (d *Dataset) labeledCriteria(run *Run) []string {
	all := map[string]bool{}
	for _, a := range run.Answers {
		for _, criteria := range a.Labels {
			for _, name := range criteria {
				all[name] = true
			}
		}
	}
	if run.Items == 0 {
		for _, c := range d.Criteria {
			all[c.Name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// Binds reports whether a rubric with the words of a subject must name the dataset: a recorded run
// is about these words, and so are all labels that it was measured on. Labels for other words can't
// be added to, so that a rubric whose labels are stale can leave.
func (b *Bond) Binds(s *Subject) bool {
	stale := func(name string) bool {
		digest := s.Criteria[name]
		return digest != "" && !slices.Contains(b.digests[name], digest)
	}
	for criteria := range b.measured[s.Digest] {
		if !slices.ContainsFunc(strings.Fields(criteria), stale) {
			return true
		}
	}
	return false
}
