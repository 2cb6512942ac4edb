package cli

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// drafts is a history of one draft, with tags of releases anywhere in it.
type drafts struct {
	*rapid.T
	*depot
	commits map[string]draftCommit // by hash
	main    []string               // the first parents of main, oldest first
	tags    map[string]string      // the commits of tags, by their full names
}

type draftCommit struct {
	parent string
	patch  int // of version 0.1.patch
	name   int // of the rubric, which makes it another text
}

// TestDraftsKeepTheirNumbers: a draft can change under its number exactly as long as no release
// carried the number with another text, and every command says so. The model here knows nothing
// of how the program finds out.
func TestDraftsKeepTheirNumbers(t *testing.T) {
	fewChecks(t, 30)
	d := newDepot(t)
	t.Chdir(d.dir)
	rapid.Check(t, func(rt *rapid.T) {
		s := &drafts{T: rt, depot: d, commits: map[string]draftCommit{}, tags: map[string]string{}}
		s.main = []string{s.next(draftCommit{})}
		for range rapid.IntRange(1, 5).Draw(rt, "commits") {
			s.main = append(s.main, s.change(s.main[len(s.main)-1]))
		}
		for i := range rapid.IntRange(0, 3).Draw(rt, "tags") {
			s.tag(fmt.Sprintf("refs/tags/library-v0.1.%d", i))
		}
		s.askOnMain()
		s.askOnTopic()
	})
}

// next commits what follows a commit.
func (s *drafts) next(c draftCommit) string {
	var parents []string
	if c.parent != "" {
		parents = []string{c.parent}
	}
	hash := s.depot.commit(c.files(), parents...)
	s.commits[hash] = c
	return hash
}

func (c draftCommit) files() map[string]string {
	e := edition{pass: 35, minimum: 30, essential: 30, name: c.name, version: [3]int{0, 1, c.patch}}
	other := edition{pass: 35, minimum: 30, essential: 30, version: [3]int{1, 0, 0}}
	return map[string]string{"rubrics/prd/a_v1.yaml": e.text("a_v1"), "rubrics/prd/b.yaml": other.text("b")}
}

// change draws a commit after another one: another text under the same number or the next one.
func (s *drafts) change(parent string) string {
	c := s.commits[parent]
	c.parent, c.name = parent, rapid.IntRange(0, 3).Draw(s.T, "name")
	if rapid.IntRange(0, 3).Draw(s.T, "new number") == 0 {
		c.patch++
	}
	return s.next(c)
}

// tag draws a tag of main or of a branch that begins there.
func (s *drafts) tag(name string) {
	at := rapid.SampledFrom(s.main).Draw(s.T, "tagged")
	for range rapid.IntRange(0, 2).Draw(s.T, "commits beside main") {
		at = s.change(at)
	}
	s.tags[name] = at
}

// line are a commit and its first parents, the newest first.
func (s *drafts) line(hash string) []string {
	var line []string
	for ; hash != ""; hash = s.commits[hash].parent {
		line = append(line, hash)
	}
	return line
}

// wrong reports whether a commit, or none yet, may not have what it has after another one.
func (s *drafts) wrong(before, after draftCommit, hash string) bool {
	if before.patch != after.patch || before.name == after.name {
		return false
	}
	for _, tagged := range s.tags {
		text, includes := -1, false
		for _, at := range s.line(tagged) {
			includes = includes || at == hash
			if c := s.commits[at]; text < 0 && c.patch == after.patch {
				text = c.name
			}
		}
		if !includes && text >= 0 && text != after.name {
			return true
		}
	}
	return false
}

func (s *drafts) setRefs(head string, more map[string]string) {
	refs := map[string]string{"refs/heads/main": s.main[len(s.main)-1], "refs/heads/base": s.main[0]}
	for name, hash := range s.tags {
		refs[name] = hash
		if rapid.Bool().Draw(s.T, "annotated") {
			refs[name] = s.release(filepath.Base(name), hash, "by hand")
		}
	}
	for name, hash := range more {
		refs[name] = hash
	}
	s.refs(head, refs)
}

// answer asks commands that must all exit with 1 if something is wrong, and with 0 otherwise.
func (s *drafts) answer(wrong bool, commands ...[]string) {
	for _, args := range commands {
		if code, out := runWords(args...); code != count(wrong) {
			s.Fatalf("rubric %v exits with %d, want %d\nmain: %v\ntags: %v\ncommits: %v\n%s", args, code, count(wrong), s.main, s.tags, s.commits, out)
		}
	}
}

func (s *drafts) askOnMain() {
	wrong := false
	for i, hash := range s.main[1:] {
		wrong = wrong || s.wrong(s.commits[s.main[i]], s.commits[hash], hash)
	}
	last := s.commits[s.main[len(s.main)-1]]
	s.setRefs("refs/heads/main", nil)
	s.checkOut(last.files())
	s.answer(wrong,
		[]string{"lint", "--range", "base..main"}, []string{"lint", "--rev", "main", "--base", "base"},
		[]string{"lint", "--audit"}, []string{"diff", "--check", "rev:base", "rev:main"},
	)
	edited := last
	edited.name = 9
	s.checkOut(edited.files())
	s.answer(wrong || s.wrong(last, edited, ""), []string{"lint", "--audit"}, []string{"diff", "--check", "base"})
}

func (s *drafts) askOnTopic() {
	topic := s.change(s.change(rapid.SampledFrom(s.main).Draw(s.T, "from")))
	from := topic
	for !slices.Contains(s.main, from) { // equal commits are one
		from = s.commits[from].parent
	}
	base, head, tip := s.commits[from], s.commits[topic], s.commits[s.main[len(s.main)-1]]
	if base.patch != head.patch || tip.patch != head.patch {
		return // another number has other rules
	}
	s.setRefs("refs/heads/topic", map[string]string{"refs/heads/topic": topic})
	s.checkOut(head.files())
	s.answer(s.wrong(base, head, ""), // it becomes another commit of main
		[]string{"lint"}, []string{"lint", "--rev", "topic", "--base", "main"}, []string{"diff", "--check"}, []string{"diff", "--check", "rev:main", "rev:topic"},
	)
}

// fewChecks lets a property be checked less often than others if nothing else is asked for.
func fewChecks(t *testing.T, n int) {
	checks := flag.Lookup("rapid.checks").Value
	if checks.String() != "100" {
		return
	}
	if err := checks.Set(strconv.Itoa(n)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = checks.Set("100") })
}
