package yamltree

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDuplicateKeys(t *testing.T) {
	for _, c := range []struct {
		reason, text string
		want         []string // place, place of the first
	}{
		{"different keys", "a: 1\nb: {a: 1}\nA: 2\n", nil},
		{"the same key in two list items", "- a: 1\n- a: 1\n", nil},
		{"two equal keys", "a: 1\nb: 2\na: 3\n", []string{"3:1 a 1:1 a"}},
		{"three equal keys, reported once", "a: 1\na: 2\na: 3\n", []string{"2:1 a 1:1 a"}},
		{"equal as text", "1: a\n\"1\": b\n'1': c\n", []string{`2:1 "1" 1:1 1`}},
		{"not equal as text", "1: a\n01: b\n0x1: c\n1.0: d\n", nil},
		{"in a list item", "x:\n- {a: 1}\n- {a: 1, a: 2}\n", []string{"3:10 a 3:4 a"}},
		{"in a value", "x/y:\n  ~z:\n    a/b: 1\n    a/b: 2\n", []string{"4:5 a/b 3:5 a/b"}},
		{"around and inside", "a: {b: 1, b: 2}\na: 3\n", []string{"1:11 b 1:5 b", "2:1 a 1:1 a"}},
	} {
		f, tree, problems := parse(c.text)
		if tree == nil {
			t.Errorf("%s: repeated keys are no reason to have no tree", c.reason)
		}
		var got []string
		for _, p := range problems {
			got = append(got, fmt.Sprintf("%s %s", place(f, p.Span), place(f, p.Related[0].Span)))
			checkMessage(t, p)
			if p.Code != CodeDuplicateKey {
				t.Errorf("%s: code %s", c.reason, p.Code)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.reason, diff)
		}
	}
}

// yaml.v3 needs quadratic memory to report repeated keys itself: 20,000 of them
// are 120 KB of file and more than 10 GB of message.
func TestThousandsOfEqualKeys(t *testing.T) {
	for _, n := range []int{2, 17, 1000, 2000, 20000} {
		for _, text := range []string{
			strings.Repeat("k: v\n", n),
			"{" + strings.Repeat("k: v,", n) + "}",
		} {
			_, tree, problems := parse(text)
			if tree == nil || len(tree.Root.Entries) != n {
				t.Fatalf("%d keys: no tree of all", n)
			}
			if len(problems) != 1 || len(problems[0].Message) > 200 || len(problems[0].Related) != 1 {
				t.Fatalf("%d keys: %d problems, the first is %.300q", n, len(problems), problems[0].Message)
			}
			want := fmt.Sprintf(" %d times", n)
			if n == 2 {
				want = " twice"
			}
			if !strings.Contains(problems[0].Message, want) {
				t.Errorf("%d keys: the message does not say %q: %s", n, want, problems[0].Message)
			}
		}
	}
}

func TestManyRepeatedKeys(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		b.WriteString(strings.Repeat(fmt.Sprintf("k%d: 1\n", i), 2))
	}
	f, _, problems := parse(b.String())
	if last := problems[len(problems)-1]; len(problems) != maxRepeated || place(f, last.Span) != "40:1 k19" {
		t.Errorf("%d problems, the last is at %s", len(problems), place(f, last.Span))
	}
}
