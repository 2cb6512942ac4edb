package pages_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// runPage runs the steps of a documentation page in order, after the lines of setup. The
// output that the page shows must be complete.
func runPage(t *testing.T, page, setup string, more map[string]scripttest.Command) {
	t.Helper()
	var script, files strings.Builder
	script.WriteString(setup)
	for i, step := range scripttest.Steps(t, page) {
		switch {
		case step.Run != "":
			fmt.Fprintln(&script, step.Run)
		case step.File != "":
			fmt.Fprintf(&files, "-- %s --\n%s", step.File, step.Text)
		default:
			fmt.Fprintf(&script, "exits %s %s\n", step.Exit, step.Command)
			if expr := scripttest.AnyHash(step.Output); expr != "" {
				fmt.Fprintf(&script, "stdout '\\A%s\\n\\z'\n", strings.NewReplacer("'", "''", "\n", `\n`).Replace(expr))
			} else if step.Output != "" {
				fmt.Fprintf(&script, "cmp stdout $WORK/want-%d\n", i)
				fmt.Fprintf(&files, "-- want-%d --\n%s\n", i, step.Output)
			}
		}
	}
	dir := t.TempDir()
	name := strings.TrimSuffix(filepath.Base(page), filepath.Ext(page)) + ".txtar"
	must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(script.String()+files.String()), 0o666))
	scripttest.Run(t, dir, false, more)
}
