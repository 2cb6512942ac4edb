package rules

import (
	"iter"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/hosts"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/codeowners"
)

// owners is the CODEOWNERS file of the checked repository.
type owners struct {
	*codeowners.Found
	budget *codeowners.Budget
}

// ownersOf finds and reads the CODEOWNERS file.
var ownersOf = lint.Once(func(p *lint.RepositoryPass) *owners {
	return &owners{codeowners.Find(p.Repository, codeowners.HostsOf(p.Repository)[0]), codeowners.NewBudget(matchBudget)}
})

// matchBudget is enough for 10,000 documents and 500 patterns that must be tried on each. A test
// sets a lower limit.
var matchBudget = 500_000_000

func (o *owners) report(p *lint.RepositoryPass, span source.Span, key, format string, args ...any) {
	p.Report(source.Locate(o.File, span), key, format, args...)
}

// notOwned finds one path without owners for each kind, if there is one.
func notOwned(p *lint.RepositoryPass) {
	o := ownersOf(p)
	if o.Parsed == nil || o.Host.Syntax != hosts.OneOwner || o.File.Size() > codeowners.MaxBytes {
		return
	}
	// GitHub uses the first CODEOWNERS file that it finds: a new one in an earlier
	// location would replace this one.
	self := codeowners.Itself(o.Host.Owners[:slices.Index(o.Host.Owners, o.Location)+1]...)
	for _, k := range append(slices.Clone(codeowners.Kinds), self) {
		if k.Applies(p.Repository) {
			reportUnowned(p, &k)
		}
	}
}

// reportUnowned reports the first path of a kind that has no owners.
func reportUnowned(p *lint.RepositoryPass, k *codeowners.Kind) {
	owners := ownersOf(p).Parsed
	if !allOwned(p, k, owners, slices.Values(k.Paths(p.Repository))) {
		return
	}
	for _, folder := range k.Folders(p.Repository) {
		below := owners.Below(folder)
		withoutOwners := slices.DeleteFunc(slices.Clone(below.Rules), func(r *codeowners.Rule) bool { return len(r.Owners) > 0 })
		if !allOwned(p, k, below, k.Below(p.Repository, folder, withoutOwners)) {
			return
		}
	}
}

// allOwned reports whether each path has owners, and adds a finding for the first that
// has none: at the line that removes them, or at the first line of the file if no line
// matches the path.
func allOwned(p *lint.RepositoryPass, k *codeowners.Kind, owners *codeowners.File, names iter.Seq[string]) bool {
	o := ownersOf(p)
	for name := range names {
		if !o.budget.Spend(owners, name) {
			o.report(p, o.At, k.What, "Simplify this file: it has too many patterns for too many paths to check who owns %s.", k.What)
			return false
		}
		switch r := owners.Match(name); {
		case r == nil:
			o.report(p, o.At, k.What, "Add owners for %s, for example with the line `/%s @your-team`: no line matches %s, so anyone could change it without a review.", k.What, k.Pattern(name), schema.Quote(name))
			return false
		case len(r.Owners) == 0:
			o.report(p, r.Span, k.What, "Add owners to this line or remove it: it removes the owners of %s, such as %s, so anyone could change them without a review.", k.What, schema.Quote(name))
			return false
		}
	}
	return true
}
