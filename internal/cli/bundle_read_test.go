package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/dev/must"
)

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
			"rubrics/a_v1.yaml": strings.Replace(oddRubric, "odd_v1", "a_v1", 1), "rubrics/b_v1.yaml": strings.Replace(oddRubric, "odd_v1", "a_v1", 1),
		}, `rubrics/b_v1.yaml:1:12: The ID "a_v1" is already used in rubrics/a_v1.yaml.`},
		{"long", "no more is read than a document can have", map[string]string{"rubrics/a_v1.yaml": strings.Repeat("#", 300<<10)}, "at most 262144 bytes"},
		{"ledger", "a ledger that can't be read must not be taken for absent", map[string]string{
			"rubrics/a_v1.yaml": strings.Replace(oddRubric, "odd_v1", "a_v1", 1), "rubrics/retired.yaml": "retired: 1\n",
		}, "rubrics/retired.yaml:1:"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range test.files {
				file := filepath.Join(dir, filepath.FromSlash(name))
				must.Do(t, os.MkdirAll(filepath.Dir(file), 0o777))
				must.Do(t, os.WriteFile(file, []byte(text), 0o666))
			}
			from := must.Get(command.FindLibrary(command.Place{From: dir}, nil))(t)
			err := command.Streams{Err: io.Discard}.ReadLibrary(from, func(*command.Opened) error { return nil })
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got the error %v, want %q: %s", err, test.want, test.reason)
			}
		})
	}
}
