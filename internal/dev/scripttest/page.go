package scripttest

import (
	"cmp"
	"regexp"
	"strings"
	"testing"
)

// PageFile matches a file in a page: its name and its content.
var PageFile = regexp.MustCompile("(?s)<!-- file: (\\S+) -->\n\n```\\w*\n(.*?)```")

// Step is a part of a documentation page that a test carries out: a line of a script, a file,
// or a command. The others are empty.
type Step struct {
	Run          string
	File, Text   string
	Command      string
	Exit, Output string
}

// pageBlocks matches the parts of a page that concern a test: comments and code
// blocks. A comment above a block applies to it.
var pageBlocks = regexp.MustCompile("(?s)<!-- run: (.*?) -->|(?:<!-- (file|exits): (\\S+) -->\\n\\n)?```(\\w+)\n(.*?)```")

// Steps returns the steps of a page in order.
//
// Commands are in blocks of the language console, each after "$ ". If the page shows a
// command's standard output, it follows below; a backslash continues a command in the
// next line. Comments in the page contain the rest: "run:" a line of a script that
// readers don't need; "file: NAME" above a block with the content of a file; "exits:
// CODE" above a block of commands, with the exit code of each of them.
func Steps(t testing.TB, page string) []Step {
	t.Helper()
	var steps []Step
	commands := 0
	for _, block := range pageBlocks.FindAllStringSubmatch(Text(t, page), -1) {
		run, about, value, language, text := block[1], block[2], block[3], block[4], block[5]
		switch {
		case run != "":
			steps = append(steps, Step{Run: run})
		case about == "file":
			steps = append(steps, Step{File: value, Text: text})
		case language == "console":
			for _, command := range strings.Split("\n"+text, "\n$ ")[1:] {
				commands++
				line, output := cutCommand(command)
				steps = append(steps, Step{Command: line, Exit: cmp.Or(value, "0"), Output: output})
			}
		}
	}
	if commands == 0 {
		t.Fatalf("%s has no commands", page)
	}
	return steps
}

// cutCommand splits a command, joined to one line, from its output.
func cutCommand(text string) (command, output string) {
	text = strings.TrimRight(strings.ReplaceAll(text, "\\\n", ""), "\n")
	command, output, _ = strings.Cut(text, "\n")
	return command, output
}

// hash matches the short hash of a commit. It depends on each byte that a command
// wrote, so a page can show any hash.
var hash = regexp.MustCompile(`\b[0-9a-f]{12}\b`)

// AnyHash returns a regular expression for an output with any short hashes, or "" if it
// has none.
func AnyHash(output string) string {
	if !hash.MatchString(output) {
		return ""
	}
	return hash.ReplaceAllString(regexp.QuoteMeta(output), "[0-9a-f]{12}")
}
