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

// protectionFile matches a ruleset in a page, for the administrator of a repository.
var protectionFile = regexp.MustCompile("(?s)<!-- protection: (\\S+) -->\n\n```json\n(.*?)```")

// TestProtectionIsWhatThePageSays checks the rulesets in docs/own-library.md, which no test can
// import: they are complete, and ask for what the page promises.
func TestProtectionIsWhatThePageSays(t *testing.T) {
	page := scripttest.Text(t, "docs/own-library.md")
	files := map[string]protection{}
	for _, file := range protectionFile.FindAllStringSubmatch(page, -1) {
		var r protection
		d := json.NewDecoder(strings.NewReader(file[2]))
		d.DisallowUnknownFields()
		if err := d.Decode(&r); err != nil {
			t.Fatalf("%s: %v", file[1], err)
		}
		files[file[1]] = r
	}
	main := files["main.json"].rules()
	if methods := main["pull_request"]["allowed_merge_methods"]; !cmp.Equal(methods, []any{"merge", "squash"}) {
		t.Errorf("pull requests can be merged by %v", methods)
	}
	if main["pull_request"]["require_code_owner_review"] != true {
		t.Error("no owner has to review")
	}
	if main["required_status_checks"]["strict_required_status_checks_policy"] != true {
		t.Error("a branch that is behind can be merged, although there is no merge queue")
	}
	checks := main["required_status_checks"]["required_status_checks"]
	if want := []any{map[string]any{"context": requiredCheck, "integration_id": 15368.0}}; !cmp.Equal(checks, want) {
		t.Errorf("the required checks are %v, want %v", checks, want)
	}
	tags := files["tags.json"]
	if want := []string{"refs/tags/" + gitrepo.TagPrefix("") + "*", "refs/tags/**/" + gitrepo.TagPrefix("") + "*"}; !cmp.Equal(tags.Conditions.RefName.Include, want) {
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
