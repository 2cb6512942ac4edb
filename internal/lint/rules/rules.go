// Package rules lists all lint rules. Each family is a package below it, with a variable
// Rules and, in testdata, an archive of broken libraries for each rule.
package rules

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules/across"
	"github.com/rubric-library/rubric-library/internal/lint/rules/calibration"
	"github.com/rubric-library/rubric-library/internal/lint/rules/conventions"
	"github.com/rubric-library/rubric-library/internal/lint/rules/files"
	"github.com/rubric-library/rubric-library/internal/lint/rules/hidden"
	"github.com/rubric-library/rubric-library/internal/lint/rules/history"
	"github.com/rubric-library/rubric-library/internal/lint/rules/identity"
	"github.com/rubric-library/rubric-library/internal/lint/rules/ignores"
	"github.com/rubric-library/rubric-library/internal/lint/rules/patterns"
	"github.com/rubric-library/rubric-library/internal/lint/rules/repository"
	"github.com/rubric-library/rubric-library/internal/lint/rules/rulesets"
	"github.com/rubric-library/rubric-library/internal/lint/rules/scoring"
	"github.com/rubric-library/rubric-library/internal/lint/rules/syntax"
	"github.com/rubric-library/rubric-library/internal/lint/rules/wording"
)

// All returns all lint rules, in the order of their families. It is the only list of
// them.
func All() []*lint.Rule {
	return slices.Concat(
		files.Rules, syntax.Rules, identity.Rules, scoring.Rules, patterns.Rules, hidden.Rules, wording.Rules, across.Rules,
		rulesets.Rules, conventions.Rules, calibration.Rules, history.Rules, repository.Rules, ignores.Rules,
	)
}

// Find returns the lint rule with that ID, or nil.
func Find(id string) *lint.Rule { return lint.Find(All(), id) }
