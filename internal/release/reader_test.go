package release

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rubric-library/rubric-library/pkg/library"
)

func TestAFolderAndItsBundleSayTheSame(t *testing.T) {
	c := newRepository(t)
	c.rubric("a_v1", "1.0.0", "Is it clear?")
	c.write("rubrics/api/c_v1.yaml", ruleSetText("c_v1", "0.1.0"))
	c.write("rubrics/a/z_v1.yaml", ruleSetText("z_v1", "1.0.0"))
	c.write("rubrics/retired.yaml", strings.Replace(ledgerText, "a_v1", "gone_v1", 1))
	c.commit()
	folder, err := library.OpenDir(os.DirFS(c.dir))
	if err != nil {
		t.Fatal(err)
	}
	bundle := consume(t, c.bytes(c.build(Options{})))
	got, errA := Entries(folder)
	want, errB := Entries(bundle)
	origin := cmpopts.IgnoreFields(library.Version{}, "Commit", "Time", "Release") // a folder has no history
	if diff := cmp.Diff(want, got, origin); errA != nil || errB != nil || diff != "" {
		t.Errorf("the lines of the folder differ: %v, %v\n%s", errA, errB, diff)
	}
	for _, line := range want {
		a, errA := folder.Get(t.Context(), line.ID, "")
		b, errB := bundle.Get(t.Context(), line.ID, "")
		if errA != nil || errB != nil || string(a.JSON()) != string(b.JSON()) || a.Reference != b.Reference {
			t.Errorf("%s: the folder has\n%s (%v)\nthe bundle\n%s (%v)", line.ID, a.JSON(), errA, b.JSON(), errB)
		}
	}
	for name, l := range map[string]*library.Library{"the folder": folder, "the bundle": bundle} {
		retired, err := l.Retired()
		gone, failed := l.Entry("gone_v1")
		if err != nil || failed != nil || strings.Join(retired, " ") != "gone_v1" || gone.Retired == nil {
			t.Errorf("%s has the retired IDs %v (%v), and the entry %+v (%v)", name, retired, err, gone, failed)
		}
	}
}
