package rules

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

var historyRules = map[string]lint.Rule{
	change.VersionTooLow: {
		Severity: lint.Error, Spec: lint.RL04, Unsuppressable: true, Fixable: true,
		Check: lint.OfHistory(broken),
	},
	change.VersionSkipped: {
		Severity: lint.Error, Spec: lint.RL04, Unsuppressable: true, Fixable: true,
		Check: lint.OfHistory(broken),
	},
	change.VersionDown: {
		Severity: lint.Error, Spec: lint.RL04, Unsuppressable: true, Fixable: true,
		Check: lint.OfHistory(broken),
	},
	change.VersionReused: {
		Severity: lint.Error, Spec: lint.RL04, Unsuppressable: true, Fixable: true,
		Check: lint.OfHistory(broken),
	},
	change.MajorChange: {
		Severity: lint.Error, Spec: lint.RL04, Unsuppressable: true,
		Check: lint.OfHistory(broken),
	},
	change.DocumentGone: {
		Severity: lint.Error, Spec: lint.RL01, Unsuppressable: true,
		Check: lint.OfHistory(broken),
	},
	change.RetiredID: {
		Severity: lint.Error, Spec: lint.RL01, Unsuppressable: true,
		Check: lint.OfHistory(broken),
	},
	change.LedgerChanged: {
		Severity: lint.Error, Spec: lint.RL01, Unsuppressable: true,
		Check: lint.OfHistory(broken),
	},
	change.LedgerEntry: {
		Severity: lint.Error, Spec: lint.RL01, Unsuppressable: true,
		Check: lint.OfHistory(broken),
	},
	change.EvidenceChanged: {Severity: lint.Error, Unsuppressable: true, Check: lint.OfHistory(broken)},
	change.DatasetLeft: {
		Severity: lint.Error, Spec: lint.RL09, Unsuppressable: true,
		Check: lint.OfHistory(broken),
	},
	change.VersionIdle:      {Severity: lint.Note, Check: lint.OfHistory(broken)},
	change.ExceptionStale:   {Severity: lint.Error, Unsuppressable: true, Check: lint.OfHistory(broken)},
	change.ExceptionRemoved: {Severity: lint.Error, Unsuppressable: true, Check: lint.OfHistory(broken)},
	"rebase-merge":          {Severity: lint.Warning, Unsuppressable: true, Check: lint.OfHistory(rebaseMerge)},
	"history-since":         {Severity: lint.Error, Unsuppressable: true, Check: lint.OfHistory(historySince)},
	"exception-unknown":     {Severity: lint.Error, Unsuppressable: true, Check: lint.OfDocument(exceptionUnknown)},
}

// broken reports what breaks the running rule.
func broken(p *lint.HistoryPass) {
	for _, s := range append(slices.Clone(p.Earlier), p.Last) {
		for _, v := range s.Broken {
			if v.Rule == p.RunningRule() {
				p.ReportBroken(s, v)
			}
		}
	}
}

// rebaseMerge reports that commits of a pull request can't be published one by one.
func rebaseMerge(p *lint.HistoryPass) {
	if len(p.Apart) == 0 {
		return
	}
	severity, advice := lint.Warning, "Squash the commits, or merge them with a merge commit: a rebase merge publishes each by itself"
	if p.OnlyApart {
		severity, advice = lint.Error, "Combine the commits into one: this repository merges each by itself, so each is published"
	}
	s, others := p.Apart[0], ""
	if n := len(p.Apart) - 1; n > 0 {
		others = fmt.Sprintf(" (and %d more)", n)
	}
	v := s.Broken[slices.IndexFunc(s.Broken, (*change.BrokenRule).Fails)]
	at := v.At
	at.Revision = s.Commit
	p.Add(lint.Finding{
		Severity: severity, Location: source.Location{File: at.File}, ID: v.ID, Path: "history",
		Message: fmt.Sprintf("%s, and commit %.12s%s can't stand alone: %s", advice, s.Commit, others, v.Text()),
		Related: []lint.Related{{Location: at, Message: "in the commit"}},
	})
}

func historySince(p *lint.HistoryPass) {
	if p.TipSince != "" && p.TipSince != p.HeadSince {
		p.Add(lint.Finding{
			Location: source.Location{File: lint.ConfigFile}, Path: "history.since",
			Message: fmt.Sprintf("Restore since: %s, as on the target branch: otherwise a change could decide which part of its history is checked.", p.TipSince),
		})
	}
}

func exceptionUnknown(p *lint.DocumentPass) {
	if p.Entry.Path != lint.ExceptionsFile {
		return
	}
	for i, e := range p.Root().Get("exceptions").List() {
		rule := e.Get("rule")
		if rule == nil || rule.Value == "" || slices.Contains(change.Acceptable, rule.Value) {
			continue
		}
		if rule.Value == "version-withdrawn" {
			p.ReportAt(lint.Key("exceptions").Elem(i, "", "exception").Key("rule", ""), rule, "%s", withdrawInstead(e))
			continue
		}
		advice := cmp.Or(suggest.Question("Did you mean %s?", rule.Value, change.Acceptable),
			"Use one of "+schema.Or(change.Acceptable, "or")+".")
		p.ReportAt(lint.Key("exceptions").Elem(i, "", "exception").Key("rule", ""), rule,
			"An exception can't accept findings of %s. %s", schema.Quote(rule.Value), advice)
	}
}

// withdrawInstead is what to do instead of an exception that withdraws a version.
func withdrawInstead(e *yamltree.Node) string {
	id, version, reason := e.Get("id").Text(), e.Get("version").Text(), cmp.Or(e.Get("reason").Text(), "REASON")
	if !document.IsID(id) {
		id = "ID"
	}
	if !bundlefile.IsVersion(version) {
		version = "VERSION"
	}
	return fmt.Sprintf("Remove this exception, and run `rubric yank %s %s --withdraw`: withdrawn versions are in %s, as {id: %[1]s, version: \"%[2]s\", reason: %[4]s, withdrawn: true} below yanked.",
		id, version, library.LedgerFile, yamltree.Quote(reason, yamltree.DoubleQuoted))
}
