package release

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
)

// TestWithdrawalsOfOddVersions holds that a version can go whatever the history has of it, that
// nothing of it is in the bundle, and that the build refuses what the judgment of the head does,
// and nothing else.
func TestWithdrawalsOfOddVersions(t *testing.T) {
	const secret = "Does Jane Doe like it?"
	tests := []struct {
		name, reason string
		history      func(c *checkout)
		ledger       string
		tombstones   []string
		problems     []string
	}{{
		name: "several texts", reason: "all texts of a version go",
		history: func(c *checkout) {
			c.rubric("a_v1", "1.0.0", secret)
			c.commit()
			c.rubric("a_v1", "1.0.0", "Is it clear?")
			c.write("rubrics/exceptions.yaml", exceptionText(change.VersionTooLow, "a_v1", "1.0.0"))
			c.commit()
			c.rubric("a_v1", "1.1.0", "Is it short?")
			c.commit()
		},
		ledger: noneRetired + withdrawnText("a_v1", "1.0.0"), tombstones: []string{"a_v1 1.0.0: It named a customer."},
	}, {
		name: "rejected by the schema", reason: "an earlier program could have released it",
		history: func(c *checkout) {
			c.write("rubrics/prd/a_v1.yaml", strings.Replace(rubricText("a_v1", "1.0.0", secret), "3.0", "high", 1))
			c.commit()
			c.rubric("a_v1", "1.1.0", "Is it short?")
			c.commit()
		},
		ledger: noneRetired + withdrawnText("a_v1", "1.0.0"), tombstones: []string{"a_v1 1.0.0: It named a customer."},
	}, {
		name: "not YAML", reason: "a file that can't be read can be any version",
		history: func(c *checkout) {
			c.write("rubrics/prd/a_v1.yaml", "rubric_id: a_v1\nversion: \"1.0.0\"\nname: [\n")
			c.commit()
			c.rubric("a_v1", "1.1.0", "Is it short?")
			c.commit()
		},
		ledger: noneRetired + withdrawnText("a_v1", "1.0.0"), tombstones: []string{"a_v1 1.0.0: It named a customer."},
	}, {
		name: "rejected, and another one yanked", reason: "a rejected version is in no bundle, so constraints can't select it",
		history: func(c *checkout) {
			c.write("rubrics/prd/a_v1.yaml", strings.Replace(rubricText("a_v1", "1.0.0", secret), "3.0", "high", 1))
			c.commit()
			c.rubric("a_v1", "1.1.0", "Is it short?")
			c.commit()
		},
		ledger:     noneRetired + withdrawnText("a_v1", "1.0.0") + "  - {id: a_v1, version: \"1.1.0\", reason: It is vague.}\n",
		tombstones: []string{"a_v1 1.0.0: It named a customer."},
		problems:   []string{"a_v1: Every version in the bundle is yanked.", "a_v1 1.1.0: Remove this entry: no version of \"a_v1\" would remain."},
	}, {
		name: "a pattern that no program can use", reason: "a version that lint rejects is in no bundle, so constraints can't select it",
		history: func(c *checkout) {
			c.write("rubrics/prd/a_v1.yaml", rubricText("a_v1", "1.0.0", "Is it clear?")+"negative_criteria:\n  - {name: odd, fail_patterns: [\"(\"]}\n")
			c.commit()
			c.rubric("a_v1", "1.1.0", "Is it short?")
			c.commit()
		},
		ledger:   noneRetired + "yanked:\n  - {id: a_v1, version: \"1.1.0\", reason: It is vague.}\n",
		problems: []string{"a_v1: Every version in the bundle is yanked.", "a_v1 1.1.0: Remove this entry: no version of \"a_v1\" would remain."},
	}, {
		name: "never there", reason: "an entry that withdraws nothing must not seem to do so",
		history: func(c *checkout) {
			c.rubric("a_v1", "1.0.0", "Is it clear?")
			c.commit()
			c.git("checkout", "-q", "-b", "side")
			c.rubric("a_v1", "1.1.0", secret)
			c.commit()
			c.git("checkout", "-q", "main")
			c.rubric("a_v1", "1.2.0", "Is it short?")
			c.write("rubrics/exceptions.yaml", exceptionText(change.VersionSkipped, "a_v1", "1.2.0"))
			c.commit()
		},
		ledger: noneRetired + withdrawnText("a_v1", "1.1.0"), tombstones: []string{"a_v1 1.1.0: It named a customer."},
		problems: []string{"a_v1 1.1.0: Remove this entry: version 1.1.0 of \"a_v1\" was never published."},
	}, {
		name: "all of a retired document", reason: "its texts can name a customer, too",
		history: func(c *checkout) {
			c.rubric("a_v1", "1.0.0", secret)
			c.rubric("b_v1", "1.0.0", "Is it clear?")
			c.commit()
			c.remove("rubrics/prd/a_v1.yaml")
		},
		ledger: ledgerText + withdrawnText("a_v1", "1.0.0"), tombstones: []string{"a_v1 1.0.0: It named a customer."},
	}}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := newRepository(t)
			test.history(c)
			c.write("rubrics/retired.yaml", test.ledger)
			c.commit()
			b := c.build(Options{})
			compareBeginnings(t, test.reason+": tombstones", test.tombstones, omitted(b.Manifest.Tombstones))
			compareBeginnings(t, test.reason+": problems", test.problems, problems(b.Problems))
			if len(test.problems) > 0 {
				return
			}
			if len(b.Manifest.Refused)+len(b.Notes) > 0 && !slices.ContainsFunc(b.Notes, func(p VersionProblem) bool { return strings.Contains(p.Message, "accepts") }) {
				t.Errorf("%s: the build still says of the version: %q, %q", test.reason, omitted(b.Manifest.Refused), problems(b.Notes))
			}
			if strings.Contains(string(c.bytes(b)), "Jane") {
				t.Errorf("%s: the withdrawn text is in the bundle", test.reason)
			}
		})
	}
}

// TestWhatIsJudgedRightIsBuilt plays random histories of a ledger: if the judgment of a step finds
// nothing, the bundle after it can be built, verifies, continues the one before, and has the text
// of every version that is not withdrawn, and of no other. The library's version says whether
// references can break.
func TestWhatIsJudgedRightIsBuilt(t *testing.T) {
	judged := map[bool]int{}
	rapid.Check(t, func(r *rapid.T) {
		c := newRepository(t)
		released(c)
		l := &ledgerPlay{checkout: c, r: r, versions: map[string]int{"a_v1": 0, "b_v1": 0}}
		before, version := c.release(Options{}), "1.0.0"
		for range 6 {
			what := l.change()
			c.commit()
			repo, commit := c.open()
			right := isRight(t, repo, before.Manifest().Commit, commit)
			judged[right]++
			if !right {
				repo.Close()
				c.git("reset", "-q", "--hard", "HEAD~1")
				l.restore()
				continue
			}
			last := must.Get(repo.Resolve(before.Manifest().Commit))(t)
			next := must.Get(change.VersionAfter(must.Get(holdings.At(repo, last, ""))(t), version, must.Get(holdings.At(repo, commit, ""))(t)))(t)
			repo.Close()
			if next == version {
				continue
			}
			b := c.build(Options{Version: next, Previous: before})
			if len(b.Problems) > 0 {
				r.Fatalf("%s: nothing is wrong, but the build says %q", what, problems(b.Problems))
			}
			data := c.bytes(b)
			after := openBytes(t, data)
			if err := bundlecheck.After(before, after); err != nil {
				r.Fatalf("%s: %v", what, err)
			}
			newly := len(after.Manifest().Tombstones) - len(before.Manifest().Tombstones)
			if major := !strings.HasPrefix(next, version[:1]); newly > 0 && !major {
				r.Fatalf("%s: references break, but the library goes from %s to %s", what, version, next)
			}
			before, version = after, next
		}
	})
	if judged[true] == 0 || judged[false] == 0 {
		t.Errorf("the steps are not of both kinds: %v", judged)
	}
}

// isRight reports whether the judgment of the steps to a commit finds nothing wrong.
func isRight(t *testing.T, repo *gitrepo.Repo, from string, head gitrepo.Commit) bool {
	q := &change.Question{Repo: repo, Head: must.Get(holdings.At(repo, head, ""))(t), Commit: head}
	q.Range = must.Get(change.ParseRange(repo, from+".."+head.Hash))(t)
	return !slices.ContainsFunc(must.Get(change.Judge(q))(t).BrokenRules(), (*change.BrokenRule).Fails)
}

// ledgerPlay changes a library and its ledger at random, rightly or wrongly.
type ledgerPlay struct {
	*checkout
	r        *rapid.T
	versions map[string]int // the minor numbers of the current versions, -1 for a retired document
	entries  []string       // of the ledger

	restore func() // forgets the last change
}

// change makes one to three edits, and returns them in words.
func (l *ledgerPlay) change() string {
	versions, entries := maps.Clone(l.versions), slices.Clone(l.entries)
	l.restore = func() { l.versions, l.entries = versions, entries }
	var done []string
	for range rapid.IntRange(1, 3).Draw(l.r, "edits") {
		done = append(done, l.edit())
	}
	var retired, yanked []string
	for _, e := range l.entries {
		if strings.Contains(e, "kind") {
			retired = append(retired, e)
		} else {
			yanked = append(yanked, e)
		}
	}
	list := func(key string, entries []string) string { return key + ": [" + strings.Join(entries, ", ") + "]\n" }
	l.write("rubrics/retired.yaml", list("retired", retired)+list("yanked", yanked))
	return strings.Join(done, ", ")
}

func (l *ledgerPlay) edit() string {
	id := rapid.SampledFrom([]string{"a_v1", "b_v1"}).Draw(l.r, "id")
	version := fmt.Sprintf("1.%d.0", rapid.IntRange(0, max(1, l.versions[id]+1)).Draw(l.r, "minor"))
	add := func(format string, args ...any) string {
		l.entries = append(l.entries, fmt.Sprintf(format, args...))
		return l.entries[len(l.entries)-1]
	}
	switch kind := rapid.IntRange(0, 7).Draw(l.r, "kind"); {
	case kind <= 2 && l.versions[id] >= 0:
		l.versions[id]++
		current := fmt.Sprintf("1.%d.0", l.versions[id])
		l.rubric(id, current, "Is it "+strings.Repeat("very ", l.versions[id])+"clear?")
		return id + " " + current
	case kind == 3:
		return add(`{id: %s, version: "%s", reason: It is vague.}`, id, version)
	case kind == 4 || kind == 5:
		yank := fmt.Sprintf(`{id: %s, version: "%s", reason: It is vague.}`, id, version)
		if i := slices.Index(l.entries, yank); i >= 0 {
			l.entries[i] = strings.Replace(yank, "}", ", withdrawn: true}", 1)
			return l.entries[i]
		}
		return add(`{id: %s, version: "%s", reason: It is vague., withdrawn: true}`, id, version)
	case kind == 6 && l.versions[id] >= 0:
		last := fmt.Sprintf("1.%d.0", l.versions[id])
		l.remove("rubrics/prd/" + id + ".yaml")
		l.versions[id] = -1
		return add(`{id: %s, kind: rubric, last_version: "%s", reason: Nobody uses it.}`, id, last)
	case kind == 7 && len(l.entries) > 0:
		i := rapid.IntRange(0, len(l.entries)-1).Draw(l.r, "entry")
		was := l.entries[i]
		l.entries = slices.Delete(l.entries, i, i+1)
		return "without " + was
	}
	return "nothing"
}
