package lint

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// Allowance says how many findings of a kind are hidden: as many as the
// library's own baseline counts, and no more than what it is compared with lets
// through, so that a change can't hide what it brings.
type Allowance struct {
	// Own is the baseline of the library that is checked; nil if it has none.
	Own *Baseline
	// Target is the baseline at the target's tip, of which nothing counts more;
	// nil for no such limit.
	Target *Baseline
	// Same tells whether the target has a file as it is. Where the target has no
	// baseline yet, a first one counts for these. Nil stands for all files.
	Same func(file string) bool
}

// allowed is how many findings of a group are hidden.
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

// apply hides the findings that are allowed. Of more than that all are shown,
// because nobody can tell which are new.
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
				f.Message += fmt.Sprintf(" Before this change the baseline allows %d of these here, and there are %d. What the change adds to it counts only after it.", allowed, len(findings))
			default:
				f.Message += fmt.Sprintf(" The baseline allows %d of these here, and there are %d.", allowed, len(findings))
			}
		}
	}
}

// Leftover is a baseline entry that counts more findings than there are.
type Leftover struct {
	// ID is that of the lint rule, and Rule is it, nil if there is none.
	ID   string
	Rule *Rule
	// Document is the ID of the document, or File the file where it is not known.
	Document, File string
	// Counted is how many findings the entry counts, Found how many there are.
	Counted, Found int
	// At is the entry.
	At source.Location
}

// About is what the entry is about, for messages.
func (l Leftover) About() string { return group{id: l.Document, file: l.File}.about() }

// Leftover are the entries of the baseline that count more than there is.
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
