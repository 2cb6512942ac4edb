package lint

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	lib "github.com/rubric-library/rubric-library/internal/library"
)

// Severity is the severity of a finding. The zero Severity means that a rule is off.
type Severity uint8

// The severities, from the lowest.
const (
	Note    Severity = iota + 1 // for information
	Warning                     // probably wrong, but does not fail the check by itself
	Error                       // wrong: the library can't be released with it
)

// severities are the severities by their words.
var severities = map[string]Severity{"off": 0, "note": Note, "warning": Warning, "error": Error}

// String returns the word for the severity in output and in the configuration.
func (s Severity) String() string {
	return [...]string{"off", "note", "warning", "error"}[s]
}

// Requirement is a requirement of the specification that a rule serves. The zero Requirement is
// none.
type Requirement uint8

// The requirements, in the order of the specification.
const (
	RL01 Requirement = iota + 1
	RL02
	RL03
	RL04
	RL05
	RL06
	RL07
	RL08
	RL09
	RL10
)

// String returns the name in the specification, such as "RL-01", or "" for none.
func (r Requirement) String() string {
	if r == 0 {
		return ""
	}
	return fmt.Sprintf("RL-%02d", uint8(r))
}

// Rule is one lint rule. All text about it, in help, documentation, and output, comes from
// here. The ID and the prose are in rules/rules.txt, and the rest is a Go literal of the package
// rules.
type Rule struct {
	// ID is the kebab-case name that users type. It is never reused for another rule.
	ID string
	Prose

	// Severity is the default severity.
	Severity Severity
	// Spec is the requirement that the rule serves, if any.
	Spec Requirement
	// Unsuppressable rules can't be suppressed by a comment, a baseline, or by configuration.
	Unsuppressable bool
	// Fixable rules have findings that --fix can fix.
	Fixable bool
	// Placed rules are about the library around a document: where the document is, or what else
	// there is. They don't run on documents outside of a library.
	Placed bool
	// New rules are errors in a version that the target does not have, and warnings otherwise: what
	// is published stays valid when the linter learns to find it.
	New bool

	// Check is what the rule does.
	Check Check
	// Keep returns what a check of the library or of its datasets needs of a document once its
	// tree is dropped. Nil keeps nothing.
	Keep func(*DocumentPass) any
}

// Prose is what a lint rule says about itself.
type Prose struct {
	// Family groups the rules in lists.
	Family Family
	// Summary completes "finds …" in one line.
	Summary string
	// Why says what goes wrong for a judge or a consumer if the rule is violated.
	Why string
	// Source is the basis of the rule: a standard, a paper, or the page that describes
	// the part of a library. A rule that serves a requirement (Spec) needs none.
	Source string
	// Bad and Good are examples, of YAML or of a folder, that violate and follow it.
	Bad, Good string
}

// Check is the function of a lint rule: an OfDocument, OfLibrary, OfDataset, OfHistory,
// OfRepository, or OfIgnores, by what it checks.
type Check interface{ isCheck() }

// Checks reports whether the function of a lint rule is a C.
func Checks[C Check](r *Rule) bool {
	_, is := r.Check.(C)
	return is
}

// Family is a group of lint rules.
type Family string

// Families that programs treat in a special way.
const (
	FamilyHidden  Family = "Hidden text"
	FamilyWording Family = "Wording"
	FamilyLibrary Family = "Across the library"
)

// Find returns the lint rule with that ID, or nil.
func Find(rules []*Rule, id string) *Rule {
	for _, r := range rules {
		if r.ID == id {
			return r
		}
	}
	return nil
}

// The files of a library, as internal/library names them.
const (
	Root           = lib.Root
	LedgerFile     = lib.LedgerFile
	ExceptionsFile = lib.ExceptionsFile
	ConfigFile     = lib.ConfigFile
)

// Entry is a file or folder below Root.
type Entry = lib.Entry

// Stem returns the name of a file without its folder and extension.
func Stem(name string) string {
	return strings.TrimSuffix(path.Base(name), path.Ext(name))
}

// LosesVersion reports whether an ID is the name of its file without the version, such as a
// in a_v1.yaml. No fix may then assume that the document is the one of the ID.
func LosesVersion(file, id string) bool {
	version, lost := strings.CutPrefix(Stem(file), id+"_v")
	return lost && version != "" && strings.Trim(version, "0123456789") == ""
}

// Key returns the path of a top-level key of a document.
func Key(k string) *schema.Path { return (*schema.Path)(nil).Key(k, "") }

// Finding is a problem that a lint rule found, with its place.
type Finding struct {
	Rule     *Rule
	Severity Severity
	source.Location
	// ID is the ID of the document, or "" if it is unknown.
	ID string
	// Pointer is the JSON pointer to the value. Path is the same with the names of
	// elements instead of their indices.
	Pointer, Path string
	// Message says what to change, why, and what the effect is.
	Message string
	// Spec is the requirement that is violated, or "".
	Spec string
	// Related are other places that explain the finding.
	Related []Related
	// Fix is a safe fix, or nil.
	Fix *source.Fix
	// Changed says that the finding is in a file that the change touches, or is about
	// the change itself. It is set only with Options.Changed.
	Changed bool
	// Listed says that the text output lists the finding, even if it is a note.
	Listed bool
	// step is the number of the commit in an audit, from 1, oldest first; 0 for the
	// checked library.
	step int
	// hidden says that the baseline allows the finding.
	hidden bool
	// Fingerprint identifies the finding even if lines move or messages are
	// reworded.
	Fingerprint string
}

// Related is another place that explains a finding.
type Related struct {
	source.Location
	Message string
}

// sortFindings sorts findings by place, then by rule, and removes duplicates.
func sortFindings(findings []Finding) []Finding {
	compare := func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.File, b.File),
			cmp.Compare(a.step, b.step),
			cmp.Compare(a.Start.Line, b.Start.Line),
			cmp.Compare(a.Start.Column, b.Start.Column),
			cmp.Compare(a.Rule.ID, b.Rule.ID),
			cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Message, b.Message),
		)
	}
	slices.SortStableFunc(findings, compare)
	return slices.CompactFunc(findings, func(a, b Finding) bool { return compare(a, b) == 0 })
}

// fingerprint sets the fingerprints of sorted findings: a hash of rule, document, and
// path, with a counter for findings that agree in all three.
func fingerprint(findings []Finding) {
	seen := map[[sha256.Size]byte]int{} // the key is shorter than its text
	for i := range findings {
		f := &findings[i]
		text := f.Rule.ID + "\x00" + cmp.Or(f.ID, f.File) + "\x00" + f.Path + "\x00" + f.Revision
		key := sha256.Sum256([]byte(text))
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", text, seen[key]))
		seen[key]++
		f.Fingerprint = fmt.Sprintf("%x", sum[:16])
	}
}
