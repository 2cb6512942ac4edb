package history

import (
	"cmp"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

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
