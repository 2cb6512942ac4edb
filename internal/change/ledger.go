package change

import (
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/library"
)

// Ledger is the list of retired IDs and of yanked versions.
type Ledger struct {
	Doc     *document.Document
	Entries []LedgerLine
}

// LedgerLine is a line of the ledger: a retired ID, or, with Yanked, a version that constraints no
// longer select. With Withdrawn, the text of that version is gone, too.
type LedgerLine struct {
	ID, Kind, LastVersion, Reason, ReplacedBy, Yanked string
	Withdrawn                                         bool

	node *yamltree.Node
}

// ledgerOf reads a ledger, as far as it is valid. That of nil is empty.
func ledgerOf(d *document.Document) *Ledger {
	ledger := &Ledger{Doc: d}
	if d == nil || d.Root() == nil {
		return ledger
	}
	for _, list := range d.Root().Entries { // a merge can leave two of a name
		for _, n := range list.Value.List() {
			e := LedgerLine{ID: n.Get("id").Text(), Reason: n.Get("reason").Text(), node: n}
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

// Find returns the entry of a retired ID, or nil. It can be called on nil.
func (l *Ledger) Find(id string) *LedgerLine { return l.find(id, "") }

// find returns the entry of a yanked version, or of a retired ID if the version is "".
func (l *Ledger) find(id, yanked string) *LedgerLine {
	if l == nil {
		return nil
	}
	i := slices.IndexFunc(l.Entries, func(e LedgerLine) bool { return e.ID == id && e.Yanked == yanked })
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
func (l *Ledger) keeps(e *LedgerLine) bool {
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
func (l *Ledger) loses(e *LedgerLine) bool {
	now := l.find(e.ID, e.Yanked)
	return now == nil || now.Kind != e.Kind || now.LastVersion != e.LastVersion || e.Withdrawn && !now.Withdrawn
}

// name is the entry in messages: its ID, and the version if it is yanked.
func (e *LedgerLine) name() string { return strings.TrimRight(schema.Quote(e.ID)+" "+e.Yanked, " ") }

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

// isEmpty reports whether the library has neither documents, valid or not, nor retired ones.
func (l *Library) isEmpty() (bool, error) {
	there := len(l.files) > len(l.hidden)
	if l.repo != nil {
		var err error
		if there, err = hasDocument(l.Files, ""); err != nil {
			return false, err
		}
	}
	if there {
		return false, nil
	}
	ledger, _, err := l.Ledger()
	return ledger == nil || !slices.ContainsFunc(ledger.Entries, func(e LedgerLine) bool { return e.Yanked == "" }), err
}
