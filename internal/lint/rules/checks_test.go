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
	failWarn := [2]string{"fail", "warn"}
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
