// Package history has the lint rules that compare a library with its history: versions,
// the ledger of retired IDs, and the exceptions.
package history

import (
	"cmp"
	_ "embed"
	"slices"

	"github.com/rubric-library/rubric-library/internal/compat"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/repository/history"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
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

func exceptionStale(p *lint.IgnorePass) {
	for _, e := range p.Exceptions {
		if !e.Used && e.Rule != withdrawn {
			p.ReportAt(e.At, e.ID, "exception "+e.Rule+" "+e.Version+e.Commit,
				"Remove this exception: it accepts nothing and would hide the next mistake.")
		}
	}
}

// acceptable are the lint rules whose findings an exception can accept.
var acceptable = []string{
	"version-too-low", "version-skipped", "version-down", "version-reused", "major-change", "document-gone", "retired-id", "ledger-changed", "ledger-entry",
	withdrawn,
}

// withdrawn replaces the lint rule in an exception that keeps the content of a version
// out of bundles. `rubric build` reads it.
const withdrawn = "version-withdrawn"

func exceptionUnknown(p *lint.DocumentPass) {
	if p.Entry.Path != lint.ExceptionsFile {
		return
	}
	for i, e := range p.Root().Get("exceptions").List() {
		rule := e.Get("rule")
		if rule == nil || rule.Value == "" || slices.Contains(acceptable, rule.Value) {
			continue
		}
		advice := cmp.Or(suggest.Question("Did you mean %s?", rule.Value, acceptable), "Use one of "+schema.Or(acceptable, "or")+".")
		p.ReportAt(lint.Key("exceptions").Elem(i, "", "exception").Key("rule", ""), rule,
			"An exception can't accept findings of %s. %s", schema.Quote(rule.Value), advice)
	}
}

// mostAtFirst is the largest number in the versions that the first documents of a
// library bring from elsewhere. It leaves enough room to grow.
const mostAtFirst = 999_999

// skipped reports a version that is not the next one. A step that is already on the
// main branch is not reported, because another version would not help.
func skipped(p *lint.HistoryPass, v *versioned) {
	if v.fork || v.lower() || v.untouched() || p.Settled && p.Exception("version-skipped", v.ID, v.head.String()) == nil {
		return
	}
	if v.floor != nil {
		if skips(p, v) {
			reportVersion(p, v, requiredOf(p, v), "Change version %s to %s: versions must not skip numbers, and the last version is %s.", v.head, requiredOf(p, v), latest(p, v))
		}
		return
	}
	firsts := compat.Firsts(v.ID)
	comesAlong := p.Founds && max(v.head.Major(), v.head.Minor(), v.head.Patch()) <= mostAtFirst
	if comesAlong || slices.ContainsFunc(firsts, v.head.Equal) {
		return
	}
	starts := firsts[0].String()
	if len(firsts) > 1 {
		starts += ", as a draft, or " + firsts[1].String()
	}
	first := compat.First(v.ID, v.head)
	reportVersion(p, v, first, "Change version %s to %s: a new document starts at %s.", v.head, first, starts)
}

// skips reports whether a version that is high enough is new and does not directly
// follow the last one.
func skips(p *lint.HistoryPass, v *versioned) bool {
	used := slices.ContainsFunc(p.Past[v.ID], func(h history.Holding) bool { return h.Version == v.head.String() })
	return v.enough() && !used && !v.head.Equal(v.floor) && !compat.Follows(v.floor, v.head) && !compat.Follows(latest(p, v), v.head)
}
