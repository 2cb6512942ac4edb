package yamltree

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

func TestParseForeign(t *testing.T) {
	f := source.NewFile("f.yaml", []byte("scale: &s {1: low, 5: höchst}\na: {<<: *s, 1: own}\nb: *s\nn: ~\nq: \"~\"\nx: 2\n"))
	documents, problems := ParseForeign(f)
	if len(problems) > 0 || len(documents) != 1 {
		t.Fatal(documents, problems)
	}
	root := documents[0]
	for path, want := range map[string]string{"scale/1": "low", "a/1": "own", "a/5": "höchst", "b/5": "höchst", "q": "~"} {
		n := root
		for key := range strings.SplitSeq(path, "/") {
			n = n.Get(key)
		}
		if n.Text() != want {
			t.Errorf("%s is %q, want %q", path, n.Text(), want)
		}
	}
	if root.Get("b") != root.Get("scale") {
		t.Error("a value that an alias repeats is not shared")
	}
	if root.Get("n").Type != Null || root.Get("q").Type != String || root.Get("x").Type != Integer {
		t.Error("the types of scalars are lost")
	}
	if at := f.Position(root.Get("x").Span.Start); at.Line != 6 || at.Column != 4 {
		t.Errorf("the place of a value is %v", at)
	}
}

func TestParseForeignRefuses(t *testing.T) {
	laughs := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 9 {
		laughs += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 10), ", "))
	}
	for _, c := range []struct{ reason, text, want string }{
		{"aliases that repeat a value many times", laughs, "repeat too many values"},
		{"only comments", "# nothing\n", "empty or has only comments"},
		{"null", "~\n", "empty or has only comments"},
		{"an alias in itself", "a: &x [1, *x]\n", "contains the alias"},
	} {
		documents, problems := ParseForeign(source.NewFile("f.yaml", []byte(c.text)))
		if len(problems) != 1 || !strings.Contains(problems[0].Message, c.want) || documents != nil {
			t.Errorf("%s: got %v, want %q", c.reason, problems, c.want)
		}
	}
}
