package change

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
)

// Verdict is a rule that a step breaks, and whether the code owners accepted that.
type Verdict struct {
	// Rule is the name of the rule, such as VersionTooLow.
	Rule string
	// Document is the document in question, or nil for an entry of the ledger.
	Document *Document
	// ID and Version are those of the document or entry. For evidence, ID is the dataset, and
	// Item is the ID of the item or the name of the file.
	ID, Version, Item string
	// At is the place in the step's commit, or only a file. Pointer is the JSON pointer
	// to the value.
	At      source.Location
	Pointer string
	// Message says what to change, and why. Reasons are the changes of the document that
	// require it, in sentences, or "".
	Message, Reasons string
	// Required is the version to write instead, or "".
	Required string
	// Before is the document that the version is compared with, and Was is the document
	// that is gone; nil if they are unknown.
	Before, Was *Edition
	// Accepted is the exception that accepts it, or nil. Final says that none can, and Damage
	// that none could before it was in the history, so that only one that names the commit can.
	Accepted      *Exception
	Final, Damage bool
}

// Fails reports whether the verdict makes a change unacceptable.
func (v *Verdict) Fails() bool { return v.Accepted == nil && v.Rule != VersionIdle }

// Text is the message with the reasons.
func (v *Verdict) Text() string { return strings.TrimRight(v.Message+" "+v.Reasons, " ") }

// Step is a library compared with the one before it, and the judgment of the difference.
type Step struct {
	*Comparison
	// Commit is the hash of an earlier commit of the range, or "" for its last step, the
	// library that is checked. Number counts the earlier ones from 1, oldest first.
	Commit string
	Number int
	// OnBranch says that the step was on a guarded branch before the head was checked.
	OnBranch bool
	// Verdicts are the rules that the step breaks.
	Verdicts []*Verdict
	// Fallbacks are what constraints select instead of the versions that the step yanks.
	Fallbacks []Fallback

	past     Past
	releases *releases // nil if the history is unknown
	reached  string    // the hash of the commit that the step leads to, "" for uncommitted edits
	target   string    // its name in messages
	// added and removed are the exceptions in which its tree differs from what precedes it.
	// counting are those that can accept what the step does.
	added, removed, counting []*Exception
	// lets are those that were added for an earlier commit and accept what it did.
	lets []*Exception
	// rejected are versions of the past that today's rules reject, as far as that is known, and
	// unread are withdrawals of versions that they can't read.
	rejected map[*Edition]bool
	unread   []Entry
	// end is the ledger of the library that is checked.
	end *Ledger
}

// isHistory reports whether the step is on a guarded branch already, so that nobody can change
// it any more.
func (s *Step) isHistory() bool { return s.Commit != "" && s.OnBranch }

func (s *Step) judge() error {
	for _, d := range s.Documents {
		if err := s.versions(d); err != nil {
			return err
		}
		s.gone(d)
		s.retired(d)
	}
	if s.Commit != "" { // the last step can't be compared
		s.copies()
	}
	if !s.Head.Packed && !s.Tip.Packed {
		s.entries()
		s.evidence()
	}
	return nil
}

// Entry is the exception that would accept the verdict on a step in a commit, as one line of
// YAML without the reason.
func (v *Verdict) Entry(commit string) string {
	if v.Item != "" {
		return fmt.Sprintf("rule: %s, id: %s, item: %s, commit: %s", v.Rule, v.ID, schema.Quote(v.Item), commit)
	}
	return fmt.Sprintf("rule: %s, id: %s, commit: %s", v.Rule, v.ID, commit)
}

func (s *Step) add(v *Verdict) {
	if d := v.Document; d != nil {
		v.ID = d.ID
		if d.Head != nil {
			v.Version = d.Head.Version
		} else if known := s.Known(d.ID); known != nil {
			v.Version = known.Version
		}
		if v.At.Start.Line == 0 {
			v.At = source.Location{File: d.Path}
		}
	}
	if !v.Final {
		v.Accepted = s.acceptsVerdict(v)
	}
	s.Verdicts = append(s.Verdicts, v)
}

// Question says what is to be judged.
type Question struct {
	Repo *gitrepo.Repo
	// Folder is the folder of the library, relative to the repository.
	Folder string
	// Files is the root of the checked repository.
	Files fs.FS
	// Head is the library that is checked: that of Commit, or a working tree of it. A
	// zero Commit means that there is none yet.
	Head   *Library
	Commit gitrepo.Commit
	// Target is what the head is compared with.
	Target gitrepo.Target
	// Range, if it is set, is judged instead, each commit compared with the previous one.
	Range *Range
	// Published says that everything in the range counts as being on a guarded branch, also the
	// head.
	Published bool
	// Audit also judges every step of the first-parent history.
	Audit bool
	// Since is the commit where the history begins to count, or "".
	Since string
	// Base, if it is set, is the library at the target, with its name.
	Base *Library
	// Texts keeps the documents of the last step for a reader of the changes.
	Texts bool

	known []*Library
	// direct says that the head is compared without the steps that lead to it, which added
	// its exceptions.
	direct bool
}

// Judgment is the answer to a Question.
type Judgment struct {
	// Base says what the head was compared with.
	Base *Base
	// Last is the step to the head. Its Bases are what its changes are relative to.
	Last *Step
	// Whole is everything since the base, with all verdicts: Last, or all steps of a guarded
	// branch. It is set in a comparison of texts.
	Whole *Step
	// Earlier are the earlier steps that break a rule, oldest first, without what was
	// compared.
	Earlier []*Step
	// Line are commits of the guarded branch, oldest first: each but the first was compared with
	// the one before it, and the last is what the last step was compared with. Those with a
	// lower number than Settled were there before the head was checked.
	Line    []gitrepo.Commit
	Settled int
	// Apart are the steps of a topic branch that could not stand alone, if the host can put
	// each on the target by itself. OnlyApart says that it does nothing else.
	Apart     []*Step
	OnlyApart bool
}

// Base says what a library was compared with.
type Base struct {
	// Target is the name of the target, and Why is the reason for its choice.
	Target, Why string
	// Tip is the hash of the target's tip, and MergeBases are the hashes of the merge
	// bases. Both are empty if there is nothing before the library.
	Tip        string
	MergeBases []string
	// Ignored are the release tags that do not count, and are higher than the target.
	Ignored []gitrepo.ReleaseTag
}

// Verdicts are those on all steps.
func (j *Judgment) Verdicts() []*Verdict {
	var all []*Verdict
	for _, s := range j.Earlier {
		all = append(all, s.Verdicts...)
	}
	return append(all, j.Last.Verdicts...)
}

// Accepted are the exceptions that accept something, each once.
func (j *Judgment) Accepted() []*Exception {
	list, listed := slices.Clone(j.Last.lets), meaningsOf(j.Last.lets)
	for _, v := range j.Verdicts() {
		if v.Accepted != nil && !listed.has(v.Accepted) {
			list = append(list, v.Accepted)
			listed[v.Accepted.meaning()] = true
		}
	}
	return list
}

// Judge judges what leads to a head: each step of a guarded branch, or a branch as a whole. A
// step can be accepted by the exceptions that it adds, and by those of the head that name its
// commit. This is the only place that decides whether a change fits its version.
func Judge(q *Question) (*Judgment, error) {
	p, err := q.plan()
	if err != nil {
		return nil, err
	}
	return q.judge(p)
}

// Versus judges a head that is compared with libraries without their history, such as those in
// folders or bundles. Changes are relative to before, and versions follow those of the tip,
// which can be one of before.
func Versus(before []*Library, tip, head *Library, texts bool) (*Judgment, error) {
	q := &Question{Repo: tip.repo, Folder: tip.folder, Head: head, Texts: texts, Target: gitrepo.Target{Name: tip.Name}, direct: true}
	return q.judge(&plan{base: &Base{Target: tip.Name}, bases: before, tip: tip})
}

func (q *Question) judge(p *plan) (*Judgment, error) {
	last, err := Compare(q.Head, p.bases, p.tip, q.Texts)
	if err != nil {
		return nil, err
	}
	past := Past{}
	j := &Judgment{Base: p.base, Line: p.steps, Settled: p.settled, OnlyApart: q.Target.Landing == gitrepo.LandsApart}
	if p.exceptions, err = q.Head.Exceptions(); err != nil {
		return nil, err
	}
	if j.Earlier, err = q.earlier(p, past, last); err != nil {
		return nil, err
	}
	if j.Last, err = q.last(p, past, last); err != nil {
		return nil, err
	}
	if err := q.judgeStep(p, j.Last); err != nil {
		return nil, err
	}
	if j.Apart, err = q.apart(p, j.Last); err != nil {
		return nil, err
	}
	if err := q.judgeExceptions(p, j.Last); err != nil {
		return nil, err
	}
	j.Whole, err = q.whole(p, past, j)
	return j, err
}

// last is the step to the head in a comparison, not yet judged.
func (q *Question) last(p *plan, past Past, c *Comparison) (*Step, error) {
	if err := past.readEarlier(q, p, c); err != nil {
		return nil, err
	}
	if err := past.addBases(c); err != nil {
		return nil, err
	}
	s := &Step{
		Comparison: c, OnBranch: q.Published,
		past: past, releases: p.releases, reached: p.reached, end: c.Ledger, target: q.Target.Name,
	}
	return s, s.fallBack(q)
}

// judgeStep judges a step by the exceptions that count for it.
func (q *Question) judgeStep(p *plan, s *Step) error {
	if err := s.findExceptions(p); err != nil {
		return err
	}
	if err := s.judge(); err != nil {
		return err
	}
	if err := q.keepReleased(p, s); err != nil {
		return err
	}
	p.note(s)
	return s.explainStanding()
}

// whole is everything since the base as one step, with all verdicts.
func (q *Question) whole(p *plan, past Past, j *Judgment) (*Step, error) {
	if !q.Texts || p.since == nil {
		return j.Last, nil
	}
	c, err := Compare(q.Head, []*Library{p.since}, p.since, true)
	if err != nil {
		return nil, err
	}
	whole, err := q.last(p, past, c)
	if err != nil {
		return nil, err
	}
	whole.counting = j.Accepted()
	for _, d := range whole.Documents {
		if !whole.number(d) {
			continue
		}
		if err := whole.draft(d); err != nil {
			return nil, err
		}
	}
	whole.Verdicts = j.Verdicts()
	return whole, nil
}

// earlier judges each commit of a line, except the first, compared with the one before it.
// It keeps only the steps that break a rule, and nothing of what they compared. The past of
// what later also differs is read with it.
func (q *Question) earlier(p *plan, past Past, later ...*Comparison) ([]*Step, error) {
	var found []*Step
	end, _, err := q.Head.Ledger() // the last step reports what is not valid
	if err != nil {
		return nil, err
	}
	line := p.steps
	for start := 0; start < len(line)-1; start += stepsAtOnce {
		part := line[start:min(start+stepsAtOnce+1, len(line))]
		comparisons, errs := make([]*Comparison, len(part)-1), make([]error, len(part)-1)
		inParallel(len(comparisons), func(i int) { comparisons[i], errs[i] = q.between(part[i], part[i+1]) })
		if err := errors.Join(errs...); err != nil {
			return nil, err
		}
		if err := past.readEarlier(q, p, append(later, comparisons...)...); err != nil {
			return nil, err
		}
		for i, c := range comparisons {
			if err := past.addBases(c); err != nil {
				return nil, err
			}
			number := start + i + 1
			s := &Step{
				Comparison: c, Commit: part[i+1].Hash, Number: number, OnBranch: number < p.settled,
				past: past, releases: p.releases, reached: part[i+1].Hash, end: end,
			}
			if err := s.fallBack(q); err != nil {
				return nil, err
			}
			if err := q.judgeStep(p, s); err != nil {
				return nil, err
			}
			if len(s.Verdicts) > 0 {
				found = append(found, s)
			}
			past.addHeads(c, part[i+1])
			s.Comparison = nil
		}
	}
	return found, nil
}

// stepsAtOnce limits how many comparisons are in memory.
const stepsAtOnce = 50

// inParallel calls do with each number from 0 to n-1, on all processors.
func inParallel(n int, do func(i int)) {
	var wg sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range n {
		free <- struct{}{}
		wg.Go(func() {
			do(i)
			<-free
		})
	}
	wg.Wait()
}

// pair is the libraries of a commit and of its parent. A zero parent has none.
func pair(repo *gitrepo.Repo, parent, child gitrepo.Commit, folder string) (before, after *Library, err error) {
	before = Nothing("nothing")
	if !parent.IsZero() {
		if before, err = At(repo, parent, folder); err != nil {
			return nil, nil, err
		}
	}
	after, err = At(repo, child, folder)
	return before, after, err
}

// between compares a commit with the one before it.
func (q *Question) between(parent, child gitrepo.Commit) (*Comparison, error) {
	before, after, err := pair(q.Repo, parent, child, q.Folder)
	if err != nil {
		return nil, err
	}
	if !parent.IsZero() {
		after.step = true
		if err := CheckGone(q.Repo, parent, child, q.Repo.Snapshot(child, ""), q.Folder); err != nil {
			return nil, fmt.Errorf("at commit %.12s, %w. If this is old history, set history.since in %s to a later commit", child.Hash, err, library.ConfigFile)
		}
	}
	return Compare(after, []*Library{before}, before, false)
}

// Touched lists the documents that a commit adds or changes. A zero parent has none.
func Touched(repo *gitrepo.Repo, parent, child gitrepo.Commit, folder string) ([]string, error) {
	before, after, err := pair(repo, parent, child, folder)
	if err != nil {
		return nil, err
	}
	differ, err := before.differing(after)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(differ, func(name string, _ bool) bool { return after.files[name] == "" })
	return slices.Sorted(maps.Keys(differ)), nil
}

// idsOf returns the IDs whose past matters to a comparison: those of the documents that
// differ, of new ledger entries, and of documents whose current version is yanked.
func idsOf(c *Comparison) []string {
	var ids []string
	for _, d := range c.Documents {
		ids = append(ids, d.ID)
	}
	for _, u := range c.Unreadable {
		if u.Text != nil {
			ids = append(ids, u.Text.ID)
		}
	}
	if c.Ledger != nil {
		for _, entry := range c.Ledger.Entries {
			if c.isNew(&entry) || entry.Yanked != "" && entry.Yanked == c.living[entry.ID] {
				ids = append(ids, entry.ID)
			}
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(ids)))
}
