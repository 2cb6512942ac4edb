package conformance

import (
	"bytes"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// changed is Changed for readable files.
func changed(t *testing.T, before, after []byte) []string {
	t.Helper()
	return must.Get(Changed(before, after))(t)
}

func TestChangedVectorsAreNamed(t *testing.T) {
	const before = `{"vectors":[{"name":"a","reason":"r","result":1},{"name":"b","result":2}]}`
	tests := []struct {
		reason, after string
		want          []string
	}{
		{"the same", before, nil},
		{"a new vector, another order and another reason", `{"vectors":[{"name":"b","result":2},{"name":"c","result":3},{"name":"a","reason":"s","result":1}]}`, nil},
		{"another result", `{"vectors":[{"name":"a","reason":"r","result":2},{"name":"b","result":2}]}`, []string{"a"}},
		{"an error now", `{"vectors":[{"name":"a","reason":"r","error":{}},{"name":"b","result":2}]}`, []string{"a"}},
		{"another input", `{"vectors":[{"name":"a","result":1},{"name":"b","text":"","result":2}]}`, []string{"b"}},
		{"another bundle", `{"bundle":{"a":"b"},` + before[1:], []string{"bundle"}},
		{"a vector less", `{"vectors":[{"name":"b","result":2}]}`, []string{"a"}},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, changed(t, []byte(before), []byte(tt.after))); diff != "" {
				t.Errorf("changed (-want +got):\n%s", diff)
			}
		})
	}
}

func TestVectorsAreWellFormed(t *testing.T) {
	for name, data := range Files() {
		if i := bytes.IndexFunc(data, func(r rune) bool { return r > 0x7e || r < ' ' && r != '\n' }); i >= 0 {
			t.Errorf("%s has a character at byte %d that a tool could change", name, i)
		}
		all, names, err := vectors(data)
		if err != nil {
			t.Fatal(err)
		}
		if len(all) != len(names) {
			t.Errorf("%s uses a name twice", name)
		}
		for _, n := range names {
			v := all[n]
			if v["name"] == "" || v["reason"] == nil || v["reason"] == "" {
				t.Errorf("%s: %q needs a name and a reason", name, n)
			}
			if (v["result"] == nil) == (v["error"] == nil) {
				t.Errorf("%s: %s needs a result or an error", name, n)
			}
		}
	}
}

// TestVectorsCoverBothSides: the vectors catch a program that always passes, always
// fails, or always rejects.
func TestVectorsCoverBothSides(t *testing.T) {
	for _, name := range []string{"conformance/verdict.json", "conformance/rule_score.json"} {
		seen := map[string]int{}
		all, _, err := vectors(Files()[name])
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range all {
			switch result, _ := v["result"].(map[string]any); {
			case result == nil:
				seen["refused"]++
			case result["passed"] == true:
				seen["passed"]++
			default:
				seen["failed"]++
			}
		}
		for _, kind := range []string{"refused", "passed", "failed"} {
			if seen[kind] < 5 {
				t.Errorf("%s has %d vectors that are %s", name, seen[kind], kind)
			}
		}
	}
}

// TestReferenceNamesVectors holds that the vectors that docs/reference.md names exist.
func TestReferenceNamesVectors(t *testing.T) {
	page := must.Get(os.ReadFile("../../../docs/reference.md"))(t)
	for file, wanted := range map[string][]string{
		"conformance/verdict.json": {
			"within-tolerance", "on-tolerance", "beyond-tolerance", "mean-within-tolerance", "mean-beyond-tolerance",
		},
		"conformance/rule_score.json": {"within-tolerance", "beyond-tolerance"},
	} {
		all, _, err := vectors(Files()[file])
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range wanted {
			if all[name] == nil || !bytes.Contains(page, []byte("`"+name+"`")) {
				t.Errorf("%s is not in both %s and docs/reference.md", name, file)
			}
		}
	}
}
