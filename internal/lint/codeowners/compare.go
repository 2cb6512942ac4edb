package codeowners

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/lint"
)

// State is a repository with the file of its owners.
type State struct {
	*lint.Repository
	*Found
}

// Difference is a replacement of owners by a line of the file.
type Difference struct {
	// What are the kinds of guarded files with it, and Path is one of the files.
	What []string
	Path string
	// Before and After are the owners.
	Before, After Ownership
}

// Compare returns the differences between the owners of guarded paths before and after a
// change, each replacement once. If the budget is not sufficient, complete is false.
func Compare(before, after State, budget *Budget) (differences []*Difference, complete bool) {
	c := &comparison{before: before, after: after, budget: budget, seen: map[replacement]*Difference{}, complete: true}
	kinds := append(slices.Clone(GuardedKinds), Itself(append(placesOf(after.Found), placesOf(before.Found)...)...))
	for i := range kinds {
		if kinds[i].Applies(before.Repository, after.Repository) {
			c.compareKind(&kinds[i])
		}
	}
	return c.found, c.complete
}

// placesOf are the places at which the host would read a file instead of this one, and its own.
func placesOf(o *Found) []string {
	return o.Host.Owners[:slices.Index(o.Host.Owners, o.Location)+1]
}

type comparison struct {
	before, after State
	budget        *Budget
	seen          map[replacement]*Difference
	found         []*Difference
	complete      bool
}

// replacement is one of owners by others, by a line of the file.
type replacement struct {
	before, after string
	by            *Rule
}

func (c *comparison) compareKind(k *GuardedKind) {
	for _, name := range k.Paths(c.after.Repository) {
		if !c.comparePath(k, name, c.before.Parsed, c.after.Parsed) {
			return
		}
	}
	for _, folder := range k.Folders(c.after.Repository) {
		before, after := c.before.Parsed.WithRulesBelow(folder), c.after.Parsed.WithRulesBelow(folder)
		var rules []*Rule
		for _, f := range []*File{before, after} {
			if f != nil {
				rules = append(rules, f.Rules...)
			}
		}
		for _, r := range []*lint.Repository{c.before.Repository, c.after.Repository} {
			for name := range k.FilesBelow(r, folder, rules) {
				if !c.comparePath(k, name, before, after) {
					return
				}
			}
			rules = nil // once is enough
		}
	}
}

// comparePath compares the owners of a path, and reports whether the budget was sufficient.
func (c *comparison) comparePath(k *GuardedKind, name string, before, after *File) bool {
	if !c.budget.Spend(before, name) || !c.budget.Spend(after, name) {
		c.complete = false
		return false
	}
	was, is := before.OwnershipOf(name), after.OwnershipOf(name)
	if was.Equal(is) {
		return true
	}
	key := replacement{was.String(), is.String(), is.Rule}
	d := c.seen[key]
	if d == nil {
		d = &Difference{Path: name, Before: was, After: is}
		c.seen[key], c.found = d, append(c.found, d)
	}
	if !slices.Contains(d.What, k.What) {
		d.What = append(d.What, k.What)
	}
	return true
}
