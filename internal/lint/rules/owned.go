package rules

import (
	"fmt"
	"iter"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/hosts"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/codeowners"
)

// owners is the CODEOWNERS file of the checked repository, as a host reads it.
type owners struct {
	*codeowners.Found
	budget *codeowners.Budget
	reader string // says which host reads the file so, if there are several
}

// ownersOf finds and reads the CODEOWNERS file of each host that the repository can be on, those
// that read the same file in the same way once.
var ownersOf = lint.Once(func(p *lint.RepositoryPass) (all []*owners) {
	on := codeowners.HostsOf(p.Repository)
	for _, host := range on {
		o := &owners{Found: codeowners.Find(p.Repository, host), budget: codeowners.NewBudget(matchBudget)}
		if slices.ContainsFunc(all, func(other *owners) bool {
			return other.Location == o.Location && other.Host.Syntax == host.Syntax
		}) {
			continue
		}
		if len(on) > 1 {
			o.reader = fmt.Sprintf(" This is how %s reads the file: %s.", host.Name, reasonFor(p.Repository, host))
		}
		all = append(all, o)
	}
	return all
})

// matchBudget is enough for 10,000 documents and 500 patterns that must be tried on each. A test
// sets a lower limit.
var matchBudget = 500_000_000

func (o *owners) report(p *lint.RepositoryPass, span source.Span, key, format string, args ...any) {
	p.Report(source.Locate(o.File, span), key, format+"%s", append(args, o.reader)...)
}

// notOwned finds one path without owners for each kind, if there is one.
func notOwned(p *lint.RepositoryPass, o *owners) {
	if o.Parsed == nil || o.Host.Syntax == hosts.Sections || o.File.Size() > codeowners.MaxBytes {
		return
	}
	// A host uses the first CODEOWNERS file that it finds: a new one in an earlier
	// location would replace this one.
	self := codeowners.Itself(o.Host.Owners[:slices.Index(o.Host.Owners, o.Location)+1]...)
	for _, k := range append(slices.Clone(codeowners.GuardedKinds), self) {
		if k.Applies(p.Repository) {
			o.reportUnowned(p, &k)
		}
	}
}

// reportUnowned reports the first path of a kind that has no owners.
func (o *owners) reportUnowned(p *lint.RepositoryPass, k *codeowners.GuardedKind) {
	if !o.ownAll(p, k, o.Parsed, slices.Values(k.Paths(p.Repository))) {
		return
	}
	for _, folder := range k.Folders(p.Repository) {
		below := o.Parsed.WithRulesBelow(folder)
		if !o.ownAll(p, k, below, k.FilesBelow(p.Repository, folder, below.RemovingRules())) {
			return
		}
	}
}

// ownAll reports whether each path has owners, and adds a finding for the first that
// has none: at the line that removes them, or at the first line of the file if no line
// matches the path.
func (o *owners) ownAll(
	p *lint.RepositoryPass, k *codeowners.GuardedKind, file *codeowners.File, names iter.Seq[string],
) bool {
	for name := range names {
		if !o.budget.Spend(file, name) {
			o.report(p, o.At, k.What, "Simplify this file: it has too many patterns for too many paths to check who owns %s.", k.What)
			return false
		}
		switch r := file.Match(name); {
		case r == nil:
			o.report(p, o.At, k.What,
				"Add owners for %s, for example with the line `%s @your-team`: no line matches %s, so anyone could change it without a review.",
				k.What, k.Pattern(name, o.Host.Syntax), schema.Quote(name))
			return false
		case len(r.Owners) == 0:
			o.report(p, r.Span, k.What,
				"Add owners to this line or remove it: it removes the owners of %s, such as %s, so anyone could change them without a review.",
				k.What, schema.Quote(name))
			return false
		}
	}
	return true
}
