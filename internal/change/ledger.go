package change

import (
	"fmt"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/library"
)

// The rules about IDs that a step can break.
const (
	DocumentGone  = "document-gone"
	RetiredID     = "retired-id"
	LedgerChanged = "ledger-changed"
	LedgerEntry   = "ledger-entry"
)

// Ledger is the list of retired IDs and of yanked versions.
type Ledger struct {
	Doc     *document.Document
	Entries []Entry
}

// Entry is a line of the ledger: a retired ID, or, with Yanked, a version that constraints no
// longer select. With Withdrawn, the text of that version is gone, too.
type Entry struct {
	ID, Kind, LastVersion, Reason, ReplacedBy, Yanked string
	Withdrawn                                         bool

	node *yamltree.Node
}

// Find returns the entry of a retired ID, or nil. It can be called on nil.
func (l *Ledger) Find(id string) *Entry { return l.find(id, "") }

// find returns the entry of a yanked version, or of a retired ID if the version is "".
func (l *Ledger) find(id, yanked string) *Entry {
	if l == nil {
		return nil
	}
	i := slices.IndexFunc(l.Entries, func(e Entry) bool { return e.ID == id && e.Yanked == yanked })
	if i < 0 {
		return nil
	}
	return &l.Entries[i]
}

// Withdrawn reports whether a version is withdrawn.
func (l *Ledger) Withdrawn(id, version string) bool {
	e := l.find(id, version)
	return e != nil && e.Withdrawn
}

// keeps reports whether the ledger has an entry that means the same, or a yank that is now a
// withdrawal.
func (l *Ledger) keeps(e *Entry) bool {
	now := l.find(e.ID, e.Yanked)
	if now == nil {
		return false
	}
	other := *now
	other.node = e.node
	if e.Yanked != "" && !e.Withdrawn {
		other.Withdrawn = false
	}
	return other == *e
}

// loses reports whether the ledger lacks what no exception can remove from an entry: all of it
// except the reason and the replacement.
func (l *Ledger) loses(e *Entry) bool {
	now := l.find(e.ID, e.Yanked)
	return now == nil || now.Kind != e.Kind || now.LastVersion != e.LastVersion || e.Withdrawn && !now.Withdrawn
}

// Ledger reads the ledger of a library, nil if there is none. hidden says why it can't be read
// completely, or is "".
func (l *Library) Ledger() (ledger *Ledger, hidden string, err error) {
	if l.ended != nil {
		return l.ended, "", nil
	}
	d, hidden, err := l.settings(library.LedgerFile, &document.Ledger)
	if d == nil || err != nil {
		return nil, hidden, err
	}
	return ledgerOf(d), hidden, nil
}

// earlierLedger is the ledger of a library for a step that follows it, nil if there is none.
func (l *Library) earlierLedger() (*Ledger, error) {
	if l.ended != nil {
		return l.ended, nil
	}
	d, _, err := l.earlierSettings(library.LedgerFile, &document.Ledger)
	if d == nil || err != nil {
		return nil, err
	}
	return ledgerOf(d), nil
}

// ledgerOf reads a ledger, as far as it is valid. That of nil is empty.
func ledgerOf(d *document.Document) *Ledger {
	ledger := &Ledger{Doc: d}
	if d == nil || d.Root() == nil {
		return ledger
	}
	for _, list := range d.Root().Entries { // a merge can leave two of a name
		for _, n := range list.Value.List() {
			e := Entry{ID: n.Get("id").Text(), Reason: n.Get("reason").Text(), node: n}
			switch list.Key.Value {
			case "retired":
				e.Kind, e.LastVersion, e.ReplacedBy = n.Get("kind").Text(), n.Get("last_version").Text(), n.Get("replaced_by").Text()
			case "yanked":
				e.Yanked, e.Withdrawn = n.Get("version").Text(), n.Get("withdrawn").IsTrue()
			default:
				continue
			}
			ledger.Entries = append(ledger.Entries, e)
		}
	}
	return ledger
}

func (c *Comparison) readLedgers() (err error) {
	if c.Ledger, c.LedgerHidden, err = c.Head.Ledger(); err != nil {
		return err
	}
	if c.TipLedger, err = c.Tip.earlierLedger(); err != nil {
		return err
	}
	for _, base := range c.Bases {
		ledger, err := base.earlierLedger()
		if err != nil {
			return err
		}
		c.BaseLedgers = append(c.BaseLedgers, ledger)
	}
	listed, changed := map[string]bool{}, c.changedIDs()
	if c.Ledger != nil && !c.Head.Packed { // a bundle was verified
		for _, e := range c.Ledger.Entries {
			kept := c.inEarlierLedger(func(l *Ledger) bool { return l.keeps(&e) })
			if !c.Head.step || !kept || changed[e.ID] {
				listed[e.ID] = true
			}
		}
	}
	c.living, err = c.Head.versions(listed)
	return err
}

// changedIDs are the IDs of the documents of the head whose files differ.
func (c *Comparison) changedIDs() map[string]bool {
	ids := map[string]bool{}
	for _, differ := range c.differ {
		for name := range differ {
			ids[c.Head.ids[name]] = true
		}
	}
	return ids
}

// isNew reports whether neither the target nor a merge base has an entry, or whether it is a
// yank there and a withdrawal here.
func (c *Comparison) isNew(e *Entry) bool {
	return !c.listed(e) || e.Withdrawn && !c.inEarlierLedger(func(l *Ledger) bool { return l.Withdrawn(e.ID, e.Yanked) })
}

// inEarlierLedger reports whether a ledger of the target or of a merge base is as required.
func (c *Comparison) inEarlierLedger(is func(*Ledger) bool) bool {
	return is(c.TipLedger) || slices.ContainsFunc(c.BaseLedgers, is)
}

// listed reports whether the target or a merge base has an entry for the same ID or version.
func (c *Comparison) listed(e *Entry) bool {
	return c.inEarlierLedger(func(l *Ledger) bool { return l.find(e.ID, e.Yanked) != nil })
}

// versions returns the versions of the documents with some IDs.
func (l *Library) versions(ids map[string]bool) (map[string]string, error) {
	found := map[string]string{}
	if len(ids) == 0 {
		return found, nil
	}
	names, err := l.paths()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		id, known := l.ids[name]
		if !known {
			id = stem(name)
		}
		if !ids[id] {
			continue
		}
		d, err := l.Current(name)
		if err != nil {
			return nil, err
		}
		if d.Valid() && d.ID() == id {
			found[id] = d.Version()
		}
	}
	return found, nil
}

// gone judges a document that the head does not have.
func (s *Step) gone(d *Document) {
	switch {
	case d.Head != nil || len(d.Bases) == 0 || s.Ledger.Find(d.ID) != nil:
	case d.Tip == nil && s.TipLedger.Find(d.ID) != nil: // the target branch retired it
	default:
		v := &Verdict{
			Rule: DocumentGone, Document: d, At: source.Location{File: d.Path}, Was: d.Bases[0],
			Message: fmt.Sprintf("Restore %s, or record in %s why it was removed (run `rubric retire %s`): consumers may still use it, and the ID must not be used for something else.",
				schema.Quote(d.ID), library.LedgerFile, d.ID),
		}
		if s.LedgerHidden != "" {
			v.Message += " Fix the ledger first: " + s.LedgerHidden + "."
		}
		s.add(v)
	}
}

// retired judges a document whose ID the ledger lists.
func (s *Step) retired(d *Document) {
	switch {
	case d.Head == nil || d.Head.Kind == nil || s.Ledger.Find(d.ID) == nil && s.TipLedger.Find(d.ID) == nil:
	case s.Ledger.Find(d.ID) == nil && len(d.Bases) > 0: // the target branch retired it, and this branch had it from before
	case s.restored(d): // an earlier step brought it back, and was judged
	default:
		v := &Verdict{
			Rule: RetiredID, Document: d, At: d.Head.IDAt, Pointer: "/" + d.Head.Kind.IDKey,
			Message: fmt.Sprintf("Choose another ID: %s is retired, and scores stored under it would appear to belong to this document.", schema.Quote(d.ID)),
		}
		if d.owner != nil { // no bundle can have both kinds
			v.Final, v.Damage = !s.isHistory(), s.isHistory()
			v.Message = fmt.Sprintf("Choose another ID: %s is retired, and was the ID of a %s.", schema.Quote(d.ID), d.owner.Kind.Noun)
		}
		s.add(v)
	}
}

// restored reports whether a merge base already has a document under a retired ID.
func (s *Step) restored(d *Document) bool {
	for i, base := range s.Bases {
		held := func(e *Edition) bool { return e.Commit.Hash == base.Commit.Hash }
		if s.BaseLedgers[i].Find(d.ID) != nil && slices.ContainsFunc(d.Bases, held) {
			return true
		}
	}
	return false
}

// entries judges the entries of the ledger: those that existed stay as they were, and new
// ones say what existed.
func (s *Step) entries() {
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
			if key := [2]string{before.ID, before.Yanked}; !seen[key] && !s.Ledger.keeps(before) {
				seen[key] = true
				s.changed(before)
			}
		}
	}
	if s.Ledger == nil {
		return
	}
	for i := range s.Ledger.Entries {
		entry := &s.Ledger.Entries[i]
		if v := s.impossible(entry); v != nil {
			v.Final, v.Damage = !s.isHistory(), s.isHistory() // no bundle can have it
			s.add(v)
		} else if s.isNew(entry) {
			s.newEntry(entry)
		}
	}
}

// impossible is the verdict on an entry that contradicts another one or the library, or nil. A
// document that must get another version has that verdict only.
func (s *Step) impossible(entry *Entry) *Verdict {
	named := func(v *Verdict) bool { return v.ID == entry.ID && v.Required != "" && v.Fails() }
	quoted, version := schema.Quote(entry.ID), s.living[entry.ID]
	switch first := s.Ledger.find(entry.ID, entry.Yanked); {
	case first.node != entry.node:
		return s.about(LedgerEntry, entry, "Remove this entry or the one in line %d: both are for %s.", s.about(LedgerEntry, first, "").At.Start.Line, entry.name())
	case version == "" || slices.ContainsFunc(s.Verdicts, named):
		return nil
	case entry.Yanked == "" && !higher(version, entry.LastVersion):
		return s.about(LedgerEntry, entry, "Remove this entry, or %s from the library: it ended with version %s, and only a later one can follow.", quoted, entry.LastVersion)
	case version != entry.Yanked:
		return nil
	case entry.Withdrawn:
		return s.about(LedgerEntry, entry, "Publish a new version of %s, or retire it: version %s is withdrawn, and the library still has its text.", quoted, version)
	case s.selected(entry.ID, nil) == nil:
		return s.about(LedgerEntry, entry, "Remove this entry: %s.", noneRemains(entry.ID))
	}
	return nil
}

// changed adds a verdict on an entry that differs or is gone. An exception can accept another
// reason or another replacement, and a commit of the history after which the entry was restored.
func (s *Step) changed(before *Entry) {
	at := Entry{ID: before.ID, LastVersion: before.LastVersion, Yanked: before.Yanked}
	now := s.Ledger.find(before.ID, before.Yanked)
	if now != nil {
		at.node = now.node
	}
	v := s.about(LedgerChanged, &at, "Restore the original entry of %s: entries of the ledger are permanent.", before.name())
	if now != nil && before.Withdrawn && !now.Withdrawn {
		v.Message = fmt.Sprintf("Restore withdrawn: true in the entry of %s: a withdrawal is permanent.", before.name())
	}
	if s.Ledger.loses(before) {
		v.Damage = s.isHistory() && !s.end.loses(before)
		v.Final = !v.Damage
	}
	s.add(v)
}

// name is the entry in messages: its ID, and the version if it is yanked.
func (e *Entry) name() string { return strings.TrimRight(schema.Quote(e.ID)+" "+e.Yanked, " ") }

// newEntry compares a new entry with what existed.
func (s *Step) newEntry(entry *Entry) {
	kind, version, existed := s.lastOf(entry.ID)
	switch {
	case entry.Yanked != "":
		if why := s.notYanked(entry); why != "" {
			s.entry(LedgerEntry, entry, "Remove this entry: %s.", why)
		}
	case !existed:
		s.entry(LedgerEntry, entry, "Remove this entry, or fix the ID: no document %s ever existed here.", schema.Quote(entry.ID))
	case kind != entry.Kind:
		s.entry(LedgerEntry, entry, "Write kind: %s, which is what %s was.", kind, schema.Quote(entry.ID))
	case version != entry.LastVersion:
		s.entry(LedgerEntry, entry, "Write last_version: %q, which is the last version of %s.", version, schema.Quote(entry.ID))
	}
}

// lastOf returns the last kind and version of a document.
func (s *Step) lastOf(id string) (kind, version string, existed bool) {
	if held := s.Known(id); held != nil {
		return held.Kind.Name, held.Version, true
	}
	if past := s.past[id]; len(past) > 0 {
		return past[0].Kind.Name, past[0].Version, true
	}
	return "", "", false
}

// entry adds a verdict at an entry of the ledger, or at the file.
func (s *Step) entry(rule string, e *Entry, format string, args ...any) {
	s.add(s.about(rule, e, format, args...))
}

func (s *Step) about(rule string, e *Entry, format string, args ...any) *Verdict {
	v := &Verdict{Rule: rule, ID: e.ID, Version: e.LastVersion + e.Yanked, At: source.Location{File: library.LedgerFile}, Message: fmt.Sprintf(format, args...)}
	if e.node != nil && s.Ledger != nil {
		v.At = source.Locate(s.Ledger.Doc.File, e.node.Span)
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
