package change

import (
	"fmt"
	"slices"

	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/library"
)

// judgeGone judges a document that the head does not have.
func (s *Step) judgeGone(d *JudgedDocument) {
	switch {
	case d.Head != nil || len(d.Bases) == 0 || s.Ledger.Find(d.ID) != nil:
	case d.Tip == nil && s.TipLedger.Find(d.ID) != nil: // the target branch retired it
	default:
		v := &BrokenRule{
			Rule: DocumentGone, Document: d, At: source.Location{File: d.Path},
			Message: fmt.Sprintf("Restore %s, or record in %s why it was removed (run `rubric retire %s`): "+
				"consumers may still use it, and the ID must not be used for something else.",
				schema.Quote(d.ID), library.LedgerFile, d.ID),
		}
		if s.LedgerHidden != "" {
			v.Message += " Fix the ledger first: " + s.LedgerHidden + "."
		}
		s.add(v)
	}
}

// judgeRetired judges a document whose ID the ledger lists.
func (s *Step) judgeRetired(d *JudgedDocument) {
	if !s.takesRetired(d) {
		return
	}
	v := &BrokenRule{
		Rule: RetiredID, Document: d, At: d.Head.IDAt, Pointer: "/" + d.Head.Kind.IDKey,
		Message: fmt.Sprintf("Choose another ID: %s is retired, "+
			"and scores stored under it would appear to belong to this document.", schema.Quote(d.ID)),
	}
	if d.owner != nil { // no bundle can have both kinds
		v.Final, v.Damage = !s.isHistory(), s.isHistory()
		v.Message = fmt.Sprintf("Choose another ID: %s is retired, and was the ID of a %s.",
			schema.Quote(d.ID), d.owner.Kind.Noun)
	}
	s.add(v)
}

// takesRetired reports whether a document takes an ID that the ledger lists.
func (s *Step) takesRetired(d *JudgedDocument) bool {
	listed := s.Ledger.Find(d.ID) != nil
	switch {
	case d.Head == nil || d.Head.Kind == nil || !listed && s.TipLedger.Find(d.ID) == nil:
		return false
	case !listed && len(d.Bases) > 0: // the target branch retired it, and this branch had it from before
		return false
	}
	return !s.isRestored(d) // by an earlier step, which was judged
}

// isRestored reports whether a merge base already has a document under a retired ID.
func (s *Step) isRestored(d *JudgedDocument) bool {
	for i, base := range s.Bases {
		held := func(e *holdings.Edition) bool { return e.Commit.Hash == base.Commit.Hash }
		if s.BaseLedgers[i].Find(d.ID) != nil && slices.ContainsFunc(d.Bases, held) {
			return true
		}
	}
	return false
}

// judgeEntries judges the entries of the ledger: those that existed stay as they were, and new
// ones say what existed.
func (s *Step) judgeEntries() {
	if s.LedgerHidden != "" {
		return // whatever replaced it has its own finding
	}
	seen := map[[2]string]bool{}
	for _, base := range s.BaseLedgers {
		if base == nil {
			continue
		}
		for i := range base.Entries {
			before := &base.Entries[i]
			if key := [2]string{before.ID, before.Yanked}; !seen[key] && !s.Ledger.Keeps(before) {
				seen[key] = true
				s.judgeChanged(before)
			}
		}
	}
	if s.Ledger == nil {
		return
	}
	for i := range s.Ledger.Entries {
		entry := &s.Ledger.Entries[i]
		if v := s.brokenRule(entry); v != nil {
			v.Final, v.Damage = !s.isHistory(), s.isHistory() // no bundle can have it
			s.add(v)
		} else if s.IsNew(entry) {
			s.judgeNewEntry(entry)
		}
	}
}

// brokenRule returns the rule that an entry breaks by contradicting another one or the library, or nil. A
// document that must get another version breaks that rule only.
func (s *Step) brokenRule(entry *holdings.LedgerLine) *BrokenRule {
	named := func(v *BrokenRule) bool { return v.ID == entry.ID && v.Required != "" && v.Fails() }
	quoted, version := schema.Quote(entry.ID), s.Living[entry.ID]
	switch first := s.Ledger.Entry(entry.ID, entry.Yanked); {
	case first.Node != entry.Node:
		line := s.brokenAt(LedgerEntry, first, "").At.Start.Line
		return s.brokenAt(LedgerEntry, entry, "Remove this entry or the one in line %d: both are for %s.", line, entry.Name())
	case version == "" || slices.ContainsFunc(s.Broken, named):
		return nil
	case entry.Yanked == "" && !higher(version, entry.LastVersion):
		return s.brokenAt(LedgerEntry, entry, "Remove this entry, or %s from the library: "+
			"it ended with version %s, and only a later one can follow.", quoted, entry.LastVersion)
	case version != entry.Yanked:
		return nil
	case entry.Withdrawn:
		return s.brokenAt(LedgerEntry, entry, "Publish a new version of %s, or retire it: "+
			"version %s is withdrawn, and the library still has its text.", quoted, version)
	case s.selectedVersion(entry.ID, nil) == nil:
		return s.brokenAt(LedgerEntry, entry, "Remove this entry: %s.", noneRemains(entry.ID))
	}
	return nil
}

// judgeChanged adds the rule that an entry breaks if it differs or is gone. An exception can accept another
// reason or another replacement, and a commit of the history after which the entry was restored.
func (s *Step) judgeChanged(before *holdings.LedgerLine) {
	at := holdings.LedgerLine{ID: before.ID, LastVersion: before.LastVersion, Yanked: before.Yanked}
	now := s.Ledger.Entry(before.ID, before.Yanked)
	if now != nil {
		at.Node = now.Node
	}
	v := s.brokenAt(LedgerChanged, &at, "Restore the original entry of %s: entries of the ledger are permanent.",
		before.Name())
	if now != nil && before.Withdrawn && !now.Withdrawn {
		v.Message = fmt.Sprintf("Restore withdrawn: true in the entry of %s: a withdrawal is permanent.", before.Name())
	}
	if s.Ledger.Loses(before) {
		v.Damage = s.isHistory() && !s.end.Loses(before)
		v.Final = !v.Damage
	}
	s.add(v)
}

// judgeNewEntry compares a new entry with what existed.
func (s *Step) judgeNewEntry(entry *holdings.LedgerLine) {
	kind, version, existed := s.lastOf(entry.ID)
	switch {
	case entry.Yanked != "":
		if why := s.notYanked(entry); why != "" {
			s.addAtEntry(LedgerEntry, entry, "Remove this entry: %s.", why)
		}
	case !existed:
		s.addAtEntry(LedgerEntry, entry, "Remove this entry, or fix the ID: no document %s ever existed here.",
			schema.Quote(entry.ID))
	case kind != entry.Kind:
		s.addAtEntry(LedgerEntry, entry, "Write kind: %s, which is what %s was.", kind, schema.Quote(entry.ID))
	case version != entry.LastVersion:
		s.addAtEntry(LedgerEntry, entry, "Write last_version: %q, which is the last version of %s.",
			version, schema.Quote(entry.ID))
	}
}

// lastOf returns the last kind and version of a document.
func (s *Step) lastOf(id string) (kind, version string, existed bool) {
	if held := s.KnownEdition(id); held != nil {
		return held.Kind.Name, held.Version, true
	}
	if past := s.past[id]; len(past) > 0 {
		return past[0].Kind.Name, past[0].Version, true
	}
	return "", "", false
}

// addAtEntry adds a broken rule at an entry of the ledger, or at the file.
func (s *Step) addAtEntry(rule string, e *holdings.LedgerLine, format string, args ...any) {
	s.add(s.brokenAt(rule, e, format, args...))
}

func (s *Step) brokenAt(rule string, e *holdings.LedgerLine, format string, args ...any) *BrokenRule {
	v := &BrokenRule{
		Rule: rule, ID: e.ID, Version: e.LastVersion + e.Yanked,
		At: source.Location{File: library.LedgerFile}, Message: fmt.Sprintf(format, args...),
	}
	if e.Node != nil && s.Ledger != nil {
		v.At = source.Locate(s.Ledger.Doc.File, e.Node.Span)
	}
	return v
}

// higher reports whether a version is valid and higher than another one.
func higher(version, other string) bool {
	v, err := semver.StrictNewVersion(version)
	if err != nil {
		return false
	}
	o, err := semver.StrictNewVersion(other)
	return err == nil && v.GreaterThan(o)
}
