package lint

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestChangedLines(t *testing.T) {
	large := strings.Repeat("a line\n", maxCompared/7+1)
	for _, tt := range []struct {
		reason, before, now string
		want                []int // the lines that are touched; 0 is the file
	}{
		{"nothing changed", "a\nb\n", "a\nb\n", nil},
		{"a line is another one", "a\nb\nc\n", "a\nx\nc\n", []int{0, 2}},
		{"a line came at the end", "a\n", "a\nb\n", []int{0, 2}},
		{"a line came first", "b\n", "a\nb\n", []int{0, 1}},
		{"where a line is gone those around it are looked at", "a\nb\nc\nd\n", "a\nc\nd\n", []int{0, 1, 2}},
		{"the last line is gone", "a\nb\nc\n", "a\nb\n", []int{0, 2}},
		{"the first line is gone", "a\nb\nc\n", "b\nc\n", []int{0, 1}},
		{"the line end at the end is gone", "a\nb\n", "a\nb", []int{0, 2}},
		{"all is gone", "a\nb\n", "", []int{0}},
		{"nothing was in it", "", "a\nb\n", []int{0, 1, 2}},
		{"lines that look like a diff", "@@ -1 +9 @@\n+x\n", "@@ -1 +9 @@\n-y\n", []int{0, 2}},
		{"two places far apart", "a\n1\n2\n3\n4\n5\n6\n7\n8\nb\n", "x\n1\n2\n3\n4\n5\n6\n7\n8\ny\n", []int{0, 1, 10}},
		{"too large to be compared by lines", "a\n" + large, "b\n" + large, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
		{"too large, and the same as far as it is looked at", large + "a\n", large + "a\n", nil},
	} {
		c := changedSince([]byte(tt.before), []byte(tt.now))
		var got []int
		for n := range 12 {
			if c.touch(n, n) {
				got = append(got, n)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: the lines %v are touched, want %v", tt.reason, got, tt.want)
		}
	}
	if c := changedSince(nil, []byte("a\n")); !c.touch(1, 1) || !c.touch(0, 0) {
		t.Error("a new file is not touched")
	}
	if c := changedSince([]byte("a\nb\nc\n"), []byte("a\nb\nx\n")); !c.touch(1, 3) || c.touch(1, 2) {
		t.Error("a place of several lines is not touched by the last one, or by the one after it")
	}
}

// TestWhatStayedIsNotChanged holds that the lines that are not touched are, in
// their order, lines of the content before; and that after two bases are put
// together only what differs from both is left.
func TestWhatStayedIsNotChanged(t *testing.T) {
	text := rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "", "- x", "+ y", "@@ -1,1 +7,7 @@"}), 0, 12), func(lines []string) string {
		return strings.Join(lines, "\n")
	})
	rapid.Check(t, func(t *rapid.T) {
		before, other, now := text.Draw(t, "before"), text.Draw(t, "other"), text.Draw(t, "now")
		one, two := changedSince([]byte(before), []byte(now)), changedSince([]byte(other), []byte(now))
		both := one.and(two)
		left := strings.SplitAfter(before, "\n")
		for i, line := range strings.SplitAfter(now, "\n") {
			n := i + 1
			if line == "" {
				continue
			}
			if got, want := both.touch(n, n), one.touch(n, n) && two.touch(n, n); got != want {
				t.Fatalf("line %d is touched by both: %t, want %t", n, got, want)
			}
			if one.touch(n, n) {
				continue
			}
			at := slices.Index(left, line)
			if at < 0 {
				t.Fatalf("line %d, %q, is in no earlier content but counts as unchanged", n, line)
			}
			left = left[at+1:]
		}
	})
}

// TestLinesAreNotInventedByMarks holds that a place outside the file is never
// touched unless all of it is.
func TestLinesAreNotInventedByMarks(t *testing.T) {
	c := changedSince([]byte("a\n"), []byte("b\n"))
	for _, n := range []int{3, 4, 1 << 30} {
		if c.touch(n, n) {
			t.Errorf("line %d of a file of one line is touched", n)
		}
	}
}
