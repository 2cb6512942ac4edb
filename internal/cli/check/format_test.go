package check

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
	linter "github.com/rubric-library/rubric-library/internal/lint"
)

// An output format is one entry in the table of formats: with it, the flag accepts the
// name, the help shows it, and the report is written to the terminal or to a file, whatever was found.
func TestANewFormatIsOneEntry(t *testing.T) {
	table := lintFormatTable
	lintFormatTable = append(table[:len(table):len(table)], lintFormat{"count", false, func(_ *lintCommand, w io.Writer, r *linter.Report) error {
		_, err := fmt.Fprintln(w, "rubrics:", r.Summary.Rubrics)
		return err
	}})
	t.Cleanup(func() { lintFormatTable = table })

	dir := t.TempDir()
	must.Do(t, os.MkdirAll(filepath.Join(dir, "rubrics", "stories"), 0o755))
	must.Do(t, os.WriteFile(filepath.Join(dir, "rubrics", "stories", "story_v1.yaml"), []byte(scripttest.Rubric("story_v1", "1.0.0", "stories")), 0o600))
	lint := func(args ...string) (int, string) {
		var out strings.Builder
		code := command.Main(Lint, args, command.Streams{Out: &out, Err: &out, Getenv: func(string) string { return "" }})
		return code, out.String()
	}
	file := filepath.Join(t.TempDir(), "count.txt")
	if code, out := lint(dir, "--format", "count", "--format", "count="+file); code == command.ExitFailure || out != "rubrics: 1\n" {
		t.Errorf("exit code %d with\n%s", code, out)
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != "rubrics: 1\n" {
		t.Errorf("the file has %q, %v", data, err)
	}
	if _, help := lint("--help"); !strings.Contains(help, "markdown, or count") {
		t.Errorf("the help does not name the format:\n%s", help)
	}
}
