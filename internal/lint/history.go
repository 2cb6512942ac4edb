package lint

import (
	"errors"
	"io/fs"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	lib "github.com/rubric-library/rubric-library/internal/library"
)

// compare runs the history rules on what leads to the checked library.
func (e *engine) compare(results []result) (*change.Judgment, []Finding, error) {
	opts, q := e.opts, e.opts.History
	q.Head, q.Since = e.head(results), opts.Config.History.Since
	j, err := change.Judge(q)
	if err != nil {
		return nil, nil, err
	}
	p := &HistoryPass{
		Judgment: j, pointers: e.pointers, TipSince: opts.Config.History.Since, HeadSince: opts.Own.History.Since,
	}
	if opts.Repository != nil {
		p.Repository, p.Repositories = opts.Repository, opts.repositoryChanges(j)
	}
	err = run[OfHistory](e.rules, p, "the history")
	for _, c := range p.Repositories {
		err = errors.Join(err, c.firstError())
	}
	if err != nil || q.Range == nil {
		return j, p.findings, err
	}
	inSteps, err := e.inSteps(q, opts.Allowance)
	return j, append(p.findings, inSteps...), err
}

// head returns the checked library in a form that can be compared.
func (e *engine) head(results []result) *holdings.Library {
	var files []holdings.File
	for i, r := range results {
		if name := e.files.entries[i].Path; lib.IsDocument(name) {
			f := holdings.File{Path: name, Hash: r.hash, Known: true}
			if r.facts != nil {
				f.ID = r.facts.ID
			}
			files = append(files, f)
		}
	}
	irregular := map[string]bool{}
	for _, entry := range e.files.entries {
		irregular[entry.Path] = (entry.Path == LedgerFile || entry.Path == ExceptionsFile) && !entry.IsLedger()
	}
	l := holdings.Working("the working tree", files, func(name string) ([]byte, error) {
		if irregular[name] {
			return nil, &safefile.TooLargeError{} // reported by its own finding
		}
		return e.files.content(name)
	})
	l.Files = e.files.fsys
	return l
}

// repositoryChanges are the changes of the repository that lead to the checked library: each
// step since the base, and the last one.
func (o *Options) repositoryChanges(j *change.Judgment) (all []*RepositoryChange) {
	at := func(files fs.FS) *Repository { return &Repository{Files: files, Folder: o.Repository.Folder} }
	root := o.History.Root
	first := 1
	for i, c := range j.Line {
		if c.Hash == j.Base.Tip {
			first = i + 1
		}
	}
	for i := first; i < len(j.Line); i++ {
		if before := j.Line[i-1]; !before.IsZero() {
			all = append(all, &RepositoryChange{
				Bases: []*Repository{at(root(before))}, Tip: at(root(before)), After: at(root(j.Line[i])),
				Commit: j.Line[i].Hash, Done: i < j.Settled, number: i,
			})
		}
	}
	last := &RepositoryChange{After: o.Repository}
	for _, base := range j.Last.Bases {
		if !base.Commit.IsZero() {
			last.Bases = append(last.Bases, at(root(base.Commit)))
		}
	}
	if tip := j.Last.Tip.Commit; !tip.IsZero() {
		last.Tip = at(root(tip))
		all = append(all, last)
	}
	return all
}

// inSteps runs the document rules on what the earlier steps of a range changed: each of its
// versions is published, so a later step does not undo an earlier one. An allowance hides in a
// step what it hides in the checked library.
func (e *engine) inSteps(q *change.Question, allowance Allowance) ([]Finding, error) {
	if allowance.Same != nil {
		allowance.Same = func(string) (bool, error) { return false, nil } // a step changed the file
	}
	var found []Finding
	before := q.Range.Old
	for i, c := range q.Range.Steps[:len(q.Range.Steps)-1] {
		names, err := holdings.Touched(q.Repo, before, c, q.Folder)
		if err != nil {
			return nil, err
		}
		files := q.Repo.Snapshot(c, q.Folder)
		step := &engine{
			opts:  &Options{Config: e.opts.Config, Failing: e.opts.Failing, Progress: e.opts.Progress},
			rules: e.rules, files: &libraryFiles{fsys: files},
		}
		for _, name := range names {
			step.files.entries = append(step.files.entries, lib.FileEntry{Path: name})
		}
		results, err := step.checkDocuments()
		if err == nil {
			err = safefile.Unreadable(files)
		}
		if err != nil {
			return nil, err
		}
		var inStep []Finding
		for _, r := range results {
			inStep = append(inStep, r.findings...)
		}
		inStep = weigh(inStep, e.opts.Config)
		if err := allowance.apply(inStep); err != nil {
			return nil, err
		}
		for _, f := range inStep {
			if f.Severity >= e.opts.Failing && !f.hidden {
				f.Revision, f.step, f.Fix = c.Hash, i+1, nil
				f.Message += eachIsPublished
				found = append(found, f)
			}
		}
		before = c
	}
	return found, nil
}
