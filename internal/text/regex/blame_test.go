package regex

import (
	"errors"
	"regexp/syntax"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/pkg/rubric"
)

func TestBlameFindsThePlace(t *testing.T) {
	tests := []struct {
		reason, expr string
		at, length   int
	}{
		{"a bracket that is never closed", `a(b`, 1, 1},
		{"of two, the one that is never closed", `(a)(b`, 3, 1},
		{"a bracket that was never opened", `a)b`, 1, 1},
		{"a bracket in a class does not count", `[(]a)`, 4, 1},
		{"an escaped bracket does not count", `\(a)`, 3, 1},
		{"a sign with nothing before it", `*a`, 0, 1},
		{"a sign after a bar", `a|*b`, 2, 1},
		{"a sign after a colon has something before it", `a:* (*b)`, 5, 1},
		{"a sign in a class has nothing to do with it", `[(*] |*`, 6, 1},
		{"a sign after the beginning of a group", `(?:*a)`, 3, 1},
		{"an escape that is not available", `\\8 \8`, 4, 2},
		{"a class that is never closed", `a[b`, 1, 2},
		{"look-ahead", `a(?=b)`, 1, 3},
	}
	for _, tt := range tests {
		_, err := syntax.Parse(tt.expr, syntax.Perl)
		var e *syntax.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %s is valid", tt.reason, tt.expr)
			continue
		}
		if at, length := Blame(tt.expr, e); at != tt.at || length != tt.length {
			t.Errorf("%s: %s is wrong at %d, %d long, want %d, %d", tt.reason, tt.expr, at, length, tt.at, tt.length)
		}
	}
}

func TestBlameStaysInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		expr := rapid.StringOf(rapid.SampledFrom([]rune(`a(?:|)*+[]^\\{1,}P<n>é`))).Draw(t, "expression")
		_, err := syntax.Parse(expr, syntax.Perl)
		var e *syntax.Error
		if !errors.As(err, &e) {
			return
		}
		if at, length := Blame(expr, e); at < 0 || at+length > len(expr) {
			t.Fatalf("%q is blamed at %d, %d long", expr, at, length)
		}
	})
}

// TestPatternCaseIsWhatTheModelRefuses holds that the lint rule and package
// rubric agree on which patterns may ignore case.
func TestPatternCaseIsWhatTheModelRefuses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		expr := rapid.StringOf(rapid.SampledFrom([]rune(`a\xpP07389{}.é`))).Draw(t, "expression")
		if _, err := syntax.Parse(expr, syntax.Perl); err != nil || expr == "" {
			return
		}
		r := rubric.Rubric{NegativeCriteria: []rubric.NegativeCriterion{{Name: "n", FailPatterns: []string{expr}, IgnoreCase: true}}}
		_, err := r.Matcher()
		if _, length := FirstBeyondASCII(expr); (length > 0) != (err != nil) {
			t.Fatalf("%q: the lint rule finds something: %t, the model says %v", expr, length > 0, err)
		}
	})
}
