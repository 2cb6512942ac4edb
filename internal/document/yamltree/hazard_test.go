package yamltree

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What yaml.v3 gets wrong, or leaves to its caller.

func TestNothingOfANumberIsLost(t *testing.T) {
	for _, c := range []struct {
		reason, text string
		want         Type
		ambiguous    bool
	}{
		{"a version is not the number 1.1", "1.10", Float, false},
		{"no truncation to 1", "1.5", Float, false},
		{"octal in YAML 1.1", "010", Integer, true},
		{"underscores are dropped by YAML 1.1", "1_000", String, true},
		{"not finite", ".nan", Float, false},
		{"not finite", "-.inf", Float, false},
		{"a boolean in YAML 1.1", "yes", String, true},
		{"a boolean in YAML 1.1", "no", String, true},
		{"not the text null", "null", Null, false},
		{"a date in YAML 1.1", "2024-01-31", String, true},
		{"too large for 64 bits", "123456789012345678901234567890", Integer, false},
	} {
		n := mustParse(t, "a: "+c.text).Root.Get("a")
		if n.Value != c.text || n.Type != c.want || n.Ambiguous != c.ambiguous {
			t.Errorf("%s: %s is %q, %v, ambiguous %v", c.reason, c.text, n.Value, n.Type, n.Ambiguous)
		}
	}
}

func TestKeysOfOneNumberStayApart(t *testing.T) {
	root := mustParse(t, "{1: a, 0x1: b, 01: c, 1.0: d}").Root
	var got []string
	for _, e := range root.Entries {
		got = append(got, e.Key.Value+"="+e.Value.Value)
	}
	if diff := cmp.Diff([]string{"1=a", "0x1=b", "01=c", "1.0=d"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAllKeysAreKeptInOrder(t *testing.T) {
	var text, want strings.Builder
	for i := range 100 {
		fmt.Fprintf(&text, "unknown_%d: %d\n", 99-i, i)
		fmt.Fprintf(&want, "unknown_%d ", 99-i)
	}
	var got strings.Builder
	for _, e := range mustParse(t, text.String()).Root.Entries {
		got.WriteString(e.Key.Value + " ")
	}
	if got.String() != want.String() {
		t.Errorf("got %s, want %s", got.String(), want.String())
	}
}

func TestAliasBomb(t *testing.T) {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := range 9 {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 10), ", "))
	}
	_, tree, problems := parse(b.String())
	if tree != nil || len(problems) != 1 || problems[0].Code != CodeFeature {
		t.Errorf("tree %v, %v", tree != nil, problems)
	}
}

func TestTextAfterTheFirstDocumentIsSeen(t *testing.T) {
	for _, c := range []struct{ reason, text string }{
		{"after ---", "a: 1\n---\nb: 2\n"},
		{"after ...", "a: 1\n...\nb: 2\n"},
		{"not YAML at all", "a: 1\n---\n]]]\n"},
		{"a broken file after ...", "a: 1\n...\n\"\n"},
	} {
		_, tree, problems := parse(c.text)
		if tree != nil || len(problems) != 1 || problems[0].Code != CodeSecondDocument {
			t.Errorf("%s: tree %v, %v", c.reason, tree != nil, problems)
		}
	}
}

func TestColumnsAfterTextOfSeveralBytes(t *testing.T) {
	f, tree, _ := parse("{é: 😀, ü: \"中\", x: y}\n")
	for _, c := range []struct{ key, want string }{
		{"é", "1:5 😀"}, {"ü", "1:11 \"中\""}, {"x", "1:19 y"},
	} {
		if got := place(f, tree.Root.Get(c.key).Span); got != c.want {
			t.Errorf("%s: got %q, want %q", c.key, got, c.want)
		}
	}
}

func TestBlockScalarStartsAtItsIndicator(t *testing.T) {
	f, tree, _ := parse("a: >-\n\n  text\n  more\nb: 1\n")
	if got, want := place(f, tree.Root.Get("a").Span), "1:4 >-\n\n  text\n  more"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// yaml.v3 counts U+0085, U+2028 and U+2029 as line ends; no editor shows them.
func TestEscapedLineSeparatorsMoveNoLine(t *testing.T) {
	f, tree, _ := parse("a: \"\\N\\L\\P\"\nb: 1\n")
	if got := place(f, tree.Root.Get("b").Span); got != "2:4 1" {
		t.Errorf("b is at %q", got)
	}
	if got := tree.Root.Get("a").Value; got != "\u0085\u2028\u2029" {
		t.Errorf("a is %q", got)
	}
}
