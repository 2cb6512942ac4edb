package conformance

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// changed is Changed of files that can be read.
func changed(t *testing.T, before, after []byte) []string {
	t.Helper()
	names, err := Changed(before, after)
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestFilesAreGolden holds that what programs are asked to compute does not
// change unnoticed.
func TestFilesAreGolden(t *testing.T) {
	for name, data := range Files() {
		path := filepath.Join("testdata", filepath.Base(name))
		golden, err := os.ReadFile(path)
		if err != nil && !*update {
			t.Fatal(err)
		}
		if bytes.Equal(golden, data) {
			continue
		}
		if err == nil {
			if names := changed(t, golden, data); len(names) > 0 {
				t.Errorf("%s: %v are not what they were. Programs that were right become wrong: this is a major change of the library", name, names)
			}
		}
		if !*update {
			t.Errorf("%s is not what its golden file has: run `go test ./internal/bundle/conformance -update` and look at what changed", name)
		} else if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
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

// TestVectorsCoverBothSides: a program that always passes, always fails or
// always refuses must not get through.
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

func TestMakingTwiceGivesTheSame(t *testing.T) {
	if diff := cmp.Diff(Files(), Files()); diff != "" {
		t.Error(diff)
	}
}
