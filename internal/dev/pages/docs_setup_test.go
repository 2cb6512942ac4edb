package pages_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
)

func TestSetupPageRuns(t *testing.T) {
	runPage(t, "docs/setup.md", oneRubric, nil)
}

// githubInput matches the files that commands of GitHub's CLI send.
var githubInput = regexp.MustCompile(`(?m)^gh api .* --input (\S+)$`)

// TestSetupPageProtectsWhatItSays checks the requests to GitHub in docs/setup.md,
// which no test can send: they are complete, and ask for what the page promises.
func TestSetupPageProtectsWhatItSays(t *testing.T) {
	page := scripttest.Text(t, "docs/setup.md")
	files := map[string]protection{}
	for _, file := range scripttest.PageFile.FindAllStringSubmatch(page, -1) {
		var r protection
		d := json.NewDecoder(strings.NewReader(file[2]))
		d.DisallowUnknownFields()
		if err := d.Decode(&r); err != nil {
			t.Fatalf("%s: %v", file[1], err)
		}
		files[file[1]] = r
	}
	sent := githubInput.FindAllStringSubmatch(page, -1)
	if len(sent) != len(files) {
		t.Errorf("the page shows %d files and sends %d", len(files), len(sent))
	}
	for _, s := range sent {
		if _, shown := files[s[1]]; !shown {
			t.Errorf("the page sends %s, which it does not show", s[1])
		}
	}
	main := files["main.json"].rules()
	if methods := main["pull_request"]["allowed_merge_methods"]; !cmp.Equal(methods, []any{"merge", "squash"}) {
		t.Errorf("pull requests can be merged by %v", methods)
	}
	if main["pull_request"]["require_code_owner_review"] != true {
		t.Error("no owner has to review")
	}
	checks := main["required_status_checks"]["required_status_checks"]
	if want := []any{map[string]any{"context": requiredCheck, "integration_id": 15368.0}}; !cmp.Equal(checks, want) {
		t.Errorf("the required checks are %v, want %v", checks, want)
	}
	tags := files["tags.json"]
	if want := []string{"refs/tags/" + gitrepo.TagPrefix + "*", "refs/tags/v*"}; !cmp.Equal(tags.Conditions.RefName.Include, want) {
		t.Errorf("protected are %v, want %v", tags.Conditions.RefName.Include, want)
	}
	for _, name := range []string{"update", "deletion"} {
		if _, there := tags.rules()[name]; !there {
			t.Errorf("tags are not protected against %s", name)
		}
	}
}

// requiredCheck is the final job of a pull request's checks.
const requiredCheck = "rubric-library"

// protection is a set of rules for GitHub; a field that this test does not know is
// probably misspelled.
type protection struct {
	Name         string `json:"name"`
	Target       string `json:"target"`
	Enforcement  string `json:"enforcement"`
	BypassActors []any  `json:"bypass_actors"`
	Conditions   struct {
		RefName struct {
			Include []string `json:"include"`
			Exclude []string `json:"exclude"`
		} `json:"ref_name"`
	} `json:"conditions"`
	Rules []struct {
		Type       string         `json:"type"`
		Parameters map[string]any `json:"parameters"`
	} `json:"rules"`
}

// rules are the parameters by type.
func (r protection) rules() map[string]map[string]any {
	rules := map[string]map[string]any{}
	for _, rule := range r.Rules {
		rules[rule.Type] = rule.Parameters
	}
	return rules
}
