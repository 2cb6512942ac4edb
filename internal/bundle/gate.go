package bundle

import (
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
)

// compareWithPrevious is the publish gate: released content must not change.
func (b *builder) compareWithPrevious() {
	if b.Previous == nil {
		return
	}
	if bundlefile.CompareVersions(b.Version, b.Previous.Version) < 0 {
		b.problem(key{}, "The library version %s is lower than the released version %s: versions must increase.", b.Version, b.Previous.Version)
	}
	for _, line := range b.Previous.Lines {
		for _, v := range line.Versions {
			b.compareVersion(key{line.ID, v.Version}, v.Digest)
		}
	}
	for _, id := range b.Previous.IDs(true) {
		b.compareDocument(id)
	}
	for _, o := range b.Previous.Tombstones {
		k := key{o.ID, o.Version}
		if b.find(ruleWithdrawn, k) == nil {
			b.problem(k, "This version was withdrawn, but its exception is no longer in %s. Restore the exception: a withdrawal is permanent.", library.ExceptionsFile)
		}
	}
}

// BuiltFrom reports whether a commit builds the documents, versions, and digests of a
// bundle, no more and no fewer. Schemas, statistics, and conformance vectors are not
// compared, because they also depend on the program that built the bundle.
func (l *Library) BuiltFrom(repo *gitrepo.Repo, c gitrepo.Commit, folder string) (bool, error) {
	b, _, err := documents(repo, c, folder, Options{Version: l.Version, Previous: l})
	if err != nil {
		return false, err
	}
	return len(b.Problems) == 0 && slices.EqualFunc(b.Index, l.Lines, func(made bundlefile.IndexLine, line *bundlefile.IndexLine) bool {
		return made.ID == line.ID && made.Retired == line.Retired && slices.Equal(made.Versions, line.Versions)
	}), nil
}

// compareVersion compares a version with its released content.
func (b *builder) compareVersion(k key, released string) {
	c := b.chosen[k]
	now := b.current[k.id]
	switch {
	case b.find(ruleWithdrawn, k) != nil:
	case c == nil:
		b.problem(k, "This version was released, but it is not in the history of this commit. Build from the branch that it was released from.")
	case c.digest != released:
		b.problem(k, "This version was released with another text. Give the new text a new version.")
	case now != nil && now.version == k.version && now.digest != released && !b.accepted(ruleReused, k):
		b.problem(k, "The library now has a different text for this version than the released one. Give the new text a new version.")
	}
}

// compareDocument checks that a released document still exists or is retired.
func (b *builder) compareDocument(id string) {
	k := key{id: id}
	_, inLedger := b.retired[id]
	_, wasInLedger := b.Previous.Retired[id]
	wasRetired := wasInLedger
	if line := b.Previous.Find(id); line != nil {
		wasRetired = line.Retired // an exception can restore it
	}
	here := b.current[id] != nil
	switch {
	case b.broken[id]: // reported before
	case here && wasRetired && !b.accepted(ruleRetired, k):
		b.problem(k, "This ID was retired, but the library has it again. Choose another ID: stored scores of the old document would seem to belong to the new one.")
	case !here && !inLedger && wasInLedger:
		b.problem(k, "The entry of this ID is missing from %s. Restore it: a retired ID is never reused.", library.LedgerFile)
	case !here && !inLedger && !b.accepted(ruleGone, k):
		b.problem(k, "This document was released, but it is gone without an entry in %s. Restore it, or retire it with `rubric retire`.", library.LedgerFile)
	}
}

// accepted reports whether an exception accepts a difference, and adds a note if so.
func (b *builder) accepted(rule string, k key) bool {
	e := b.find(rule, k)
	if e != nil {
		b.note(k, "%s accepts this finding of %s: %s", library.ExceptionsFile, rule, e.Reason)
	}
	return e != nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
