package ci_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestRunReportsWhatIsMissing runs the first steps of .ci/run where no Go is installed, so
// that it ends before the long ones: without a program, and without the npm registry.
func TestRunReportsWhatIsMissing(t *testing.T) {
	weekly(t)
	needs(t, "bash", "curl", "git", "jq", "node", "npm", "pip3", "python3", "unzip", "chromium", "shellcheck", "systemd-analyze")
	reads(t, ".ci/run")
	all := []string{"git", "curl", "jq", "node", "npm", "pip3", "python3", "unzip", "chromium", "shellcheck", "systemd-analyze"}
	for _, test := range []struct {
		name, args string
		programs   []string
		code       int
		says, not  string
	}{
		{"an unknown argument", "--fast", all, 2, "usage: .ci/run [--strict]", "=="},
		{"an argument too many", "--strict --strict", all, 2, "usage: .ci/run [--strict]", "=="},
		{"a program that is missing", "", all[1:], 127, "== gofmt", ""},
		{"a program that is missing, strictly", "--strict", all[1:], 1, "not installed: git", "a YAML language server"},
		{"no network", "", all, 127, "tests of the editor skip", ""},
		{"no network, strictly", "--strict", all, 1, "npm install yaml-language-server@1.25.0 failed", "== axe-core"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			tools := toolbox(t, append(test.programs, "cksum", "cp", "dirname", "id")...)
			cmd := exec.Command("bash", append([]string{".ci/run"}, strings.Fields(test.args)...)...)
			cmd.Env = []string{
				"PATH=" + tools, "HOME=" + t.TempDir(), "npm_config_registry=http://127.0.0.1:9", "npm_config_fetch_retries=0",
				"npm_config_cache=" + filepath.Join(t.TempDir(), "npm"),
			}
			out, err := cmd.CombinedOutput()
			if cmd.ProcessState == nil {
				t.Fatal(err)
			}
			if code := cmd.ProcessState.ExitCode(); code != test.code {
				t.Errorf("exit code %d, want %d:\n%s", code, test.code, out)
			}
			contains(t, string(out), test.says)
			if test.not != "" && strings.Contains(string(out), test.not) {
				t.Errorf("the output has %q:\n%s", test.not, out)
			}
		})
	}
}
