package history

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/repository/history"
)

func documentGone(p *lint.HistoryPass) {
	for _, d := range p.Documents {
		if d.Head != nil || len(d.Bases) == 0 || p.Ledger.Find(d.ID) != nil {
			continue
		}
		if d.Tip == nil && p.TipLedger.Find(d.ID) != nil {
			continue // the target branch retired it
		}
		if d.Displaced && p.Commit == "" {
			continue // duplicate-id reports its file, except for old commits
		}
		held := d.Bases[0]
		p.Report(d, source.Location{}, "", nil, []lint.Related{{Location: held.IDAt, Message: "it was here"}},
			"Restore %s, or record in %s why it was removed (run `rubric retire %s`): consumers may still use it, and the ID must not be used for something else.",
			schema.Quote(d.ID), lint.LedgerFile, d.ID)
	}
}

func retiredID(p *lint.HistoryPass) {
	for _, d := range p.Documents {
		if d.Head == nil || d.Head.Kind == nil || p.Ledger.Find(d.ID) == nil && p.TipLedger.Find(d.ID) == nil {
			continue
		}
		if p.Ledger.Find(d.ID) == nil && len(d.Bases) > 0 {
			continue // the target branch retired it, and this branch had it from before
		}
		p.Report(d, d.Head.IDAt, "/"+d.Head.Kind.IDKey, nil, nil,
			"Choose another ID: %s is retired, and scores stored under it would appear to belong to this document.", schema.Quote(d.ID))
	}
}

func ledgerChanged(p *lint.HistoryPass) {
	if p.LedgerHidden {
		return // whatever replaced it has its own finding
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
				p.ReportLedger(before.ID, before.LastVersion, nil, "Restore the entry of %s: ledger entries are permanent, because the ID must not be used again.", schema.Quote(before.ID))
				continue
			}
			p.ReportLedger(before.ID, before.LastVersion, now.Node, "Restore the original entry of %s: ledger entries never change.", schema.Quote(before.ID))
		}
	}
}

// ledgerEntry compares new entries with what existed.
func ledgerEntry(p *lint.HistoryPass) {
	if p.Ledger == nil || p.LedgerHidden {
		return
	}
	for i := range p.Ledger.Entries {
		entry := &p.Ledger.Entries[i]
		if p.TipLedger.Find(entry.ID) != nil || slices.ContainsFunc(p.BaseLedgers, func(l *history.Ledger) bool { return l.Find(entry.ID) != nil }) {
			continue
		}
		kind, version, existed := lastOf(p, entry.ID)
		switch {
		case !existed:
			p.ReportLedger(entry.ID, entry.LastVersion, entry.Node, "Remove this entry, or fix the ID: no document %s ever existed here.", schema.Quote(entry.ID))
		case kind != entry.Kind:
			p.ReportLedger(entry.ID, entry.LastVersion, entry.Node, "Write kind: %s, which is what %s was.", kind, schema.Quote(entry.ID))
		case version != entry.LastVersion:
			p.ReportLedger(entry.ID, entry.LastVersion, entry.Node, "Write last_version: %q, which is the last version of %s.", version, schema.Quote(entry.ID))
		}
	}
}

// lastOf returns the last kind and version of a document.
func lastOf(p *lint.HistoryPass, id string) (kind, version string, existed bool) {
	if held := p.Known(id); held != nil {
		return held.Kind.Name, held.Version, true
	}
	if past := p.Past[id]; len(past) > 0 {
		return past[0].Kind.Name, past[0].Version, true
	}
	return "", "", false
}
