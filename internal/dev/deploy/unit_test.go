package deploy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// unit is the systemd unit, with a program that is installed here.
func unit(t *testing.T, program string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "rubric.service")
	text := strings.ReplaceAll(scripttest.Text(t, examples+"rubric.service"), "/usr/local/bin/rubric serve", program+" serve")
	must.Do(t, os.WriteFile(name, []byte(text), 0o666))
	return name
}

// TestUnitIsValidAndHardened: systemd knows each setting, and rates what the service may do from 0,
// nothing, to 10. It needs the network, which is 1 of the 2 points.
func TestUnitIsValidAndHardened(t *testing.T) {
	needs(t, "systemd-analyze")
	name := unit(t, builtProgram(t))
	for _, args := range [][]string{
		{"verify", "--man=no", name},
		{"security", "--offline=true", "--threshold=20", "--no-pager", name},
	} {
		out, err := exec.Command("systemd-analyze", args...).CombinedOutput()
		if err != nil || args[0] == "verify" && len(out) > 0 {
			t.Errorf("systemd-analyze %s: %v\n%s", args[0], err, out)
		}
	}
}

var execStart = regexp.MustCompile(`(?m)^ExecStart=/usr/local/bin/rubric (.*)$`)

// TestUnitStarts runs the command of the unit as the image does, with a folder of its own for what
// it keeps.
func TestUnitStarts(t *testing.T) {
	command := execStart.FindStringSubmatch(continued.ReplaceAllString(scripttest.Text(t, examples+"rubric.service"), ""))
	if command == nil {
		t.Fatal("the unit has no command")
	}
	c := start(t, nil, func(digest string) []string {
		return strings.Fields(replaced(t, command[1], map[string]string{
			"${FROM}": "/library/rubrics.zip", "${DIGEST}": digest, "${STATE_DIRECTORY}": "/var", "${LOGS_DIRECTORY}": "/var",
			":7070": ":0", ":7071": ":0",
		}))
	})
	c.isConfined(t)
	for url, want := range map[string]int{
		c.health + "/readyz": 200, c.health + "/metrics": 200, c.health + "/v1/library": 404, c.address + "/v1/documents/story_v1": 200,
	} {
		if got := c.get(t, url); got != want {
			t.Errorf("%s: %d, want %d", url, got, want)
		}
	}
	c.stop(t)
	if audit := scripttest.Text(t, filepath.Join(c.root, "var/audit.jsonl")); !strings.Contains(audit, `"id":"story_v1"`) {
		t.Errorf("the audit log is %q", audit)
	}
	must.Get(os.Stat(filepath.Join(c.root, "var/last-good/first.zip")))(t)
}

// replaced replaces words in a text, each of which must be there.
func replaced(t *testing.T, text string, words map[string]string) string {
	t.Helper()
	for word, by := range words {
		if !strings.Contains(text, word) {
			t.Errorf("%q lacks %s", text, word)
		}
		text = strings.ReplaceAll(text, word, by)
	}
	return text
}
