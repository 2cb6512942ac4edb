package gitrepo

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// namesRepo returns a repository with a name of every kind, some of them in two
// places.
func namesRepo(t testing.TB) *testRepo {
	r := newRepo(t)
	r.change("a", "1")
	r.git("tag", "v1.0.0")
	r.git("tag", "-a", "-m", "annotated", "v2.0.0")
	r.git("tag", "-a", "-m", "a tag of a tag", "again", "v2.0.0")
	r.change("a", "2")
	r.git("branch", "same")
	r.git("branch", "beef")
	r.git("branch", "release/1.x")
	r.git("update-ref", "refs/tags/refs/heads/main", "HEAD")
	r.git("update-ref", "refs/tags/HEAD", "HEAD")
	r.git("branch", "größe")
	r.git("branch", "x@y")
	r.git("branch", "origin/main") // beside the remote branch of this name
	r.git("branch", "a.b")
	r.git("pack-refs", "--all")
	r.change("a", "3")
	r.git("tag", "same")
	r.git("tag", "file", "HEAD:a")
	r.git("tag", "-a", "-m", "of a folder", "folder", "HEAD^{tree}")
	for i := range 3 {
		r.git("checkout", "-q", "-b", fmt.Sprintf("side%d", i), "v1.0.0")
		r.change("a", fmt.Sprintf("side %d", i))
	}
	r.git("checkout", "-q", "main")
	r.change("b", "1")
	r.merge("side0")
	r.merge("side1", "side2")
	r.git("update-ref", "refs/remotes/origin/main", "HEAD~1")
	r.git("update-ref", "refs/remotes/origin/topic", "HEAD~2")
	r.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
	r.git("update-ref", "refs/pull/1/merge", "HEAD^2")
	r.git("update-ref", "refs/odd", "HEAD^3")
	r.git("update-ref", "refs/worktree/own", "HEAD^")
	r.git("update-ref", "ORIG_HEAD", "HEAD~2")
	r.git("fetch", "-q", r.dir, "side0", "side1")
	return r
}

func TestResolveAgreesWithGit(t *testing.T) {
	t.Parallel()
	r := namesRepo(t)
	repo := r.open()
	head := r.git("rev-parse", "HEAD")
	tests := []struct{ reason, rev string }{
		{"the current commit", "HEAD"},
		{"a full hash", head},
		{"a full hash in capitals", strings.ToUpper(head)},
		{"a short hash", head[:7]},
		{"a short hash of odd length in capitals", strings.ToUpper(head[:11])},
		{"nearly the full hash", head[:39]},
		{"the hash of an annotated tag", r.git("rev-parse", "again")},
		{"the short hash of an annotated tag", r.git("rev-parse", "v2.0.0")[:12]},
		{"a branch", "main"},
		{"a packed branch", "release/1.x"},
		{"a branch with letters outside ASCII", "größe"},
		{"a branch with an at sign", "x@y"},
		{"a branch with a dot", "a.b"},
		{"a branch that looks like a short hash, by more of its name", "heads/beef"},
		{"a tag with the name of a branch, by more of its name", "tags/same"},
		{"the branch by more of its name", "heads/same"},
		{"a lightweight tag", "v1.0.0"},
		{"an annotated tag", "v2.0.0"},
		{"a tag of a tag", "again"},
		{"a remote branch", "origin/topic"},
		{"a remote branch by more of its name", "remotes/origin/main"},
		{"the HEAD of a remote", "origin/HEAD"},
		{"a remote stands for its HEAD", "origin"},
		{"a full name", "refs/heads/same"},
		{"a full name that is that of a tag too", "refs/heads/main"},
		{"the merge of a pull request", "refs/pull/1/merge"},
		{"the same without refs", "pull/1/merge"},
		{"a name right below refs", "odd"},
		{"a name of this working tree", "refs/worktree/own"},
		{"where HEAD was", "ORIG_HEAD"},
		{"what was fetched, of several the first", "FETCH_HEAD"},
		{"the first parent", "HEAD~"},
		{"the first parent, otherwise", "HEAD^"},
		{"none before", "HEAD~0"},
		{"itself", "HEAD^0"},
		{"the tag's commit", "again^0"},
		{"two before", "HEAD~2"},
		{"the third parent", "HEAD^3"},
		{"a chain", "HEAD^^2~0^0^"},
		{"a chain without numbers", "main~~^"},
		{"before a tag", "tags/same~1"},
		{"before a short hash", head[:8] + "~3"},
		{"a number with a zero before it", "HEAD~02"},
		{"the root", "HEAD~5"},
	}
	for _, tt := range tests {
		want := r.git("rev-parse", "--verify", "-q", tt.rev+"^{commit}")
		c, err := repo.Resolve(tt.rev)
		if err != nil || c.Hash != want {
			t.Errorf("%s: Resolve(%q) = %.10s, %v, and git says %.10s", tt.reason, tt.rev, c.Hash, err, want)
			continue
		}
		parents := strings.Fields(r.git("show", "-s", "--format=%P", want))
		if !slices.Equal(c.Parents, parents) || c.Tree != r.git("show", "-s", "--format=%T", want) ||
			fmt.Sprint(c.When.Unix()) != r.git("show", "-s", "--format=%ct", want) {
			t.Errorf("%s: %+v is not what git shows", tt.reason, c)
		}
	}
}

func TestResolveRefuses(t *testing.T) {
	r := namesRepo(t)
	repo := r.open()
	const notAccepted = "this form is not supported"
	tests := []struct{ reason, rev, want string }{
		{"nothing", "", notAccepted},
		{"an at sign alone", "@", notAccepted},
		{"an at sign with a suffix", "@~1", notAccepted},
		{"what a branch was before", "HEAD@{1}", notAccepted},
		{"what another branch was built on", "main@{upstream}", notAccepted},
		{"a folder of a commit", "main:a", notAccepted},
		{"a search in messages", ":/change", notAccepted},
		{"another kind of object", "HEAD^{tree}", "the suffix after"},
		{"a search from a commit", "HEAD^{/change}", "the suffix after"},
		{"all parents", "HEAD^@", "the suffix after"},
		{"none of the parents", "HEAD^!", "the suffix after"},
		{"one parent left out", "HEAD^-", "the suffix after"},
		{"a range", "main..same", notAccepted},
		{"a range of both", "main...same", notAccepted},
		{"a range after a suffix", "main~1..same", "the suffix after"},
		{"what is left out", "^main", notAccepted},
		{"an option", "--output=x", notAccepted},
		{"a dash", "-", notAccepted},
		{"a path out of the names", "refs/heads/../../config", notAccepted},
		{"a path out of the folder", "../HEAD", notAccepted},
		{"a path from the root", "/etc/passwd", notAccepted},
		{"a path with a backslash", `refs\heads\main`, notAccepted},
		{"a blank", "main ", notAccepted},
		{"a line end", "main\n", notAccepted},
		{"a terminal's escape", "\x1b[31mmain", notAccepted},
		{"a pattern", "ma*", notAccepted},
		{"a lock file", "main.lock", notAccepted},
		{"a suffix only", "~1", notAccepted},
		{"letters behind a number", "HEAD~1x", "the suffix after"},
		{"a number that is too large", "HEAD~99999999999999999999", "the suffix after"},
		{"before the root", "HEAD~99", "the history ends 94 commits too early"},
		{"a parent that is not there", "HEAD^4", "has no parent number 4"},
		{"a name that is not there", "nosuch", "no branch, tag, or commit"},
		{"a full hash that is not there", strings.Repeat("12", 20), "no branch, tag, or commit"},
		{"a short hash that is not there", "0000000000", "no branch, tag, or commit"},
		{"a hash of three digits", r.git("rev-parse", "HEAD")[:3], "no branch, tag, or commit"},
		{"a file of the repository that is no name", "config", "no branch, tag, or commit"},
		{"a folder of names", "refs/heads", "no branch, tag, or commit"},
		{"a name below a name", "main/x", "no branch, tag, or commit"},
		{"a tag of a file", "file", "a file or a folder"},
		{"a tag of a folder", "folder", "a file or a folder"},
		{"a file's hash", r.git("rev-parse", "HEAD:a"), "a file or a folder"},
		{"a file's short hash", r.git("rev-parse", "HEAD:a")[:10], "a file or a folder"},
	}
	for _, tt := range tests {
		c, err := repo.Resolve(tt.rev)
		var e *RevisionError
		if !errors.As(err, &e) || e.Revision != tt.rev || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: Resolve(%q) = %.10s, %v, want %q", tt.reason, tt.rev, c.Hash, err, tt.want)
		}
	}
}

// TestResolveRefusesWhatIsAmbiguous has names for which Git picks one meaning, with a
// warning at most: a tag could decide what others compare with.
func TestResolveRefusesWhatIsAmbiguous(t *testing.T) {
	r := namesRepo(t)
	r.git("tag", "origin")
	short := r.git("rev-parse", "HEAD~1")[:9]
	r.git("branch", short)
	repo := r.open()
	tests := []struct {
		reason, rev string
		want        []string
	}{
		{"a tag and a branch", "same", []string{"refs/tags/same", "refs/heads/same"}},
		{"with a suffix", "same~1", []string{"refs/tags/same", "refs/heads/same"}},
		{"a branch with the name of a remote branch", "origin/main", []string{"refs/heads/origin/main", "refs/remotes/origin/main"}},
		{"a tag with the name of a remote", "origin", []string{"refs/tags/origin", "refs/remotes/origin/HEAD"}},
		{"a branch that looks like a short hash", "beef", []string{"refs/heads/beef"}},
		{"a branch that is a short hash", short, []string{"refs/heads/" + short, r.git("rev-parse", "HEAD~1")}},
	}
	for _, tt := range tests {
		c, err := repo.Resolve(tt.rev)
		e, ok := errors.AsType[*RevisionError](err)
		if !ok || !slices.Equal(e.Candidates, tt.want) || !strings.Contains(err.Error(), tt.want[len(tt.want)-1]) || e.Revision != tt.rev {
			t.Errorf("%s: Resolve(%q) = %.10s, %v, want the candidates %v", tt.reason, tt.rev, c.Hash, err, tt.want)
		}
	}
}

func TestResolveFailsOnDamagedNames(t *testing.T) {
	r := namesRepo(t)
	r.write(".git/refs/tags/stable", "not a hash\n")
	r.git("branch", "stable") // Git would take this one, with a warning
	r.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/gone")
	r.write(".git/refs/heads/lost", strings.Repeat("12", 20)+"\n")
	repo := r.open()
	tests := []struct{ reason, rev, want string }{
		{"a damaged tag hides no branch", "stable", "is damaged"},
		{"a remote whose main branch is gone", "origin", "points to refs/remotes/origin/gone, which does not exist"},
		{"a branch whose commit is gone", "lost", "is missing"},
		{"a file with a name like HEAD that holds text", "COMMIT_EDITMSG", "is damaged"},
	}
	for _, tt := range tests {
		if c, err := repo.Resolve(tt.rev); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: Resolve(%q) = %.10s, %v, want %q", tt.reason, tt.rev, c.Hash, err, tt.want)
		}
	}
}

// TestResolveShortHashes resolves hashes with the same start, some of which always
// occur among 700 commits with as many files.
func TestResolveShortHashes(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	var s strings.Builder
	for i := range 700 {
		fmt.Fprintf(&s, "commit refs/heads/main\ncommitter Ann <ann@example.org> %d +0000\ndata 0\nM 644 inline a\ndata <<X\n%d\nX\n\n", 1_700_000_000+i, i)
	}
	r.gitInput(s.String(), "fast-import", "--quiet")
	loose := r.git("commit-tree", "-m", "loose", "HEAD^{tree}")
	r.git("update-ref", "refs/heads/loose", loose)
	r.write(".git/objects/"+loose[:2]+"/tmp_obj_x", "left behind by a crash")

	commits, others := map[string][]string{}, map[string]int{}
	for line := range strings.Lines(r.git("cat-file", "--batch-all-objects", "--batch-check=%(objecttype) %(objectname)")) {
		kind, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		if kind == "commit" {
			commits[name[:4]] = append(commits[name[:4]], name)
		} else {
			others[name[:4]]++
		}
	}
	repo := r.open()
	var alone, ambiguous int
	for prefix, names := range commits {
		c, err := repo.Resolve(prefix)
		if len(names) == 1 {
			if others[prefix] > 0 {
				alone++
			}
			if err != nil || c.Hash != names[0] || r.git("rev-parse", prefix+"^{commit}") != c.Hash {
				t.Errorf("Resolve(%s) = %s, %v, want %v", prefix, c.Hash, err, names)
			}
			continue
		}
		ambiguous++
		var e *RevisionError
		if !errors.As(err, &e) || !slices.Equal(e.Candidates, names) || !strings.Contains(err.Error(), names[1]) {
			t.Errorf("Resolve(%s) says %v, want the candidates %v", prefix, err, names)
		}
	}
	var e *RevisionError
	if c, err := repo.Resolve(loose[:2] + "0000"); !errors.As(err, &e) {
		t.Errorf("the hash that the name of a temporary file looks like: %+v, %v", c, err)
	}
	if alone == 0 || ambiguous == 0 {
		t.Errorf("%d prefixes of one commit and other objects, %d of several commits: both are needed", alone, ambiguous)
	}
}

func FuzzResolve(f *testing.F) {
	for _, rev := range []string{"HEAD", "main~2^2", "v2.0.0", "abcd", "refs/pull/1/merge", "HEAD@{1}", "^^", "a\x00b", "é~0"} {
		f.Add(rev)
	}
	repo := namesRepo(f).open()
	f.Fuzz(func(t *testing.T, rev string) {
		c, err := repo.Resolve(rev)
		if err == nil && (len(c.Hash) != 40 || strings.ContainsAny(rev, " :{\n\\") || rev[0] == '-') {
			t.Errorf("Resolve(%q) = %+v", rev, c)
		}
	})
}

func FuzzParseRef(f *testing.F) {
	for _, content := range []string{"ref: refs/heads/main\n", strings.Repeat("1a", 20) + "\n", strings.Repeat("1A", 20) + "\t\tbranch 'x' of y\n", "ref:\n", "\x00"} {
		f.Add(content)
	}
	f.Fuzz(func(t *testing.T, content string) {
		got, err := parseRef("HEAD", content)
		if err == nil && got.target == "" && !strings.HasPrefix(strings.ToLower(content), got.hash.String()) {
			t.Errorf("%q is read as %s", content, got.hash)
		}
	})
}

func TestResolveSaysWhatIsNamedLikeThat(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.change("a", "1")
	for _, tag := range []string{"library-v1.0.0", "library-v1.10.0", "team/x/library-v1.0.0", "team/x/library-v3.0.0", "schema-v9.0.0"} {
		r.git("tag", tag)
	}
	r.git("branch", "release")
	for _, c := range []struct{ reason, name, want string }{
		{"the version of two libraries", "v1.0.0", `Did you mean "library-v1.0.0" or "team/x/library-v1.0.0"?`},
		{"without a v", "1.10.0", `Did you mean "library-v1.10.0"?`},
		{"the version of something else", "v9.0.0", `The tag of a release is named like "team/x/library-v3.0.0"`},
		{"the end of a version", "0.0.0", `The tag of a release is named like "team/x/library-v3.0.0"`},
		{"a typo of a branch", "relaese", `Did you mean "release"?`},
		{"a typo of a tag", "library-v1.0", `Did you mean "library-v1.0.0"?`},
		{"nothing near", "elsewhere", ""},
	} {
		_, err := r.open().Resolve(c.name)
		var e *RevisionError
		if !errors.As(err, &e) || e.Advice != c.want {
			t.Errorf("%s: Resolve(%q) gives %v, want %s", c.reason, c.name, err, c.want)
		}
	}
}
