// Package history has the lint rules that compare a library with its history: versions,
// the ledger of retired IDs, and the exceptions.
package history

import (
	"github.com/rubric-library/rubric-library/internal/lint"
)

// Rules compare a library with its history.
var Rules = []*lint.Rule{
	{
		ID: "version-too-low", Family: lint.FamilyHistory, Severity: lint.Error, Unsuppressable: true, Fixable: true, Spec: "RL-04",
		Summary: "a version that is too low for the changes",
		Why:     "Consumers pin versions. The number must show whether something that passed can now fail (major), whether a judge reads different words (minor), or neither (patch). The number counts from the version on the target branch, so that two changes never share a version.",
		Bad:     "version: \"1.2.0\"     (and level 2 of clarity was reworded)",
		Good:    "version: \"1.3.0\"",
		History: eachVersioned(tooLow),
	},
	{
		ID: "version-skipped", Family: lint.FamilyHistory, Severity: lint.Error, Unsuppressable: true, Fixable: true, Spec: "RL-04",
		Summary: "a version that skips numbers",
		Why:     "A consumer that sees 1.2.3 and then 1.5.0 looks for the versions in between, and a document that jumps to the largest number can't have a next version. Only 1.2.4, 1.3.0, and 2.0.0 can follow 1.2.3. A new document starts at 0.1.0, as a draft, or at 1.0.0. If its ID ends in _v2, it starts at 2.0.0; the same applies to _v3 and later.",
		Bad:     "version: \"1.5.0\"     (and the target branch has 1.2.3)",
		Good:    "version: \"1.3.0\"",
		History: eachVersioned(skipped),
	},
	{
		ID: "version-down", Family: lint.FamilyHistory, Severity: lint.Error, Unsuppressable: true, Fixable: true, Spec: "RL-04",
		Summary: "a version that is lower than before",
		Why:     "A consumer that asks for the latest version would keep the old text. Undoing a change is itself a change and needs a new version.",
		Bad:     "version: \"1.1.0\"     (and the target branch has 1.2.0)",
		Good:    "version: \"1.3.0\"     (with the text of 1.1.0)",
		History: eachVersioned(goesDown),
	},
	{
		ID: "version-reused", Family: lint.FamilyHistory, Severity: lint.Error, Unsuppressable: true, Fixable: true, Spec: "RL-04",
		Summary: "a version that was already used for another text",
		Why:     "Scores are stored with the ID and the version. If a version has two texts, it is unknown which of them a score was given by.",
		Bad:     "version: \"1.2.0\"     (and 1.2.0 had another text last month)",
		Good:    "version: \"1.3.0\"",
		History: eachVersioned(reused),
	},
	{
		ID: "major-change", Family: lint.FamilyHistory, Severity: lint.Error, Unsuppressable: true, Spec: "RL-04",
		Summary: "a change under an ID with a major version (_v1, _v2 …) after which something that passed can fail",
		Why:     "Consumers rely on the major version in the ID. Publish the changed document under the next ID and keep the old one.",
		Bad:     "rubric_id: prd_quality_v1     (and a threshold was raised)",
		Good:    "rubric_id: prd_quality_v2     (created by rubric fork prd_quality_v1)",
		History: eachVersioned(majorChange),
	},
	{
		ID: "version-idle", Family: lint.FamilyHistory, Severity: lint.Note,
		Summary: "a new version of an unchanged document, or a larger step than needed",
		Why:     "A new number makes consumers check what changed. It is allowed, but worth knowing.",
		Source:  "Semantic Versioning 2.0.0, as docs/versions.md applies it",
		Bad:     "version: \"1.3.0\"     (and only a comment changed since 1.2.0)",
		Good:    "version: \"1.2.0\"",
		History: eachVersioned(idle),
	},
	{
		ID: "document-gone", Family: lint.FamilyHistory, Severity: lint.Error, Unsuppressable: true, Spec: "RL-01",
		Summary: "a document that was removed without an entry in the ledger",
		Why:     "Consumers may still use it, and its ID must never be used for something else. The ledger records that it existed, why it was removed, and what to use instead.",
		Bad:     "git rm rubrics/prd/prd_quality_v1.yaml",
		Good:    "rubric retire prd_quality_v1",
		History: documentGone,
	},
	{
		ID: "retired-id", Family: lint.FamilyHistory, Severity: lint.Error, Unsuppressable: true, Spec: "RL-01",
		Summary: "an ID that is used again although the ledger lists it",
		Why:     "Scores stored under the ID would appear to belong to the new document.",
		Bad:     "rubric_id: prd_quality_v1     (which rubrics/retired.yaml lists)",
		Good:    "rubric_id: prd_depth_v1",
		History: retiredID,
	},
	{
		ID: "ledger-changed", Family: lint.FamilyHistory, Severity: lint.Error, Unsuppressable: true, Spec: "RL-01",
		Summary: "an entry of the ledger that was removed or changed",
		Why:     "The ledger protects old IDs permanently. Entries are only added.",
		Bad:     "(the entry of prd_quality_v1 was deleted from rubrics/retired.yaml)",
		Good:    "retired:\n  - id: prd_quality_v1",
		History: ledgerChanged,
	},
	{
		ID: "ledger-entry", Family: lint.FamilyHistory, Severity: lint.Error, Unsuppressable: true, Spec: "RL-01",
		Summary: "a new entry of the ledger that does not match the document that existed",
		Why:     "The ledger lists IDs that existed, with their kind and their last version.",
		Bad:     "- id: never_existed_v1",
		Good:    "- id: prd_quality_v1\n  kind: rubric\n  last_version: \"1.2.0\"",
		History: ledgerEntry,
	},
	{
		ID: "ledger-order", Family: lint.FamilyHistory, Severity: lint.Error, Unsuppressable: true, Fixable: true,
		Summary:  "entries of the ledger that are not sorted by ID",
		Why:      "In a sorted list, two people can add entries without a conflict, and readers find an ID quickly.",
		Source:   "the ledger (docs/versions.md): a fixed order makes merges easy to read",
		Bad:      "- id: b_v1\n- id: a_v1",
		Good:     "- id: a_v1\n- id: b_v1",
		Document: ledgerOrder,
	},
	{
		ID: "history-since", Family: lint.FamilyHistory, Severity: lint.Error, Unsuppressable: true,
		Summary: "a change of history.since",
		Why:     "It sets the commit from which the history is checked. A change that could move it could hide its own effects.",
		Source:  "docs/versions.md: a checked commit stays checked",
		Bad:     "history:\n  since: (another commit than the target branch has)",
		Good:    "history:\n  since: (the commit that the target branch has)",
		History: historySince,
	},
	{
		ID: "exception-unknown", Family: lint.FamilyHistory, Severity: lint.Error, Unsuppressable: true,
		Summary:  "an exception for something other than a history lint rule",
		Why:      "Exceptions accept only the findings of these lint rules. With another name, an exception has no effect.",
		Source:   "the exceptions (docs/versions.md)",
		Bad:      "- rule: majorchange",
		Good:     "- rule: major-change",
		Document: exceptionUnknown,
	},
	{
		ID: "exception-stale", Family: lint.FamilyHistory, Severity: lint.Warning,
		Summary: "an exception that accepts nothing",
		Why:     "An unused exception hides the next mistake of the same kind.",
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
	p.ReportSetting("history.since", "Restore since: %s, as on the target branch: otherwise a change could decide which part of its history is checked.", p.TipSince)
}
