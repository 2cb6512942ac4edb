package yamltree

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

func TestEncoding(t *testing.T) {
	for _, c := range []struct {
		reason, text string
		want         []string // "line:column bytes", then what the message has to say
	}{
		{"printable characters of all scripts", "a: é 中 😀 \u00A0\uE000\uFFFD", nil},
		{"a tab is for the reader of YAML to judge", "a: b\tc", nil},
		{"not UTF-8: Latin-1", "a: caf\xE9", []string{"1:7 \xE9", "0xE9", "UTF-8"}},
		{"not UTF-8: half a character at the end", "a: \xC3", []string{"1:4 \xC3", "0xC3"}},
		{"not UTF-8: a surrogate", "a: \xED\xA0\x80", []string{"1:4 \xED", "0xED", "2 other places"}},
		{"UTF-16, little-endian", "\xFF\xFEa\x00", []string{"1:1 \xFF\xFE", "UTF-16"}},
		{"UTF-16, big-endian", "\xFE\xFF\x00a", []string{"1:1 \xFE\xFF", "UTF-16"}},
		{"a byte order mark at the start", "\uFEFFa: 1", []string{"1:1 \uFEFF", "U+FEFF", "fix"}},
		{"a byte order mark later is part of a text", "a: 1\n\uFEFFb: 2", []string{"2:1 \uFEFF", "U+FEFF"}},
		{"NUL", "a: \x00", []string{"1:4 \x00", "U+0000"}},
		{"a control character, twice", "a: \x07\n\x07", []string{"1:4 \x07", "U+0007", "one other place"}},
		{"delete", "a: \x7F", []string{"1:4 \x7F", "U+007F"}},
		{"C1", "a: \u0080", []string{"1:4 \u0080", "U+0080"}},
		{"no characters at all", "a: \uFFFE", []string{"1:4 \uFFFE", "U+FFFE"}},
		{"a carriage return alone", "a: 1\rb: 2\r\n", []string{"1:5 \r", "U+000D", "line"}},
		{"next line", "a: 1\u0085b: 2", []string{"1:5 \u0085", "U+0085", "line"}},
		{"line separator", "a: 1\u2028b: 2", []string{"1:5 \u2028", "U+2028", "line"}},
		{"paragraph separator", "a: 1\u2029b: 2", []string{"1:5 \u2029", "U+2029", "line"}},
	} {
		f, tree, problems := parse(c.text)
		if c.want == nil {
			if tree == nil || len(problems) > 0 {
				t.Errorf("%s: %v", c.reason, problems)
			}
			continue
		}
		if tree != nil || len(problems) != 1 || problems[0].Code != CodeEncoding {
			t.Errorf("%s: tree %v, problems %v", c.reason, tree, problems)
			continue
		}
		checkWords(t, f, c.reason, problems[0], c.want)
	}
}

// checkWords holds that p is at the place that want starts with ("line:column
// text"), and that its message has the other words; "fix" wants a fix.
func checkWords(t *testing.T, f *source.File, reason string, p source.Problem, want []string) {
	t.Helper()
	if got := place(f, p.Span); got != want[0] {
		t.Errorf("%s: at %q, want %q", reason, got, want[0])
	}
	hasFix := false
	for _, word := range want[1:] {
		if word == "fix" {
			hasFix = true
		} else if !strings.Contains(p.Message, word) {
			t.Errorf("%s: the message does not say %q: %s", reason, word, p.Message)
		}
	}
	if hasFix != (p.Fix != nil) {
		t.Errorf("%s: fix %v, want one: %v", reason, p.Fix, hasFix)
	}
	checkMessage(t, p)
}

func TestEachKindOfCharacterIsReportedOnce(t *testing.T) {
	f, _, problems := parse(strings.Repeat("a: \x01\x02\uFEFF\xFF\n", 1000))
	var got []string
	for _, p := range problems {
		got = append(got, place(f, p.Span))
		if !strings.Contains(p.Message, "999 other places") {
			t.Errorf("no count in %q", p.Message)
		}
	}
	want := []string{"1:4 \x01", "1:5 \x02", "1:6 \uFEFF", "1:7 \xFF"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
}

func TestLineEndings(t *testing.T) {
	for _, c := range []struct {
		reason, text string
		want         []string
		fixed        string
	}{
		{"LF", "a: 1\nb: 2\n", nil, ""},
		{"one CRLF among LF", "a: 1\nb: 2\r\nc: 3\n", []string{"2:5 \r", "One line ends", "fix"}, "a: 1\nb: 2\nc: 3\n"},
		{"all CRLF, in texts as well", "a: |\r\n  x\r\n  y\r\n", []string{"1:5 \r", "3 lines end", "fix"}, "a: |\n  x\n  y\n"},
	} {
		f, tree, problems := parse(c.text)
		if tree == nil {
			t.Errorf("%s: CRLF must still give a tree", c.reason)
		}
		if c.want == nil {
			if len(problems) > 0 {
				t.Errorf("%s: %v", c.reason, problems)
			}
			continue
		}
		if len(problems) != 1 || problems[0].Code != CodeLineEndings {
			t.Errorf("%s: %v", c.reason, problems)
			continue
		}
		checkWords(t, f, c.reason, problems[0], c.want)
		fixed, err := source.Apply(f.Data, problems[0].Fix.Edits)
		if err != nil || string(fixed) != c.fixed {
			t.Errorf("%s: the fix makes %q (%v), want %q", c.reason, fixed, err, c.fixed)
		}
	}
}

func TestByteOrderMarkIsFixed(t *testing.T) {
	f, _, problems := parse("\uFEFFa: 1\n")
	fixed, err := source.Apply(f.Data, problems[0].Fix.Edits)
	if err != nil || string(fixed) != "a: 1\n" {
		t.Errorf("the fix makes %q (%v)", fixed, err)
	}
}

func TestTooLarge(t *testing.T) {
	for _, c := range []struct {
		reason string
		size   int
		want   bool
	}{
		{"the largest file that is read", MaxBytes, true},
		{"one byte more", MaxBytes + 1, false},
	} {
		_, tree, problems := parse(strings.Repeat("x", c.size))
		if (tree != nil) != c.want {
			t.Errorf("%s: tree %v", c.reason, tree != nil)
		}
		if c.want {
			continue
		}
		if len(problems) != 1 || problems[0].Code != CodeTooLarge {
			t.Fatalf("%s: %v", c.reason, problems)
		}
		for _, word := range []string{"262145", "262144", "256 KiB"} {
			if !strings.Contains(problems[0].Message, word) {
				t.Errorf("%s: the message does not say %s: %s", c.reason, word, problems[0].Message)
			}
		}
	}
}
