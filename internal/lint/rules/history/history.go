// Package history has the lint rules that compare a library with what its repository
// held: versions, the ledger of retired IDs, and the exceptions.
package history

import (
	"github.com/rubric-library/rubric-library/internal/lint"
)

// Rules compare a library with what its repository held.
var Rules = []*lint.Rule{
	{
		ID: "version-too-low", Family: lint.FamilyHistory, Severity: lint.Error, Unsuppressable: true, Fixable: true, Spec: "RL-04",
		Summary: "a version that does not fit what was changed",
		Why:     "Consumers pin versions. They must see from the number whether something that passed can now fail (major), whether a judge reads other words (minor), or neither (patch). The number counts from the version that the target branch has, so that two changes never share one.",
		Bad:     "version: \"1.2.0\"     (and level 2 of clarity was reworded)",
		Good:    "version: \"1.3.0\"",
		History: eachVersioned(tooLow),
	},
	{
		ID: "version-skipped", Family: lint.FamilyHistory, Severity: lint.Error, Unsuppressable: true, Fixable: true, Spec: "RL-04",
		Summary: "a version that skips numbers",
		Why:     "A consumer that sees 1.2.3 and then 1.5.0 looks for the versions in between, and a document that jumps to the largest number has no next version. Only 1.2.4, 1.3.0, and 2.0.0 can follow 1.2.3. A new document starts at 0.1.0, as a draft, or at 1.0.0; under an ID that ends in _v2, it starts at 2.0.0, and so on.",
		Bad:     "version: \"1.5.0\"     (and the target branch has 1.2.3)",
		Good:    "version: \"1.3.0\"",
		History: eachVersioned(skipped),
	},
	{
		ID: "version-down", Family: lint.FamilyHistory, Severity: lint.Error, Unsuppressable: true, Fixable: true, Spec: "RL-04",
		Summary: "a version that is lower than before",
		Why:     "A consumer that asks for the latest version would keep the old text. Undoing a change is a change: it gets a new version.",
		Bad:     "version: \"1.1.0\"     (and the target branch has 1.2.0)",
		Good:    "version: \"1.3.0\"     (with the text of 1.1.0)",
		History: eachVersioned(goesDown),
	},
	{
		ID: "version-reused", Family: lint.FamilyHistory, Severity: lint.Error, Unsuppressable: true, Fixable: true, Spec: "RL-04",
		Summary: "a version that was used before for another text",
		Why:     "Scores are stored with ID and version. If one version has two texts, nobody can tell by which of them a score was given.",
		Bad:     "version: \"1.2.0\"     (and 1.2.0 had another text last month)",
		Good:    "version: \"1.3.0\"",
		History: eachVersioned(reused),
	},
	{
		ID: "major-change", Family: lint.FamilyHistory, Severity: lint.Error, Unsuppressable: true, Spec: "RL-04",
		Summary: "a change under an ID that ends in _v1, _v2 … after which something that passed can fail",
		Why:     "Those who use the ID rely on what its major version says. The changed document is published under the next ID, and the old one stays.",
		Bad:     "rubric_id: prd_quality_v1     (and a threshold was raised)",
		Good:    "rubric_id: prd_quality_v2     (made by rubric fork prd_quality_v1)",
		History: eachVersioned(majorChange),
	},
	{
		ID: "version-idle", Family: lint.FamilyHistory, Severity: lint.Note,
		Summary: "a new version of a document in which nothing changed, or a larger step than is needed",
		Why:     "Consumers look at what changed when the number grows. That is allowed, and worth knowing.",
		Source:  "Semantic Versioning 2.0.0, as docs/versions.md applies it",
		Bad:     "version: \"1.3.0\"     (and only a comment changed since 1.2.0)",
		Good:    "version: \"1.2.0\"",
		History: eachVersioned(idle),
	},
	{
		ID: "document-gone", Family: lint.FamilyHistory, Severity: lint.Error, Unsuppressable: true, Spec: "RL-01",
		Summary: "a document that is gone without a line in the ledger",
		Why:     "Somebody may still use it, and its ID must never be used for something else. The ledger says that it existed, why it is gone, and what to use instead.",
		Bad:     "git rm rubrics/prd/prd_quality_v1.yaml",
		Good:    "rubric retire prd_quality_v1",
		History: documentGone,
	},
	{
		ID: "retired-id", Family: lint.FamilyHistory, Severity: lint.Error, Unsuppressable: true, Spec: "RL-01",
		Summary: "an ID that stands in the ledger and is used again",
		Why:     "Scores that were stored under the ID would seem to be of the new document.",
		Bad:     "rubric_id: prd_quality_v1     (which rubrics/retired.yaml lists)",
		Good:    "rubric_id: prd_depth_v1",
		History: retiredID,
	},
	{
		ID: "ledger-changed", Family: lint.FamilyHistory, Severity: lint.Error, Unsuppressable: true, Spec: "RL-01",
		Summary: "a line of the ledger that is gone or says something else",
		Why:     "The ledger is what protects old IDs for ever. Lines are only added.",
		Bad:     "(the entry of prd_quality_v1 was deleted from rubrics/retired.yaml)",
		Good:    "retired:\n  - id: prd_quality_v1",
		History: ledgerChanged,
	},
	{
		ID: "ledger-entry", Family: lint.FamilyHistory, Severity: lint.Error, Unsuppressable: true, Spec: "RL-01",
		Summary: "a new line of the ledger that does not fit what existed",
		Why:     "The ledger lists IDs that existed, with the kind and the last version that they had.",
		Bad:     "- id: never_existed_v1",
		Good:    "- id: prd_quality_v1\n  kind: rubric\n  last_version: \"1.2.0\"",
		History: ledgerEntry,
	},
	{
		ID: "ledger-order", Family: lint.FamilyHistory, Severity: lint.Error, Unsuppressable: true, Fixable: true,
		Summary:  "lines of the ledger that are not sorted by ID",
		Why:      "In a sorted list two people add lines without touching the same place, and a reader finds one.",
		Source:   "the ledger (docs/versions.md): one order makes merges easy to read",
		Bad:      "- id: b_v1\n- id: a_v1",
		Good:     "- id: a_v1\n- id: b_v1",
		Document: ledgerOrder,
	},
	{
		ID: "history-since", Family: lint.FamilyHistory, Severity: lint.Error, Unsuppressable: true,
		Summary: "a change of history.since",
		Why:     "It says from which commit on the history is checked. If a change could move it, it could hide what it does.",
		Source:  "docs/versions.md: what was checked once stays checked",
		Bad:     "history:\n  since: (another commit than the target branch has)",
		Good:    "history:\n  since: (the commit that the target branch has)",
		History: historySince,
	},
	{
		ID: "exception-unknown", Family: lint.FamilyHistory, Severity: lint.Error, Unsuppressable: true,
		Summary:  "an exception for something that is no lint rule of the history",
		Why:      "Only what these lint rules find can be accepted; with another name the exception does nothing.",
		Source:   "the exceptions (docs/versions.md)",
		Bad:      "- rule: majorchange",
		Good:     "- rule: major-change",
		Document: exceptionUnknown,
	},
	{
		ID: "exception-stale", Family: lint.FamilyHistory, Severity: lint.Warning,
		Summary: "an exception that accepts nothing",
		Why:     "An exception that is not needed hides the next mistake of the same kind.",
		Source:  "the exceptions (docs/versions.md)",
		Bad:     "- rule: version-down\n  id: prd_quality_v1\n  version: \"9.9.9\"",
		Good:    "(no such entry)",
		Ignores: exceptionStale,
	},
}

func historySince(p *lint.HistoryPass) {
	if p.Commit != "" || p.TipSince == "" || p.TipSince == p.HeadSince {
		return
	}
	p.ReportSetting("history.since", "Write since: %s again, as the target branch has it: otherwise a change could decide which of its history is checked.", p.TipSince)
}
