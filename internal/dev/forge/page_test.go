package forge_test

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// pageCommands are those that pages name for their tests: replace changes a text in a file,
// printed runs the last line that the last command printed, and merge has the change on main of the
// server.
const pageCommands = `
out=$(mktemp)
replace() { sed -i "s/$2/$3/" "$1"; }
printed() { eval "$(tail -n 1 "$out")"; }
merge() { git commit -q -a -m Merged && git push -q && git reset -q --hard HEAD^; }
expect() { [ "$1" = "$2" ] || { cat "$out"; echo "exit code $1, want $2: $3"; exit 1; }; }
set +e
`

// playPage carries out the steps of a page as the author, beginning in a folder, with some texts
// replaced. It returns the folder in which it ends.
func (f *forge) playPage(page, dir string, replaced *strings.Replacer) (end string) {
	f.t.Helper()
	script := pageCommands
	for i, step := range scripttest.Steps(f.t, page) {
		switch {
		case step.Run != "":
			script += step.Run + "\n"
		case step.File != "":
			text := f.write(fmt.Sprintf("%s-%d", filepath.Base(page), i), step.Text)
			script += fmt.Sprintf("cp '%s' %s\n", text, step.File)
		default:
			command := replaced.Replace(step.Command)
			script += fmt.Sprintf("{ %s; } >$out 2>&1; expect $? %s '%s'\n", command, step.Exit, strings.ReplaceAll(command, "'", `'\''`))
		}
	}
	lines := strings.Split(strings.TrimSpace(f.run(author, dir, script+"pwd")), "\n")
	return lines[len(lines)-1]
}
