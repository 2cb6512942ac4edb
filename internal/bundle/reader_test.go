package bundle

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAFolderAndItsBundleSayTheSame(t *testing.T) {
	c := newRepository(t)
	c.rubric("a_v1", "1.0.0", "Is it clear?")
	c.write("rubrics/api/c_v1.yaml", ruleSetText("c_v1", "0.1.0"))
	c.write("rubrics/retired.yaml", strings.Replace(ledgerText, "a_v1", "gone_v1", 1))
	c.commit()
	folder, err := Open(c.dir)
	if err != nil {
		t.Fatal(err)
	}
	bundle := c.release(Options{})
	if got, want := folder.IDs(true), bundle.IDs(true); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the folder has %v, the bundle %v", got, want)
	}
	for _, want := range bundle.Lines {
		got := folder.Find(want.ID)
		a, errA := folder.Read(got, got.Latest)
		b, errB := bundle.Read(want, want.Latest)
		if errA != nil || errB != nil || string(a) != string(b) || got.Versions[0] != want.Versions[0] {
			t.Errorf("%s: the folder has\n%s (%v)\nthe bundle\n%s (%v)", want.ID, a, errA, b, errB)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	tests := []struct {
		name, reason string
		files        map[string]string
		want         string
	}{
		{"no library", "a folder without rubrics/ holds none", map[string]string{"x": ""}, "is not a library: it has no folder rubrics/"},
		{"nothing", "an empty library is probably the wrong folder", map[string]string{"rubrics/README.md": ""}, "no documents in rubrics/"},
		{"broken", "one broken document must not be taken for absent", map[string]string{"rubrics/a_v1.yaml": "rubric_id: a_v1\n"}, "a_v1.yaml:1:1: "},
		{"twice", "nobody could tell which is meant", map[string]string{
			"rubrics/a_v1.yaml": rubricText("a_v1", "1.0.0", "x"), "rubrics/b_v1.yaml": rubricText("a_v1", "1.0.0", "x"),
		}, `rubrics/b_v1.yaml:1:12: The ID "a_v1" is already used in rubrics/a_v1.yaml.`},
		{"long", "no more is read than a document can have", map[string]string{"rubrics/a_v1.yaml": strings.Repeat("#", 300<<10)}, "at most 262144 bytes"},
		{"ledger", "a ledger that can't be read must not be taken for absent", map[string]string{
			"rubrics/a_v1.yaml": rubricText("a_v1", "1.0.0", "x"), "rubrics/retired.yaml": "retired: 1\n",
		}, "rubrics/retired.yaml:1:"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range test.files {
				file := filepath.Join(dir, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got the error %v, want %q: %s", err, test.want, test.reason)
			}
		})
	}
}
