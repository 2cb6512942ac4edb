package authoring

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// TestThePageShowsTheProtection holds that ci.md has the requests that `rubric init` prints.
func TestThePageShowsTheProtection(t *testing.T) {
	page := must.Get(os.ReadFile("../../docs/ci.md"))(t)
	shown := regexp.MustCompile("(?s)<!-- protection: gitea -->\n\n```http\n(.*?)```").FindSubmatch(page)
	if shown == nil {
		t.Fatal("docs/ci.md has no such block")
	}
	s := &Starter{CI: "gitea", Owner: "@acme/quality", Branch: "main", Remote: "ssh://git@gitea.example.org:2222/acme/bug-rubrics.git"}
	if diff := cmp.Diff(must.Get(s.Protection())(t), string(shown[1])); diff != "" {
		t.Errorf("docs/ci.md differs from the output of rubric init (-output +page):\n%s", diff)
	}
	if got := s.API(); !strings.Contains(string(page), got+"/repos/acme/bug-rubrics/") {
		t.Errorf("docs/ci.md does not send them to %s", got)
	}
}

// requests are the JSON of each request by its method and path, of which two can be equal.
func requests(t *testing.T, text string) map[string][]map[string]any {
	t.Helper()
	found := map[string][]map[string]any{}
	heads := regexp.MustCompile(`(?m)^(?:PATCH|POST) /repos/\S+$`).FindAllStringIndex(text, -1)
	for i, head := range heads {
		end := append(heads, []int{len(text)})[i+1][0]
		var body map[string]any
		must.Do(t, json.Unmarshal([]byte(text[head[1]:end]), &body))
		found[text[head[0]:head[1]]] = append(found[text[head[0]:head[1]]], body)
	}
	return found
}

func TestProtectionIsFilledIn(t *testing.T) {
	for _, c := range []struct {
		reason, owner, branch, remote, ci string
		api, repository                   string
		users, teams                      []any
	}{
		{"a team", "@acme/quality", "main", "https://gitea.example.org/acme/rubrics", "gitea", "https://gitea.example.org/api/v1", "acme/rubrics", []any{}, []any{"quality"}},
		{"a user", "@olga", "trunk", "git@codeberg.org:olga/rubrics.git", "forgejo", "https://codeberg.org/api/v1", "olga/rubrics", []any{"olga"}, []any{}},
		{"nobody yet", "", "", "", "gitea", "https://HOST/api/v1", "OWNER/REPOSITORY", []any{}, []any{"your-team"}},
		{"a server that no name tells", "@olga", `a"b`, "http://git.example.org:3000/olga/x.git", "gitea", "http://git.example.org:3000/api/v1", "olga/x", []any{"olga"}, []any{}},
		{"a server in a folder", "@olga", "main", "https://example.org/git/olga/x", "gitea", "https://example.org/git/api/v1", "olga/x", []any{"olga"}, []any{}},
		{"another host, from which this one is a mirror", "@olga", "main", "git@github.com:olga/x.git", "gitea", "https://HOST/api/v1", "OWNER/REPOSITORY", []any{"olga"}, []any{}},
		{"a path that is not one of a repository", "@olga", "main", "git@gitea.com:x", "gitea", "https://HOST/api/v1", "OWNER/REPOSITORY", []any{"olga"}, []any{}},
	} {
		s := &Starter{CI: c.ci, Owner: c.owner, Branch: c.branch, Remote: c.remote}
		all := requests(t, must.Get(s.Protection())(t))
		rules := all["POST /repos/"+c.repository+"/branch_protections"]
		tags := all["POST /repos/"+c.repository+"/tag_protections"]
		if s.API() != c.api || len(rules) != 1 || len(tags) != 2 || len(all["PATCH /repos/"+c.repository]) != 1 {
			t.Errorf("%s: %s, %v", c.reason, s.API(), all)
			continue
		}
		main := c.branch
		if main == "" {
			main = "main"
		}
		want := []any{main, c.users, c.teams, c.users, c.teams}
		got := []any{rules[0]["rule_name"], rules[0]["approvals_whitelist_username"], rules[0]["approvals_whitelist_teams"], tags[0]["whitelist_usernames"], tags[1]["whitelist_teams"]}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", c.reason, diff)
		}
	}
	for _, ci := range []string{CIGitHub, "gitlab", CINone} {
		if text := must.Get((&Starter{CI: ci}).Protection())(t); text != "" {
			t.Errorf("%s: %s", ci, text)
		}
	}
}

// TestProtectionRequiresTheCheckOfTheTemplate holds that the pattern of the status check is the name that
// Gitea gives to the job of the template: the workflow, the job, and the event.
func TestProtectionRequiresTheCheckOfTheTemplate(t *testing.T) {
	rule := requests(t, must.Get((&Starter{CI: "gitea"}).Protection())(t))["POST /repos/OWNER/REPOSITORY/branch_protections"][0]
	template := must.Get(starterTexts.ReadFile("starter/gitea.yml"))(t)
	name := regexp.MustCompile(`(?m)^name: (\S+)$`).FindSubmatch(template)
	job := regexp.MustCompile(`(?m)^jobs:\n  (\S+):$`).FindSubmatch(template)
	if name == nil || job == nil || !strings.Contains(string(template), "\n  pull_request:\n") {
		t.Fatalf("the template has no name, job, or event:\n%s", template)
	}
	want := string(name[1]) + " / " + string(job[1]) + " (pull_request)"
	if got := rule["status_check_contexts"]; !slices.Equal(got.([]any), []any{want}) {
		t.Errorf("the protection requires %v, and the check is %q", got, want)
	}
	if got := rule["enable_status_check"]; got != true {
		t.Error("and not even that")
	}
}
