package lint

import (
	"cmp"

	"github.com/rubric-library/rubric-library/internal/change"
)

// Options says what to check and how.
type Options struct {
	// Config is the library's configuration; nil means the defaults.
	Config *Config
	// Failing is the lowest severity that fails the check; 0 means Error. No comment suppresses
	// a finding that does.
	Failing Severity
	// Only restricts the reported findings to these files and folders, relative to
	// the library. Empty means all. Every rule still sees the whole library.
	Only []string
	// Alone are the paths of documents to check as a library of their own, of which nothing but
	// the documents is known; nil means the library. No placed rule runs then.
	Alone []string
	// Instead has contents, by path, to check instead of those in the library, such
	// as the unsaved text in an editor.
	Instead map[string][]byte
	// History is what the library is compared with; nil means nothing. Its Head and Since
	// follow from the library.
	History *change.Question
	// Own is the configuration of the checked library, if History's target decides about
	// Config; nil means the same.
	Own *Config
	// Changed marks the findings in files that changed since the merge bases.
	Changed bool
	// Repository is the working tree around the library; if nil, the repository rules
	// don't run.
	Repository *Repository
	// Allowance is what the baseline hides.
	Allowance Allowance
	// Progress, unless it is nil, is called with each step and how much of it is done; total is 0
	// if that is not known. Calls can be concurrent.
	Progress func(step string, done, total int)
	// Ignored returns the files that are not in the library because Git ignores them; nil
	// if there are none, as in a commit.
	Ignored func() []string
}

// complete replaces what is not set by its default.
func (o *Options) complete() {
	o.Config = cmp.Or(o.Config, defaultConfig())
	o.Own = cmp.Or(o.Own, o.Config)
	o.Failing = cmp.Or(o.Failing, Error)
	if o.Progress == nil {
		o.Progress = func(string, int, int) {}
	}
}

// addOwn adds the rules of a library to those that each has. known are those of the checked library,
// and running those of the target, which it is checked by.
func (o *Options) addOwn(rules []*Rule) (known, running []*Rule) {
	known, running = o.Own.AddOwn(rules), o.Config.AddOwn(rules)
	o.Allowance.leaving = leaving(running, known)
	return known, running
}

// fails reports whether a finding fails the check.
func (o *Options) fails(f *Finding) bool { return o.Config.severity(f) >= o.Failing }
