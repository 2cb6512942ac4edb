package history

import (
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/library"
)

// Ledger is the list of retired IDs.
type Ledger struct {
	Doc     *document.Document
	Entries []Entry
}

// Entry is a line of the ledger.
type Entry struct {
	ID, Kind, LastVersion, Reason, ReplacedBy string
	Node                                      *yamltree.Node
}

// Find returns the entry of an ID, or nil. It can be called on nil.
func (l *Ledger) Find(id string) *Entry {
	if l == nil {
		return nil
	}
	for i := range l.Entries {
		if l.Entries[i].ID == id {
			return &l.Entries[i]
		}
	}
	return nil
}

// Same reports whether two entries mean the same.
func (e *Entry) Same(other *Entry) bool {
	return e.ID == other.ID && e.Kind == other.Kind && e.LastVersion == other.LastVersion && e.Reason == other.Reason && e.ReplacedBy == other.ReplacedBy
}

// parseLedger reads a ledger; nil data gives nil.
func parseLedger(data []byte) *Ledger {
	if data == nil {
		return nil
	}
	l := &Ledger{Doc: document.ParseAs(source.NewFile(library.LedgerFile, data), &document.Ledger)}
	for _, n := range l.Doc.Root().Get("retired").List() {
		l.Entries = append(l.Entries, Entry{
			ID: n.Get("id").Text(), Kind: n.Get("kind").Text(), LastVersion: n.Get("last_version").Text(),
			Reason: n.Get("reason").Text(), ReplacedBy: n.Get("replaced_by").Text(), Node: n,
		})
	}
	return l
}

func (c *Comparison) ledgers() error {
	data, err := c.Tip.File(library.LedgerFile)
	if err != nil {
		return err
	}
	c.Ledger, c.TipLedger = parseLedger(c.head.Ledger), parseLedger(data)
	c.LedgerHidden = c.head.LedgerHidden || c.Ledger != nil && !c.Ledger.Doc.Valid()
	for _, base := range c.Bases {
		data, err := base.File(library.LedgerFile)
		if err != nil {
			return err
		}
		c.BaseLedgers = append(c.BaseLedgers, parseLedger(data))
	}
	return nil
}
