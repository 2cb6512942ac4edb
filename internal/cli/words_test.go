package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/cli/command"
)

// TestOtherWordsLeadToCommands: a word of another program leads to the command that does it, which
// there is.
func TestOtherWordsLeadToCommands(t *testing.T) {
	suggested := regexp.MustCompile(`Did you mean "rubric ([a-z -]+)"\?`)
	for word, want := range map[string]string{
		"check": "lint", "validate": "lint", "verify-rubric": "lint", "test": "lint", "show": "get", "view": "get", "ls": "list", "find": "search",
		"compare": "diff", "convert": "import", "create": "new", "setup": "init", "delete": "retire", "release": "build", "publish": "push",
		"download": "pull", "server": "serve", "docs": "site", "grade": "calibrate run", "eval": "rules evaluate", "agreement": "calibrate report",
		"linr": "lint", "Check": "lint", "fix": "lint --fix", "changelog": "diff --changelog", "bump": "diff --next-version", "withdraw": "yank --withdraw",
		"validate-rubric": "lint", "rubric-diff": "diff", "show_rubrics": "get", "verify-bundle": "verify", "get-library": "get",
		"report": "calibrate report", "normalize": "rules normalize", "annotate": "calibrate sheet", "calibrate judge": "calibrate run", "rules eval": "rules evaluate",
	} {
		code, text := runWords(strings.Fields(word)...)
		m := suggested.FindStringSubmatch(text)
		if code != command.ExitFailure || m == nil || m[1] != want {
			t.Errorf("%s: exit code %d, want a suggestion of %s:\n%s", word, code, want, text)
			continue
		}
		if code, text := runWords(append(strings.Fields(m[1]), "--help")...); code != command.ExitOK {
			t.Errorf("rubric %s --help exits with %d:\n%s", m[1], code, text)
		}
	}
	for _, word := range []string{"install-hook", "calibrate install", "rubrics", "poem", "rubric-"} {
		if _, text := runWords(strings.Fields(word)...); suggested.MatchString(text) {
			t.Errorf("%s leads elsewhere:\n%s", word, text)
		}
	}
}

// TestOtherFlagsLeadToFlags: so does a flag of another program, where the command has the one that is
// meant.
func TestOtherFlagsLeadToFlags(t *testing.T) {
	for call, want := range map[string]string{
		"list --json": "--format json", "lint --json": "--format json", "serve . --port 80": "--listen HOST:PORT", "build --out x": "--output",
		"export a_v1 --format promptfoo": "--to", "search a --type prd": "--artifact-type", "verify x.zip --sha256 0": "--digest", "lint --fail-levl error": "--fail-level",
		"serve --json": "", "init --port 80": "",
	} {
		code, text := runWords(strings.Fields(call)...)
		if _, meant, _ := strings.Cut(text, "Did you mean "); code != command.ExitFailure || (want == "") != (meant == "") || !strings.HasPrefix(meant, want) {
			t.Errorf("%s: exit code %d, want %q:\n%s", call, code, want, text)
		}
	}
}
