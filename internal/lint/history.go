package lint

import (
	"errors"
	"fmt"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	lib "github.com/rubric-library/rubric-library/internal/library"
)

// OfHistory checks one step of the history: a library and what it is compared with.
type OfHistory func(*HistoryPass)

func (OfHistory) isCheck() {}

// HistoryPass is the view of a lint rule on the history of the library.
type HistoryPass struct {
	*change.Judgment
	// TipSince and HeadSince are history.since at the target's tip and in the checked
	// library.
	TipSince, HeadSince string
	// Repository is the repository around the checked library, nil if it is not checked.
	// Repositories are the changes of it that lead there, oldest first.
	Repository   *Repository
	Repositories []*RepositoryChange

	pointers map[string]bool // as of the engine

	memory
	reporter
}

// ReportVerdict adds a finding for a verdict on a step, unless an exception accepts it.
func (p *HistoryPass) ReportVerdict(s *change.Step, v *change.Verdict) {
	if s.Commit == "" && v.Rule == change.EvidenceChanged && p.pointers[v.ID] {
		return // the rest of the dataset is not known
	}
	if v.Accepted != nil || v.Rule == change.DocumentGone && v.Document.Displaced && s.Commit == "" {
		return // duplicate-id reports the file of a document that another one displaced
	}
	f := Finding{Location: v.At, ID: v.ID, Pointer: v.Pointer, Path: "history", Message: v.Text()}
	if v.Before != nil {
		f.Related = append(f.Related, Related{Location: v.Before.VersionAt, Message: "the version before"})
	}
	if v.Was != nil {
		f.Related = append(f.Related, Related{Location: v.Was.IDAt, Message: "it was here"})
	}
	switch {
	case s.Commit == "":
		f.Fix = fixOf(v)
	case p.rule.Severity == Note:
		return // can no longer be changed
	default:
		f.Revision, f.step = s.Commit, s.Number
		f.Message += earlier(s, v)
	}
	p.Add(f)
}

// fixOf writes the version that a verdict requires, if it requires one.
func fixOf(v *change.Verdict) *source.Fix {
	if v.Required == "" || LosesVersion(v.At.File, v.ID) {
		return nil
	}
	return &source.Fix{
		Message: fmt.Sprintf("write version %q", v.Required),
		Edits:   []source.Edit{{Span: v.Document.Head.VersionSpan, Text: fmt.Sprintf("%q", v.Required)}},
	}
}

// earlier says what can be done about a step that is not the last one.
func earlier(s *change.Step, v *change.Verdict) string {
	if s.OnBranch && v.Final {
		return " This is already in the history."
	}
	if s.OnBranch {
		return fmt.Sprintf(" This is already in the history: accept it in %s (%s) and publish a correct version.", ExceptionsFile, v.Entry(s.Commit))
	}
	return eachIsPublished
}

const eachIsPublished = " Each commit of a push is published: combine the commits or fix this one, and push again."

// compare runs the history rules on what leads to the checked library.
func (e *engine) compare(opts *Options, results []result) (*change.Judgment, []Finding, error) {
	q := opts.History
	q.Head, q.Since = e.head(results), e.config.History.Since
	j, err := change.Judge(q)
	if err != nil {
		return nil, nil, err
	}
	p := &HistoryPass{Judgment: j, pointers: e.pointers, TipSince: e.config.History.Since, HeadSince: opts.Own.History.Since}
	if opts.Repository != nil {
		p.Repository, p.Repositories = opts.Repository, opts.repositoryChanges(j)
	}
	err = run[OfHistory](e.rules, p, "the history")
	for _, c := range p.Repositories {
		err = errors.Join(err, c.unreadable())
	}
	if err != nil || q.Range == nil {
		return j, p.findings, err
	}
	inSteps, err := e.inSteps(q, opts.Allowance)
	return j, append(p.findings, inSteps...), err
}

// head returns the checked library in a form that can be compared.
func (e *engine) head(results []result) *change.Library {
	var files []change.File
	for i, r := range results {
		if name := e.files.entries[i].Path; lib.IsDocument(name) {
			f := change.File{Path: name, Hash: r.hash, Known: true}
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
	l := change.Working("the working tree", files, func(name string) ([]byte, error) {
		if irregular[name] {
			return nil, &limits.TooLargeError{} // reported by its own finding
		}
		return e.content(name)
	})
	l.Files = e.files.fsys
	return l
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
		names, err := change.Touched(q.Repo, before, c, q.Folder)
		if err != nil {
			return nil, err
		}
		files := q.Repo.Snapshot(c, q.Folder)
		step := &engine{rules: e.rules, config: e.config, failing: e.failing, files: &libraryFiles{fsys: files}, progress: e.progress}
		for _, name := range names {
			step.files.entries = append(step.files.entries, Entry{Path: name})
		}
		results, err := step.documents()
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
		inStep = weigh(inStep, e.config)
		if err := allowance.apply(inStep); err != nil {
			return nil, err
		}
		for _, f := range inStep {
			if f.Severity >= e.failing && !f.hidden {
				f.Revision, f.step, f.Fix = c.Hash, i+1, nil
				f.Message += eachIsPublished
				found = append(found, f)
			}
		}
		before = c
	}
	return found, nil
}
