package lint

import (
	"fmt"
	"io/fs"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	lib "github.com/rubric-library/rubric-library/internal/library"
)

// History says what the library is compared with. Nil means nothing.
type History struct {
	Repo *gitrepo.Repo
	// Folder is the folder of the library, relative to the repository.
	Folder string
	// Files is the root of the checked repository.
	Files fs.FS
	// Commit is the commit that is checked, or that the working tree is based on. It is
	// zero before the first one.
	Commit gitrepo.Commit
	// Target is what the change is merged into. Its zero Commit means that there is
	// nothing before the library.
	Target gitrepo.Target
	// Range, if it is not nil, is checked instead, each commit compared with the one
	// before it.
	Range *change.Range
	// Own is the configuration of the checked library, if the target's configuration
	// is in effect.
	Own *Config
	// Audit also checks every step of the first-parent history of HEAD.
	Audit bool
	// Lines marks the findings on lines that changed since the merge bases.
	Lines bool
}

// HistoryPass is the view of a lint rule on the history of the library.
type HistoryPass struct {
	*change.Judgment
	// TipSince and HeadSince are history.since at the target's tip and in the checked
	// library.
	TipSince, HeadSince string

	reporter
}

// ReportVerdict adds a finding for a verdict on a step, unless an exception accepts it.
func (p *HistoryPass) ReportVerdict(s *change.Step, v *change.Verdict) {
	if v.Accepted != nil || v.Rule == change.DocumentGone && v.Document.Displaced && s.Commit == "" {
		return // duplicate-id reports the file of a document that another one displaced
	}
	f := Finding{Location: v.At, ID: v.ID, Pointer: v.Pointer, Path: "history", Message: v.Message}
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
	p.add(f)
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
	if s.OnBranch {
		return fmt.Sprintf(" This is already in the history: accept it in %s (%s) and publish a correct version.", ExceptionsFile, v.Entry(s.Commit))
	}
	return eachIsPublished
}

const eachIsPublished = " Each commit of a push is published: combine the commits or fix this one, and push again."

// ReportStep adds a finding about a step of the branch as a whole, with a verdict on it.
func (p *HistoryPass) ReportStep(severity Severity, s *change.Step, v *change.Verdict, format string, args ...any) {
	at := v.At
	at.Revision = s.Commit
	p.add(Finding{
		Location: source.Location{File: at.File}, ID: v.ID, Path: "history", Message: fmt.Sprintf(format, args...),
		Related: []Related{{Location: at, Message: "in the commit"}},
	})
	p.findings[len(p.findings)-1].Severity = severity
}

// ReportSetting adds a finding about a setting of the library's configuration.
func (p *HistoryPass) ReportSetting(path, format string, args ...any) {
	p.add(Finding{Location: source.Location{File: ConfigFile}, Path: path, Message: fmt.Sprintf(format, args...)})
}

// compare runs the history rules on what leads to the checked library.
func (e *engine) compare(h *History, results []result) (*change.Judgment, []Finding, error) {
	j, err := change.Judge(&change.Question{
		Repo: h.Repo, Folder: h.Folder, Files: h.Files, Head: e.head(results), Commit: h.Commit, Target: h.Target,
		Range: h.Range, Audit: h.Audit, Since: e.config.Since(),
	})
	if err != nil {
		return nil, nil, err
	}
	p := &HistoryPass{Judgment: j, TipSince: e.config.Since(), HeadSince: h.Own.Since()}
	err = run(e.rules, p, "the history", func(rule *Rule) func(*HistoryPass) { return rule.History })
	if err != nil || h.Range == nil {
		return j, p.findings, err
	}
	inSteps, err := e.inSteps(h)
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
// versions is published, so a later step does not undo an earlier one.
func (e *engine) inSteps(h *History) ([]Finding, error) {
	var found []Finding
	before := h.Range.Old
	for i, c := range h.Range.Steps[:len(h.Range.Steps)-1] {
		names, err := change.Touched(h.Repo, before, c, h.Folder)
		if err != nil {
			return nil, err
		}
		step := &engine{rules: e.rules, config: e.config, files: &libraryFiles{fsys: h.Repo.Snapshot(c, h.Folder)}}
		for _, name := range names {
			step.files.entries = append(step.files.entries, Entry{Path: name})
		}
		results, err := step.documents()
		if err != nil {
			return nil, err
		}
		for _, r := range results {
			for _, f := range r.findings {
				if f.Severity == Error {
					f.Revision, f.step, f.Fix = c.Hash, i+1, nil
					f.Message += eachIsPublished
					found = append(found, f)
				}
			}
		}
		before = c
	}
	return found, nil
}
