package holdings

import (
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
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

	// Node is its place in the ledger, or nil for a line that is in none.
	Node *yamltree.Node
}

// LedgerOf reads a ledger, as far as it is valid. That of nil is empty.
func LedgerOf(d *document.Document) *Ledger {
	ledger := &Ledger{Doc: d}
	if d == nil || d.Root() == nil {
		return ledger
	}
	for _, list := range d.Root().Entries { // a merge can leave two of a name
		for _, n := range list.Value.List() {
			e := LedgerLine{ID: n.Get("id").Text(), Reason: n.Get("reason").Text(), Node: n}
			switch list.Key.Value {
			case "retired":
				e.Kind, e.LastVersion = n.Get("kind").Text(), n.Get("last_version").Text()
				e.ReplacedBy = n.Get("replaced_by").Text()
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
func (l *Ledger) Find(id string) *LedgerLine { return l.Entry(id, "") }

// Entry returns the entry of a yanked version, or of a retired ID if the version is "".
func (l *Ledger) Entry(id, yanked string) *LedgerLine {
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
	e := l.Entry(id, version)
	return e != nil && e.Withdrawn
}

// Keeps reports whether the ledger has an entry that means the same, or a yank that is now a
// withdrawal.
func (l *Ledger) Keeps(e *LedgerLine) bool {
	now := l.Entry(e.ID, e.Yanked)
	if now == nil {
		return false
	}
	other := *now
	other.Node = e.Node
	if e.Yanked != "" && !e.Withdrawn {
		other.Withdrawn = false
	}
	return other == *e
}

// Loses reports whether the ledger lacks what no exception can remove from an entry: all of it
// except the reason and the replacement.
func (l *Ledger) Loses(e *LedgerLine) bool {
	now := l.Entry(e.ID, e.Yanked)
	return now == nil || now.Kind != e.Kind || now.LastVersion != e.LastVersion || e.Withdrawn && !now.Withdrawn
}

// Name is the entry in messages: its ID, and the version if it is yanked.
func (e *LedgerLine) Name() string { return strings.TrimRight(schema.Quote(e.ID)+" "+e.Yanked, " ") }
