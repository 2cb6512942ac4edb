package lint

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	lib "github.com/rubric-library/rubric-library/internal/library"
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

// Report is the result of a run.
type Report struct {
	// Findings are sorted by file and place.
	Findings []Finding
	// Base is what the library was compared with; nil if with nothing.
	Base *change.Base
	// Judged is the answer about the change; nil if nothing is compared.
	Judged *change.Judgment
	// Exceptions are the exceptions that accept something, each once.
	Exceptions []*change.Exception
	// Drafts are the changed drafts that keep their numbers because no release carried them.
	Drafts []change.Draft
	// Ignored are files that the check would read if Git did not ignore them: the first
	// mostIgnored, sorted.
	Ignored []string
	// Statistics are CountRules of all findings, including those that are not listed; nil unless
	// asked for.
	Statistics []RuleCount
	Summary    Summary
}

// Summary counts the files of the whole library and the reported findings.
type Summary struct {
	Files    int `json:"files"`
	Rubrics  int `json:"rubrics"`
	RuleSets int `json:"rule_sets"`
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Notes    int `json:"notes"`
	// Hidden counts the findings that the baseline hides.
	Hidden int `json:"hidden"`
	// Unlisted counts the findings for which the output has no room. They are part of the
	// other numbers.
	Unlisted int `json:"unlisted"`
	// Ignored counts the documents and settings that were not checked because Git ignores
	// them.
	Ignored int `json:"ignored"`
}

// Run checks the library in fsys with lint rules. The error says why the library can't be
// checked at all; everything else is in the report. The same files give the same report.
func Run(fsys fs.FS, rules []*Rule, opts Options) (*Report, error) {
	report, err := check(fsys, rules, opts)
	if err == nil {
		err = safefile.Unreadable(fsys)
	}
	if err == nil && opts.Repository != nil {
		err = safefile.Unreadable(opts.Repository.Files)
	}
	if err != nil {
		return nil, err
	}
	return report, nil
}

func check(fsys fs.FS, rules []*Rule, opts Options) (*Report, error) {
	opts.Config = cmp.Or(opts.Config, defaultConfig())
	opts.Own = cmp.Or(opts.Own, opts.Config)
	opts.Failing = cmp.Or(opts.Failing, Error)
	if opts.Progress == nil {
		opts.Progress = func(string, int, int) {}
	}
	entries, err := listEntries(fsys, &opts)
	if err != nil {
		return nil, err
	}
	all := rules
	if opts.Alone != nil {
		rules = slices.DeleteFunc(slices.Clone(rules), func(r *Rule) bool { return r.Placed })
	}
	e := &engine{
		rules: rules, alone: opts.Alone != nil, instead: opts.Instead, files: &libraryFiles{fsys: fsys, entries: entries},
		config: opts.Config, failing: opts.Failing, history: opts.History, progress: opts.Progress,
		unread: map[string]bool{}, pointers: map[string]bool{},
	}
	results, err := e.documents()
	if err != nil {
		return nil, err
	}
	opts.Progress("checking the library", 0, 0)
	findings, ignores, err := e.library(results)
	if err != nil {
		return nil, err
	}
	r := &Report{}
	var history *change.Judgment
	if opts.History != nil {
		opts.Progress("comparing versions", 0, 0)
		var found []Finding
		if history, found, err = e.compare(&opts, results); err != nil {
			return nil, err
		}
		r.Base, r.Judged, r.Drafts = history.Base, history, history.Drafts()
		published, err := history.Last.Published()
		if err != nil {
			return nil, err
		}
		withhold(findings, published)
		soften(findings, history.Last)
		findings = append(findings, found...)
	}
	if opts.Repository != nil {
		p := &RepositoryPass{Repository: opts.Repository}
		if err := run[OfRepository](rules, p, "the repository"); err != nil {
			return nil, err
		}
		findings = append(findings, p.findings...) // comments can't suppress them: CODEOWNERS is not a document
	}
	findings = weigh(findings, opts.Config)
	if err := opts.Allowance.apply(findings); err != nil {
		return nil, err
	}
	late := &IgnorePass{
		Ignores: ignores, rules: all,
		allowance: opts.Allowance, repository: opts.Repository != nil,
		Removed: opts.Config.removed, Failing: opts.Failing,
	}
	if opts.Allowance.Own != nil {
		late.found = NewBaseline(findings)
	}
	if err := run[OfIgnores](rules, late, "the library"); err != nil {
		return nil, err
	}
	r.list(append(findings, weigh(late.findings, opts.Config)...), opts.Only)
	if history != nil && opts.Changed {
		if err := opts.markChanged(history.Last.Bases, fsys, r.Findings); err != nil {
			return nil, err
		}
	}
	r.count(results)
	r.listIgnored(&opts)
	if history != nil {
		r.Exceptions = history.Accepted()
	}
	return r, nil
}

// listEntries lists what is checked, sorted by path: the files of the library, and those that have
// a content instead. It returns an error if there is nothing.
func listEntries(fsys fs.FS, opts *Options) ([]Entry, error) {
	if opts.Alone != nil {
		var entries []Entry
		for _, name := range slices.Compact(slices.Sorted(slices.Values(opts.Alone))) {
			entries = append(entries, Entry{Path: name, Alone: true})
		}
		return entries, nil
	}
	entries, err := lib.List(fsys)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(entries, func(e Entry) bool { return !e.IsLedger() }) && len(opts.Instead) == 0 {
		retired, err := lib.HasRetired(fsys)
		if err != nil {
			return nil, err
		}
		if !retired {
			return nil, nothingToCheck(opts)
		}
	}
	for name := range opts.Instead {
		if !slices.ContainsFunc(entries, func(e Entry) bool { return e.Path == name }) {
			entries = append(entries, Entry{Path: name})
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	return entries, nil
}

type engine struct {
	rules   []*Rule
	alone   bool // whether the documents are not in a library
	instead map[string][]byte
	files   *libraryFiles
	config  *Config
	failing Severity
	history *change.Question // what the library is compared with, or nil
	// progress is that of the options, and not nil.
	progress func(step string, done, total int)
	// unread are the IDs, by their file names, of documents whose content is not known, and
	// pointers the datasets of which a file is a pointer of Git LFS. No rule reports what
	// follows from that.
	unread, pointers map[string]bool
}

// library runs the rules that need the facts of all files, then the dataset rules. It
// returns all findings so far and all ignores.
func (e *engine) library(results []result) ([]Finding, []*Ignore, error) {
	n := 0
	for i := range results {
		n += len(results[i].findings)
	}
	findings := make([]Finding, 0, n)
	var ignores []*Ignore
	var facts []*Facts
	for i := range results {
		findings = append(findings, results[i].findings...)
		results[i].findings = nil // a hostile library has many
		ignores = append(ignores, results[i].ignores...)
		if results[i].unread {
			e.unread[Stem(e.files.entries[i].Path)] = true
		}
		if results[i].facts != nil {
			facts = append(facts, results[i].facts)
		}
	}
	late, err := e.libraryRules(facts)
	if err != nil {
		return nil, nil, err
	}
	var ofDatasets []Finding
	var inDatasets []*Ignore
	if !e.alone {
		ofDatasets, inDatasets, err = e.calibration(facts)
	}
	for _, f := range facts {
		f.kept = nil // by far the largest part, no longer needed
	}
	if err != nil {
		return nil, nil, err
	}
	late = append(late, ofDatasets...)
	return append(findings, e.suppress(late, ignores, nil)...), append(inDatasets, ignores...), nil
}

// libraryRules runs the rules that need the facts of all files in parallel. The findings
// are in the order of the rules.
func (e *engine) libraryRules(facts []*Facts) ([]Finding, error) {
	var schemas []lib.Problem
	if !e.alone {
		var err error
		if _, schemas, err = lib.Schemas(e.files.fsys); err != nil {
			return nil, err
		}
	}
	passes := make([]LibraryPass, len(e.rules))
	failures := make([]error, len(e.rules))
	inParallel(len(passes), func(i int) {
		passes[i] = LibraryPass{Facts: facts, Schemas: schemas, Unread: e.unread, places: places{content: e.content}}
		failures[i] = run[OfLibrary](e.rules[i:i+1], &passes[i], "the library")
	})
	var found []Finding
	for i := range passes {
		found = append(found, passes[i].findings...)
	}
	return found, errors.Join(failures...)
}

// within reports whether a file is one of the files, or in one of the folders, in Only.
func within(file string, only []string) bool {
	return slices.ContainsFunc(only, func(name string) bool {
		return name == "." || file == name || strings.HasPrefix(file, path.Clean(name)+"/")
	})
}

// weigh applies the severities of the configuration and drops findings that are off or
// duplicates.
func weigh(findings []Finding, config *Config) []Finding {
	for i := range findings {
		findings[i].Severity = config.severity(&findings[i])
	}
	return slices.DeleteFunc(sortFindings(findings), func(f Finding) bool { return f.Severity == 0 })
}

// soften makes the errors of rules for new versions warnings in a version that the target has.
func soften(findings []Finding, c *change.Step) {
	for i := range findings {
		if f := &findings[i]; f.Rule.New && f.Severity > Warning && c.OnTarget(f.ID) {
			f.Severity = Warning
		}
	}
}

// list keeps the findings that are not hidden and are in the requested files.
func (r *Report) list(findings []Finding, only []string) {
	findings = sortFindings(findings)
	fingerprint(findings)
	r.Findings = slices.DeleteFunc(findings, func(f Finding) bool {
		isIn := func(l Related) bool { return within(l.File, only) }
		if len(only) > 0 && !within(f.File, only) && !slices.ContainsFunc(f.Related, isIn) {
			return true
		}
		if f.hidden {
			r.Summary.Hidden++
		}
		return f.hidden
	})
}

func (r *Report) count(results []result) {
	for i := range results {
		if results[i].isDocument {
			r.Summary.Files++
		}
		if f := results[i].facts; f != nil && f.Kind == &document.Rubric {
			r.Summary.Rubrics++
		} else if f != nil {
			r.Summary.RuleSets++
		}
	}
	for _, f := range r.Findings {
		switch f.Severity {
		case Error:
			r.Summary.Errors++
		case Warning:
			r.Summary.Warnings++
		case Note:
			r.Summary.Notes++
		}
	}
}
