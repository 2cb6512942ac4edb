package hosts

import (
	"os"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// TestHostsAreDescribed checks that the pages name the variables of each host.
func TestHostsAreDescribed(t *testing.T) {
	pages := string(must.Get(os.ReadFile("../../../docs/ci.md"))(t)) + string(must.Get(os.ReadFile("../../../docs/gate.md"))(t))
	for _, h := range Table {
		for _, word := range []string{h.Name, h.Target, h.Branch, h.Main, h.Before, h.Project, h.Here, h.Advice[strings.LastIndexByte(h.Advice, ' ')+1:]} {
			if !strings.Contains(pages, word) {
				t.Errorf("docs/ci.md and docs/gate.md don't say %q of %s", word, h.Name)
			}
		}
		if h.Name != "GitHub" && !strings.Contains(pages, h.Name+" (`"+h.Runs[0]+"`") {
			t.Errorf("docs/ci.md and docs/gate.md don't say how %s is told apart", h.Name)
		}
	}
}

func TestHostsAreToldApart(t *testing.T) {
	for _, tt := range []struct {
		reason, want string
		change       bool
		vars         map[string]string
	}{
		{"no host", "", false, nil},
		{"GitHub", "GitHub", false, map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "push"}},
		{"GitHub's queue", "GitHub", true, map[string]string{"GITHUB_EVENT_NAME": "merge_group"}},
		{"Gitea", "Gitea", true, map[string]string{"GITHUB_ACTIONS": "true", "GITEA_ACTIONS": "true", "GITHUB_EVENT_NAME": "pull_request"}},
		{"a host without its own variable", "GitLab", true, map[string]string{"CI_MERGE_REQUEST_IID": "1"}},
		{"another host with variables like GitLab's", "", false, map[string]string{"CI": "true", "CI_COMMIT_BRANCH": "main", "CI_DEFAULT_BRANCH": "main"}},
		{"a variable that is empty", "", false, map[string]string{"GITLAB_CI": "", "GITHUB_BASE_REF": ""}},
	} {
		getenv := func(name string) string { return tt.vars[name] }
		h := OfRun(getenv)
		if h.Name != tt.want || h.Proposes(getenv) != tt.change {
			t.Errorf("%s: %q, for a change: %t", tt.reason, h.Name, h.Proposes(getenv))
		}
	}
}
