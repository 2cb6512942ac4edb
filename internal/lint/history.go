package lint

import (
	"fmt"
	"io/fs"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/files/limits"
	lib "github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
	"github.com/rubric-library/rubric-library/internal/repository/history"
)

// TagPrefix precedes the library's version in its release tags.
const TagPrefix = "library-v"

// History says what the library is compared with. Nil means nothing.
type History struct {
	Repo *gitrepo.Repo
	// Folder is the folder of the library, relative to the repository.
	Folder string
	// Files is the root of the checked repository.
	Files fs.FS
	// Target is what the change is merged into. Its zero Commit means that there is
	// nothing before the library.
	Target gitrepo.Target
	// Own is the configuration of the checked library, if the target's configuration
	// is in effect.
	Own *Config
	// Audit also checks every step of the first-parent history of HEAD.
	Audit bool
	// Lines marks the findings on lines that changed since the merge bases.
	Lines bool
}

// Base says in a report what the library was compared with.
type Base struct {
	// Target is the name of the target, and Why is the reason for its choice.
	Target, Why string
	// Tip is the hash of the target's tip, and MergeBases are the hashes of the merge
	// bases. Both are empty if there is nothing before the library.
	Tip        string
	MergeBases []string
}

// Exception is a finding that the code owners accepted.
type Exception struct {
	Rule    string `json:"rule"`
	ID      string `json:"id"`
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Reason  string `json:"reason"`
	// At is its place in the file.
	At   source.Location `json:"-"`
	Used bool            `json:"-"`
}

// HistoryPass is the view of a lint rule on one step of the history: a head and what it
// is compared with.
type HistoryPass struct {
	*history.Comparison
	// Past has the earlier versions on the main branch of the documents that differ.
	Past history.Past
	// Commit is the hash of the step's head in an audit, otherwise empty.
	Commit string
	// Target is the name of the target in messages.
	Target string
	// Settled says that the step is already on the main branch, so its versions are
	// used whether or not they are right.
	Settled bool
	// TipSince and HeadSince are history.since at the target's tip and in the checked
	// library.
	TipSince, HeadSince string

	reporter
	exceptions []*Exception
	step       int // the number of the step in an audit, from 1
}

// Report adds a finding at a place in a document of the head, unless an exception accepts
// it. A place without a line means the whole file.
func (p *HistoryPass) Report(d *history.Document, at source.Location, pointer string, fix *source.Fix, related []Related, format string, args ...any) {
	f := Finding{
		Location: source.Location{File: d.Path}, ID: d.ID, Pointer: pointer, Path: "history",
		Message: fmt.Sprintf(format, args...), Related: related, Fix: fix,
	}
	version := ""
	if d.Head != nil {
		version = d.Head.Version
		if at.Start.Line > 0 {
			f.Location = at
		}
	} else if known := p.Known(d.ID); known != nil {
		version = known.Version
	}
	p.addUnlessAccepted(f, version)
}

// ReportLedger adds a finding at an entry of the ledger, or at the file.
func (p *HistoryPass) ReportLedger(id, version string, n *yamltree.Node, format string, args ...any) {
	f := Finding{Location: source.Location{File: LedgerFile}, ID: id, Path: "history", Message: fmt.Sprintf(format, args...)}
	if n != nil && p.Ledger != nil {
		f.Location = source.Locate(p.Ledger.Doc.File, n.Span)
	}
	p.addUnlessAccepted(f, version)
}

// ReportSetting adds a finding about a setting of the library's configuration.
func (p *HistoryPass) ReportSetting(path, format string, args ...any) {
	p.addUnlessAccepted(Finding{Location: source.Location{File: ConfigFile}, Path: path, Message: fmt.Sprintf(format, args...)}, "")
}

// addUnlessAccepted adds a finding about a version, unless an exception accepts it.
func (p *HistoryPass) addUnlessAccepted(f Finding, version string) {
	if e := p.Exception(p.rule.ID, f.ID, version); e != nil {
		e.Used = true
		return
	}
	if p.Commit != "" {
		if p.rule.Severity == Note {
			return // can no longer be changed
		}
		f.Revision, f.step, f.Fix = p.Commit, p.step, nil
		f.Message += fmt.Sprintf(" This is already in the history: accept it in %s (rule: %s, id: %s, commit: %s) and publish a correct version.",
			ExceptionsFile, p.rule.ID, f.ID, p.Commit)
	}
	p.add(f)
}

// Exception returns the exception that accepts a lint rule's finding about a version, or
// nil.
func (p *HistoryPass) Exception(rule, id, version string) *Exception {
	for _, e := range p.exceptions {
		if e.Rule == rule && e.ID == id && (e.Version != "" && e.Version == version || e.Commit != "" && e.Commit == p.Commit) {
			return e
		}
	}
	return nil
}

// compare runs the history rules on the checked head and, if HEAD is on the main branch,
// on its steps since the last release. In an audit, it runs them on all steps.
func (e *engine) compare(h *History, results []result) (findings []Finding, base *Base, exceptions []*Exception, err error) {
	if exceptions, err = e.exceptions(); err != nil {
		return nil, nil, nil, err
	}
	head, err := e.headOf(results)
	if err != nil {
		return nil, nil, nil, err
	}
	g, err := e.gate(h, head)
	if err != nil {
		return nil, nil, nil, err
	}
	e.bases = g.bases
	comparison, err := history.Compare(head, g.bases, g.tip)
	if err != nil {
		return nil, nil, nil, err
	}
	past, err := history.Since(h.Repo, g.past, h.Folder, idsOf(comparison))
	if err != nil {
		return nil, nil, nil, err
	}
	p := &HistoryPass{
		Comparison: comparison, Past: past.With(comparison), exceptions: exceptions, Target: h.Target.Name,
		TipSince: e.config.since(), HeadSince: h.Own.since(), Settled: g.settled,
	}
	if err := e.historyRules(p); err != nil {
		return nil, nil, nil, err
	}
	e.published = publishedIn(comparison)
	steps, err := e.steps(h, g.steps, exceptions)
	return append(p.findings, steps...), g.base, exceptions, err
}

func (e *engine) historyRules(p *HistoryPass) error {
	where := "the history"
	if p.Commit != "" {
		where = "commit " + p.Commit
	}
	return run(e.rules, p, where, func(rule *Rule) func(*HistoryPass) { return rule.History })
}

// headOf returns the checked library in a form that can be compared.
func (e *engine) headOf(results []result) (*history.Head, error) {
	h := &history.Head{Files: map[string]history.HeadFile{}, Read: e.content}
	for i, r := range results {
		name := e.files.entries[i].Path
		if !lib.IsDocument(name) {
			continue
		}
		f := history.HeadFile{Hash: r.hash}
		if r.facts != nil {
			f.ID = r.facts.ID
		}
		h.Files[name] = f
	}
	for _, entry := range e.files.entries {
		switch {
		case entry.Path != LedgerFile:
		case !entry.IsLedger():
			h.LedgerHidden = true
		default:
			data, err := e.content(LedgerFile)
			if limits.IsTooLarge(err) {
				h.LedgerHidden = true // reported by its own finding
			} else if err != nil {
				return nil, fmt.Errorf("%s can't be read: %w", LedgerFile, err)
			}
			h.Ledger = data
		}
	}
	return h, nil
}

// exceptions reads the exceptions of the checked library.
func (e *engine) exceptions() ([]*Exception, error) {
	there := func(entry Entry) bool { return entry.Path == ExceptionsFile && entry.IsLedger() }
	if _, unsaved := e.instead[ExceptionsFile]; !unsaved && !slices.ContainsFunc(e.files.entries, there) {
		return nil, nil // reported by the rules about files
	}
	data, err := e.content(ExceptionsFile)
	f, err := source.Read(ExceptionsFile, data, err)
	if err != nil {
		return nil, fmt.Errorf("%s can't be read: %w", ExceptionsFile, err)
	}
	d := document.ParseAs(f, &document.Exceptions)
	var out []*Exception
	if !d.Valid() {
		return nil, nil // reported by its own findings
	}
	for _, n := range d.Root().Get("exceptions").Items {
		out = append(out, &Exception{
			Rule: n.Get("rule").Text(), ID: n.Get("id").Text(), Version: n.Get("version").Text(), Commit: n.Get("commit").Text(),
			Reason: n.Get("reason").Text(), At: source.Locate(d.File, n.Get("rule").Span),
		})
	}
	return out, nil
}

// publishedIn reports whether the target or a merge base has the document with an ID. A
// document that does not differ is found by its file name, which is its ID.
func publishedIn(c *history.Comparison) func(id string) bool {
	names := map[string]bool{}
	for _, l := range append([]*history.Library{c.Tip}, c.Bases...) {
		for _, name := range l.Paths() {
			names[Stem(name)] = true
		}
	}
	return func(id string) bool { return names[id] || c.Known(id) != nil }
}
