package lint

// Severity is the severity of a finding. The zero Severity means that a rule is off.
type Severity uint8

// The severities, from the lowest.
const (
	Note    Severity = iota + 1 // for information
	Warning                     // probably wrong, but does not fail the check by itself
	Error                       // wrong: the library can't be released with it
)

// String returns the word for the severity in output and in the configuration.
func (s Severity) String() string {
	return [...]string{"off", "note", "warning", "error"}[s]
}

// Rule is one lint rule. All text about it, in help, documentation, and output, comes from
// here.
type Rule struct {
	// ID is the kebab-case name that users type. It is never reused for another rule.
	ID string
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
	// Severity is the default severity.
	Severity Severity
	// Spec is the requirement of the specification that the rule serves, such as
	// "RL-01"; empty if there is none.
	Spec string
	// Unsuppressable rules can't be suppressed by a comment or by configuration.
	Unsuppressable bool
	// Fixable rules have findings that --fix can fix.
	Fixable bool

	// Keep returns what Library or Calibration needs of a document once its tree is
	// dropped. Nil keeps nothing.
	Keep func(*DocumentPass) any

	// Exactly one of the following functions is set.

	// Document checks one file, whether or not it could be parsed.
	Document func(*DocumentPass)
	// Library checks the facts of all files, after they were all read.
	Library func(*LibraryPass)
	// Calibration checks one dataset, after the library rules.
	Calibration func(*CalibrationPass)
	// History checks one step of the history: a library and what it is compared with.
	History func(*HistoryPass)
	// Repository checks the repository around the library. A comment can't suppress
	// its findings.
	Repository func(*RepositoryPass)
	// Ignores checks the comments that suppress findings, after everything else.
	Ignores func(*IgnorePass)
}

// Family is a group of lint rules.
type Family string

// The families, in the order of lists.
const (
	FamilyFiles       Family = "Files"
	FamilySyntax      Family = "Syntax"
	FamilySchema      Family = "Schema"
	FamilyIdentity    Family = "Identity"
	FamilyScoring     Family = "Scoring"
	FamilyExpressions Family = "Regular expressions"
	FamilyHidden      Family = "Hidden text"
	FamilyWording     Family = "Wording"
	FamilyLibrary     Family = "Across the library"
	FamilyRuleSets    Family = "Rule sets"
	FamilyCalibration Family = "Calibration"
	FamilyHistory     Family = "History"
	FamilyRepository  Family = "Repository"
	FamilyIgnores     Family = "Ignores"
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
