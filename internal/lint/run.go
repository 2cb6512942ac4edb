package lint

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	lib "github.com/rubric-library/rubric-library/internal/library"
)

// Run checks the library in fsys with lint rules. The error says why the library can't be
// checked at all; everything else is in the report. The same files, history, and options give the
// same report. Run writes nothing, except that it sets Head and Since of opts.History, which is
// therefore for one Run at a time.
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

// check runs the phases of a check, each of which needs what those before it found.
func check(fsys fs.FS, rules []*Rule, opts Options) (*Report, error) {
	opts.complete()
	if c := opts.Own.conventions; c != nil {
		return nil, c
	}
	known, rules := opts.addOwn(rules)
	entries, err := listEntries(fsys, &opts)
	if err != nil {
		return nil, err
	}
	e := newEngine(&opts, rules, &libraryFiles{fsys: fsys, entries: entries, instead: opts.Instead})

	// Documents are first, because the other rules see only what is kept of them.
	results, err := e.checkDocuments()
	if err != nil {
		return nil, err
	}
	// What concerns several files is next: comments suppress it, as they do findings in documents.
	findings, ignores, err := e.checkLibrary(results)
	if err != nil {
		return nil, err
	}
	// The history follows what it weakens: about what is published, new rules only warn, and no fix rewrites it.
	judgment, findings, err := e.checkHistory(results, findings)
	if err != nil {
		return nil, err
	}
	// The repository follows the comments, because none can suppress what is found in it.
	inRepository, err := e.checkRepository()
	if err != nil {
		return nil, err
	}
	// Severities come before the baseline, which counts errors and warnings, of all the phases above.
	findings = weigh(append(findings, inRepository...), opts.Config)
	if err := opts.Allowance.apply(findings); err != nil {
		return nil, err
	}
	// What suppresses findings is last: only now is it known what each comment and entry suppressed.
	late, err := e.checkIgnores(findings, ignores, known)
	if err != nil {
		return nil, err
	}
	return e.report(results, judgment, append(findings, late...))
}

// listEntries lists what is checked, sorted by path: the files of the library, and those that have
// a content instead. It returns an error if there is nothing.
func listEntries(fsys fs.FS, opts *Options) ([]lib.FileEntry, error) {
	if opts.Alone != nil {
		var entries []lib.FileEntry
		for _, name := range slices.Compact(slices.Sorted(slices.Values(opts.Alone))) {
			entries = append(entries, lib.FileEntry{Path: name, Alone: true})
		}
		return entries, nil
	}
	entries, err := lib.List(fsys)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(entries, func(e lib.FileEntry) bool { return !e.IsLedger() }) && len(opts.Instead) == 0 {
		retired, err := lib.HasRetired(fsys)
		if err != nil {
			return nil, err
		}
		if !retired {
			return nil, nothingToCheck(opts)
		}
	}
	for name := range opts.Instead {
		if !slices.ContainsFunc(entries, func(e lib.FileEntry) bool { return e.Path == name }) {
			entries = append(entries, lib.FileEntry{Path: name})
		}
	}
	slices.SortFunc(entries, func(a, b lib.FileEntry) int { return strings.Compare(a.Path, b.Path) })
	return entries, nil
}

// checkHistory compares the library with its history, if it has one. It returns the findings so
// far as the history allows them, with those about the history.
func (e *engine) checkHistory(results []result, findings []Finding) (*change.Judgment, []Finding, error) {
	if e.opts.History == nil {
		return nil, findings, nil
	}
	e.opts.Progress("comparing versions", 0, 0)
	judgment, found, err := e.compare(results)
	if err != nil {
		return nil, nil, err
	}
	published, err := judgment.Last.PublishedIDs()
	if err != nil {
		return nil, nil, err
	}
	withhold(findings, published)
	soften(findings, judgment.Last)
	return judgment, append(findings, found...), nil
}

// checkRepository runs the rules about the repository around the library, if it is known.
func (e *engine) checkRepository() ([]Finding, error) {
	if e.opts.Repository == nil {
		return nil, nil
	}
	p := &RepositoryPass{Repository: e.opts.Repository}
	err := run[OfRepository](e.rules, p, "the repository")
	return p.findings, err
}

// checkIgnores runs the rules about what suppresses findings. Comments can name any rule that is
// known to the checked library, also one that does not run.
func (e *engine) checkIgnores(findings []Finding, ignores []*Ignore, known []*Rule) ([]Finding, error) {
	p := &IgnorePass{
		Ignores: ignores, rules: known, running: e.rules,
		allowance: e.opts.Allowance, repository: e.opts.Repository != nil,
		Removed: e.opts.Config.removed, Failing: e.opts.Failing,
	}
	if e.opts.Config.conventions != nil {
		p.Replaced = &e.opts.Own.rules
	}
	if e.opts.Allowance.Own != nil {
		p.found = NewBaseline(findings)
	}
	err := run[OfIgnores](e.rules, p, "the library")
	return weigh(p.findings, e.opts.Config), err
}

// report returns the report of a check.
func (e *engine) report(results []result, judgment *change.Judgment, findings []Finding) (*Report, error) {
	r := &Report{Summary: summarize(results)}
	r.list(findings, e.opts.Only)
	r.count()
	r.listIgnored(e.opts)
	if judgment == nil {
		return r, nil
	}
	r.Judged, r.Base, r.Drafts, r.Exceptions = judgment, judgment.Base, judgment.Drafts(), judgment.AcceptedExceptions()
	if !e.opts.Changed {
		return r, nil
	}
	return r, markChanged(r.Findings, judgment.Last.Bases, e.files.fsys, e.opts.Instead)
}
