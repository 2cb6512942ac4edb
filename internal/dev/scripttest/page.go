package scripttest

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// pageBlocks finds what a page says to a test: comments, and blocks of code. A
// comment before a block is about it.
var pageBlocks = regexp.MustCompile("(?s)<!-- run: (.*?) -->|(?:<!-- (file|exits): (\\S+) -->\\n\\n)?```(\\w+)\n(.*?)```")

// RunPage runs the commands of a documentation page in their order, after the
// lines of setup. What the page shows of their output has to be all of it.
//
// Commands stand in blocks of the language console, each behind "$ ", with what
// it writes to its standard output below, if the page shows that; a backslash
// continues it in the next line. Comments in the page say the rest: "run:" a line
// of a script that readers need not see; "file: NAME", above a block, that it is
// the content of a file; "exits: CODE", above a block of commands, with which
// code each of them ends.
func RunPage(t *testing.T, page, setup string, more map[string]Command) {
	t.Helper()
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
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
		t.Fatalf("%s shows no command", page)
	}
	dir := t.TempDir()
	name := strings.TrimSuffix(filepath.Base(page), filepath.Ext(page)) + ".txtar"
	if err := os.WriteFile(filepath.Join(dir, name), []byte(script.String()+files.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	Run(t, dir, false, more)
}

// hash finds the short name of a commit: it depends on each byte of what a command
// wrote, so a page may show any.
var hash = regexp.MustCompile(`\b[0-9a-f]{12}\b`)

// anyHash is an expression for a text with any names of commits, for a script.
func anyHash(text string) string {
	expr := hash.ReplaceAllString(regexp.QuoteMeta(text), "[0-9a-f]{12}")
	return strings.NewReplacer("'", "''", "\n", `\n`).Replace(expr)
}

// cutCommand splits a command, put on one line, from its output.
func cutCommand(text string) (command, output string) {
	text = strings.TrimRight(strings.ReplaceAll(text, "\\\n", ""), "\n")
	command, output, _ = strings.Cut(text, "\n")
	return command, output
}
