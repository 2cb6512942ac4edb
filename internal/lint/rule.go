package lint

import (
	"cmp"
	"fmt"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// Severity is the severity of a finding. The zero Severity means that a rule is off.
type Severity uint8

// The severities, from the lowest.
const (
	Note    Severity = iota + 1 // for information
	Warning                     // probably wrong, but does not fail the check by itself
	Error                       // wrong: the library can't be released with it
)

// severities are the severities by their words.
var severities = map[string]Severity{"off": 0, "note": Note, "warning": Warning, "error": Error}

// String returns the word for the severity in output and in the configuration.
func (s Severity) String() string {
	return [...]string{"off", "note", "warning", "error"}[s]
}

// Requirement is a requirement of the specification that a rule serves. The zero Requirement is
// none.
type Requirement uint8

// The requirements, in the order of the specification.
const (
	RL01 Requirement = iota + 1
	RL02
	RL03
	RL04
	RL05
	RL06
	RL07
	RL08
	RL09
	RL10
)

// String returns the name in the specification, such as "RL-01", or "" for none.
func (r Requirement) String() string {
	if r == 0 {
		return ""
	}
	return fmt.Sprintf("RL-%02d", uint8(r))
}

// Rule is one lint rule. All text about it, in help, documentation, and output, comes from
// here. The ID and the prose are in rules/rules.txt, and the rest is a Go literal of the package
// rules.
type Rule struct {
	// ID is the kebab-case name that users type. It is never reused for another rule.
	ID string
	Prose

	// Severity is the default severity.
	Severity Severity
	// Spec is the requirement that the rule serves, if any.
	Spec Requirement
	// Unsuppressable rules can't be suppressed by a comment, a baseline, or by configuration.
	Unsuppressable bool
	// Fixable rules have findings that --fix can fix.
	Fixable bool
	// Placed rules are about the library around a document: where the document is, or what else
	// there is. They don't run on documents outside of a library.
	Placed bool
	// New rules are errors in a version that the target does not have, and warnings otherwise: what
	// is published stays valid when the linter learns to find it.
	New bool

	// Listed rules have findings that the text output lists, even if they are notes, because they
	// are for those who review the change.
	Listed bool

	// Check is what the rule does.
	Check Check
	// Keep returns what a check of the library or of its datasets needs of a document once its
	// tree is dropped. Nil keeps nothing.
	Keep func(*DocumentPass) any
}

// Prose is what a lint rule says about itself.
type Prose struct {
	// Family groups the rules in lists.
	Family Family
	// Summary completes "finds …" in one line.
	Summary string
	// Why says what goes wrong for a judge or a consumer if the rule is violated.
	Why string
	// Source is the basis of the rule: a standard, a paper, or the page that describes
	// the part of a library. A rule that serves a requirement (Spec) needs none.
	Source string
	// Bad and Good are examples, of YAML or of a folder, that violate and follow it.
	Bad, Good string
}

// Check is the function of a lint rule: an OfDocument, OfLibrary, OfDataset, OfHistory,
// OfRepository, or OfIgnores, by what it checks.
type Check interface{ isCheck() }

// Checks reports whether the function of a lint rule is a C.
func Checks[C Check](r *Rule) bool {
	_, is := r.Check.(C)
	return is
}

// Family is a group of lint rules.
type Family string

// Families that programs treat in a special way.
const (
	FamilyHidden  Family = "Hidden text"
	FamilyWording Family = "Wording"
	FamilyLibrary Family = "Across the library"
)

// Find returns the lint rule with that ID, or nil.
func Find(rules []*Rule, id string) *Rule {
	for _, r := range rules {
		if r.ID == id {
			return r
		}
	}
	return nil
}

// explainUnknown says that there is no lint rule with an ID, and which one was probably meant.
func explainUnknown(rules []*Rule, id string) string {
	var ids []string
	for _, r := range rules {
		ids = append(ids, r.ID)
	}
	return fmt.Sprintf("There is no lint rule %s.%s", schema.Quote(id),
		cmp.Or(schema.DidYouMean(id, ids), " `rubric-lint --list-rules` lists them."))
}
