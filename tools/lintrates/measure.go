package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/rubric-library/rubric-library/internal/document/source"
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

// ofSources are rules that report errors of the sources: anchors that a criterion does not have.
var ofSources = []string{"blank-text", "placeholder-text"}

// measure runs the linter on the items with a configuration. If it reports another error than those of
// the sources and of the rules of the page, the conversion is wrong.
func measure(items []item, config string) (fired, error) {
	fsys, err := library(items)
	if err != nil {
		return nil, err
	}
	parsed, err := lint.ParseConfig(source.NewFile(lint.ConfigFile, []byte(config)), rules.All())
	if err != nil {
		return nil, err
	}
	report, err := lint.Run(fsys, rules.All(), lint.Options{Config: parsed})
	if err != nil {
		return nil, err
	}
	all := fired{}
	for _, f := range report.Findings {
		isMeasured := slices.Contains([]lint.Family{lint.FamilyWording, lint.FamilyLibrary, lint.FamilyHidden}, f.Rule.Family)
		if f.Severity == lint.Error && !isMeasured && !slices.Contains(ofSources, f.Rule.ID) {
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
