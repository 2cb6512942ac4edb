package lint

import (
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// OfIgnores checks what suppresses findings, after everything else.
type OfIgnores func(*IgnorePass)

func (OfIgnores) isCheck() {}

// IgnorePass is the view of the rules about ignores.
type IgnorePass struct {
	Ignores []*Ignore
	// Removed are the settings of lint rules that no longer exist.
	Removed []Setting
	// Replaced is the place of the rules that apply instead of conventions, which the target still
	// has; nil if it has none.
	Replaced *source.Location
	// Failing is the lowest severity that fails the check.
	Failing Severity

	reporter
	rules, running []*Rule // those that are known, and those that ran
	// allowance has the baseline, found counts the current findings, and repository
	// says whether the repository rules ran.
	allowance  Allowance
	found      *Baseline
	repository bool
}

// Find returns the lint rule with that ID, or nil.
func (p *IgnorePass) Find(id string) *Rule {
	return Find(p.rules, id)
}

// Waits reports whether a rule of the checked library did not run, because the target does not have
// it yet.
func (p *IgnorePass) Waits(r *Rule) bool {
	return waits(r, p.running)
}

// ExplainUnknown says that there is no lint rule with an ID, and which one was probably meant.
func (p *IgnorePass) ExplainUnknown(id string) string { return explainUnknown(p.rules, id) }

// Report adds a finding at an ignore.
func (p *IgnorePass) Report(i *Ignore, message string) {
	p.ReportAt(i.At, i.id, "ignore "+i.Rule, message)
}

// ReportAt adds a finding at a place, up to mostFindings per lint rule and file: the
// others are listed once these are fixed.
func (p *IgnorePass) ReportAt(at source.Location, id, path, message string) {
	if p.admit(at.File) {
		p.Add(Finding{Location: at, ID: id, Path: path, Message: message})
	}
}

// Leftover is a baseline entry that counts more findings than there are.
type Leftover struct {
	group
	// Rule is the lint rule, nil if unknown.
	Rule *Rule
	// Counted is how many findings the entry counts, Found how many there are.
	Counted, Found int
	// At is the entry.
	At source.Location
}

// Leftovers returns the baseline entries that count more findings than there are.
func (p *IgnorePass) Leftovers() []Leftover {
	b := p.allowance.Own
	if b == nil {
		return nil
	}
	var all []Leftover
	for _, g := range slices.SortedFunc(maps.Keys(b.counts), compareGroups) {
		rule, n := p.Find(g.RuleID), p.found.counts[g]
		if p.Waits(rule) {
			continue
		}
		if n < b.counts[g] && p.found.hasChecked(g, rule, p.repository) {
			all = append(all, Leftover{g, rule, b.counts[g], n, b.at[g]})
		}
	}
	return all
}
