package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestAnExceptionCountsOnce: an exception accepts what the change does that adds it, or what the
// commit does that it names, and nothing else. The laws compare answers about histories that
// differ in exceptions only, so they need no second judge.
func TestAnExceptionCountsOnce(t *testing.T) { holdExceptions(t, 20, "") }

func holdExceptions(t *testing.T, some int, program string) {
	seen := map[string]int{}
	checkStories(t, some, program, func(rt *rapid.T, d *depot) {
		s := newStory(rt, d, rapid.SampledFrom([]int{3, 7, 9}).Draw(rt, "exceptions"))
		s.care = rapid.SampledFrom([]int{8, 5, 2}).Draw(rt, "care of those who accept")
		for range rapid.IntRange(2, 6).Draw(rt, "steps") {
			s.step()
		}
		l := &laws{story: s, seen: seen}
		l.holdForStep(len(s.main) - 1)
		l.holdForStep(l.choose())
		l.holdInHistory()
		l.holdForTopic()
		seen["histories"]++
	})
	expect(t, seen, "accepted", "refused", "stale", "accepted by its commit", "stood before")
}

// expect fails if many histories have nothing of a kind.
func expect(t *testing.T, seen map[string]int, kinds ...string) {
	t.Helper()
	t.Logf("%v", seen)
	for _, kind := range kinds {
		if seen[kind] == 0 && seen["histories"] >= 200 {
			t.Errorf("no history has anything that is %s", kind)
		}
	}
}

// laws are what holds for the exceptions of a story.
type laws struct {
	*story
	seen map[string]int // how often each case was there
}

// choose draws a step of main, one that adds an exception if there is one.
func (l *laws) choose() int {
	var steps, adding []int
	for at := 1; at < len(l.main); at++ {
		before := l.main[at-1]
		steps = append(steps, at)
		if slices.ContainsFunc(l.main[at].exceptions, func(a acceptance) bool { return a.commit == "" && !before.has(a) }) {
			adding = append(adding, at)
		}
	}
	if len(adding) > 0 {
		steps = adding
	}
	return rapid.SampledFrom(steps).Draw(l.T, "step")
}

// verdicts are what lint says about a change: the errors of rules that an exception can accept, those
// about the exceptions, and the exceptions that accept something.
type verdicts struct {
	errors, faults map[string]int
	accepted       []acceptance
	text           string
}

func (v *verdicts) fails() bool { return len(v.errors)+len(v.faults) > 0 }

// in are the errors in one commit of the history.
func (v *verdicts) in(commit string) map[string]int {
	found := map[string]int{}
	for name, n := range v.errors {
		if of, at, _ := strings.Cut(name, " in "); at == commit {
			found[of] = n
		}
	}
	return found
}

// lint asks about a change.
func (l *laws) lint(args ...string) *verdicts {
	code, out := l.rubric(append([]string{"lint", "--format", "json"}, args...)...)
	var report struct {
		Findings []struct {
			Rule, Severity, ID, Revision, Message string
			Line                                  int
		}
		Exceptions []struct{ Rule, ID, Version, Commit, Reason string }
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		l.Fatalf("lint %v: %d: %v: %s", args, code, err, out)
	}
	v := &verdicts{errors: map[string]int{}, faults: map[string]int{}}
	for _, f := range report.Findings {
		if f.Severity == "error" {
			v.text += fmt.Sprintf("%s %s in %q: %s\n", f.Rule, f.ID, f.Revision, f.Message)
		}
		name := f.Rule + " " + f.ID
		switch {
		case f.Severity != "error":
		case slices.Contains(acceptable, f.Rule):
			if f.Revision != "" {
				name += " in " + f.Revision
			}
			v.errors[name]++
		case strings.HasPrefix(f.Rule, "exception-"):
			v.faults[fmt.Sprintf("%s:%d", name, f.Line)]++
		default:
			l.Fatalf("lint %v finds %s, which no story brings:\n%s", args, f.Rule, out)
		}
		if strings.Contains(f.Message, "was there before this change") {
			l.seen["stood before"]++
		}
	}
	for _, e := range report.Exceptions {
		v.text += fmt.Sprintf("accepted: %v\n", e)
		v.accepted = append(v.accepted, acceptance{rule: e.Rule, id: e.ID, version: e.Version, commit: e.Commit, reason: strings.TrimSpace(e.Reason)})
	}
	if v.fails() != (code == 1) {
		l.Fatalf("lint %v exits with %d:\n%s", args, code, out)
	}
	return v
}

// between asks about the change from one commit to another, which is made for the question.
func (l *laws) between(before, after point) *verdicts {
	l.refs("refs/heads/main", map[string]string{"refs/heads/main": after.hash})
	return l.lint("--range", before.hash+".."+after.hash)
}

// with is a state with other exceptions.
func (s state) with(exceptions []acceptance) state {
	s = s.clone()
	s.exceptions = exceptions
	return s
}

// without are exceptions without those that a function selects.
func without(exceptions []acceptance, selects func(a acceptance) bool) []acceptance {
	return slices.DeleteFunc(slices.Clone(exceptions), selects)
}

// unique reports whether no two exceptions are the same.
func unique(exceptions []acceptance) bool {
	for i, a := range exceptions {
		if slices.ContainsFunc(exceptions[:i], a.same) {
			return false
		}
	}
	return true
}

// holdForStep checks the laws for a step of main.
func (l *laws) holdForStep(at int) {
	before, after := l.main[at-1], l.main[at]
	var earlier []point
	if at > 1 {
		earlier = []point{l.main[at-2]}
	}
	now := l.between(before, after)
	l.count(now)

	// What was there before accepts nothing: without it, the answer is the same.
	spent := func(a acceptance) bool { return a.commit == "" && before.has(a) }
	aboutIt := func(a acceptance) bool { return a.commit == before.hash }
	if unique(after.exceptions) && !slices.ContainsFunc(after.exceptions, aboutIt) {
		p := l.commit(before.with(without(before.exceptions, spent)), earlier...)
		rest := without(after.exceptions, spent)
		l.same("without the exceptions that were there before", now, l.between(p, l.commit(after.with(rest), p)))
	}

	// A change that adds no exception is judged as if there were none.
	if !slices.ContainsFunc(after.exceptions, func(a acceptance) bool { return !before.has(a) }) {
		p := l.commit(before.with(nil), earlier...)
		bare := l.between(p, l.commit(after.with(nil), p))
		if !maps.Equal(now.errors, bare.errors) || len(now.accepted) > 0 {
			l.Fatalf("a change that adds no exception:\n%s\nwithout any exceptions:\n%s", now.text, bare.text)
		}
	}

	l.holdForEach(before, after, now)
	l.keepsReleased(before, after, now)
	if !now.fails() {
		l.counted(before, after)
	}
}

// takesOver reports whether another exception, which was an error because it accepted nothing,
// accepts the same without an exception.
func takesOver(a acceptance, now, less *verdicts) bool {
	other := func(o acceptance) bool {
		return o.rule == a.rule && o.id == a.id && !slices.ContainsFunc(now.accepted, o.same)
	}
	return slices.ContainsFunc(less.accepted, other) && total(less.faults) == total(now.faults)-1
}

// holdForEach checks that the accepted exceptions are those that make a difference, and that each
// other one that a change adds is an error.
func (l *laws) holdForEach(before, after point, now *verdicts) {
	if !unique(after.exceptions) {
		if len(now.faults) == 0 {
			l.Fatalf("an exception that is repeated is no error:\n%s", now.text)
		}
		return
	}
	for i, a := range after.exceptions {
		if a.commit != "" { // holdInHistory
			continue
		}
		less := l.between(before, l.commit(after.with(slices.Delete(slices.Clone(after.exceptions), i, i+1)), before))
		accepts := slices.ContainsFunc(now.accepted, a.same)
		switch {
		case accepts && before.has(a):
			l.Fatalf("an exception that was there before accepts something: %s\n%s", a.text(), now.text)
		case accepts && less.errors[a.rule+" "+a.id] <= now.errors[a.rule+" "+a.id] && !takesOver(a, now, less):
			l.Fatalf("%sis listed as accepted:\n%s\nwithout it:\n%s\nbefore: %+v\nafter: %+v", a.text(), now.text, less.text, before.state, after.state)
		case !accepts && !maps.Equal(now.errors, less.errors):
			l.Fatalf("%sis not listed as accepted:\n%s\nwithout it:\n%s", a.text(), now.text, less.text)
		case !accepts && !before.has(a) && total(less.faults) != total(now.faults)-1:
			l.Fatalf("%saccepts nothing and is no error of the change that adds it:\n%s\nwithout it:\n%s", a.text(), now.text, less.text)
		case accepts:
			l.seen["accepted"]++
		}
	}
}

func total(counts map[string]int) (sum int) {
	for _, n := range counts {
		sum += n
	}
	return sum
}

// counted checks that what a change was allowed to do is not allowed once more.
func (l *laws) counted(before, after point) {
	for id := range after.documents {
		again := after.clone()
		e := again.documents[id]
		e.word += 7
		again.documents[id] = e // another text under the same version
		if v := l.between(after, l.commit(again, after)); !v.fails() {
			l.Fatalf("%s: another text under the version is accepted:\n%s", id, v.text)
		}
	}
}

// keepsReleased checks that no exception accepts another text of a version that a release carried,
// or the removal of an entry of the ledger.
func (l *laws) keepsReleased(before, after point, now *verdicts) {
	for id, version := range before.retired {
		if after.retired[id] != version && !now.fails() {
			l.Fatalf("the entry of %s is gone:\n%s", id, now.text)
		}
	}
	l.refs("refs/heads/main", map[string]string{
		"refs/heads/main": after.hash, "refs/tags/library-v1.0.0": l.release("library-v1.0.0", before.hash, "sha256:"+strings.Repeat("0", 64)),
	})
	v := l.lint("--range", before.hash+".."+after.hash)
	for id, e := range after.documents {
		var carried *edition // of several texts of a version, a release has the last one
		for _, older := range l.main {
			if had, there := older.documents[id]; there && had.version == e.version {
				carried = &had
			}
			if older.hash == before.hash {
				break
			}
		}
		was, there := before.documents[id]
		if there && was != e && carried != nil && *carried != e && !v.fails() {
			l.Fatalf("%s %s has another text than the release:\n%s\nbefore: %+v\nafter: %+v", id, e.number(), v.text, before.state, after.state)
		}
	}
}

// holdInHistory checks the exceptions of the head that name commits: the errors of a commit in an
// audit are those of the change, except what an exception names, and each counts once.
func (l *laws) holdInHistory() {
	head := l.tip()
	var alone []map[string]int
	for i, p := range l.main[1:] {
		alone = append(alone, l.between(l.main[i], p).errors)
	}
	l.refs("refs/heads/main", map[string]string{"refs/heads/main": head.hash})
	audit := l.lint("--rev", "main", "--audit")
	for i, p := range l.main[1 : len(l.main)-1] {
		want := maps.Clone(alone[i])
		before := l.main[i]
		skips := func(name string) bool {
			rule, id, _ := strings.Cut(name, " ")
			stays := before.documents[id] == p.documents[id] && before.retired[id] == p.retired[id]                      // then only the last step is about it
			return rule == "version-skipped" || rule == "ledger-entry" && (stays || alone[i]["version-skipped "+id] > 0) // which hides the other one
		}
		named := func(name string) bool {
			rule, id, _ := strings.Cut(name, " ")
			lost := rule == "ledger-changed" && head.retired[id] != before.retired[id] // nothing accepts that
			return !lost && slices.ContainsFunc(head.exceptions, func(a acceptance) bool { return a.commit == p.hash && a.rule == rule && a.id == id })
		}
		maps.DeleteFunc(want, func(name string, _ int) bool { return skips(name) || named(name) })
		for name := range alone[i] {
			if named(name) && !skips(name) {
				l.seen["accepted by its commit"]++
			}
		}
		got := audit.in(p.hash)
		maps.DeleteFunc(got, func(name string, _ int) bool { return skips(name) })
		if !maps.Equal(got, want) && !slices.ContainsFunc(head.exceptions, func(a acceptance) bool { return a.commit == p.hash && a.rule == "major-change" }) {
			l.Fatalf("the errors of %s in an audit are %v, want %v:\n%s\nbefore: %+v\nafter: %+v", p.hash, got, want, audit.text, before.state, p.state)
		}
	}
	l.agreeInHistory(head, audit)
}

// agreeInHistory checks that what an audit accepts, the first release accepts.
func (l *laws) agreeInHistory(head point, audit *verdicts) {
	if audit.fails() {
		return
	}
	if code, out := l.rubric("build", head.hash, "-o", "first.zip", "--first-release"); code != 0 {
		l.Fatalf("an audit accepts the history:\n%s\nbuild exits with %d:\n%s", audit.text, code, out)
	}
}

// holdForTopic checks that a branch accepts what its steps on main accept as one, and the reverse.
func (l *laws) holdForTopic() {
	from := l.tip()
	commits, _ := l.topic(from, false)
	last := commits[len(commits)-1]
	squashed, merge := l.commit(last.state, from), l.commit(last.state, from, last)
	l.refs("refs/heads/topic", map[string]string{"refs/heads/main": from.hash, "refs/heads/topic": last.hash})
	topic := l.lint("--rev", "topic", "--base", "main")
	l.same("a branch that is squashed", topic, l.between(from, squashed))
	l.same("a branch that is merged", topic, l.between(from, merge))
}

// count counts what an answer has.
func (l *laws) count(v *verdicts) {
	for name := range v.faults {
		if strings.HasPrefix(name, "exception-stale ") {
			l.seen["stale"]++
		}
	}
	if len(v.errors) > 0 {
		l.seen["refused"]++
	}
}

// same fails if two answers differ.
func (l *laws) same(what string, a, b *verdicts) {
	sorted := func(list []acceptance) []string {
		var texts []string
		for _, e := range list {
			if e.commit != "" {
				e.commit = "some"
			}
			texts = append(texts, e.text())
		}
		slices.Sort(texts)
		return texts
	}
	if !maps.Equal(a.errors, b.errors) || total(a.faults) != total(b.faults) || !slices.Equal(sorted(a.accepted), sorted(b.accepted)) {
		l.Fatalf("%s:\n%s\n\n%s", what, a.text, b.text)
	}
}
