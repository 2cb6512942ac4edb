package comparison

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/change/holdings"
)

func (c *Comparison) readLedgers() (err error) {
	if c.Ledger, c.LedgerHidden, err = c.Head.Ledger(); err != nil {
		return err
	}
	if c.TipLedger, err = c.Tip.EarlierLedger(); err != nil {
		return err
	}
	for _, base := range c.Bases {
		ledger, err := base.EarlierLedger()
		if err != nil {
			return err
		}
		c.BaseLedgers = append(c.BaseLedgers, ledger)
	}
	listed, changed := map[string]bool{}, c.changedIDs()
	if c.Ledger != nil && !c.Head.Packed { // a bundle was verified
		for _, e := range c.Ledger.Entries {
			kept := c.inEarlierLedger(func(l *holdings.Ledger) bool { return l.Keeps(&e) })
			if !c.step || !kept || changed[e.ID] {
				listed[e.ID] = true
			}
		}
	}
	c.Living, err = c.Head.Versions(listed)
	return err
}

// changedIDs are the IDs of the documents of the head whose files differ.
func (c *Comparison) changedIDs() map[string]bool {
	ids := map[string]bool{}
	for _, differ := range c.differ {
		for name := range differ {
			id, _ := c.Head.KnownID(name)
			ids[id] = true
		}
	}
	return ids
}

// IsNew reports whether neither the target nor a merge base has an entry, or whether it is a
// yank there and a withdrawal here.
func (c *Comparison) IsNew(e *holdings.LedgerLine) bool {
	withdrawn := func(l *holdings.Ledger) bool { return l.Withdrawn(e.ID, e.Yanked) }
	return !c.IsListed(e) || e.Withdrawn && !c.inEarlierLedger(withdrawn)
}

// inEarlierLedger reports whether a ledger of the target or of a merge base is as required.
func (c *Comparison) inEarlierLedger(is func(*holdings.Ledger) bool) bool {
	return is(c.TipLedger) || slices.ContainsFunc(c.BaseLedgers, is)
}

// IsListed reports whether the target or a merge base has an entry for the same ID or version.
func (c *Comparison) IsListed(e *holdings.LedgerLine) bool {
	return c.inEarlierLedger(func(l *holdings.Ledger) bool { return l.Entry(e.ID, e.Yanked) != nil })
}

// NewYanks are the versions that the head yanks or withdraws, and neither the target nor a merge
// base does.
func (c *Comparison) NewYanks() []holdings.LedgerLine {
	if c.Ledger == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(c.Ledger.Entries), func(e holdings.LedgerLine) bool {
		return e.Yanked == "" || !c.IsNew(&e)
	})
}

// IsYanked reports whether the ledger of the head or of the target yanks or withdraws a version.
func (c *Comparison) IsYanked(id, version string) bool {
	return c.Ledger.Entry(id, version) != nil || c.TipLedger.Entry(id, version) != nil
}

// IsWithdrawn reports whether one of these ledgers withdraws a version.
func (c *Comparison) IsWithdrawn(id, version string) bool {
	return c.Ledger.Withdrawn(id, version) || c.TipLedger.Withdrawn(id, version)
}

// EndOf is the word for what happened to a yanked version.
func (c *Comparison) EndOf(id, version string) string {
	if c.IsWithdrawn(id, version) {
		return "withdrawn"
	}
	return "yanked"
}
