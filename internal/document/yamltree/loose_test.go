package yamltree

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// looseText shows a loose value on one line, scalars with their line.
func looseText(n *Loose) string {
	var parts []string
	switch n.Kind {
	case Scalar:
		return fmt.Sprintf("%s@%d", n.Value, n.At.Line)
	case Sequence:
		for _, item := range n.Items {
			parts = append(parts, looseText(item))
		}
		return "[" + strings.Join(parts, " ") + "]"
	}
	for _, e := range n.Entries {
		parts = append(parts, e.Key+":"+looseText(e.Value))
	}
	return "{" + strings.Join(parts, " ") + "}"
}

func TestParseLoose(t *testing.T) {
	for _, c := range []struct{ reason, text, want string }{
		{"plain YAML", "a: 1\nb: [x, y]\n", "{a:1@1 b:[x@2 y@2]}"},
		{"an alias of a scalar has its own place", "a: &x 1\nb: *x\n", "{a:1@1 b:1@2}"},
		{"an alias of a mapping", "a: &x {k: 1}\nb: *x\n", "{a:{k:1@1} b:{k:1@1}}"},
		{"a merge key gives way to the mapping's own keys", "a: &x {k: 1, l: 2}\nb:\n  <<: *x\n  k: 3\n", "{a:{k:1@1 l:2@1} b:{k:3@4 l:2@1}}"},
		{"of several, the first wins", "- &x {k: 1}\n- &y {k: 2, l: 2}\n- {<<: [*x, *y]}\n", "[{k:1@1} {k:2@2 l:2@2} {k:1@1 l:2@2}]"},
		{"a quoted << is a key", `"<<": {k: 1}`, "{<<:{k:1@1}}"},
		{"several documents", "a: 1\n---\n- b\n...\n---\nc\n", "{a:1@1} | [b@3] | c@6"},
		{"tags and directives", "%TAG ! tag:example.org:\n---\na: !Ref b\nc: !!str 1\n", "{a:b@3 c:1@4}"},
		{"a key that is a list", "? [a, b]\n: c\n", "{:c@2}"},
		{"nested deeper than documents are", strings.Repeat("[", 60) + strings.Repeat("]", 60), strings.Repeat("[", 60) + strings.Repeat("]", 60)},
		{"JSON", "{\n\t\"a\": [1.10, null]\n}\n", "{a:[1.10@2 null@2]}"},
		{"nothing", "# c\n", ""},
	} {
		documents, problems := ParseLoose(source.NewFile("f.yaml", []byte(c.text)))
		var got []string
		for _, d := range documents {
			got = append(got, looseText(d))
		}
		if text := strings.Join(got, " | "); text != c.want || len(problems) > 0 {
			t.Errorf("%s: got %s and %v, want %s", c.reason, text, problems, c.want)
		}
	}
}

func TestParseLooseRefuses(t *testing.T) {
	chain := "- &a0 {k0: 1}\n"
	for i := 1; i < 2000; i++ {
		chain += fmt.Sprintf("- &a%d {<<: *a%d, k%d: 1}\n", i, i-1, i)
	}
	for _, c := range []struct{ reason, text, want string }{
		{"an alias in itself", "a: &x [1, *x]\n", "yaml-feature 1:11"},
		{"a merge key in itself", "a: &x {<<: *x}\n", "yaml-feature 1:12"},
		{"a repeated key", "a: 1\nb: {c: 1, c: 2}\n", "duplicate-key 2:11"},
		{"a mistake in a later document", "a: 1\n---\nb: [\n", "yaml-syntax 3:1"},
		{"an unknown alias", "a: *x\n", "yaml-syntax 1:1"},
		{"not UTF-8", "a: \xFF\n", "encoding 1:4"},
		{"too large", strings.Repeat("#", MaxBytes+1), "file-too-large 1:1"},
		{"more keys copied than can be kept", chain, "file-too-large 725:3"},
	} {
		f := source.NewFile("f.yaml", []byte(c.text))
		_, problems := ParseLoose(f)
		var got []string
		for _, p := range problems[:min(1, len(problems))] {
			at := f.Position(p.Span.Start)
			got = append(got, fmt.Sprintf("%s %d:%d", p.Code, at.Line, at.Column))
		}
		if diff := cmp.Diff([]string{c.want}, got); diff != "" {
			t.Errorf("%s: (-want +got):\n%s%v", c.reason, diff, problems)
		}
	}
}

func FuzzParseLoose(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Add([]byte("a: &a {b: c}\nd: &d {<<: [*a, *a], ? [x] : *a}\n---\n*d"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := source.NewFile("f.yaml", data)
		documents, problems := ParseLoose(file)
		for _, p := range problems {
			checkProblem(t, file, p)
		}
		if tree, strict := Parse(file); tree != nil && len(strict) == 0 {
			// What Parse accepts means the same here.
			if len(documents) != 1 || len(problems) > 0 {
				t.Fatalf("%d documents and %v, for one that is accepted strictly", len(documents), problems)
			}
			checkSame(t, tree.Root, documents[0])
		}
	})
}

func checkSame(t *testing.T, n *Node, l *Loose) {
	t.Helper()
	if n.Kind != l.Kind || n.Value != l.Value || len(n.Entries) != len(l.Entries) || len(n.Items) != len(l.Items) {
		t.Fatalf("%v %q is read as %v %q", n.Kind, n.Value, l.Kind, l.Value)
	}
	for i, e := range n.Entries {
		if e.Key.Value != l.Entries[i].Key {
			t.Fatalf("the key %q is read as %q", e.Key.Value, l.Entries[i].Key)
		}
		checkSame(t, e.Value, l.Entries[i].Value)
	}
	for i, item := range n.Items {
		checkSame(t, item, l.Items[i])
	}
}
