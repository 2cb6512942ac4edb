package lint

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// Allowance says how many findings of a group are hidden: as many as the library's own
// baseline counts, but no more than the target allows. A change therefore can't hide
// its own findings.
type Allowance struct {
	// Own is the baseline of the checked library; nil if it has none.
	Own *Baseline
	// Target is the baseline at the target's tip, which limits all counts; nil for
	// no limit.
	Target *Baseline
	// Same reports whether the target has an identical file. If the target has no
	// baseline yet, the first one counts for these files. Nil means all files.
	Same func(file string) bool
}

// allowed returns how many findings of a group are hidden.
func (a *Allowance) allowed(g group, findings []*Finding) int {
	n := a.Own.counts[g]
	if a.Target != nil {
		return min(n, a.Target.counts[g])
	}
	if a.Same != nil && slices.ContainsFunc(findings, func(f *Finding) bool { return !a.Same(f.File) }) {
		return 0
	}
	return n
}

// apply hides the allowed findings. If a group has more, all of them are shown, because
// it is unknown which are new.
func (a *Allowance) apply(findings []Finding) {
	if a.Own == nil {
		return
	}
	groups := map[group][]*Finding{}
	for i := range findings {
		f := &findings[i]
		if g := groupOf(f); countable(f) && a.Own.counts[g] > 0 {
			groups[g] = append(groups[g], f)
		}
	}
	for g, findings := range groups {
		allowed := a.allowed(g, findings)
		for _, f := range findings {
			switch own := a.Own.counts[g]; {
			case len(findings) <= allowed:
				f.hidden = true
			case len(findings) <= own:
				f.Message += fmt.Sprintf(" The baseline before this change allows %d of these here, but there are %d. Additions to the baseline take effect after the change is merged.", allowed, len(findings))
			default:
				f.Message += fmt.Sprintf(" The baseline allows %d of these here, but there are %d.", allowed, len(findings))
			}
		}
	}
}

// Leftover is a baseline entry that counts more findings than there are.
type Leftover struct {
	// ID is the ID of the lint rule, and Rule is the rule, nil if unknown.
	ID   string
	Rule *Rule
	// Document is the ID of the document; if it is unknown, File is the file.
	Document, File string
	// Counted is how many findings the entry counts, Found how many there are.
	Counted, Found int
	// At is the entry.
	At source.Location
}

// About returns what the entry is about, for messages.
func (l Leftover) About() string { return group{id: l.Document, file: l.File}.about() }

// Leftover returns the baseline entries that count more findings than there are.
func (p *IgnorePass) Leftover() []Leftover {
	b := p.allowance.Own
	if b == nil {
		return nil
	}
	var all []Leftover
	for _, g := range slices.SortedFunc(maps.Keys(b.counts), compareGroups) {
		rule, n := p.Find(g.rule), p.found.counts[g]
		if n < b.counts[g] && p.found.knows(g, rule, p.repository) {
			all = append(all, Leftover{g.rule, rule, g.id, g.file, b.counts[g], n, b.at[g]})
		}
	}
	return all
}
