package rules

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// withKeys is the good rubric with other patterns in its negative criterion: the
// keys from fail_patterns on.
func withKeys(t *testing.T, keys string) string {
	return linttest.Changed(t, `fail_patterns: ['\bTBD\b']`, keys)
}

// ofLanguages are the rules about what is not the same in every language.
func ofLanguages() []*lint.Rule {
	return linttest.Only(All(), "pattern-clients", "pattern-python", "pattern-javascript", "pattern-differs", "pattern-rare-characters")
}

func TestEnginesThatDoNotCountAreNotHeard(t *testing.T) {
	tests := []struct {
		engines string
		want    []string
	}{
		{"", []string{"pattern-python", "pattern-javascript", "pattern-differs", "pattern-rare-characters"}},
		{"engines: [go, python, javascript]\n", []string{"pattern-python", "pattern-javascript", "pattern-differs", "pattern-rare-characters"}},
		{"engines: [go, python]\n", []string{"pattern-python", "pattern-differs", "pattern-rare-characters"}},
		{"engines: [go, javascript]\n", []string{"pattern-javascript", "pattern-rare-characters"}},
		{"engines: [go]\n", nil},
	}
	const clients = "pattern-clients" // which read every bundle
	const patterns = `fail_patterns: ['\pL', '(?<n>a)', 'b\_c', 'd$', 'e\sf']`
	for _, tt := range tests {
		config := must.Get(lint.ParseConfig(source.NewFile(lint.ConfigFile, []byte(tt.engines)), ofLanguages()))(t)
		var got []string
		for _, f := range linttest.Run(t, linttest.Library(map[string]string{linttest.GoodPath: withKeys(t, patterns)}), ofLanguages(), lint.Options{Config: config}).Findings {
			got = append(got, f.Rule.ID)
		}
		if diff := cmp.Diff(append([]string{clients}, tt.want...), got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.engines, diff)
		}
	}
}

func TestPortableFixes(t *testing.T) {
	tests := []struct {
		reason, before, after string // after is "" where there is no fix
	}{
		{"in single quotes", `fail_patterns: ['say\"']`, `fail_patterns: ['say"']`},
		{"a quote in single quotes", `fail_patterns: ['it\''s']`, `fail_patterns: ['it''s']`},
		{"in double quotes", `fail_patterns: ["a\\_\\\"\\a"]`, `fail_patterns: ["a_\"\\x07"]`},
		{"a backslash in double quotes", `fail_patterns: ["a]"]`, `fail_patterns: ["a\\]"]`},
		{"without quotes it gets some", `fail_patterns: [a\-b]`, `fail_patterns: ['a-b']`},
		{"several in one", `fail_patterns: ['{{x}}']`, `fail_patterns: ['\{\{x\}\}']`},
		{"several without quotes", "fail_patterns:\n      - (?P<n>a)\\-\\_", "fail_patterns:\n      - '(a)-_'"},
		{"in a block nothing is changed", "fail_patterns:\n      - |-\n        a\\-b", ""},
		{"nor in a text of several lines", "fail_patterns:\n      - 'a\n        \\-b'", ""},
		{"what finds less or more is left alone", `fail_patterns: ['a$', 'b\z', '\pL', 'c\sd', 'e.f']`, ""},
		{"a flag becomes a key", `fail_patterns: ['(?i)a']`, "ignore_case: true\n    fail_patterns: ['a']"},
		{"of all patterns", `fail_patterns: ['(?i)a', "(?i)b"]`, "ignore_case: true\n    fail_patterns: ['a', \"b\"]"},
		{"but not of some", `fail_patterns: ['(?i)a', 'b']`, ""},
		{"nor where there is another flag", `fail_patterns: ['(?i)a(?s:b)']`, ""},
		{"nor beyond ASCII", `fail_patterns: ['(?i)später']`, ""},
		{"nor where nothing is left", `fail_patterns: ['(?i)']`, ""},
		{"a key that says so already stays", "fail_patterns: ['(?i)a']\n    ignore_case: true", "fail_patterns: ['a']\n    ignore_case: true"},
		{"a key that says otherwise is changed", "fail_patterns: ['(?i)a']\n    ignore_case: false", "fail_patterns: ['a']\n    ignore_case: true"},
		{"lines have no key here", `fail_patterns: ['(?m)^a']`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			files := linttest.Library(map[string]string{linttest.GoodPath: withKeys(t, tt.before)})
			for range 4 { // the rounds of the command
				report := linttest.Run(t, files, ofLanguages(), lint.Options{})
				_, files = linttest.ApplyFixes(t, files, report)
			}
			want := withKeys(t, tt.before)
			if tt.after != "" {
				want = withKeys(t, tt.after)
			}
			if diff := cmp.Diff(want, string(files[linttest.GoodPath].Data)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestPlacesInAnyQuoting finds one construct however the pattern is written.
func TestPlacesInAnyQuoting(t *testing.T) {
	tests := []struct {
		reason, keys string
		want         string // the place and its text
	}{
		{"without quotes", `fail_patterns: [ab\-c]`, `\-`},
		{"in single quotes", `fail_patterns: ['it''s\-c']`, `\-`},
		{"in double quotes, with its escape", `fail_patterns: ["it\"s\\-c"]`, `\\-`},
		{"as a number in double quotes", `fail_patterns: ["ab\x5C-c"]`, `\x5C-`},
		{"in a block", "fail_patterns:\n      - |-\n        ab\\-c", `\-`},
		{"in a folded block", "fail_patterns:\n      - >-\n        ab\n        c\\-d", `\-`},
		{"on the second line of a quoted text", "fail_patterns:\n      - 'ab\n         c\\-d'", `\-`},
		{"behind characters of several bytes", `fail_patterns: ['äöü😀\-']`, `\-`},
	}
	for _, tt := range tests {
		text := withKeys(t, tt.keys)
		f := source.NewFile(linttest.GoodPath, []byte(text))
		at := strings.LastIndex(text, tt.want)
		want := fmt.Sprint(f.Position(at), f.Position(at+len(tt.want)))
		report := linttest.Run(t, fstest.MapFS{linttest.GoodPath: {Data: []byte(text)}}, linttest.Only(All(), "pattern-javascript"), lint.Options{})
		var got string
		for _, finding := range report.Findings {
			got = fmt.Sprint(finding.Start, finding.End)
		}
		if got != want {
			t.Errorf("%s: found at %s, want %s", tt.reason, got, want)
		}
	}
}
