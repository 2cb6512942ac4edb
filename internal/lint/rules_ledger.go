package lint

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/history"
	"github.com/rubric-library/rubric-library/internal/schema"
)

func documentGone(p *HistoryPass) {
	for _, d := range p.Documents {
		if d.Head != nil || len(d.Bases) == 0 || p.Ledger.Find(d.ID) != nil {
			continue
		}
		if d.Tip == nil && p.TipLedger.Find(d.ID) != nil {
			continue // the target branch retired it
		}
		held := d.Bases[0]
		p.Report(d, nil, "", nil, []Related{at(held, held.Doc.Root().Get(held.Doc.Kind.IDKey), "it was here")},
			"Put %s back, or write into %s why it is gone (`rubric-edit retire %s` does it): somebody may still use it, and the ID must not be used for something else.",
			schema.Quote(d.ID), LedgerFile, d.ID)
	}
}

func retiredID(p *HistoryPass) {
	for _, d := range p.Documents {
		if d.Head == nil || d.Head.Kind == nil || p.Ledger.Find(d.ID) == nil && p.TipLedger.Find(d.ID) == nil {
			continue
		}
		if p.Ledger.Find(d.ID) == nil && len(d.Bases) > 0 {
			continue // the target branch retired it, and this branch had it from before
		}
		p.Report(d, d.Head.Root().Get(d.Head.Kind.IDKey), "/"+d.Head.Kind.IDKey, nil, nil,
			"Choose another ID: %s is retired, and scores that were stored under it would seem to be of this document.", schema.Quote(d.ID))
	}
}

func ledgerChanged(p *HistoryPass) {
	if p.LedgerHidden {
		return // what stands in its place is a finding of its own
	}
	seen := map[string]bool{}
	for _, base := range p.BaseLedgers {
		if base == nil {
			continue
		}
		for i := range base.Entries {
			before := &base.Entries[i]
			now := p.Ledger.Find(before.ID)
			if seen[before.ID] || now != nil && now.Same(before) {
				continue
			}
			seen[before.ID] = true
			if now == nil {
				p.ReportLedger(before.ID, before.LastVersion, nil, "Put the line of %s back: lines of the ledger stay for ever, because the ID must not be used again.", schema.Quote(before.ID))
				continue
			}
			p.ReportLedger(before.ID, before.LastVersion, now.Node, "Write the line of %s as it was: lines of the ledger never change.", schema.Quote(before.ID))
		}
	}
}

// ledgerEntry compares new entries with what existed.
func ledgerEntry(p *HistoryPass) {
	if p.Ledger == nil || p.LedgerHidden {
		return
	}
	for i := range p.Ledger.Entries {
		entry := &p.Ledger.Entries[i]
		if p.TipLedger.Find(entry.ID) != nil || slices.ContainsFunc(p.BaseLedgers, func(l *history.Ledger) bool { return l.Find(entry.ID) != nil }) {
			continue
		}
		kind, version, existed := p.last(entry.ID)
		switch {
		case !existed:
			p.ReportLedger(entry.ID, entry.LastVersion, entry.Node, "Remove this line, or mend the ID: no document %s ever existed here.", schema.Quote(entry.ID))
		case kind != entry.Kind:
			p.ReportLedger(entry.ID, entry.LastVersion, entry.Node, "Write kind: %s, which is what %s was.", kind, schema.Quote(entry.ID))
		case version != entry.LastVersion:
			p.ReportLedger(entry.ID, entry.LastVersion, entry.Node, "Write last_version: %q, which is the last that %s had.", version, schema.Quote(entry.ID))
		}
	}
}

// last is the kind and version that a document had last.
func (p *HistoryPass) last(id string) (kind, version string, existed bool) {
	if held := p.Known(id); held != nil {
		return held.Doc.Kind.Name, held.Version(), true
	}
	if past := p.Past[id]; len(past) > 0 {
		return past[0].Kind.Name, past[0].Version, true
	}
	return "", "", false
}

func ledgerOrder(p *DocumentPass) {
	if p.Entry.Path != LedgerFile {
		return
	}
	before := ""
	for i, entry := range items(p.Root().Get("retired")) {
		id := entry.Get("id")
		if id == nil {
			continue
		}
		if id.Value < before {
			p.ReportAt(key("retired").Elem(i, id.Value, "entry").Key("id", ""), id, "Move this entry up: the entries are sorted by ID.")
		}
		before = id.Value
	}
}
