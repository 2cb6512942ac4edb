package codeowners

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/hosts"
)

func parseExpressions(text string) *File {
	return Parse(source.NewFile(".gitea/CODEOWNERS", []byte(text)), hosts.Expressions)
}

// TestGiteaReadsExpressions holds the rules of Gitea 1.25.2 (models/issues/pull.go, services/issue/pull.go).
func TestGiteaReadsExpressions(t *testing.T) {
	for _, c := range []struct{ text, path, owners, reason string }{
		{".* @olga @oscar", "rubrics/x/y.yaml", "@olga, @oscar", "a dot and a star are any path"},
		{"* @olga", "rubrics/x/y.yaml", "@olga", "a star alone repeats the start of the path, so it is found in each"},
		{"rubrics/.* @a\n.*\\\\.yaml @b", "rubrics/x.yaml", "@a, @b", "all lines count"},
		{".* @a\nrubrics/.*", "rubrics/x.yaml", "@a", "a line without owners takes none away"},
		{"rubrics @a", "rubrics/x.yaml", "nobody", "the whole path counts"},
		{"/rubrics/ @a", "rubrics/x.yaml", "nobody", "a path has no slash at its start"},
		{"a|rubrics/x.* @a", "b/rubrics/x", "@a", "of branches, only the first is anchored at the start"},
		{"!docs/.* @a", "rubrics/x", "@a", "negated, it owns what it does not match"},
		{"!docs/.* @a", "docs/x", "nobody", "and nothing else"},
		{`\!docs/.* @a`, "docs/x", "nobody", "a backslash before the sign is removed first"},
		{`a\ b @a`, "a b", "@a", "a backslash keeps a space"},
		{`a\\.b @a`, "a.b", "@a", "two are one"},
		{`a\\.b @a`, "axb", "nobody", "before a dot"},
		{`a\.b @a`, "axb", "@a", "one is none"},
		{`a\#b @a`, "a#b", "@a", "a number sign can be escaped"},
		{"a#b @a", "a", "nobody", "or else begins a comment within a word"},
		{"x a b/c @d #@e", "x", "@a, @b/c, @d", "an owner needs no at sign"},
		{"x @A @a\nx a", "x", "@A", "an owner counts once, in any case"},
		{"x a@b.org @b/c/d @e", "x", "@e", "addresses and teams in teams are nobody, but the line counts"},
		{"x " + Placeholder, "x", "nobody", "nor is the placeholder"},
		{"\u00a0x @a\u00a0\r", "x", "@a", "other spaces are trimmed"},
		{"\tx\t@a", "x", "@a", "tabs are spaces"},
		{"(?!docs).* @a\n( @b", "x", "nobody", "what does not compile has no effect"},
		{"(?i)X @a", "x", "@a", "flags count"},
		{"[Docs] @a", "D", "@a", "no heading of a section"},
	} {
		o := parseExpressions(c.text).OwnershipOf(c.path)
		if o.String() != c.owners || o.Approvals != min(1, len(o.Owners)) {
			t.Errorf("%q: %s is owned by %s (%d), want %s: %s", c.text, c.path, o, o.Approvals, c.owners, c.reason)
		}
	}
}

func TestWhatGiteaSkipsIsAProblem(t *testing.T) {
	for _, c := range []struct{ line, at, says, reason string }{
		{"/rubrics/ @team", "/rubrics/", "does not begin with a slash", "a pattern of GitHub"},
		{"rubrics/ @team", "rubrics/", "does not end with a slash", "a folder"},
		{"!/rubrics/.* @team", "!/rubrics/.*", "does not begin with a slash", "negated"},
		{"(?!x).* @a", "(?!x).*", "invalid or unsupported Perl syntax", "what other engines read"},
		{"a{1001} @a", "a{1001}", "invalid repeat count", "too many"},
		{"[a @a", "[a", "missing closing ]", "no expression"},
		{"docs/.*", "docs/.*", "Add owners", "no owners"},
		{"x me@example.org", "me@example.org", "Write an owner", "no address"},
		{`.*\d @a`, `.*\d`, "twice", "a backslash that is removed"},
		{"x" + strings.Repeat(".", 1000) + " @a", "x" + strings.Repeat(".", 1000), "1,000 bytes", "too long"},
	} {
		file := source.NewFile("CODEOWNERS", []byte(".* @all\n"+c.line+"\n"))
		f := Parse(file, hosts.Expressions)
		if len(f.Problems) != 1 || file.Text(f.Problems[0].Span) != c.at || !strings.Contains(f.Problems[0].Message, c.says) {
			t.Errorf("%s: %+v, but it is %s", c.line, f.Problems, c.reason)
		}
	}
	for _, line := range []string{"# x", "", ".* @a", "/a|b @a", `a\\.b @a`, `a\.b @a`, `a\\d @a`} {
		if f := parseExpressions(line); len(f.Problems) > 0 {
			t.Errorf("%q is right: %v", line, f.Problems)
		}
	}
}

// TestExpressionsAreBounded holds that a file of expressions is read, or refused, in a bounded time,
// and that a budget stops the matching.
func TestExpressionsAreBounded(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("(.{30}){33}(x*)*y @a\n", 100_000),
		strings.Repeat(strings.Repeat(".{1000}", 140)+" @a\n", 3000),
		strings.Repeat("(", 990) + strings.Repeat(")", 5) + " @a",
	} {
		start := time.Now()
		f := parseExpressions(text)
		if len(f.Problems) == 0 || len(f.Problems) > 3000 {
			t.Errorf("%.20s has %d problems", text, len(f.Problems))
		}
		budget := NewBudget(500_000_000)
		for i := 0; budget.Spend(f, "rubrics/x") && i < 100_000; i++ {
			f.OwnershipOf(fmt.Sprint("rubrics/", strings.Repeat("x", 250), i))
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%.20s takes %s", text, took)
		}
	}
}

func TestBelowKeepsExpressions(t *testing.T) {
	f := parseExpressions(".* @all\ndocs/.* @d\nrubrics/prd/.* @p\nrub.* @r\n!docs/.* @n\n(?i)RUBRICS/.* @i\nrubrics/prd/a|b @x\nrubrics/prdx/.* @y\n")
	below := f.WithRulesBelow("rubrics/prd")
	for _, path := range []string{"rubrics/prd/a.yaml", "rubrics/prd/a", "rubrics/prd/b"} {
		if got, want := below.OwnershipOf(path), f.OwnershipOf(path); !got.Equal(want) {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	if len(below.Rules) != 6 {
		t.Errorf("%d rules are left", len(below.Rules))
	}
}

// TestExamplesMissEachClass holds that the first made-up path matches, and that among the others are those that
// a class leaves out.
func TestExamplesMissEachClass(t *testing.T) {
	for _, c := range []struct{ expression, want string }{
		{"rubrics/.*", "rubrics/new"},
		{"rubrics/[^s].*", "rubrics/nnew rubrics/snew"},
		{"rubrics/([^s]|s[^e]).*", "rubrics/nnew rubrics/snew rubrics/senew"},
		{"rubrics/[a-y]{2}(/x)?", "rubrics/nn/x rubrics/zz/x"},
		{"(?i)AB[0-9]+", "AB0 ABn"},
		{`.*\\.ya?ml`, "new.yaml"},
		{"[^a]|[a]", "n a"},
	} {
		e, problem := compileExpression(strings.ReplaceAll(c.expression, `\\`, `\`))
		if problem != "" {
			t.Fatalf("%s: %s", c.expression, problem)
		}
		got := e.examples()
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %s", c.expression, got, c.want)
		}
		if !e.matches(got[0]) {
			t.Errorf("%s does not match %q", c.expression, got[0])
		}
	}
}

func FuzzExpressions(f *testing.F) {
	f.Add("* @a # b\n\\", "a/b")
	f.Add("!x/.*\\\\.y @b\n/x/ @c\n(a|b @d\na|b @e", "x/y")
	f.Fuzz(func(t *testing.T, text, path string) {
		file := parseExpressions(text)
		for _, r := range file.Rules {
			if r.Pattern != text[r.Span.Start:r.Span.End] {
				t.Errorf("the pattern %q is not at %v", r.Pattern, r.Span)
			}
			if names := r.madeUp("rubrics", "new_v1.yaml"); len(names) > 4*(mostMisses+1) {
				t.Errorf("%q has %d examples", r.Pattern, len(names))
			}
		}
		if i := strings.LastIndex(path, "/"); i >= 0 && !file.WithRulesBelow(path[:i]).OwnershipOf(path).Equal(file.OwnershipOf(path)) {
			t.Errorf("below its folder, others own %q", path)
		}
	})
}
