package lint

import (
	"fmt"
	"maps"
	"slices"
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

// unused reports the entries of the baseline that count more than there is.
func (p *IgnorePass) unused() {
	b := p.allowance.Own
	if b == nil {
		return
	}
	for _, g := range slices.SortedFunc(maps.Keys(b.counts), compareGroups) {
		rule := p.find(g.rule)
		n, message := p.found.counts[g], ""
		switch {
		case n >= b.counts[g] || !p.found.knows(g, rule, p.repository):
			continue
		case rule == nil:
			message = fmt.Sprintf("There is no lint rule %s.%s", g.rule, p.suggestion(g.rule))
		case rule.Unsuppressable || rule.History != nil:
			message = fmt.Sprintf("A baseline can't hide what %s finds.", g.rule)
		case n == 0:
			message = fmt.Sprintf("%s finds no error or warning in %s any more.", g.rule, g.about())
		default:
			message = fmt.Sprintf("%s finds %d in %s, fewer than the %d that stand here.", g.rule, n, g.about(), b.counts[g])
		}
		p.report(b.at[g], g.id, "baseline "+g.rule+" "+g.file, message+" Run `rubric-lint --prune`, or this would hide new mistakes.")
	}
}
