// Package history has the lint rules that compare a library with its history: versions,
// the ledger of retired IDs, and the exceptions.
package history

import (
	_ "embed"

	"github.com/rubric-library/rubric-library/internal/lint"
)

// Rules compare a library with its history.
var Rules = lint.Describe(texts, map[string]lint.Rule{
	"version-too-low":   {History: eachVersioned(tooLow)},
	"version-skipped":   {History: eachVersioned(skipped)},
	"version-down":      {History: eachVersioned(goesDown)},
	"version-reused":    {History: eachVersioned(reused)},
	"major-change":      {History: eachVersioned(majorChange)},
	"version-idle":      {History: eachVersioned(idle)},
	"document-gone":     {History: documentGone},
	"retired-id":        {History: retiredID},
	"ledger-changed":    {History: ledgerChanged},
	"ledger-entry":      {History: ledgerEntry},
	"ledger-order":      {Document: ledgerOrder},
	"history-since":     {History: historySince},
	"exception-unknown": {Document: exceptionUnknown},
	"exception-stale":   {Ignores: exceptionStale},
})

//go:embed rules.txt
var texts string

func historySince(p *lint.HistoryPass) {
	if p.Commit != "" || p.TipSince == "" || p.TipSince == p.HeadSince {
		return
	}
	p.ReportSetting("history.since", "Restore since: %s, as on the target branch: otherwise a change could decide which part of its history is checked.", p.TipSince)
}
