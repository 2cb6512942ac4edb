package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/lint"
)

func TestShellCheck(t *testing.T) {
	const path = lint.Root + "/api/api_v1.yaml"
	for _, tt := range []struct {
		reason, command string
		want            []string
	}{
		{"a program", `["go", "test", "./..."]`, []string{}},
		{"a program whose argument is the name of a shell", `["grep", "bash", "README.md"]`, []string{}},
		{"a shell", `["sh", "-c", "wc -l < artifact.md"]`, []string{path + ":14 shell-check"}},
		{"a shell by its path", `["/bin/bash", "test.sh"]`, []string{path + ":14 shell-check"}},
		{"a shell of Windows, by its path and in capitals", `['C:\Windows\System32\CMD.EXE', "/c", "dir"]`, []string{path + ":14 shell-check"}},
		{"a shell that env finds", `["/usr/bin/env", "bash", "test.sh"]`, []string{path + ":14 shell-check"}},
	} {
		text := strings.Replace(twoRules, "    check: Look for fact 0.\n",
			"    check: Look for fact 0.\n    checks:\n      - type: executable\n        command: "+tt.command+"\n", 1)
		if diff := cmp.Diff(tt.want, linttest.Brief(linttest.Run(t, linttest.Library(map[string]string{path: text}), linttest.Only(All(), "shell-check"), lint.Options{}).Findings)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

// withChecks gives each of the two rules, fail and warn or as it says, its content
// checks. Line 13 of the document is the first check of the first rule.
func withChecks(severities [2]string, checks [2][]string) string {
	text := ruleSetOf("a.correctness.one "+severities[0]+" -", "b.style.two "+severities[1]+" -")
	for i, list := range checks {
		if len(list) == 0 {
			continue
		}
		line := fmt.Sprintf("    check: Look for fact %d.\n", i)
		text = strings.Replace(text, line, line+"    checks:\n      - {type: content, "+strings.Join(list, "}\n      - {type: content, ")+"}\n", 1)
	}
	return text
}

func TestCountsOfContentChecks(t *testing.T) {
	const path = lint.Root + "/api/api_v1.yaml"
	failWarn, failFail := [2]string{"fail", "warn"}, [2]string{"fail", "fail"}
	one := func(checks ...string) [2][]string { return [2][]string{checks, nil} }
	each := func(first, second string) [2][]string { return [2][]string{{first}, {second}} }
	tests := []struct {
		reason     string
		severities [2]string
		checks     [2][]string
		want       []string // findings by line
	}{
		{"no counts", failWarn, one("pattern: x"), nil},
		{"a least number", failWarn, one("pattern: x, min_count: 2"), nil},
		{"at most some, maybe none", failWarn, one("pattern: x, min_count: 0, max_count: 3"), nil},
		{"exactly two", failWarn, one("pattern: x, min_count: 2, max_count: 2"), nil},
		{"none, said by counts", failWarn, one("pattern: x, min_count: 0, max_count: 0"), nil},
		{"none, said twice", failWarn, one("pattern: x, expect: absent, min_count: 0, max_count: 0"), nil},

		{"a match is needed and none is allowed", failWarn, one("pattern: x, max_count: 0"), []string{"13 check-never-passes"}},
		{"more are needed than allowed", failWarn, one("literal: x, min_count: 3, max_count: 2"), []string{"13 check-never-passes"}},
		{"the same in an info rule", [2]string{"info", "warn"}, each("pattern: x, max_count: 0", "pattern: z"), []string{"13 check-never-passes"}},
		{"any number is enough", failWarn, one("pattern: x, min_count: 0"), []string{"13 check-never-fails"}},

		{"there and not there", failWarn, one("pattern: x", "pattern: x, expect: absent"), []string{"14 check-never-passes"}},
		{"few and many", failWarn, one("literal: x, max_count: 2", "literal: x, min_count: 3"), []string{"14 check-never-passes"}},
		{"ranges that meet in one number", failWarn, one("pattern: x, max_count: 2", "pattern: x, min_count: 2"), nil},
		{"the third contradicts the first", failWarn, one("pattern: x, max_count: 2", "pattern: x, max_count: 5", "pattern: x, min_count: 4"), []string{"15 check-never-passes"}},
		{"the third contradicts the second", failWarn, one("pattern: x", "pattern: x, min_count: 4", "pattern: x, max_count: 3"), []string{"15 check-never-passes"}},
		{"what can't pass alone is not also compared", failWarn, one("pattern: x, max_count: 0", "pattern: x, min_count: 4"), []string{"13 check-never-passes"}},
		{"another text", failWarn, one("pattern: x", "pattern: z, expect: absent"), nil},
		{"a pattern and a literal", failWarn, one("pattern: x-", "literal: x-, expect: absent"), nil},
		{"another case", failWarn, one("pattern: x, ignore_case: true", "pattern: x, expect: absent"), nil},
		{"other lines", failWarn, one("pattern: ^x, multiline: true", "pattern: ^x, expect: absent"), nil},
		{"lines mean nothing to a literal", failWarn, one("literal: x, multiline: true", "literal: x, expect: absent"), []string{"14 check-never-passes"}},

		{"two fail rules that contradict each other", failFail, each("pattern: x", "pattern: x, expect: absent"), []string{"19 check-never-passes"}},
		{"a fail and a warn rule: the score is lower, and nothing is blocked", failWarn, each("pattern: x", "pattern: x, expect: absent"), nil},
	}
	for _, tt := range tests {
		want := []string{}
		for _, w := range tt.want {
			want = append(want, path+":"+w)
		}
		text := withChecks(tt.severities, tt.checks)
		if diff := cmp.Diff(want, linttest.Brief(linttest.Run(t, linttest.Library(map[string]string{path: text}), linttest.Only(All(), "check-never-passes", "check-never-fails"), lint.Options{}).Findings)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}
