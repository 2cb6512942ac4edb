package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// TestPythonModulesReachTheVerdicts runs the exported modules on the conformance vectors, with
// DeepEval and Inspect where they are installed, and stand-ins elsewhere.
func TestPythonModulesReachTheVerdicts(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed, so the modules were not run")
	}
	vectors := append(judgeable(t), hostileVector(t))
	for _, format := range []string{"deepeval", "inspect"} {
		t.Run(format, func(t *testing.T) {
			vectors, args := slices.Clone(vectors), []string{"testdata/python/run.py", format}
			add := func(dir string, i int, id string) {
				data := must.Get(json.Marshal(map[string]any{"scores": vectors[i].Scores, "artifact": vectors[i].artifact(i), "rubric_id": id}))(t)
				file := filepath.Join(dir, fmt.Sprintf("vector-%d.json", i))
				must.Do(t, os.WriteFile(file, data, 0o666))
				args = append(args, file)
			}
			for i, v := range vectors {
				dir := filepath.Join(t.TempDir(), fmt.Sprint(i))
				must.Do(t, exported(t, format, v.Rubric).Write(dir))
				add(dir, i, "")
			}
			dir := t.TempDir() // all again, in one project
			e, ids := project(t, format, vectors)
			must.Do(t, e.Write(dir))
			for i, id := range ids {
				add(dir, i, id)
			}
			vectors = append(vectors, vectors...)
			cmd := exec.Command(python, args...)
			cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "DEEPEVAL_TELEMETRY_OPT_OUT=1")
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, &stderr)
			}
			lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
			if len(lines) != len(vectors) {
				t.Fatalf("%d results, want %d", len(lines), len(vectors))
			}
			for i, v := range vectors {
				var got struct {
					Passed  bool
					Overall float64
					Error   string
				}
				must.Do(t, json.Unmarshal(lines[i], &got))
				switch {
				case v.Result == nil:
					if got.Error == "" {
						t.Errorf("%s: %s, want an error", v.Name, lines[i])
					}
				// GEval's scale from 0 to 1 rounds.
				case got.Error != "", got.Passed != v.Result.Passed, math.Abs(got.Overall-v.Result.Overall) > 1e-12:
					t.Errorf("%s: %s, want passed %v and %v", v.Name, lines[i], v.Result.Passed, v.Result.Overall)
				}
			}
		})
	}
}
