package lint

import (
	"github.com/rubric-library/rubric-library/internal/files/parallel"
	lib "github.com/rubric-library/rubric-library/internal/library"
)

// checkLibrary runs the rules that need the facts of all files, then the dataset rules. It
// returns all findings so far and all ignores.
func (e *engine) checkLibrary(results []result) ([]Finding, []*Ignore, error) {
	e.opts.Progress("checking the library", 0, 0)
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
	late, err := e.runLibraryRules(facts)
	if err != nil {
		return nil, nil, err
	}
	var ofDatasets []Finding
	var inDatasets []*Ignore
	if e.opts.Alone == nil {
		ofDatasets, inDatasets, err = e.checkDatasets(facts)
	}
	for _, f := range facts {
		f.kept = nil // by far the largest part, no longer needed
	}
	if err != nil {
		return nil, nil, err
	}
	late = append(late, ofDatasets...)
	return append(findings, suppress(late, ignores, nil, e.opts.fails)...), append(inDatasets, ignores...), nil
}

// runLibraryRules runs the rules that need the facts of all files in parallel. The findings
// are in the order of the rules.
func (e *engine) runLibraryRules(facts []*Facts) ([]Finding, error) {
	var schemas []lib.FolderProblem
	if e.opts.Alone == nil {
		var err error
		if _, schemas, err = lib.Schemas(e.files.fsys); err != nil {
			return nil, err
		}
	}
	passes := make([]LibraryPass, len(e.rules))
	err := parallel.Each(len(passes), func(i int) error {
		passes[i] = LibraryPass{Facts: facts, Schemas: schemas, Unread: e.unread, places: places{files: e.files}}
		return run[OfLibrary](e.rules[i:i+1], &passes[i], "the library")
	})
	if err != nil {
		return nil, err
	}
	var found []Finding
	for i := range passes {
		found = append(found, passes[i].findings...)
	}
	return found, nil
}
