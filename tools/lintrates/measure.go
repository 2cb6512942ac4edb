package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

// place is a criterion of a rubric.
type place struct {
	item      string
	criterion int
}

// fired has the criteria with a finding, by rule. A finding that is about a whole rubric
// counts for its first criterion.
type fired map[string]map[place]bool

// measured returns the lint rules of the page.
func measured() []*lint.Rule {
	return slices.DeleteFunc(rules.All(), func(r *lint.Rule) bool {
		return r.Family != lint.FamilyWording && r.Family != lint.FamilyLibrary && r.Family != lint.FamilyHidden
	})
}

var criterionPointer = regexp.MustCompile(`^/criteria/(\d+)`)

// measure runs the linter on the items. If it reports an error, the conversion is wrong,
// except for hidden text, which is an error of the data (formulas whose \f became a form
// feed).
func measure(items []item) (fired, error) {
	fsys, err := library(items)
	if err != nil {
		return nil, err
	}
	report, err := lint.Run(fsys, rules.All(), lint.Options{})
	if err != nil {
		return nil, err
	}
	all := fired{}
	for _, f := range report.Findings {
		if f.Severity == lint.Error && f.Rule.Family != lint.FamilyHidden {
			return nil, fmt.Errorf("%s:%d: %s: %s", f.File, f.Start.Line, f.Rule.ID, f.Message)
		}
		at := place{item: f.ID}
		if m := criterionPointer.FindStringSubmatch(f.Pointer); m != nil {
			at.criterion, _ = strconv.Atoi(m[1])
		}
		if all[f.Rule.ID] == nil {
			all[f.Rule.ID] = map[place]bool{}
		}
		all[f.Rule.ID][at] = true
	}
	return all, nil
}
