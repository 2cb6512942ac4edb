package rules

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// TestIDsWithoutVersionAreOneFinding: a library may have decided against versions in some of its
// IDs, so the note about them appears once, with the places of all.
func TestIDsWithoutVersionAreOneFinding(t *testing.T) {
	for _, tt := range []struct {
		reason  string
		ids     []string
		finding string // its file, or "" for none
		others  int
	}{
		{"most have a version", []string{"a", "b_v1", "c_v2", "d_v1", "e"}, "a", 1},
		{"one of three has none", []string{"a_v1", "b", "c_v1"}, "b", 0},
		{"half of them have none", []string{"a", "b_v1"}, "", 0},
		{"all have one", []string{"a_v1", "b_v3"}, "", 0},
		{"none has one", []string{"a", "b", "c"}, "", 0},
	} {
		files := map[string]string{}
		for _, id := range tt.ids {
			files[lint.Root+"/corpus/"+id+".yaml"] = linttest.Other(id)
		}
		type found struct {
			File   string
			Others int
		}
		var want, got []found
		if tt.finding != "" {
			want = []found{{lint.Root + "/corpus/" + tt.finding + ".yaml", tt.others}}
		}
		for _, f := range linttest.Run(t, linttest.Library(files), linttest.Only(All(), "id-unversioned"), lint.Options{}).Findings {
			got = append(got, found{f.File, len(f.Related)})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}
