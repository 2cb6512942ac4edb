package evaluate

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

func TestContentChecks(t *testing.T) {
	const pass, fail, skipped = ruleset.VerdictPass, ruleset.VerdictFail, ruleset.VerdictSkipped
	tests := []struct {
		why    string
		check  ruleset.Check
		text   string
		want   ruleset.Verdict
		count  int
		reason string
	}{
		{"present is the default", ruleset.Check{Literal: "a"}, "bab", pass, 1, "1 match"},
		{"and can be named", ruleset.Check{Literal: "a", Expect: "present"}, "aa", pass, 2, "2 matches"},
		{"one match is needed", ruleset.Check{Literal: "a"}, "b", fail, 0, "no matches, expected at least 1"},
		{"at least", ruleset.Check{Literal: "a", MinCount: new(2)}, "a", fail, 1, "1 match, expected at least 2"},
		{"at most, and one", ruleset.Check{Literal: "a", MaxCount: new(2)}, "aaa", fail, 3, "3 matches, expected 1 to 2"},
		{"a limit needs a match", ruleset.Check{Literal: "a", MaxCount: new(2)}, "", fail, 0, "no matches, expected 1 to 2"},
		{"unless it says otherwise", ruleset.Check{Literal: "a", MinCount: new(0), MaxCount: new(2)}, "", pass, 0, "no matches"},
		{"at most, or none", ruleset.Check{Literal: "a", MinCount: new(0), MaxCount: new(2)}, "aaa", fail, 3, "3 matches, expected 0 to 2"},
		{"exactly", ruleset.Check{Literal: "a", MinCount: new(2), MaxCount: new(2)}, "aaa", fail, 3, "3 matches, expected exactly 2"},
		{"exactly none", ruleset.Check{Literal: "a", MinCount: new(0), MaxCount: new(0)}, "a", fail, 1, "1 match, expected exactly 0"},
		{"what can't pass fails", ruleset.Check{Literal: "a", MaxCount: new(0)}, "", fail, 0, "no matches, expected 1 to 0"},
		{"what can't fail passes", ruleset.Check{Literal: "a", MinCount: new(0)}, "", pass, 0, "no matches"},
		{"absent", ruleset.Check{Literal: "a", Expect: "absent"}, "b", pass, 0, "no matches"},
		{"not absent", ruleset.Check{Literal: "a", Expect: "absent"}, "a", fail, 1, "1 match, expected none"},
		{"absent has no counts", ruleset.Check{Literal: "a", Expect: "absent", MinCount: new(1), MaxCount: new(3)}, "a", fail, 1, "1 match, expected none"},

		{"matches do not overlap", ruleset.Check{Literal: "aa"}, "aaaaa", pass, 2, "2 matches"},
		{"nor those of a pattern", ruleset.Check{Pattern: "a."}, "aaaaa", pass, 2, "2 matches"},
		{"a literal is not a pattern", ruleset.Check{Literal: "a.c"}, "abc", fail, 0, "no matches, expected at least 1"},
		{"^ is the beginning of the text", ruleset.Check{Pattern: "^b"}, "a\nb", fail, 0, "no matches, expected at least 1"},
		{"or of a line", ruleset.Check{Pattern: "^b$", Multiline: true}, "a\r\nb\r\nb", pass, 2, "2 matches"},
		{"case counts", ruleset.Check{Pattern: "get"}, "GET", fail, 0, "no matches, expected at least 1"},
		{"or not", ruleset.Check{Pattern: "^get", IgnoreCase: true, Multiline: true}, "x\nGet", pass, 1, "1 match"},
		{"the long s is not an s", ruleset.Check{Pattern: "[s]", IgnoreCase: true}, "sS\u017F", pass, 2, "2 matches"},
		{"nor in a literal", ruleset.Check{Literal: "s", IgnoreCase: true}, "sS\u017F", pass, 2, "2 matches"},
		{"the Kelvin sign is a K, because the text is normalized", ruleset.Check{Literal: "k", IgnoreCase: true}, "\u212A", pass, 1, "1 match"},
		{"other letters have one case", ruleset.Check{Literal: "SPÄTER", IgnoreCase: true}, "später SpÄter", pass, 1, "1 match"},
		{"the text is normalized", ruleset.Check{Pattern: "^é\n$"}, "e\u0301\r", pass, 1, "1 match"},
		{"and the literal", ruleset.Check{Literal: "e\u0301\r\n"}, "é\n", pass, 1, "1 match"},

		{"an invalid pattern", ruleset.Check{Pattern: "(as"}, "(as", skipped, 0, "the pattern is not valid: missing closing )"},
		{"a pattern that would close our flags", ruleset.Check{Pattern: "a)(b", Multiline: true}, "", skipped, 0, "the pattern is not valid: unexpected )"},
		{"a pattern that is too large", ruleset.Check{Pattern: "(a{1000}){1000}"}, "", skipped, 0, "the pattern is not valid: invalid repeat count"},
		{"a pattern of no characters", ruleset.Check{Pattern: "\xFF"}, "", skipped, 0, "the pattern is not valid: invalid UTF-8"},
		{"letters whose case programs disagree on", ruleset.Check{Pattern: "ä", IgnoreCase: true}, "ä", skipped, 0,
			`the pattern is not valid: with ignore_case it may name ASCII characters only (no \p, and no character by number but \x00 to \x7F)`},
		{"nothing to search", ruleset.Check{}, "", skipped, 0, "the check has neither a pattern nor a literal"},
		{"an artifact that is not text", ruleset.Check{Literal: "a", Expect: "absent"}, "\xFF", skipped, 0, "the artifact is not UTF-8. Convert it first"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			tt.check.Type = ruleset.CheckContent
			got := mustCheck(t, tt.check, newArtifact("artifact.md", []byte(tt.text)), Options{})
			got.Places, got.Check = nil, ruleset.Check{} // tested below
			want := CheckResult{Verdict: tt.want, Reason: tt.reason}
			if tt.want != skipped {
				want.Count = &tt.count
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestPlaces(t *testing.T) {
	long := strings.Repeat("é", 100)
	tests := []struct {
		why, pattern, text string
		want               []Place
	}{
		{"characters are counted, in the normalized text", "x", "a\r\ne\u0301x漢x", []Place{{"", 2, 2, "éx漢x"}, {"", 2, 4, "éx漢x"}}},
		{"a match over lines shows its first one", "(?s)b.*d", "ab\ncd", []Place{{"", 1, 2, "ab"}}},
		{"a match of nothing at the end", "$", "a\n", []Place{{"", 2, 1, ""}}},
		{"a line that fits is whole", "x", strings.Repeat("-", 119) + "x", []Place{{"", 1, 120, strings.Repeat("-", 119) + "x"}}},
		{"a long line is cut on both sides", "x", long + "x" + long, []Place{{"", 1, 101, "…" + long[:80] + "x" + long[:158] + "…"}}},
		{"at the end of a long line there is room before", "x", long + long + "x", []Place{{"", 1, 201, "…" + (long + long)[:238] + "x"}}},
		{"at its beginning there is room behind", "x", "x" + long + long, []Place{{"", 1, 1, "x" + (long + long)[:238] + "…"}}},
		{"a long match is cut", "é+", "x" + long + long, []Place{{"", 1, 2, "x" + (long + long)[:238] + "…"}}},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			c := ruleset.Check{Type: ruleset.CheckContent, Pattern: tt.pattern}
			got := mustCheck(t, c, newArtifact("artifact.md", []byte(tt.text)), Options{})
			if diff := cmp.Diff(tt.want, got.Places); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, p := range got.Places {
				if n := utf8.RuneCountInString(p.Excerpt); n > excerptLength+2 {
					t.Errorf("the excerpt %q has %d characters", p.Excerpt, n)
				}
			}
		})
	}
}

func TestAllMatchesCountAndFewAreKept(t *testing.T) {
	a := newArtifact("artifact.md", []byte(strings.Repeat("ab\n", 100_000)))
	for _, c := range []ruleset.Check{{Literal: "b"}, {Pattern: "[b]"}, {Pattern: "B", IgnoreCase: true}} {
		c.Type = ruleset.CheckContent
		got := mustCheck(t, c, a, Options{})
		want := []Place{{"", 1, 2, "ab"}, {"", 2, 2, "ab"}, {"", 3, 2, "ab"}, {"", 4, 2, "ab"}, {"", 5, 2, "ab"}}
		if diff := cmp.Diff(want, got.Places); diff != "" || *got.Count != 100_000 || !got.Truncated {
			t.Errorf("%+v: %d matches, truncated %v, places (-want +got):\n%s", c, *got.Count, got.Truncated, diff)
		}
	}
}

// countdown is a context that is canceled when it was asked so many times.
type countdown struct {
	context.Context
	cancel context.CancelCauseFunc
	left   int
}

var errInterrupt = errors.New("interrupted")

func (c *countdown) Err() error {
	if c.left--; c.left == 0 {
		c.cancel(errInterrupt)
	}
	return c.Context.Err()
}

// Each match of this pattern looks through all of the text, so that all of them
// together would take hours.
func TestInterruptEndsALongSearch(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	a := newArtifact("artifact.md", []byte(strings.Repeat("a", 1<<20)))
	c := ruleset.Check{Type: ruleset.CheckContent, Pattern: "a.*b|a"}
	result, err := Check(&countdown{ctx, cancel, 3}, c, a, Options{})
	if diff := cmp.Diff(CheckResult{}, result); diff != "" || !errors.Is(err, errInterrupt) {
		t.Errorf("error %v, result (-want +got):\n%s", err, diff)
	}
}

// The reference for patterns is a rubric's matcher where case is ignored and
// package regexp otherwise; the one for literals is package regexp.
func FuzzContentCheck(f *testing.F) {
	f.Add("a|b", "ab\nAB", false, true)
	f.Add("s*", "\u017Fs\u212A e\u0301\r\n", true, false)
	f.Add("^$", "\n\n\n\n\n\n\n", true, true)
	f.Add(`\b`, "a b c d e f g h", false, false)
	f.Add("(", "((", true, true)
	f.Add("aa", "aaaaaaaaaaaaaaaaaaaaaaaaaaa", true, false)
	f.Fuzz(func(t *testing.T, expr, text string, ignoreCase, multiline bool) {
		a := newArtifact("artifact.md", []byte(text))
		c := ruleset.Check{Type: ruleset.CheckContent, Pattern: expr, IgnoreCase: ignoreCase, Multiline: multiline}
		checkSearch(t, c, a, patternReference(expr, ignoreCase, multiline))

		c = ruleset.Check{Type: ruleset.CheckContent, Literal: expr, IgnoreCase: ignoreCase, Multiline: multiline}
		checkSearch(t, c, a, literalReference(expr, ignoreCase))
	})
}

// checkSearch compares a check with how often a reference finds it in a text; a
// reference that is nil can't search it.
func checkSearch(t *testing.T, c ruleset.Check, a *Artifact, reference func(text string) int) {
	t.Helper()
	got := mustCheck(t, c, a, Options{})
	if (got.Verdict == ruleset.VerdictSkipped) != (reference == nil || !a.files[0].isText) {
		t.Fatalf("%+v came out as %s: %s", c, got.Verdict, got.Reason)
	}
	if got.Verdict == ruleset.VerdictSkipped {
		return
	}
	if want := reference(a.files[0].text); *got.Count != want {
		t.Fatalf("%d matches of %+v in %q, want %d", *got.Count, c, a.files[0].text, want)
	}
	if len(got.Places) != min(*got.Count, maxPlaces) || got.Truncated != (*got.Count > maxPlaces) {
		t.Fatalf("%d places of %d matches, truncated %v", len(got.Places), *got.Count, got.Truncated)
	}
	lines := strings.Split(a.files[0].text, "\n")
	var before Place
	for _, p := range got.Places {
		if p.Line < 1 || p.Line > len(lines) || p.Column < 1 || p.Column > 1+utf8.RuneCountInString(lines[p.Line-1]) {
			t.Fatalf("%+v is outside the text %q", p, a.files[0].text)
		}
		if p.Line < before.Line || p.Line == before.Line && p.Column <= before.Column {
			t.Fatalf("%+v comes after %+v", p, before)
		}
		if !strings.Contains(lines[p.Line-1], strings.Trim(p.Excerpt, "…")) {
			t.Fatalf("%+v does not match the line %q", p, lines[p.Line-1])
		}
		before = p
	}
}

func patternReference(expr string, ignoreCase, multiline bool) func(string) int {
	if expr == "" {
		return nil
	}
	if multiline {
		expr = "(?m)" + expr
	}
	if !ignoreCase {
		return expressionReference(expr)
	}
	n := rubric.NegativeCriterion{Name: "n", FailPatterns: []string{expr}, IgnoreCase: true}
	m, err := (&rubric.Rubric{NegativeCriteria: []rubric.NegativeCriterion{n}}).Matcher()
	if err != nil {
		return nil
	}
	return func(text string) int {
		hits, _ := m.Hits(text)
		return len(hits)
	}
}

// literalReference tells letters apart by classes, because the flag i folds more
// than ASCII.
func literalReference(literal string, ignoreCase bool) func(string) int {
	if literal == "" || !utf8.ValidString(literal) {
		return nil
	}
	expr := regexp.QuoteMeta(rubric.Normalize(literal))
	if ignoreCase {
		expr = regexp.MustCompile(`[A-Za-z]`).ReplaceAllStringFunc(expr, func(letter string) string {
			return "[" + strings.ToLower(letter) + strings.ToUpper(letter) + "]"
		})
	}
	return expressionReference(expr)
}

func expressionReference(expr string) func(string) int {
	expression, err := regexp.Compile(expr)
	if err != nil {
		return nil
	}
	return func(text string) int { return len(expression.FindAllStringIndex(text, -1)) }
}

// What people write in a literal and as a pattern is the same for ASCII text.
func TestLiteralIgnoresCaseAsPatternsDo(t *testing.T) {
	for _, literal := range []string{"etc.", "[K]", "s+", "GET /a_b"} {
		text := strings.Repeat(strings.ToUpper(literal)+" "+strings.ToLower(literal)+literal, 3)
		want := len(regexp.MustCompile("(?i)"+regexp.QuoteMeta(literal)).FindAllString(text, -1))
		c := ruleset.Check{Type: ruleset.CheckContent, Literal: literal, IgnoreCase: true}
		if got := mustCheck(t, c, newArtifact("artifact.md", []byte(text)), Options{}); *got.Count != want {
			t.Errorf("%d matches of %q in %q, want %d", *got.Count, literal, text, want)
		}
	}
}

// A pattern can take quadratic time over all its matches.
func TestASearchHasATimeLimit(t *testing.T) {
	a := newArtifact("artifact.md", []byte(strings.Repeat("a", 1000)))
	c := ruleset.Check{Type: ruleset.CheckContent, Pattern: "(?s)a.*?b|a"}
	got := must.Get(Check(t.Context(), c, a, Options{TimeLimit: time.Nanosecond}))(t)
	want := CheckResult{Check: c, Verdict: ruleset.VerdictSkipped, Reason: "the search did not finish within 1ns"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
