package bundle

import (
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/library"
)

// compareWithPrevious is the publish gate: what was released stays as it was.
func (b *builder) compareWithPrevious() {
	if b.Previous == nil {
		return
	}
	if bundlefile.CompareVersions(b.Version, b.Previous.Version) < 0 {
		b.problem(key{}, "The library would be %s, and %s was released before. A version never goes down.", b.Version, b.Previous.Version)
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
			b.problem(k, "This version was withdrawn, and no exception in %s says so any more. Put the line back: what is withdrawn stays withdrawn.", library.ExceptionsFile)
		}
	}
}

// compareVersion compares a version with what was released under it.
func (b *builder) compareVersion(k key, released string) {
	c := b.chosen[k]
	now := b.current[k.id]
	switch {
	case b.find(ruleWithdrawn, k) != nil:
	case c == nil:
		b.problem(k, "This version was released, and the history of this commit does not have it. Build from the branch that it was released from.")
	case c.digest != released:
		b.problem(k, "This version was released with another text. Give the text that is here a new version.")
	case now != nil && now.version == k.version && now.digest != released && !b.accepted(ruleReused, k):
		b.problem(k, "The library now has another text under this version than the one that was released. Give it a new version.")
	}
}

// compareDocument compares whether a document is still there with what was
// released.
func (b *builder) compareDocument(id string) {
	k := key{id: id}
	_, inLedger := b.retired[id]
	_, wasInLedger := b.Previous.Retired[id]
	wasRetired := wasInLedger
	if line := b.Previous.Find(id); line != nil {
		wasRetired = line.Retired // an exception can have brought it back
	}
	here := b.current[id] != nil
	switch {
	case b.broken[id]: // that was said already
	case here && wasRetired && !b.accepted(ruleRetired, k):
		b.problem(k, "This ID was retired, and the library has it again. Choose another ID: scores that were stored under this one would seem to be of the new document.")
	case !here && !inLedger && wasInLedger:
		b.problem(k, "The line of this ID is gone from %s. Put it back: a retired ID is never used again.", library.LedgerFile)
	case !here && !inLedger && !b.accepted(ruleGone, k):
		b.problem(k, "This document was released and is gone, and %s does not say so. Put it back, or retire it with `rubric retire`.", library.LedgerFile)
	}
}

// accepted tells whether an exception lets something through, and notes it.
func (b *builder) accepted(rule string, k key) bool {
	e := b.find(rule, k)
	if e != nil {
		b.note(k, "%s accepts what %s finds here: %s", library.ExceptionsFile, rule, e.Reason)
	}
	return e != nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
