package bundlecheck

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// ContinuityError means that a bundle lacks something that consumers of an earlier one
// rely on, or does not continue its line of releases.
type ContinuityError struct {
	// Problems are as those of a bundlefile.IntegrityError.
	Problems []bundlefile.BundleProblem
}

// Error lists the problems and says what to do.
func (e *ContinuityError) Error() string {
	return "the bundle does not continue the previous one: " + bundlefile.ProblemList(e.Problems).String() +
		". Keep the previous bundle, and ask the maintainers of the library"
}

type continuity struct {
	old, next *bundlefile.Bundle
	found     bundlefile.ProblemList
}

func (c *continuity) problem(path, format string, args ...any) {
	c.found.Add(bundlefile.BundleProblem{Path: path, Message: fmt.Sprintf(format, args...)})
}

// After compares a bundle with an earlier one, old, from which a consumer has pinned something. Every
// version in old must exist with the same content or be withdrawn, and no ID may change its kind. What is
// withdrawn stays so, what is yanked stays yanked or is withdrawn, and no retired ID leaves the ledger.
// The bundle must also be of the same line of releases, as far as the two manifests show. The error is
// a *ContinuityError, which lists the first problems, or, if a ledger can't be read, only that error.
//
// It does not check who made the bundle.
func After(old, next *bundlefile.Bundle) error {
	c := &continuity{old: old, next: next}
	c.line()
	c.versions()
	err := c.ledger()
	if err == nil && len(c.found) > 0 {
		err = &ContinuityError{c.found}
	}
	return err
}

// line compares the manifests' positions in the line of releases.
func (c *continuity) line() {
	old, next := c.old.Manifest(), c.next.Manifest()
	order := bundlefile.CompareVersions(next.LibraryVersion, old.LibraryVersion)
	switch {
	case c.next.Digest() == c.old.Digest():
	case order < 0:
		c.problem("", "it is library %s, but the previous one is %s: a version never goes down",
			next.LibraryVersion, old.LibraryVersion)
	case order == 0:
		c.problem("", "both are library %s, but with different content: %s and %s",
			next.LibraryVersion, c.next.Digest(), c.old.Digest())
	case next.Previous == "":
		c.problem("", "it claims to be the first release, but library %s came before it", old.LibraryVersion)
	case next.Previous == old.Previous:
		c.problem("", "its previous bundle must be library %s, got that library's own previous bundle, %s",
			old.LibraryVersion, next.Previous)
	case bundlefile.NextPatch(old.LibraryVersion) == next.LibraryVersion && next.Previous != c.old.Digest():
		c.problem("", "it is library %s, which follows %s, so its previous bundle must be %[4]s, got %[3]s",
			next.LibraryVersion, old.LibraryVersion, next.Previous, c.old.Digest())
	}
}

// versions compares the versions in the old bundle, and those that it lists as withdrawn or yanked.
func (c *continuity) versions() {
	gone := c.next.Manifest().Tombstones
	withdrawn := func(id, version string) bool {
		return slices.ContainsFunc(gone, func(o bundlefile.Omission) bool { return o.ID == id && o.Version == version })
	}
	// Documents are identified by their entries, so the indexes need not be read.
	for path := range c.old.Paths("r") {
		kind, id, version, isDocument := bundlefile.SplitDocumentPath(path)
		expected, got := c.old.EntryDigest(path), c.next.EntryDigest(path)
		if !isDocument || got == expected && got != "" {
			continue
		}
		if !withdrawn(id, version) && got == "" {
			c.problem(path, "is missing, and the manifest does not list it as withdrawn")
		} else if !withdrawn(id, version) {
			c.problem(path, "has different content: expected %s, got %s", expected, got)
		}
		if now, _, _ := c.next.Versions(id); now != "" && now != kind { // in a bundle, all have one kind
			c.problem(path, "%s must be a %s, got a %s", id, kind, now)
		}
	}
	for _, o := range c.old.Manifest().Tombstones {
		if !withdrawn(o.ID, o.Version) {
			c.problem(bundlefile.ManifestName, "no longer lists %s as withdrawn", strings.TrimSpace(o.ID+" "+o.Version))
		}
	}
	now := c.next.Manifest()
	for _, o := range c.old.Manifest().Yanked {
		if now.YankOf(o.ID, o.Version) == "" && !withdrawn(o.ID, o.Version) {
			c.problem(bundlefile.ManifestName, "no longer lists %s %s as yanked", o.ID, o.Version)
		}
	}
}

// ledger requires every retired ID to stay in the ledger.
func (c *continuity) ledger() error {
	before, err := Retired(c.old)
	if err != nil {
		return err
	}
	now, err := Retired(c.next)
	if err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(before)) {
		if _, found := now[id]; !found {
			c.problem(LedgerName, "no longer lists %s: a retired ID must never be reused", id)
		}
	}
	return nil
}
