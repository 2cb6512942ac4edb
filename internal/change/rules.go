package change

import "regexp"

// The rules about versions that a step can break. Each is also the ID of the lint rule that
// reports it, and the name under which an exception accepts it.
const (
	VersionTooLow  = "version-too-low"
	VersionSkipped = "version-skipped"
	VersionDown    = "version-down"
	VersionReused  = "version-reused"
	MajorChange    = "major-change"
	VersionIdle    = "version-idle" // only a remark
)

// The rules about IDs that a step can break.
const (
	DocumentGone  = "document-gone"
	RetiredID     = "retired-id"
	LedgerChanged = "ledger-changed"
	LedgerEntry   = "ledger-entry"
)

// EvidenceChanged is the rule that recorded evidence of calibration stays as it is.
const EvidenceChanged = "evidence-changed"

// DatasetLeft is the rule that a rubric names the dataset with the evidence for its words.
const DatasetLeft = "dataset-left"

// The rules about the exceptions themselves.
const (
	ExceptionStale   = "exception-stale"
	ExceptionRemoved = "exception-removed"
)

// rulesOfVersions are those that an exception can accept.
var rulesOfVersions = []string{VersionTooLow, VersionSkipped, VersionDown, VersionReused, MajorChange}

// Acceptable lists the rules that an exception can accept.
var Acceptable = []string{
	VersionTooLow, VersionSkipped, VersionDown, VersionReused, MajorChange,
	DocumentGone, RetiredID, LedgerChanged, LedgerEntry, EvidenceChanged, DatasetLeft,
}

// IDMajor matches the end of an ID that contains the major version.
var IDMajor = regexp.MustCompile(`_v(0|[1-9][0-9]*)$`)
