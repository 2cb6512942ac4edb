package codeowners

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/hosts"
)

const owners = ".github/CODEOWNERS"

func parse(text string) *File { return Parse(source.NewFile(owners, []byte(text)), hosts.OneOwner) }

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
		reason        string
	}{
		{"*", "a/b/c.go", true, "a star alone is every file"},
		{"*.js", "src/x.js", true, "without a slash a pattern holds at any depth"},
		{"*.js", "src/x.jsx", false, "the whole name counts"},
		{"/build/logs/", "build/logs/a/b.log", true, "a folder with all below it"},
		{"/build/logs/", "x/build/logs/a.log", false, "a slash at the start anchors"},
		{"/build/logs/", "build/logs", false, "a slash at the end is no file"},
		{"docs/*", "docs/getting-started.md", true, "the files of a folder"},
		{"docs/*", "docs/build-app/troubleshooting.md", false, "a star does not cross a slash"},
		{"docs/*", "x/docs/a.md", false, "a slash in the middle anchors"},
		{"apps/", "a/apps/x/y.go", true, "a slash at the end does not anchor"},
		{"**/logs", "deeply/nested/logs/a", true, "two stars cross slashes"},
		{"**/logs", "logs/a", true, "and stand for nothing, too"},
		{"/apps/github", "apps/github/x", true, "a name can be that of a folder"},
		{"/apps/github", "apps/githubber", false, "but not the beginning of another"},
		{"a/**/b", "a/b", true, "two stars in the middle stand for nothing"},
		{"a/**/b", "a/x/y/b", true, "or for several folders"},
		{"a/**", "a/x/y", true, "all below a folder"},
		{"a/**", "a", false, "but not the folder's own name"},
		{"a?c", "abc", true, "a question mark is one character"},
		{"a?c", "a/c", false, "and no slash"},
		{`a\ b`, "a b", true, "a backslash keeps a blank"},
		{`a\*`, "ab", false, "and takes a star literally"},
		{"README", "readme", false, "case counts"},
		{"/", "a", false, "a slash alone is nothing"},
		{"a//b", "a/b", false, "no name is empty"},
	} {
		if got := len(parse(c.pattern+" @a").Owners(c.path)) > 0; got != c.want {
			t.Errorf("%s on %s: %t, but %s", c.pattern, c.path, got, c.reason)
		}
	}
}

func TestOwners(t *testing.T) {
	f := parse("# all\n* @global-owner1 @org/team\r\n*.go docs@example.com # a comment\n\n/apps/ @octocat\n/apps/github\n")
	for path, want := range map[string][]string{
		"x":             {"@global-owner1", "@org/team"},
		"x.go":          {"docs@example.com"},
		"apps/x.go":     {"@octocat"},
		"apps/github/x": nil, // a line without owners takes paths out
	} {
		if diff := cmp.Diff(want, f.Owners(path)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
	if len(f.Problems) > 0 {
		t.Errorf("problems in a file that is right: %v", f.Problems)
	}
}

func TestBelowKeepsWhatDecidesThere(t *testing.T) {
	f := parse("* @all\n/docs/ @d\nrubrics/prd/ @p\n/rubrics @r\n*.yaml @y\nr*/*/x @x\n**/y\na/rubrics/ @a\n/rubrics/* @s\n")
	below := f.WithRulesBelow("rubrics/prd")
	for _, path := range []string{"rubrics/prd/a.yaml", "rubrics/prd/x", "rubrics/prd/y", "rubrics/prd/b/c", "rubrics/prd/b/y/z"} {
		if got, want := below.Match(path), f.Match(path); got != want {
			t.Errorf("%s: %v decides, want %v", path, got, want)
		}
	}
	if len(below.Rules) >= len(f.Rules) {
		t.Error("no rule is left out")
	}
}

func TestProblems(t *testing.T) {
	for _, c := range []struct{ line, at, reason string }{
		{"!a @x", "!a", "there is no negation"},
		{"[ab].go @x", "[ab].go", "there are no ranges"},
		{`\#a @x`, `\#a`, "a number sign can't be escaped"},
		{"a @x me", "me", "an owner has an at sign"},
		{"a @", "@", "or a name after it"},
		{"a @x/", "@x/", "and a team after its organization"},
		{"a me@host", "me@host", "an address has a domain"},
	} {
		file := source.NewFile("CODEOWNERS", []byte("* @all\n"+c.line+"\n"))
		f := Parse(file, hosts.OneOwner)
		if len(f.Problems) != 1 || file.Text(f.Problems[0].Span) != c.at {
			t.Errorf("%s: %+v, but %s", c.line, f.Problems, c.reason)
		}
		if len(f.Rules) != 1 {
			t.Errorf("%s: the line counts, though GitHub leaves it out", c.line)
		}
	}
}

func TestSections(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"* @a\n[Docs]\n*.md @b\n", "[Docs]"},
		{"[Docs][2] @a", "[Docs][2]"},
		{"\r\n  ^[Not required]\r\n", "^[Not required]"},
		{"* @a\n# [Docs]\n", ""},
		{"[ab].go @a\na[b] @a\n[Docs @a\n", ""}, // GitHub does not support these
		{"", ""},
	} {
		f := source.NewFile(owners, []byte(c.text))
		heading, found := Section(f)
		if got := f.Text(heading); got != c.want || found != (c.want != "") {
			t.Errorf("%q: the section is %q, want %q", c.text, got, c.want)
		}
	}
}

func TestALargeFileOwnsNothing(t *testing.T) {
	f := parse("* @all\n" + strings.Repeat("#", MaxBytes))
	if len(f.Problems) != 1 || f.Match("a") != nil {
		t.Errorf("%d problems, and a is owned by %v", len(f.Problems), f.Owners("a"))
	}
}

func FuzzParse(f *testing.F) {
	f.Add("* @a # b\n\\", "a/b")
	f.Add("[a] @b\nx/\n!y\n^[A][2]\nz @@owner", "x/y")
	f.Add("**/**/a*b?\\ c/ x@y.z\n!a\n[", "a//b/")
	f.Fuzz(func(t *testing.T, text, path string) {
		Section(source.NewFile(owners, []byte(text)))
		checkFile(t, parse(text), text, path)
	})
}

func checkFile(t *testing.T, file *File, text, path string) {
	for _, r := range file.Rules {
		if r.Pattern != text[r.Span.Start:r.Span.End] {
			t.Errorf("the pattern %q is not at %v", r.Pattern, r.Span)
		}
	}
	if r := file.Match(path); r != nil && !r.matches(newTarget(path)) {
		t.Errorf("%q decides about %q and does not match it", r.Pattern, path)
	}
	if i := strings.LastIndex(path, "/"); i >= 0 && file.WithRulesBelow(path[:i]).Match(path) != file.Match(path) {
		t.Errorf("below its folder another line decides about %q", path)
	}
}

func TestOwnersByHost(t *testing.T) {
	const sections = "* @a\n[Rubrics][2] @b @c\n/rubrics/\n/rubrics/own.yaml @d\n^[Optional] @e\n*\n[rubrics]\nlib/ @f\n!/rubrics/free.yaml\n"
	for _, c := range []struct {
		syntax             hosts.Syntax
		text, path, owners string
		approvals          int
		reason             string
	}{
		{hosts.OneOwner, "* @a @A @b", "x", "@a, @b", 1, "an owner counts once, in any case"},
		{hosts.OneOwner, "* @a " + Placeholder, "x", "@a", 1, "the placeholder is nobody"},
		{hosts.OneOwner, "* " + Placeholder, "x", "nobody", 0, "also alone"},
		{hosts.OneOwner, "* @a\n/x", "x", "nobody", 0, "a later line takes the owners away"},
		{hosts.Sections, sections, "other", "@a", 1, "lines before the first section are one of their own"},
		{hosts.Sections, sections, "rubrics/x/y.yaml", "@a, @b, @c (3 approvals)", 3, "each section counts, with the owners of its heading"},
		{hosts.Sections, sections, "rubrics/own.yaml", "@a, @d (3 approvals)", 3, "the last line of a section decides"},
		{hosts.Sections, sections, "x/lib/y", "@a, @f (2 approvals)", 2, "a section of the same name is the same, with its own number"},
		{hosts.Sections, sections, "rubrics/free.yaml", "@a", 1, "a section can exclude a path"},
		{hosts.Sections, "[A] @a\n/docs\n", "docs/x", "nobody", 0, "a name without a slash is no folder"},
		{hosts.Sections, "/docs/* @a", "docs/x", "@a", 1, "a star is a name"},
		{hosts.Sections, "/docs/* @a", "docs/x/y", "nobody", 0, "and no folder"},
		{hosts.Sections, "/docs/** @a", "docs/x/y", "nobody", 0, "two stars at the end are one"},
		{hosts.Sections, "/docs/**/*.md @a", "docs/x/y.md", "@a", 1, "before a name, any folders"},
		{hosts.Sections, "docs/x @a", "a/docs/x", "@a", 1, "only a slash at the start anchors"},
		{hosts.Sections, `\#x @a`, "#x", "@a", 1, "a number sign can be escaped"},
		{hosts.Sections, "* a b@c.d @@maintainer @x/y/z # @e", "x", "b@c.d, @@maintainer, @x/y/z", 1, "roles and groups in groups are owners, other words are not"},
		{hosts.Sections, "[A][0] @a\n*", "x", "@a", 1, "no number below one counts"},
	} {
		o := Parse(source.NewFile(owners, []byte(c.text)), c.syntax).OwnershipOf(c.path)
		if o.String() != c.owners || o.Approvals != c.approvals {
			t.Errorf("%q: %s is owned by %s (%d), want %s (%d): %s", c.text, c.path, o, o.Approvals, c.owners, c.approvals, c.reason)
		}
	}
	var none *File
	if o := none.OwnershipOf("x"); len(o.Owners) > 0 {
		t.Errorf("without a file, %s", o)
	}
}
