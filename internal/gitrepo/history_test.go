package gitrepo

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/gitrepo/objects"
)

// hashes are the hashes of commits.
func hashes(commits []Commit) []string {
	var all []string
	for _, c := range commits {
		all = append(all, c.Hash)
	}
	return all
}

// gitMergeBases returns Git's merge bases, sorted.
func gitMergeBases(r *testRepo, a, b string) []string {
	out, err := r.command("git", "merge-base", "--all", a, b).Output()
	if err != nil && len(out) > 0 {
		r.t.Fatal(err)
	}
	return slices.Sorted(strings.FieldsSeq(string(out)))
}

func TestMergeBases(t *testing.T) {
	r := newRepo(t)
	root := r.commit("root")
	r.git("branch", "left")
	r.git("branch", "right")
	r.git("checkout", "-q", "left")
	left := r.commit("left")
	r.git("checkout", "-q", "right")
	right := r.commit("right")
	r.merge(left)
	crossed := r.commit("right after the merge")
	r.git("checkout", "-q", "left")
	r.merge(right)
	r.git("checkout", "-q", "-b", "three", root)
	r.commit("three")
	r.git("checkout", "-q", "-b", "octopus", left)
	r.merge(right, "three")
	r.git("checkout", "-q", "--orphan", "unrelated")
	r.commit("unrelated")
	repo := r.open()

	crossing := []string{left, right}
	slices.Sort(crossing)
	tests := []struct {
		reason, a, b string
		want         []string
	}{
		{"two branches from one commit", "left~1", "three", []string{root}},
		{"a commit and itself", left, left, []string{left}},
		{"a commit and what came before it", "left", root, []string{root}},
		{"merges that cross have two", "left", "right", crossing},
		{"the same, otherwise round", "right", "left", crossing},
		{"a merge of three with one of them", "octopus", "three", []string{r.git("rev-parse", "three")}},
		{"a merge of three with one that crosses", "octopus", crossed, crossing},
		{"unrelated histories have none", "left", "unrelated", nil},
	}
	for _, tt := range tests {
		got := must.Get(repo.MergeBases(r.resolve(repo, tt.a), r.resolve(repo, tt.b)))(t)
		if diff := cmp.Diff(tt.want, hashes(got)); diff != "" {
			t.Errorf("%s:\n%s", tt.reason, diff)
		}
		if diff := cmp.Diff(gitMergeBases(r, tt.a, tt.b), hashes(got)); diff != "" {
			t.Errorf("%s: not what git says:\n%s", tt.reason, diff)
		}
	}
	if _, err := repo.MergeBases(Commit{}, r.resolve(repo, "left")); err == nil {
		t.Error("no commit has common ancestors")
	}
}

// TestMergeBasesWithAWrongClock has a commit between two common ancestors that claims
// to be older than both, so the walk reaches them before it.
func TestMergeBasesWithAWrongClock(t *testing.T) {
	r := newRepo(t)
	var s strings.Builder
	for _, c := range []struct {
		name    string
		date    int
		parents string
	}{
		{"early", 100, ""},
		{"between", 1, "from early"},
		{"late", 200, "from between"},
		{"a", 300, "from late merge early"},
		{"b", 300, "from late merge early"},
	} {
		fmt.Fprintf(&s, "commit refs/heads/%s\ncommitter Ann <ann@example.org> %d +0000\ndata 1\n%.1s\n", c.name, c.date, c.name)
		fields := strings.Fields(c.parents)
		for i := 0; i+1 < len(fields); i += 2 {
			fmt.Fprintf(&s, "%s refs/heads/%s\n", fields[i], fields[i+1])
		}
		s.WriteString("\n")
	}
	r.gitInput(s.String(), "fast-import", "--quiet")
	repo := r.open()
	got, err := repo.MergeBases(r.resolve(repo, "a"), r.resolve(repo, "b"))
	if diff := cmp.Diff([]string{r.git("rev-parse", "late")}, hashes(got)); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
}

// TestMergeBasesOfRandomHistories compares with Git on histories with random clocks,
// in which a parent can be younger than its child.
func TestMergeBasesOfRandomHistories(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	check := 0
	rapid.Check(t, func(t *rapid.T) {
		check++
		n := rapid.IntRange(2, 14).Draw(t, "commits")
		name := func(i int) string { return fmt.Sprintf("refs/heads/h%d/c%d", check, i) }
		var s strings.Builder
		for i := range n {
			date := rapid.IntRange(1, 30).Draw(t, "date")
			fmt.Fprintf(&s, "commit %s\ncommitter Ann <ann@example.org> %d +0000\ndata <<X\n%d %d\nX\n\n", name(i), date, check, i)
			parents := rapid.SliceOfNDistinct(rapid.IntRange(0, max(i-1, 0)), 0, min(i, 3), rapid.ID[int]).Draw(t, "parents")
			for k, p := range parents {
				fmt.Fprintf(&s, "%s %s\n", []string{"from", "merge", "merge"}[k], name(p))
			}
		}
		r.gitInput(s.String(), "fast-import", "--quiet")
		repo := r.open()
		pair := rapid.IntRange(0, n-1)
		for range 4 {
			a, b := name(pair.Draw(t, "a")), name(pair.Draw(t, "b"))
			got := must.Get(repo.MergeBases(r.resolve(repo, a), r.resolve(repo, b)))(t)
			if diff := cmp.Diff(gitMergeBases(r, a, b), hashes(got)); diff != "" {
				t.Fatalf("%s and %s (-git +here):\n%s\n%s", a, b, diff, s.String())
			}
		}
	})
}

func TestFirstParents(t *testing.T) {
	r := newRepo(t)
	r.commit("one")
	r.git("checkout", "-q", "-b", "topic")
	r.commit("on the topic")
	r.git("checkout", "-q", "main")
	r.commit("two")
	r.merge("topic")
	// A foxtrot merge: main is merged into the topic, and main is moved there.
	r.git("checkout", "-q", "topic")
	r.merge("main")
	r.commit("three")
	r.git("checkout", "-q", "-B", "main")
	repo := r.open()
	var got []Commit
	for c, err := range repo.FirstParents(r.resolve(repo, "main")) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, c)
	}
	if diff := cmp.Diff(strings.Fields(r.git("rev-list", "--first-parent", "main")), hashes(got)); diff != "" {
		t.Error(diff)
	}
	if want := "three, merge, on the topic, one"; subjects(r, got) != want {
		t.Errorf("the line is %s, want %s", subjects(r, got), want)
	}
	for c, err := range repo.FirstParents(got[0]) {
		if c.Hash != got[0].Hash || err != nil {
			t.Errorf("%v, %v after a stop at the first", c, err)
		}
		break
	}
	for c, err := range repo.FirstParents(Commit{}) {
		if err == nil {
			t.Errorf("from no commit: %v", c)
		}
	}
}

func subjects(r *testRepo, commits []Commit) string {
	var all []string
	for _, c := range commits {
		all = append(all, r.git("show", "-s", "--format=%s", c.Hash))
	}
	return strings.Join(all, ", ")
}

func TestCommitsAreReadAsGitReadsThem(t *testing.T) {
	r := newRepo(t)
	first := r.change("a", "1")
	tree := r.git("rev-parse", "HEAD^{tree}")
	const people = "author Ann <a@example.org> 1700000000 +0100\ncommitter Bob <b> <b@example.org> 1700000001 -0330\n"
	tests := []struct {
		reason, content string
		parents         []string
		when            int64
	}{
		{"a message of two paragraphs", "tree " + tree + "\n" + people + "\none\ntwo \n\nthree\n", nil, 1700000001},
		{"blank lines before the subject", "tree " + tree + "\n" + people + "\n\n \none", nil, 1700000001},
		{"no message", "tree " + tree + "\n" + people + "\n", nil, 1700000001},
		{"Windows line ends", "tree " + tree + "\n" + people + "\none\r\n\r\ntwo\r\n", nil, 1700000001},
		{"a signature that looks like a header", "tree " + tree + "\nparent " + first + "\n" + people +
			"gpgsig -----BEGIN\n parent " + tree + "\n \n committer X <x> 1 +0000\n\none", []string{first}, 1700000001},
		{"a parent in the wrong place counts for nothing", "tree " + tree + "\n" + people + "parent " + first + "\n\none", nil, 1700000001},
		{"a message that looks like a header", "tree " + tree + "\n" + people + "\nparent " + first + "\n", nil, 1700000001},
		{"an invalid time", "tree " + tree + "\nauthor A <a> x\ncommitter B <b> x\n\none", nil, 0},
	}
	for _, tt := range tests {
		hash := r.object("commit", tt.content)
		repo := r.open()
		c := r.resolve(repo, hash)
		when := c.When.Unix()
		if c.When.IsZero() {
			when = 0
		}
		if !slices.Equal(c.Parents, tt.parents) || when != tt.when {
			t.Errorf("%s: %+v", tt.reason, c)
		}
		if got := r.git("log", "-1", "--format=%P", hash); got != strings.Join(tt.parents, " ") {
			t.Errorf("%s: git says the parents are %q", tt.reason, got)
		}
	}
	for reason, content := range map[string]string{
		"nothing":          "",
		"no tree":          people + "\none",
		"an invalid tree":  "tree 123\n" + people + "\none",
		"a parent without": "tree " + tree + "\nparent \n" + people + "\none",
	} {
		if c, err := r.open().Resolve(r.object("commit", content)); err == nil {
			t.Errorf("%s: read as %+v", reason, c)
		}
	}
}

func FuzzParseCommit(f *testing.F) {
	f.Add([]byte("tree 0123456789012345678901234567890123456789\nparent 0123456789012345678901234567890123456789\n" +
		"author A <a> 1 +0000\ncommitter A <a> 1 +0000\n\nsubject\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := parseCommit(objects.Hash{}, data)
		if err == nil && (len(c.Tree) != 40) {
			t.Errorf("%+v", c)
		}
	})
}
