package cli

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/pkg/library"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// TestOneJudgment: lint, diff, build, and the check of a server hook give the same answer
// about the same steps, whatever named them, and what a check of a pull request accepts is
// accepted on main. The versions that commands write are accepted, and no bundle has a version
// that makes a constraint stricter without an exception.
func TestOneJudgment(t *testing.T) {
	var released, digest string
	checkStories(t, 20, "", func(rt *rapid.T, d *depot) {
		s := newStory(rt, d, rapid.SampledFrom([]int{0, 3}).Draw(rt, "exceptions"))
		base := s.tip()
		if released == "" {
			released = filepath.Join(t.TempDir(), "released.zip")
			if code, out := runWords("build", "-o", released, "--version", "1.0.0"); code != 0 {
				rt.Fatalf("the first bundle: %d\n%s", code, out)
			}
			digest = digestOf(rt, released)
		}
		for range rapid.IntRange(2, 6).Draw(rt, "steps") {
			s.step()
		}
		c := &courses{story: s, base: base, released: released, tag: d.release("library-v1.0.0", base.hash, digest)}
		c.onMain()
		c.onTopic()
	})
}

// checkStories checks a property of some random histories, or of as many as -rapid.checks asks for.
// Each takes many commands, of a program if that is not "".
func checkStories(t *testing.T, some int, program string, property func(rt *rapid.T, d *depot)) {
	if checks := flag.Lookup("rapid.checks").Value; checks.String() == "100" {
		if err := checks.Set(strconv.Itoa(some)); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = checks.Set("100") }()
	}
	var d *depot
	cases := 0
	rapid.Check(t, func(rt *rapid.T) {
		if cases++; cases%500 == 1 {
			d = newDepot(t)
			d.program = program
			t.Chdir(d.dir)
		}
		property(rt, d)
	})
}

func digestOf(t *rapid.T, file string) string {
	lib, err := library.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lib.Close() }()
	return lib.Digest()
}

// courses are the ways to ask about a story.
type courses struct {
	*story
	base     point
	released string // the bundle at base
	tag      string // the object of its tag
}

// query is a command in an environment.
type query struct {
	args []string
	env  map[string]string
}

func ask(args ...string) query { return query{args, nil} }

func (q query) with(env map[string]string) query { return query{q.args, env} }

func (q query) run() (code int, out string) {
	return runIn(Rubric, q.args, func(name string) string { return q.env[name] })
}

func (q query) String() string {
	return strings.Join(q.args, " ") + " " + fmt.Sprint(q.env)
}

// agree asks questions that must have the same exit code, and returns it.
func (c *courses) agree(questions ...query) int {
	first, text := questions[0].run()
	for _, q := range questions[1:] {
		if code, out := q.run(); code != first || code == command.ExitFailure {
			c.Fatalf("rubric %v exits with %d:\n%s\nrubric %v exits with %d:\n%s", questions[0], first, text, q, code, out)
		}
	}
	return first
}

// implies fails if one question is answered with 0 and the other is not.
func (c *courses) implies(first, second query) {
	if code, text := first.run(); code == 0 {
		if code, out := second.run(); code != 0 {
			c.Fatalf("rubric %v accepts it:\n%s\nrubric %v exits with %d:\n%s", first, text, second, code, out)
		}
	}
}

// event is the environment of GitHub with an event.
func (c *courses) event(name, event string, more ...string) map[string]string {
	file := name + ".json"
	c.write(file, event)
	env := map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": name, "GITHUB_EVENT_PATH": filepath.Join(c.dir, file)}
	for i := 0; i < len(more); i += 2 {
		env[more[i]] = more[i+1]
	}
	return env
}

// onMain asks about the steps of main.
func (c *courses) onMain() {
	refs := map[string]string{"refs/heads/main": c.tip().hash, "refs/heads/base": c.base.hash}
	c.refs("refs/heads/main", refs)
	c.checkOut(c.tip().files())
	push := c.event("push", fmt.Sprintf(`{"before": %q}`, c.base.hash), "GITHUB_REF", "refs/heads/main", "GITHUB_SHA", c.tip().hash)
	steps := ask("lint", "--range", "base..main")
	code := c.agree(
		steps,
		ask("lint", "--rev", "main", "--base", "base"),
		ask("lint", "--base", "base"),
		ask("lint", "--rev", "main").with(push),
		ask("diff", "--check", "rev:base", "rev:main"),
		ask("diff", "--check").with(push),
		ask("build", "main", "-o", "next.zip", "--version", "1.0.1", "--previous", c.released),
	)
	refs["refs/tags/library-v1.0.0"] = c.tag
	c.refs("refs/heads/main", refs)
	c.agree(steps, ask("lint", "--rev", "main"), ask("lint"), ask("diff", "--check"))
	if code == 0 {
		c.staysAsStrict("next.zip")
	}
}

// onTopic asks about a branch that is not on main, alone and merged.
func (c *courses) onTopic() {
	from := c.begin()
	commits, common := c.topic(from, rapid.Bool().Draw(c.T, "alone"))
	last, tip := commits[len(commits)-1], c.tip()
	squashed := c.commit(tip.merged(common, last.state), tip)
	merge := c.commit(squashed.state, tip, last)
	refs := map[string]string{
		"refs/heads/main": tip.hash, "refs/heads/topic": last.hash, "refs/heads/squashed": squashed.hash, "refs/heads/merge": merge.hash,
		"refs/remotes/origin/main": tip.hash,
	}
	c.refs("refs/heads/topic", refs)
	c.checkOut(last.files())
	c.agree(ask("lint", "--rev", "topic", "--base", "main"), ask("lint", "--base", "main"), ask("diff", "--check", "rev:main", "rev:topic"), ask("lint"), ask("diff", "--check"))
	c.fixed(last)
	c.edited(last, "fork", "a_v1")
	c.edited(last, "retire", "b")

	c.refs(merge.hash, refs)
	c.checkOut(merge.files())
	pull := func(apart, together bool) map[string]string {
		event := fmt.Sprintf(`{"pull_request": {"base": {"repo": {"allow_rebase_merge": %t, "allow_squash_merge": %t, "allow_merge_commit": false}}}}`, apart, together)
		return c.event("pull_request", event, "GITHUB_BASE_REF", "main", "GITHUB_REF", "refs/pull/1/merge", "GITHUB_SHA", merge.hash)
	}
	lint, diff := ask("lint", "--rev", "HEAD"), ask("diff", "--check")
	c.agree(lint.with(pull(false, true)), diff.with(pull(false, true)), lint.with(pull(true, true)), diff.with(pull(true, true)))
	c.implies(lint.with(pull(false, true)), ask("lint", "--range", "main..squashed"))
	c.implies(lint.with(pull(false, true)), ask("lint", "--range", "main..merge"))
	c.agree(lint.with(pull(true, false)), diff.with(pull(true, false)))
	if from.hash == tip.hash {
		c.implies(lint.with(pull(true, false)), ask("lint", "--range", "main..topic"))
	}
	queue := c.event("merge_group", fmt.Sprintf(`{"merge_group": {"base_sha": %q}}`, tip.hash))
	c.agree(ask("lint", "--range", "main..merge"), lint.with(queue), diff.with(queue))
}

// versionRules are the rules that --fix satisfies with another version.
var versionRules = []string{"version-too-low", "version-skipped", "version-down", "version-reused"}

// rules are the rules of the errors in the working tree, by document.
func (c *courses) rules() map[string][]string {
	_, out := ask("lint", "--format", "json").run()
	var report struct {
		Findings []struct{ Rule, Severity, ID string }
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		c.Fatalf("%v: %s", err, out)
	}
	found := map[string][]string{}
	for _, f := range report.Findings {
		if f.Severity == "error" {
			found[f.ID] = append(found[f.ID], f.Rule)
		}
	}
	return found
}

// fixed checks that lint accepts each version that --fix writes.
func (c *courses) fixed(at point) {
	c.checkOut(c.edit(at.state, true).files())
	c.agree(ask("lint"), ask("diff", "--check"))
	before := c.rules()
	_, out := ask("lint", "--fix").run()
	for id, rules := range c.rules() {
		if slices.ContainsFunc(rules, func(rule string) bool { return slices.Contains(versionRules, rule) }) {
			c.Fatalf("--fix leaves %s with %v, after %v:\n%s", id, rules, before[id], out)
		}
	}
}

// edited checks that lint accepts what a command writes about a document.
func (c *courses) edited(at point, command, id string) {
	c.checkOut(at.files())
	code, out := ask(command, id, "--reason", "Nobody uses it.").run()
	if code != 0 {
		return // the branch has no such document, or not the newest version
	}
	found := c.rules()
	wrong := append([]string{"major-change"}, versionRules...)
	if command == "retire" {
		wrong = []string{"document-gone", "ledger-entry"}
	}
	for _, rule := range append(found[id], found[strings.Replace(id, "_v1", "_v2", 1)]...) {
		if slices.Contains(wrong, rule) {
			c.Fatalf("lint finds %v after %s:\n%s", rule, command, out)
		}
	}
}

// staysAsStrict checks that in a bundle no version of a document fails what an earlier one
// passes that the same constraint ~X.Y allows, unless an exception names the document.
func (c *courses) staysAsStrict(file string) {
	lib, err := library.Open(filepath.Join(c.dir, file))
	if err != nil {
		c.Fatal(err)
	}
	defer func() { _ = lib.Close() }()
	all, err := lib.Search(library.Query{IncludeDeprecated: true, IncludeRetired: true})
	if err != nil {
		c.Fatal(err)
	}
	for _, e := range all {
		accepted := func(at point) bool {
			return slices.ContainsFunc(at.exceptions, func(a acceptance) bool { return a.id == e.ID })
		}
		if slices.ContainsFunc(c.main, accepted) {
			continue
		}
		lines := map[string]*rubric.Rubric{}
		for _, held := range e.Versions {
			r, err := lib.Rubric(c.Context(), e.ID, held.Version)
			if err != nil {
				c.Fatal(err)
			}
			line := held.Version[:strings.LastIndex(held.Version, ".")]
			if before := lines[line]; before != nil {
				c.compareVerdicts(before, r)
			}
			lines[line] = r
		}
	}
}

// texts are artifacts without and with what the negative criterion finds.
var texts = []string{"All is said.", "TBD"}

// compareVerdicts fails if one version of a rubric passes what the next one does not.
func (c *courses) compareVerdicts(before, after *rubric.Rubric) {
	for clarity := 10; clarity <= 50; clarity += 2 {
		for depth := 10; depth <= 50; depth += 5 {
			for _, text := range texts {
				scores := map[string]float64{"clarity": float64(clarity) / 10, "depth": float64(depth) / 10}
				if passes(before, scores, text) && !passes(after, scores, text) {
					c.Fatalf("%s passes %v, %q as %s but not as %s", before.ID, scores, text, before.Version, after.Version)
				}
			}
		}
	}
}

// passes reports whether a rubric passes a text with these scores of its criteria.
func passes(r *rubric.Rubric, scores map[string]float64, text string) bool {
	scores = maps.Clone(scores)
	maps.DeleteFunc(scores, func(name string, _ float64) bool {
		return !slices.ContainsFunc(r.Criteria, func(c rubric.Criterion) bool { return c.Name == name })
	})
	hits, err := r.NegativeHits(text)
	if err != nil {
		return false
	}
	v, err := r.Verdict(scores, rubric.HitNames(hits))
	return err == nil && v.Passed
}
