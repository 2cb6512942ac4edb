package lint

// Severity says what a finding means for the one who asked. The zero Severity
// is invalid.
type Severity uint8

// The severities, from the weakest.
const (
	Note    Severity = iota + 1 // worth knowing, nothing to do
	Warning                     // probably wrong, and right often enough not to fail by itself
	Error                       // wrong: the library can't be released with it
)

// String is the word for the severity in output and in the configuration.
func (s Severity) String() string {
	return [...]string{"off", "note", "warning", "error"}[s]
}

// Rule is one lint rule. Everything that is said about it anywhere, in help,
// documentation and output, comes from here.
type Rule struct {
	// ID is kebab-case, is what a user types, and is never used again for
	// another rule.
	ID string
	// Family groups the rules in lists.
	Family Family
	// Summary completes "finds …" in one line.
	Summary string
	// Why says what goes wrong for a judge or a consumer where the rule is broken.
	Why string
	// Source is what the rule follows: a standard, a paper, or the page that
	// describes the part of a library. A rule that serves a requirement (Spec) needs
	// none besides.
	Source string
	// Bad and Good are pieces of YAML, or of a folder, that break and keep it.
	Bad, Good string
	// Severity is the severity unless the configuration sets another.
	Severity Severity
	// Spec is the requirement that it serves, such as "RL-01"; empty if it
	// serves none of the specification's list.
	Spec string
	// Unsuppressable rules can't be silenced, neither by a comment nor by configuration.
	Unsuppressable bool
	// Fixable rules have cases that --fix mends.
	Fixable bool

	// Keep returns what Library or Calibration needs of a document once its tree is
	// dropped. Nil keeps nothing.
	Keep func(*DocumentPass) any

	// Exactly one of the following does the work.

	// Document looks at one file, whether or not it could be parsed.
	Document func(*DocumentPass)
	// Library looks at the facts of all files, after they were all read.
	Library func(*LibraryPass)
	// Calibration looks at one dataset, after the rules of the library.
	Calibration func(*CalibrationPass)
	// History looks at one step of the history: a library beside what its
	// repository held.
	History func(*HistoryPass)
	// Repository looks at the repository around the library. A comment can't
	// silence what it finds.
	Repository func(*RepositoryPass)
	// Ignores looks at the comments that silence findings, after all else.
	Ignores func(*IgnorePass)
}

// Family is a group of lint rules.
type Family string

// The families, in the order in which lists show them.
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
