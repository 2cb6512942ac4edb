// Package rules has all lint rules. Each is a value in the table of its family, with its function
// below; its texts are in rules.txt, and testdata has an archive of broken libraries for it. The
// rules about datasets are in a package of their own, and are collected here.
package rules

import (
	_ "embed"
	"slices"

	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules/datasets"
)

//go:embed rules.txt
var prose string

var all = describe(prose,
	fileRules, syntaxRules, identityRules, scoringRules, patternRules, hiddenRules, wordingRules, acrossRules,
	ruleSetRules, datasets.Rules, exampleRules, historyRules, repositoryRules, reviewerRules, ignoreRules,
)

// All returns all lint rules, in the order of their families. It is the only list of
// them.
func All() []*lint.Rule { return slices.Clone(all) }

// Find returns the lint rule with that ID, or nil.
func Find(id string) *lint.Rule { return lint.Find(all, id) }
