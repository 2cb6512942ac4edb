package lint

import (
	"fmt"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
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

// ReportBroken adds a finding for a rule that a step breaks, unless an exception accepts it.
func (p *HistoryPass) ReportBroken(s *change.Step, v *change.BrokenRule) {
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
	if was := v.EarlierEdition(); was != nil {
		f.Related = append(f.Related, Related{Location: was.IDAt, Message: "it was here"})
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

// fixOf writes the version that a broken rule requires, if it requires one.
func fixOf(v *change.BrokenRule) *source.Fix {
	if v.Required == "" || LosesVersion(v.At.File, v.ID) {
		return nil
	}
	return &source.Fix{
		Message: fmt.Sprintf("write version %q", v.Required),
		Edits:   []source.Edit{{Span: v.Document.Head.VersionSpan, Text: fmt.Sprintf("%q", v.Required)}},
	}
}

// earlier says what can be done about a step that is not the last one.
func earlier(s *change.Step, v *change.BrokenRule) string {
	if s.OnBranch && v.Final {
		return " This is already in the history."
	}
	if s.OnBranch {
		return fmt.Sprintf(" This is already in the history: accept it in %s (%s) and publish a correct version.",
			ExceptionsFile, v.Entry(s.Commit))
	}
	return eachIsPublished
}

const eachIsPublished = " Each commit of a push is published: combine the commits or fix this one, and push again."

// RepositoryChange is a change of a repository, compared with what was before it.
type RepositoryChange struct {
	// Bases are the repositories that the change began with, and Tip is the target's.
	Bases []*Repository
	Tip   *Repository
	// After is the repository after the change, which is the checked one unless Commit names
	// an earlier step.
	After  *Repository
	Commit string
	// Done says that the step is on the guarded branch already.
	Done bool

	number int
}

// firstError returns the first error of reading a Git object of a side.
func (c *RepositoryChange) firstError() error {
	for _, r := range append(c.Bases, c.Tip, c.After) {
		if err := safefile.Unreadable(r.Files); err != nil {
			return err
		}
	}
	return nil
}

// ReportChange adds a finding about a change of the repository; key distinguishes it from other
// findings of its lint rule.
// What was undone since is not an error if it is on the guarded branch already: nobody can change
// that step any more.
func (p *HistoryPass) ReportChange(
	c *RepositoryChange, undone bool, at source.Location, key, format string, args ...any,
) {
	if !p.admit(c.Commit) {
		return
	}
	f := Finding{Location: at, Path: key, Message: fmt.Sprintf(format, args...)}
	if c.Commit != "" {
		f.Revision, f.step = c.Commit, c.number
	}
	switch {
	case c.Done && undone:
		f.Severity = min(p.rule.Severity, Warning)
	case c.Commit != "" && !c.Done:
		f.Message += eachIsPublished
	}
	p.Add(f)
}
