package bundles

import (
	"testing"
	"testing/fstest"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/release/site"
)

// TestOwnersAreThoseOfGitHub: the first file that GitHub reads decides, and the sections of
// GitLab have no owners.
func TestOwnersAreThoseOfGitHub(t *testing.T) {
	for _, test := range []struct {
		reason, name, text, want string
	}{
		{"a pattern", "CODEOWNERS", "* @all\n/rubrics/ @team @ann\n", "@team"},
		{"another place", "docs/CODEOWNERS", "* @all\n", "@all"},
		{"a section, which GitHub skips as a line that it does not understand", "CODEOWNERS", "[Rubrics] @team\n* @all\n", "@all"},
		{"no file", "OWNERS", "* @all\n", ""},
	} {
		owners := must.Get(ownersAt(fstest.MapFS{test.name: {Data: []byte(test.text)}}))(t)
		got := ""
		if all := owners.Owners("rubrics/prd/a_v1.yaml"); len(all) > 0 {
			got = all[0]
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.reason, got, test.want)
		}
	}
}

func TestApprovalsComeFromAFile(t *testing.T) {
	var o site.Options
	if err := approvals("", &o); err != nil || o.Forge != nil {
		t.Errorf("without a file: %v, %v", o.Forge, err)
	}
	if err := approvals("missing.json", &o); err == nil {
		t.Error("a missing file is no error")
	}
}
