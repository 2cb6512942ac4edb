package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// edition is a document in a state of a library. Numbers of scores are in tenths.
type edition struct {
	pass, minimum, essential int
	important, second        bool
	pattern                  int // how many of the effects report and fail its negative criterion went through
	word, name               int
	version                  [3]int
}

func (e edition) number() string {
	return fmt.Sprintf("%d.%d.%d", e.version[0], e.version[1], e.version[2])
}

// text is the file of the document.
func (e edition) text(id string) string {
	scores := func(tenths int) string { return fmt.Sprintf("%d.%d", tenths/10, tenths%10) }
	text := fmt.Sprintf("rubric_id: %s\nname: Clarity %d\nversion: %q\nartifact_type: prd\ncriteria:\n", id, e.name, e.number())
	for i, name := range []string{"clarity", "depth"}[:1+count(e.second)] {
		weight := "essential"
		if e.important && i == 0 {
			weight = "important"
		}
		text += fmt.Sprintf("  - name: %s\n    description: Whether the reader knows who does what.\n    weight: %s\n    threshold: %s\n    anchors:\n", name, weight, scores(e.minimum))
		for level := range 5 {
			text += fmt.Sprintf("      %d: The text names %d of them, in %d places.\n", level+1, level, e.word)
		}
		text += "    examples:\n      score_1: Make it better.\n      score_5: A clerk archives an invoice so that the audit finds it.\n"
	}
	if e.pattern > 0 {
		text += fmt.Sprintf("negative_criteria:\n  - name: vague\n    description: The text leaves something open.\n    fail_patterns: [\"TBD\"]\n    effect: %s\n", []string{"report", "fail"}[e.pattern-1])
	}
	return text + fmt.Sprintf("scoring:\n  pass_threshold: %s\n  essential_minimum: %s\ncalibration_dataset: https://labels.example.org/clarity.jsonl\n", scores(e.pass), scores(e.essential))
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// acceptance is an entry of the exceptions. form is how it is written, which means nothing.
type acceptance struct {
	rule, id, version, commit, item, reason string
	form                                    int
}

// acceptanceForms are the ways to write an entry.
var acceptanceForms = []string{
	"  - {rule: %s, id: %s, %s, reason: %s}\n",
	"  - rule: %s\n    id: %s\n    %s\n    reason: %s\n",
	"  # Approved.\n  - rule: %s\n    id: '%s'\n    %s\n    reason: |\n      %s\n",
	"  - {rule: %s, id: %s, %s, reason: \"%s \"}\n",
}

func (a acceptance) text() string {
	scope := fmt.Sprintf("version: %q", a.version)
	switch {
	case a.item != "":
		scope = "item: " + a.item
	case a.commit != "":
		scope = "commit: " + a.commit
	}
	return fmt.Sprintf(acceptanceForms[a.form], a.rule, a.id, scope, a.reason)
}

func (a acceptance) same(other acceptance) bool {
	a.form = other.form
	return a == other
}

// state is a library: its documents, the IDs that the ledger lists with their last versions,
// and its exceptions.
type state struct {
	documents  map[string]edition
	retired    map[string]string
	exceptions []acceptance
}

// has reports whether a state has an exception.
func (s state) has(a acceptance) bool { return slices.ContainsFunc(s.exceptions, a.same) }

func (s state) clone() state {
	return state{maps.Clone(s.documents), maps.Clone(s.retired), slices.Clone(s.exceptions)}
}

// files are the files of a library by name.
func (s state) files() map[string]string {
	out := map[string]string{}
	for id, e := range s.documents {
		out["rubrics/prd/"+id+".yaml"] = e.text(id)
	}
	if len(s.retired) > 0 {
		text := "retired:\n"
		for _, id := range slices.Sorted(maps.Keys(s.retired)) {
			text += fmt.Sprintf("  - {id: %s, kind: rubric, last_version: %q, reason: Nobody uses it.}\n", id, s.retired[id])
		}
		out["rubrics/retired.yaml"] = text
	}
	if len(s.exceptions) > 0 {
		text := "exceptions:\n"
		for _, a := range s.exceptions {
			text += a.text()
		}
		out["rubrics/exceptions.yaml"] = text
	}
	return out
}

// merged is a state with the changes of another one since a common one, as Git merges lines.
// Where both changed the same line, the other one counts.
func (s state) merged(common, other state) state {
	out := state{map[string]edition{}, merge3(common.retired, s.retired, other.retired, func(_, _, theirs string) string { return theirs }), nil}
	out.documents = merge3(common.documents, s.documents, other.documents, func(common, ours, theirs edition) edition {
		return edition{
			pick(common.pass, ours.pass, theirs.pass), pick(common.minimum, ours.minimum, theirs.minimum), pick(common.essential, ours.essential, theirs.essential),
			pick(common.important, ours.important, theirs.important), pick(common.second, ours.second, theirs.second),
			pick(common.pattern, ours.pattern, theirs.pattern), pick(common.word, ours.word, theirs.word), pick(common.name, ours.name, theirs.name),
			pick(common.version, ours.version, theirs.version),
		}
	})
	before, ours, theirs := occurrences(common.exceptions), occurrences(s.exceptions), occurrences(other.exceptions)
	for _, a := range ours {
		if !slices.Contains(before, a) || slices.Contains(theirs, a) {
			out.exceptions = append(out.exceptions, a.acceptance)
		}
	}
	for _, a := range theirs {
		if !slices.Contains(before, a) && !slices.Contains(ours, a) {
			out.exceptions = append(out.exceptions, a.acceptance)
		}
	}
	return out
}

// occurrence is an exception that is there for the nth time.
type occurrence struct {
	acceptance
	n int
}

func occurrences(list []acceptance) (found []occurrence) {
	for i, a := range list {
		same := func(earlier acceptance) bool { return earlier == a }
		found = append(found, occurrence{a, len(list[:i]) - len(without(list[:i], same))})
	}
	return found
}

func pick[T comparable](common, ours, theirs T) T {
	if theirs == common {
		return ours
	}
	return theirs
}

// merge3 merges maps. both merges the values that two sides changed.
func merge3[T comparable](common, ours, theirs map[string]T, both func(common, ours, theirs T) T) map[string]T {
	out := map[string]T{}
	for id := range maps.Keys(union(ours, theirs)) {
		before, was := common[id]
		a, inOurs := ours[id]
		b, inTheirs := theirs[id]
		switch {
		case inOurs && inTheirs:
			out[id] = both(before, a, b)
		case inOurs && (!was || a != before): // they removed what we changed
			out[id] = a
		case inTheirs && (!was || b != before):
			out[id] = b
		}
	}
	return out
}

func union[T any](a, b map[string]T) map[string]T {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// point is a commit of a story.
type point struct {
	hash string
	state
}

// story is a history that is being drawn.
type story struct {
	*rapid.T
	*depot
	main []point // the first parents of main, oldest first
	past []state // of all commits
	// care is how many of ten changes are right, and exceptions is how many bring an exception.
	care, exceptions int
}

// commit adds a commit of a state.
func (s *story) commit(now state, parents ...point) point {
	var hashes []string
	for _, p := range parents {
		hashes = append(hashes, p.hash)
	}
	now = now.clone()
	s.past = append(s.past, now)
	return point{s.depot.commit(now.files(), hashes...), now}
}

// newStory begins a history with one commit, which is checked out. exceptions is how many of ten
// changes bring an exception.
func newStory(t *rapid.T, d *depot, exceptions int) *story {
	s := &story{T: t, depot: d, care: rapid.SampledFrom([]int{10, 9, 5}).Draw(t, "care"), exceptions: exceptions}
	s.main = []point{s.commit(began())}
	d.refs("refs/heads/main", map[string]string{"refs/heads/main": s.tip().hash})
	d.checkOut(s.tip().files())
	return s
}

func (s *story) tip() point { return s.main[len(s.main)-1] }

// right draws whether a change is meant to be right.
func (s *story) right() bool { return rapid.IntRange(1, 10).Draw(s.T, "right") <= s.care }

// edits are the ways to change a text.
var edits = []func(*edition){
	func(e *edition) { e.word++ },
	func(e *edition) { e.name++ },
	func(e *edition) { e.pass = max(e.pass-2, 10) },
	func(e *edition) { e.minimum = max(e.minimum-5, 10) },
	func(e *edition) { e.essential = max(e.essential-5, 10) },
	func(e *edition) { e.pattern = (e.pattern + 1) % 3 },
	func(e *edition) { e.important = !e.important },
	func(e *edition) { e.pass = min(e.pass+2, 50) },
	func(e *edition) { e.minimum = min(e.minimum+5, 50) },
	func(e *edition) { e.essential = min(e.essential+5, 50) },
	func(e *edition) { e.second = !e.second },
}

// class is at least the class of the changes between two editions.
func (e edition) class(after edition) schema.Class {
	e.version, after.version = [3]int{}, [3]int{}
	patch := e
	patch.name = after.name
	switch {
	case after.pass > e.pass, after.minimum > e.minimum, after.essential > e.essential, after.second != e.second,
		e.important && !after.important, after.pattern == 2 && e.pattern != 2:
		return schema.Major
	case patch != after:
		return schema.Minor
	case e != after:
		return schema.Patch
	}
	return schema.None
}

// next is the right version after an edition, or ok is false if the document must keep its
// text, because its ID has its major version.
func (e edition) next(id string, after edition) (version [3]int, ok bool) {
	v := e.version
	switch e.class(after) {
	case schema.None:
		return v, true
	case schema.Patch:
		return [3]int{v[0], v[1], v[2] + 1}, true
	case schema.Minor:
		return [3]int{v[0], v[1] + 1, 0}, true
	}
	return [3]int{v[0] + 1, 0, 0}, !strings.HasSuffix(id, "_v1")
}

// ids are the documents that change. One of them has its major version in its ID.
var ids = []string{"a_v1", "b"}

// edit draws a change of a state, perhaps with an exception for it. A right version follows the
// one on main, or that before the change if each commit is to stand alone.
func (s *story) edit(now state, alone bool) state {
	before := s.tip().state
	if alone {
		before = now
	}
	id := rapid.SampledFrom(ids).Draw(s.T, "document")
	after := s.editText(before, now.clone(), id)
	often := s.exceptions
	if now.fits(after, id) {
		often /= 3
	}
	if rapid.IntRange(1, 10).Draw(s.T, "exception") <= often {
		s.accept(now, &after, id)
	}
	return after
}

// fits reports whether a change of a document has the right version.
func (s state) fits(after state, id string) bool {
	was, known := s.documents[id]
	e, there := after.documents[id]
	version, ok := was.next(id, e)
	return known && there && ok && version == e.version
}

func (s *story) editText(before, now state, id string) state {
	e, there := now.documents[id]
	published, known := before.documents[id]
	right := s.right()
	switch what := rapid.IntRange(0, 11).Draw(s.T, "what"); {
	case what == 0:
		s.accept(before, &now, id)
	case right && !(there && known): // an ID that is gone is gone
	case what == 1:
		now.retired[id] = e.number()
		if right {
			now.retired[id] = published.number()
		}
		delete(now.documents, id)
	case right:
		edits[rapid.IntRange(0, len(edits)-1).Draw(s.T, "edit")](&e)
		if version, ok := published.next(id, e); ok {
			e.version = version
			now.documents[id] = e
		}
	case what == 2 || what == 3 || !there:
		older := s.past[rapid.IntRange(0, len(s.past)-1).Draw(s.T, "restored")]
		if e, there = older.documents[id]; there {
			now.documents[id] = e
			if rapid.Bool().Draw(s.T, "from the ledger, too") {
				delete(now.retired, id)
			}
		}
	case what == 4:
		delete(now.documents, id)
	default:
		edits[rapid.IntRange(0, len(edits)-1).Draw(s.T, "edit")](&e)
		v := &e.version
		switch rapid.SampledFrom([]string{"patch", "minor", "major", "same", "skip", "down"}).Draw(s.T, "version") {
		case "patch":
			v[2]++
		case "minor":
			*v = [3]int{v[0], v[1] + 1, 0}
		case "major":
			*v = [3]int{v[0] + count(id == "b"), 0, v[2]}
		case "skip":
			v[1] += 2
		case "down":
			v[1] = max(0, v[1]-1)
		}
		now.documents[id] = e
	}
	return now
}

// acceptable are the rules that an exception can name.
var acceptable = []string{
	"version-too-low", "major-change", "version-down", "version-skipped", "version-reused",
	"document-gone", "retired-id", "ledger-changed", "ledger-entry",
}

// fitting is an exception for what is probably wrong with a document after a change.
func fitting(before, now state, id string) acceptance {
	was, known := before.documents[id]
	e, there := now.documents[id]
	a := acceptance{id: id, version: e.number(), reason: "Agreed."}
	switch compared := slices.Compare(e.version[:], was.version[:]); {
	case before.retired[id] != "" && now.retired[id] != before.retired[id]:
		a.rule, a.version = "ledger-changed", before.retired[id]
	case there && (now.retired[id] != "" || before.retired[id] != ""):
		a.rule = "retired-id"
	case known && !there:
		a.rule, a.version = "document-gone", was.number()
	case known && compared < 0:
		a.rule = "version-down"
	case known && was.class(e) == schema.Major && strings.HasSuffix(id, "_v1"):
		a.rule = "major-change"
	case compared > 0 && was.class(e) < schema.Minor:
		a.rule = "version-skipped"
	default:
		a.rule = "version-too-low"
	}
	return a
}

// accept draws a change of the exceptions: one for what a change did with a document, for what a
// commit of main did, one that is placed in advance, or one that the library has already.
func (s *story) accept(before state, now *state, id string) {
	a := fitting(before, *now, id)
	a.form = rapid.IntRange(0, len(acceptanceForms)-1).Draw(s.T, "form")
	at := rapid.IntRange(0, max(0, len(now.exceptions)-1)).Draw(s.T, "entry")
	switch how := rapid.SampledFrom([]string{"fitting", "fitting", "fitting", "fitting", "fitting", "fitting", "commit", "commit", "random", "again", "removed", "written in another way", "with another reason"}).Draw(s.T, "how"); {
	case how == "commit" && len(s.main) > 1:
		step := rapid.IntRange(1, len(s.main)-1).Draw(s.T, "accepted step")
		form := a.form
		a = fitting(s.main[step-1].state, s.main[step].state, id)
		a.version, a.commit, a.form = "", s.main[step].hash, form
	case how == "random":
		a.rule = rapid.SampledFrom(acceptable).Draw(s.T, "rule")
	case len(now.exceptions) == 0 || how == "fitting" || how == "commit":
	case how == "removed":
		now.exceptions = slices.Delete(now.exceptions, at, at+1)
		return
	case how == "written in another way":
		now.exceptions[at].form = a.form
		slices.Reverse(now.exceptions)
		return
	case how == "with another reason":
		now.exceptions[at].reason = "Agreed again."
		return
	default:
		a = now.exceptions[at]
	}
	now.exceptions = append(now.exceptions, a)
}

// revert is main without one of its steps, with right versions if it is meant to be right.
func (s *story) revert() state {
	at := rapid.IntRange(1, len(s.main)-1).Draw(s.T, "reverted")
	tip := s.tip().state
	now := tip.merged(s.main[at].state, s.main[at-1].state)
	if !s.right() {
		return now
	}
	now.retired = maps.Clone(tip.retired)
	for _, id := range ids {
		e, there := now.documents[id]
		before, was := tip.documents[id]
		version, ok := before.next(id, e)
		e.version = version
		if !ok {
			e = before
		}
		delete(now.documents, id)
		if was && there {
			now.documents[id] = e
		} else if was {
			now.documents[id] = before
		}
	}
	return now
}

// topic draws a branch that begins at a commit of main: one to three commits, and perhaps a
// merge of main. It returns its commits, and the state of main that it contains.
func (s *story) topic(from point, alone bool) (commits []point, common state) {
	at, common := from, from.state
	for range rapid.IntRange(1, 3).Draw(s.T, "commits") {
		at = s.commit(s.edit(at.state, alone), at)
		commits = append(commits, at)
	}
	if rapid.IntRange(0, 3).Draw(s.T, "main is merged into it") == 3 {
		at = s.commit(s.tip().merged(common, at.state), at, s.tip())
		commits, common = append(commits, at), s.tip().state
	}
	return commits, common
}

// step brings a branch to main.
func (s *story) step() {
	way := rapid.SampledFrom([]string{"rebase", "merge", "squash", "revert"}).Draw(s.T, "way")
	if way == "revert" && len(s.main) > 1 {
		s.main = append(s.main, s.commit(s.revert(), s.tip()))
		return
	}
	from := s.begin()
	commits, common := s.topic(from, way == "rebase")
	last := commits[len(commits)-1]
	switch way {
	case "merge":
		s.main = append(s.main, s.commit(s.tip().merged(common, last.state), s.tip(), last))
	case "rebase":
		for _, c := range commits {
			s.main = append(s.main, s.commit(s.tip().merged(from.state, c.state), s.tip()))
			from = c
		}
	default:
		s.main = append(s.main, s.commit(s.tip().merged(common, last.state), s.tip()))
	}
}

// begin draws where a branch begins: at the tip of main, or before it moved on.
func (s *story) begin() point {
	return s.main[len(s.main)-1-rapid.IntRange(0, min(2, len(s.main)-1)).Draw(s.T, "commits behind")]
}

// began is the library at the beginning of each history.
func began() state {
	first := edition{pass: 35, minimum: 30, essential: 30, version: [3]int{1, 2, 0}}
	return state{documents: map[string]edition{"a_v1": first, "b": first, "c_v1": first}, retired: map[string]string{}}
}
