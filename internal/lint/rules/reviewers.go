package rules

import (
	"fmt"
	"path"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/hosts"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/codeowners"
)

// reviewerRules are about what a change does to the owners of the files that decide: those who
// would have to review the next one.
var reviewerRules = map[string]lint.Rule{
	"fewer-code-owners":   {Severity: lint.Error, Listed: true, Check: lint.OfHistory(fewerCodeOwners)},
	"code-owners-changed": {Severity: lint.Note, Listed: true, Check: lint.OfHistory(codeOwnersChanged)},
}

func fewerCodeOwners(p *lint.HistoryPass) {
	for _, r := range replacements(p) {
		r.reportFewer(p)
	}
}

func codeOwnersChanged(p *lint.HistoryPass) {
	for _, r := range replacements(p) {
		r.reportOthers(p)
	}
}

// replacement is a change of the CODEOWNERS file.
type replacement struct {
	*lint.RepositoryChange
	before, after, now codeowners.State // now is the checked repository
	differences        []*codeowners.Difference
	complete           bool
	reader             string // says which host reads the file so, unless it is the host of both sides
}

// replacements are the changes of the CODEOWNERS file, as each host reads it. The hosts are those
// of the repository before the change, which could otherwise choose the file that counts.
var replacements = lint.Once(func(p *lint.HistoryPass) (all []*replacement) {
	for _, c := range p.Repositories {
		before, after := codeowners.HostsOf(c.Tip), codeowners.HostsOf(c.After)
		for _, host := range before {
			r := replacementOn(p, c, host)
			if r == nil {
				continue
			}
			if len(before) > 1 || after[0].ID != host.ID {
				r.reader = fmt.Sprintf(" This is how %s reads the file: before this change, %s.", host.Name, reasonFor(c.Tip, host))
			}
			all = append(all, r)
		}
	}
	return all
})

// reasonFor says why a repository counts as on a host.
func reasonFor(r *lint.Repository, host hosts.Host) string {
	if len(hosts.OfFiles(r.Holds)) > 0 {
		return "the repository has files of " + host.Name
	}
	return "the repository has no file of another host, such as a pipeline"
}

// replacementOn is what a change does to the CODEOWNERS file on a host, or nil.
func replacementOn(p *lint.HistoryPass, c *lint.RepositoryChange, host hosts.Host) *replacement {
	state := func(r *lint.Repository) codeowners.State {
		return codeowners.State{Repository: r, Found: codeowners.Find(r, host)}
	}
	r := &replacement{RepositoryChange: c, before: state(c.Tip), after: state(c.After), now: state(p.Repository)}
	changed := false
	for _, base := range c.Bases {
		changed = changed || !state(base).Equal(r.after.Found)
	}
	if !changed || r.before.Location == "" || r.before.Equal(r.after.Found) {
		return nil
	}
	r.differences, r.complete = codeowners.Compare(r.before, r.after, codeowners.NewBudget(matchBudget))
	return r
}

// reportFewer reports that a file replaces another one that remains, and guarded paths that have fewer
// owners.
func (r *replacement) reportFewer(p *lint.HistoryPass) {
	was := p.Repository.FromLibrary(r.before.Location)
	if r.after.Location != r.before.Location && r.after.Location != "" && r.After.Holds(r.before.Location) {
		r.report(p, r.now.Location != r.after.Location, r.locate(p, nil), "second",
			"Remove this file, or the file %s: %s now reads this one instead, whatever it says.", was, r.before.Host.Name)
	}
	if !r.complete {
		r.report(p, !r.now.Equal(r.after.Found), r.locate(p, nil), "budget",
			"Simplify this file: it has too many patterns for too many paths to compare their owners with those before this change.")
	}
	for _, d := range r.differences {
		undone := !r.now.Parsed.OwnershipOf(d.Path).HasFewerThan(d.Before)
		switch {
		case !d.After.HasFewerThan(d.Before):
		case r.after.Location == "":
			r.report(p, undone, r.locate(p, nil), d.Path,
				"Restore %s: without it, nobody has to review a change of %s, such as %s, which has the owners %s.",
				path.Base(was), schema.Or(d.What, "and"), schema.Quote(d.Path), d.Before)
		default:
			r.report(p, undone, r.locate(p, d.After.Rule), d.Path,
				"Restore the owners of %s, such as %s: this change replaces %s by %s, and what decides must not have fewer owners than before.",
				schema.Or(d.What, "and"), schema.Quote(d.Path), d.Before, d.After)
		}
	}
}

// reportOthers lists the owners that are replaced by as many others.
func (r *replacement) reportOthers(p *lint.HistoryPass) {
	for _, d := range r.differences {
		if !d.After.HasFewerThan(d.Before) {
			r.report(p, true, r.locate(p, d.After.Rule), d.Path,
				"This change replaces the owners of %s, such as %s: %s by %s.",
				schema.Or(d.What, "and"), schema.Quote(d.Path), d.Before, d.After)
		}
	}
}

// locate returns a line of the file after the change, its first, or the place of the file before it.
func (r *replacement) locate(p *lint.HistoryPass, rule *codeowners.Rule) source.Location {
	switch {
	case r.after.File == nil && r.after.Location == "":
		return source.Location{File: p.Repository.FromLibrary(r.before.Location)}
	case r.after.File == nil:
		return source.Location{File: p.Repository.FromLibrary(r.after.Location)}
	case rule == nil:
		return source.Locate(r.after.File, r.after.At)
	}
	return source.Locate(r.after.File, rule.Span)
}

func (r *replacement) report(p *lint.HistoryPass, undone bool, at source.Location, key, format string, args ...any) {
	p.ReportChange(r.RepositoryChange, undone, at, key, format+"%s", append(args, r.reader)...)
}
