package codeowners

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

func parseGitLab(text string) *File { return GitLab.Parse(source.NewFile("CODEOWNERS", []byte(text))) }

func TestGitLabMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
		reason        string
	}{
		{"*", "a/b.c", true, "a star alone is every file"},
		{"README.md", "app/lib/README.md", true, "without a slash at the start a pattern matches at any depth"},
		{"internal/README.md", "docs/internal/README.md", true, "with one in the middle too"},
		{"/README.md", "docs/README.md", false, "a slash at the start anchors"},
		{"/docs/", "docs/a/b.md", true, "a slash at the end is the whole folder"},
		{"/docs", "docs/a.md", false, "without it a pattern is a file"},
		{"/docs/*", "docs/a/b.md", false, "a star does not cross a slash"},
		{"/docs/**/index.md", "docs/index.md", true, "two stars match nothing too"},
		{"/docs/**/*.md", "docs/a/b/c.md", true, "or several folders"},
		{"/docs/**", "docs/a/b.md", false, "at the end they are one"},
		{`path\ with\ spaces/`, "path with spaces/x", true, "a backslash keeps a space"},
		{`\#file`, "#file", true, "and a number sign"},
	} {
		if got := len(parseGitLab(c.pattern+" @a").Owners(c.path)) > 0; got != c.want {
			t.Errorf("%s on %s: %t, but %s", c.pattern, c.path, got, c.reason)
		}
	}
}

func TestGitLabSections(t *testing.T) {
	const sections = "/a/ @a\n[Docs][2] @docs @group/sub\n*.md\nb.md @b\n!gone.md\ngone.md @b\n^[Optional]\n*.txt @o\n[database]\nx.sql\n^[DOCS] @late\n*.rst\n"
	for path, want := range map[string][]string{
		"a/x.md":  {"@a"}, // one section is enough
		"x.md":    {"@docs", "@group/sub"},
		"b.md":    {"@b"},
		"gone.md": nil, // excluded for good
		"x.txt":   nil, // nobody has to approve
		"x.sql":   nil, // no owner, and no default one
		"x.rst":   {"@late"},
		"x.go":    nil,
	} {
		f := parseGitLab(sections)
		if diff := cmp.Diff(want, f.Owners(path)); diff != "" || len(f.Problems) > 0 {
			t.Errorf("%s (-want +got):\n%s%v", path, diff, f.Problems)
		}
	}
}

func TestGitLabProblems(t *testing.T) {
	for line, at := range map[string]string{
		"[Docs @x": "[Docs", "[ab].go @x": "[ab].go", "a.md docs @x": "docs", "[Docs] me": "me", "a @@guest": "@@guest",
	} {
		file := source.NewFile("CODEOWNERS", []byte("* @all\n"+line+"\n"))
		f := GitLab.Parse(file)
		if len(f.Problems) != 1 || file.Text(f.Problems[0].Span) != at {
			t.Errorf("%s: %+v", line, f.Problems)
		}
	}
	if got := parseGitLab("a.md docs @x").Owners("a.md"); !slices.Equal(got, []string{"@x"}) {
		t.Errorf("the owner that GitLab understands is ignored: %q", got)
	}
}

// TestHosts checks that a pipeline of GitLab in a repository on GitHub changes nothing.
func TestHosts(t *testing.T) {
	for _, c := range []struct {
		files []string
		want  Host
	}{
		{nil, GitHub}, {[]string{gitLabPipeline}, GitLab}, {[]string{".github/workflows"}, GitHub}, {[]string{".github/workflows", gitLabPipeline}, GitHub},
	} {
		if got := HostOf(func(path string) bool { return slices.Contains(c.files, path) }); got != c.want {
			t.Errorf("%v: host %d", c.files, got)
		}
	}
}
