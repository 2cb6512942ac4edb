package lint

// Removed are the IDs of lint rules that no longer exist. None is ever used for another
// rule. A configuration, a comment, or a baseline that names one gets a note instead of an
// error, so that a new version of the linter breaks no library.
var Removed = []string{
	"check-idle-count",
	"check-repeats",
	"code-owners-match-nothing",
	"convention-artifact-type",
	"convention-id",
	"convention-metadata",
	"convention-word",
	"git-conversion",
	"idle-pass-threshold",
	"idle-phase",
	"idle-threshold",
	"language-unchecked",
	"ledger-order",
	"look-alike-id",
	"pattern-boundary",
	"pattern-covered",
	"pattern-dot",
	"pattern-polynomial",
	"rule-category",
	"template-text",
	"unknown-reaffirmation",
	"vague-check",
}
