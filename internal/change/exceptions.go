package change

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
)

// The rules about the exceptions themselves.
const (
	ExceptionStale   = "exception-stale"
	ExceptionRemoved = "exception-removed"
)

// Acceptable lists the rules whose verdicts an exception can accept.
var Acceptable = []string{
	VersionTooLow, VersionSkipped, VersionDown, VersionReused, MajorChange,
	DocumentGone, RetiredID, LedgerChanged, LedgerEntry, EvidenceChanged,
}

// Exception is an entry of the file of exceptions: the code owners accept a broken rule. It
// accepts one thing: what the step does that adds it, or what the commit does that it names.
type Exception struct {
	Rule    string `json:"rule"`
	ID      string `json:"id"`
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Item    string `json:"item,omitempty"`
	Reason  string `json:"reason"`
	// At is its place in the file.
	At source.Location `json:"-"`
}

// same reports whether two exceptions are equal, wherever they are in a file. Another reason
// makes another exception.
func (e *Exception) same(other *Exception) bool {
	return e.Rule == other.Rule && e.ID == other.ID && e.Version == other.Version && e.Commit == other.Commit &&
		e.Item == other.Item && e.Reason == other.Reason
}

// isIn reports whether a list has an equal exception.
func (e *Exception) isIn(list []*Exception) bool { return slices.ContainsFunc(list, e.same) }

// covers reports whether the exception is for a broken rule, in whichever step.
func (e *Exception) covers(rule, id, version, item string) bool {
	if e.Rule != rule || e.ID != id || e.Item != item {
		return false
	}
	return e.Commit != "" || e.Item != "" || e.Version == version
}

// Exceptions are the exceptions of a library. Those of a file with errors do not count, and
// lint reports the errors.
func (l *Library) Exceptions() ([]*Exception, error) {
	list, _, err := l.readExceptions()
	return list, err
}

// readExceptions reads the exceptions. broken says that there is a file, but it has errors.
func (l *Library) readExceptions() (list []*Exception, broken bool, err error) {
	d, hidden, err := l.settings(library.ExceptionsFile, &document.Exceptions)
	switch {
	case err != nil:
		return nil, false, err
	case hidden != "":
		return nil, true, nil
	case d == nil:
		return nil, false, nil
	}
	return exceptionsOf(d), false, nil
}

func exceptionsOf(d *document.Document) []*Exception {
	var list []*Exception
	for _, n := range d.Root().Get("exceptions").List() {
		text := func(key string) string { return n.Get(key).Text() }
		list = append(list, &Exception{
			Rule: text("rule"), ID: text("id"), Version: text("version"), Commit: text("commit"), Item: text("item"), Reason: text("reason"),
			At: source.Locate(d.File, placeOf(n)),
		})
	}
	return list
}

// placeOf is the place of an exception for messages: its rule.
func placeOf(n *yamltree.Node) source.Span {
	if rule := n.Get("rule"); rule != nil {
		return rule.Span
	}
	return n.Span
}

// earlierExceptions are the exceptions that a library already had, for a step that follows it.
// If the file has errors, those of its last valid content count, so that a broken file does not
// make old exceptions new.
func (l *Library) earlierExceptions() ([]*Exception, error) {
	list, broken, err := l.readExceptions()
	if !broken || err != nil || l.repo == nil {
		return list, err
	}
	for c, err := range l.repo.FirstParents(l.Commit) {
		if err != nil {
			return nil, err
		}
		earlier, err := At(l.repo, c, l.folder)
		if err != nil {
			return nil, err
		}
		list, broken, err := earlier.readExceptions()
		if !broken || err != nil {
			return list, err
		}
	}
	return nil, nil
}

// findExceptions finds the exceptions that can accept what the step does: those that its own
// tree adds, and those of the checked library, all, that name its commit.
func (s *Step) findExceptions(all []*Exception) error {
	for _, e := range all {
		if s.Commit != "" && e.Commit == s.Commit {
			s.counting = append(s.counting, e)
		}
	}
	same, err := s.sameExceptions()
	if same || err != nil {
		return err
	}
	own, broken, err := s.Head.readExceptions()
	if broken || err != nil {
		return err
	}
	var before, everywhere []*Exception
	for i, l := range s.libraries() {
		if l.Packed {
			return nil // nobody knows which exceptions are older than a bundle
		}
		list, err := l.earlierExceptions()
		if err != nil {
			return err
		}
		before = append(before, list...)
		if i == 0 {
			everywhere = slices.Clone(list)
		}
		everywhere = slices.DeleteFunc(everywhere, func(e *Exception) bool { return !e.isIn(list) })
	}
	s.added = slices.DeleteFunc(slices.Clone(own), func(e *Exception) bool { return e.isIn(before) })
	s.removed = slices.DeleteFunc(everywhere, func(e *Exception) bool { return e.isIn(own) })
	for _, e := range s.added {
		if e.Commit == "" {
			s.counting = append(s.counting, e)
		}
	}
	return nil
}

// sameExceptions reports whether the step is known to change no exception, without reading one.
func (s *Step) sameExceptions() (bool, error) {
	if s.Head.repo == nil {
		return false, nil
	}
	now, err := s.Head.exceptionsHash()
	if err != nil {
		return false, err
	}
	for _, l := range s.libraries() {
		if l.repo == nil {
			return now == "", nil // a commit without a parent
		}
		before, err := l.exceptionsHash()
		if before != now || err != nil {
			return false, err
		}
	}
	return true, nil
}

func (l *Library) exceptionsHash() (string, error) {
	return l.repo.Snapshot(l.Commit, l.folder).Hash(library.ExceptionsFile)
}

// accepts returns the exception that accepts a broken rule, or nil. item is "" for a document.
func (s *Step) accepts(rule, id, version, item string) *Exception {
	for _, e := range s.counting {
		if e.covers(rule, id, version, item) {
			return e
		}
	}
	return nil
}

// acceptsVerdict returns the exception that accepts a verdict, or nil.
func (s *Step) acceptsVerdict(v *Verdict) *Exception {
	for _, e := range s.counting {
		if e.covers(v.Rule, v.ID, v.Version, v.Item) && (!v.Damage || e.Commit != "") {
			return e
		}
	}
	return nil
}

// keepReleased makes the verdicts final on another text of a version that a release carried: no
// exception accepts it. In the history, the commit can be accepted once the library has another
// text again.
func (q *Question) keepReleased(s *Step) error {
	for _, v := range s.Verdicts {
		if d := v.Document; v.Accepted != nil && d != nil && d.owner != nil {
			if err := q.keepKind(s, v); err != nil {
				return err
			}
			continue
		}
		if v.Accepted == nil || v.Final || !slices.Contains(rulesOfVersions, v.Rule) || !s.hadAnother(v.Document) {
			continue
		}
		now := v.Document.Head
		carried, err := s.released(now.ID, now.Version, now.Digest)
		if err != nil {
			return err
		}
		if !carried {
			continue
		}
		undone, err := q.undone(s, now)
		if err != nil {
			return err
		}
		if undone {
			v.Damage = true
			v.Accepted = s.acceptsVerdict(v)
			continue
		}
		v.Final, v.Accepted = true, nil
		v.Message += fmt.Sprintf(" A release has version %s with another text, so no exception can accept this one.", now.Version)
	}
	return nil
}

// keepKind makes the verdict on another kind final if a release carried the first one, unless the
// library has that again.
func (q *Question) keepKind(s *Step, v *Verdict) error {
	owner := v.Document.owner
	carried, err := s.released(owner.ID, owner.Version, "")
	if err != nil || !carried {
		return err
	}
	now, err := q.Head.Find(owner.ID)
	if err == nil && now != nil && now.Kind != owner.Kind {
		v.Final, v.Accepted = true, nil
		v.Message += fmt.Sprintf(" A release has the %s, so no exception can accept this.", owner.Kind.Noun)
	}
	return err
}

// hadAnother reports whether a version of a document had another text before.
func (s *Step) hadAnother(d *Document) bool {
	return d != nil && d.Head != nil && slices.ContainsFunc(s.past[d.ID], func(e *Edition) bool {
		return e.Version == d.Head.Version && e.Digest != d.Head.Digest
	})
}

// undone reports whether a step is in the history and the head no longer has a text of it.
func (q *Question) undone(s *Step, text *Edition) (bool, error) {
	if !s.isHistory() {
		return false, nil
	}
	now, err := q.Head.Find(text.ID)
	return now == nil || now.Digest != text.Digest, err
}

// explainStanding adds to the verdicts of the step that an exception for it was there before. In
// the history, an exception has to name the commit anyway.
func (s *Step) explainStanding() error {
	fails := func(v *Verdict) bool { return v.Fails() && !v.Final }
	if s.isHistory() || !slices.ContainsFunc(s.Verdicts, fails) {
		return nil
	}
	own, err := s.Head.Exceptions()
	if err != nil {
		return err
	}
	for _, v := range s.Verdicts {
		standing := func(e *Exception) bool {
			return e.Commit == "" && e.covers(v.Rule, v.ID, v.Version, v.Item) && !e.isIn(s.added)
		}
		if fails(v) && slices.ContainsFunc(own, standing) {
			name := v.Version
			if v.Item != "" {
				name = schema.Quote(v.Item)
			}
			v.Message += fmt.Sprintf(" The exception for %s was there before this change, so it doesn't accept it. Ask the owners for a new entry with this change.", name)
		}
	}
	return nil
}

// note keeps the exceptions of a judged step that judgeExceptions reads.
func (p *plan) note(s *Step) {
	for _, e := range s.added {
		accepts := func(v *Verdict) bool { return v.Accepted == e }
		if !slices.ContainsFunc(s.Verdicts, accepts) {
			p.unused = append(p.unused, e)
		}
	}
	p.removed = append(p.removed, s.removed...)
}

// judgeExceptions adds to the last step the verdicts on changed exceptions: one that was added
// accepts something, once, and one that is gone no longer accepts anything. A later step can
// have undone either.
func (q *Question) judgeExceptions(p *plan, last *Step) error {
	if q.direct {
		return nil
	}
	for i, e := range p.exceptions {
		if first := slices.IndexFunc(p.exceptions, e.same); first < i {
			last.exception(ExceptionStale, e, "Remove this exception: line %d has the same one, and an exception counts once.", p.exceptions[first].At.Start.Line)
		}
	}
	for _, e := range p.unused {
		at := slices.IndexFunc(p.exceptions, e.same)
		if at < 0 || !slices.Contains(Acceptable, e.Rule) {
			continue // lint reports an unknown rule
		}
		why, err := q.unused(p, e)
		if err != nil {
			return err
		}
		if why == "" {
			last.lets = append(last.lets, p.exceptions[at])
		} else {
			last.exception(ExceptionStale, p.exceptions[at], "Remove this exception: %s", why)
		}
	}
	for _, e := range p.removed {
		if e.Commit == "" || e.isIn(p.exceptions) {
			continue
		}
		needed, err := q.needs(p, e)
		if err != nil {
			return err
		}
		if needed {
			last.exception(ExceptionRemoved, &Exception{ID: e.ID, Version: e.Version, Item: e.Item, At: source.Location{File: library.ExceptionsFile}},
				"Restore the exception of %s for %s (commit %s): it still accepts what that commit did.", e.Rule, schema.Quote(e.ID), e.Commit)
		}
	}
	return nil
}

// exception adds a verdict on an exception, which no other exception accepts.
func (s *Step) exception(rule string, e *Exception, format string, args ...any) {
	s.add(&Verdict{Rule: rule, ID: e.ID, Version: e.Version, Item: e.Item, At: e.At, Final: true, Message: fmt.Sprintf(format, args...)})
}

// unused returns why an exception accepts nothing, although the step that added it did nothing
// that it accepts; "" if it accepts what its commit did.
func (q *Question) unused(p *plan, e *Exception) (why string, err error) {
	what := strings.TrimRight(e.Rule+" for "+e.ID+" "+e.Version, " ")
	if e.Item != "" {
		what += " " + schema.Quote(e.Item)
	}
	if e.Commit == "" {
		return fmt.Sprintf("this change does nothing that it accepts (%s), and it accepts no other change. "+
			"To accept what an earlier commit did, write the commit instead of the version.", what), nil
	}
	used, known, err := q.acceptsCommit(p, e, []*Exception{e})
	switch {
	case err != nil || used:
		return "", err
	case !known:
		return fmt.Sprintf("commit %.12s is not on the main branch. In a branch, the exception belongs in the same commit as what it accepts, with the version instead of the commit.", e.Commit), nil
	}
	return fmt.Sprintf("commit %.12s does nothing that it accepts (%s).", e.Commit, what), nil
}

// needs reports whether a commit is no longer accepted without an exception that is gone.
func (q *Question) needs(p *plan, e *Exception) (bool, error) {
	with, known, err := q.acceptsCommit(p, e, []*Exception{e})
	if err != nil || !known || !with {
		return false, err
	}
	without, _, err := q.acceptsCommit(p, e, p.exceptions)
	return !without, err
}

// acceptsCommit reports whether one of some exceptions accepts of the commit of e what e is
// for, and whether the commit is known to be on the main branch.
func (q *Question) acceptsCommit(p *plan, e *Exception, exceptions []*Exception) (accepts, known bool, err error) {
	commit, err := q.onMain(e.Commit)
	if err != nil || commit.IsZero() {
		return false, false, err
	}
	var parent gitrepo.Commit
	if len(commit.Parents) > 0 {
		if parent, err = q.Repo.Resolve(commit.Hash + "^1"); err != nil {
			return false, true, err
		}
	}
	one := &plan{steps: []gitrepo.Commit{parent, commit}, settled: 2, exceptions: exceptions, releases: p.releases}
	steps, err := q.earlier(one, Past{})
	if err != nil {
		return false, true, err
	}
	for _, s := range steps {
		for _, v := range s.Verdicts {
			if v.Accepted != nil && e.covers(v.Rule, v.ID, v.Version, v.Item) {
				return true, true, nil
			}
		}
	}
	return false, true, nil
}

// onMain returns the commit with a hash if it is on the line whose steps count: that of the
// head on a guarded branch, or else that of the target. It is zero otherwise.
func (q *Question) onMain(hash string) (gitrepo.Commit, error) {
	tip := q.Target.Commit
	if q.Target.OnMain || q.Range != nil || q.Target.Queued || tip.IsZero() {
		tip = q.Commit
	}
	if tip.IsZero() {
		return gitrepo.Commit{}, nil
	}
	for c, err := range q.Repo.FirstParents(tip) {
		if err != nil || c.Hash == hash {
			return c, err
		}
	}
	return gitrepo.Commit{}, nil
}
