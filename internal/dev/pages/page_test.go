package pages_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// pageBlocks matches the parts of a page that concern a test: comments and code
// blocks. A comment above a block applies to it.
var pageBlocks = regexp.MustCompile("(?s)<!-- run: (.*?) -->|(?:<!-- (file|exits): (\\S+) -->\\n\\n)?```(\\w+)\n(.*?)```")

// runPage runs the commands of a documentation page in order, after the lines of
// setup. The output that the page shows must be complete.
//
// Commands are in blocks of the language console, each after "$ ". If the page shows a
// command's standard output, it follows below; a backslash continues a command in the
// next line. Comments in the page contain the rest: "run:" a line of a script that
// readers don't need; "file: NAME" above a block with the content of a file; "exits:
// CODE" above a block of commands, with the exit code of each of them.
func runPage(t *testing.T, page, setup string, more map[string]scripttest.Command) {
	t.Helper()
	data := must.Get(os.ReadFile(page))(t)
	var script, files strings.Builder
	script.WriteString(setup)
	commands := 0
	for _, block := range pageBlocks.FindAllStringSubmatch(string(data), -1) {
		run, about, value, language, text := block[1], block[2], block[3], block[4], block[5]
		switch {
		case run != "":
			fmt.Fprintln(&script, run)
		case about == "file":
			fmt.Fprintf(&files, "-- %s --\n%s", value, text)
		case language == "console":
			for _, command := range strings.Split("\n"+text, "\n$ ")[1:] {
				commands++
				line, output := cutCommand(command)
				fmt.Fprintf(&script, "exits %s %s\n", cmp.Or(value, "0"), line)
				switch {
				case hash.MatchString(output):
					fmt.Fprintf(&script, "stdout '\\A%s\\n\\z'\n", anyHash(output))
				case output != "":
					fmt.Fprintf(&script, "cmp stdout $WORK/want-%d\n", commands)
					fmt.Fprintf(&files, "-- want-%d --\n%s\n", commands, output)
				}
			}
		}
	}
	if commands == 0 {
		t.Fatalf("%s has no commands", page)
	}
	dir := t.TempDir()
	name := strings.TrimSuffix(filepath.Base(page), filepath.Ext(page)) + ".txtar"
	must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(script.String()+files.String()), 0o666))
	scripttest.Run(t, dir, false, more)
}

// hash matches the short hash of a commit. It depends on each byte that a command
// wrote, so a page can show any hash.
var hash = regexp.MustCompile(`\b[0-9a-f]{12}\b`)

// anyHash returns a regular expression for a text with any short hashes, for a script.
func anyHash(text string) string {
	expr := hash.ReplaceAllString(regexp.QuoteMeta(text), "[0-9a-f]{12}")
	return strings.NewReplacer("'", "''", "\n", `\n`).Replace(expr)
}

// cutCommand splits a command, joined to one line, from its output.
func cutCommand(text string) (command, output string) {
	text = strings.TrimRight(strings.ReplaceAll(text, "\\\n", ""), "\n")
	command, output, _ = strings.Cut(text, "\n")
	return command, output
}
