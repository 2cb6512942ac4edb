package bundlecheck

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
)

// ContinuityError says that a bundle does not hold what a consumer of an earlier one
// relies on.
type ContinuityError struct {
	// Problems is what was found, at least one and at most a few.
	Problems []bundlefile.Problem
}

// Error lists the problems and says what to do.
func (e *ContinuityError) Error() string {
	texts := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		texts[i] = p.Error()
	}
	return "the bundle does not continue the one before it: " + strings.Join(texts, "; ") +
		" (keep the one before, and ask those who release the library)"
}

// maxProblems is how many problems a ContinuityError spells out.
const maxProblems = 10

type continuity struct {
	old, next *bundlefile.Bundle
	problems  []bundlefile.Problem
}

func (c *continuity) problem(path, format string, args ...any) {
	if len(c.problems) < maxProblems {
		c.problems = append(c.problems, bundlefile.Problem{Path: path, Message: fmt.Sprintf(format, args...)})
	}
}

// After compares a bundle with an earlier one, old, of which a consumer has pinned
// something: every version that old holds is there with the same content or was
// withdrawn since, every version that was withdrawn stays so, and no ID is gone from
// the ledger. The bundle must also be of the same line of releases, as far as the two
// manifests tell. The error is a *ContinuityError, or that one can't be read, as of
// Bundle.Read.
//
// It says nothing about who made the bundle.
func After(old, next *bundlefile.Bundle) error {
	c := &continuity{old: old, next: next}
	c.line()
	err := c.versions()
	if err == nil {
		err = c.ledger()
	}
	if err == nil && len(c.problems) > 0 {
		err = &ContinuityError{c.problems}
	}
	return err
}

// line compares what the manifests say of the line of releases.
func (c *continuity) line() {
	old, next := c.old.Manifest(), c.next.Manifest()
	order := bundlefile.CompareVersions(next.LibraryVersion, old.LibraryVersion)
	switch {
	case c.next.Digest() == c.old.Digest():
	case order < 0:
		c.problem("", "it is library %s, and the one before is %s: a version never goes down", next.LibraryVersion, old.LibraryVersion)
	case order == 0:
		c.problem("", "both are library %s, with different contents: %s and %s", next.LibraryVersion, c.next.Digest(), c.old.Digest())
	case next.Previous == "":
		c.problem("", "it says that it is the first of its line, and library %s came before it", old.LibraryVersion)
	case next.Previous == old.Previous:
		c.problem("", "it was built on the same bundle as library %s, %s, instead of on that library", old.LibraryVersion, next.Previous)
	case bundlefile.NextPatch(old.LibraryVersion) == next.LibraryVersion && next.Previous != c.old.Digest():
		c.problem("", "it is library %s, which follows %s, and it was built on %s: expected %s", next.LibraryVersion, old.LibraryVersion, next.Previous, c.old.Digest())
	}
}

// versions compares the versions that the old bundle holds, and those that it says
// were withdrawn.
func (c *continuity) versions() error {
	gone := c.next.Manifest().Tombstones
	withdrawn := func(id, version string) bool {
		return slices.ContainsFunc(gone, func(o bundlefile.Omission) bool { return o.ID == id && o.Version == version })
	}
	kinds := map[string]string{}
	for line, err := range c.next.Index() {
		if err != nil {
			return err
		}
		kinds[line.ID] = line.Kind
	}
	for line, err := range c.old.Index() {
		if err != nil {
			return err
		}
		for _, v := range line.Versions {
			path := bundlefile.DocumentPath(line.Kind, line.ID, v.Version)
			switch digest := c.next.EntryDigest(path); {
			case withdrawn(line.ID, v.Version):
			case digest == "":
				c.problem(path, "is gone, and nothing says that it was withdrawn")
			case digest != v.Digest:
				c.problem(path, "has another content: expected %s, found %s", v.Digest, digest)
			}
		}
		if kind := kinds[line.ID]; kind != "" && kind != line.Kind {
			c.problem(bundlefile.IndexName, "%s was a %s and is a %s", line.ID, line.Kind, kind)
		}
	}
	for _, o := range c.old.Manifest().Tombstones {
		if !withdrawn(o.ID, o.Version) {
			c.problem(bundlefile.ManifestName, "%s no longer says that it was withdrawn", strings.TrimSpace(o.ID+" "+o.Version))
		}
	}
	return nil
}

// ledger wants every ID that was retired to stay in the ledger.
func (c *continuity) ledger() error {
	before, err := retired(c.old)
	if err != nil {
		return err
	}
	now, err := retired(c.next)
	if err != nil {
		return err
	}
	for _, id := range before {
		if _, found := slices.BinarySearch(now, id); !found {
			c.problem(LedgerName, "no longer lists %s: a retired ID is never used again", id)
		}
	}
	return nil
}

// retired are the IDs of the ledger, sorted.
func retired(b *bundlefile.Bundle) ([]string, error) {
	data, err := b.Read(LedgerName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	ledger, err := Ledger(data)
	ids := make([]string, len(ledger))
	for i, r := range ledger {
		ids[i] = r.ID
	}
	slices.Sort(ids)
	return ids, err
}
