package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// setup is the library of docs/versions.md.
const setup = `[!exec:git] skip 'git is not installed'
mkdir lib
cd lib
git init -q
rubric rubrics/prd/depth_v1.yaml 1.0.0
commit one
git checkout -q -b topic
`

var docsBlocks = regexp.MustCompile("(?s)<!-- run: (.*?) -->|```console\n(.*?)```")

// TestDocsRun runs the commands of docs/versions.md in their order. What the page
// shows of their output has to be all of it.
func TestDocsRun(t *testing.T) {
	page, err := os.ReadFile("../../docs/versions.md")
	if err != nil {
		t.Fatal(err)
	}
	var script, files strings.Builder
	script.WriteString(setup)
	commands := 0
	for _, block := range docsBlocks.FindAllStringSubmatch(string(page), -1) {
		if block[1] != "" {
			fmt.Fprintln(&script, block[1])
		}
		for _, command := range strings.Split("\n"+block[2], "\n$ ")[1:] {
			line, output, shown := strings.Cut(strings.TrimRight(command, "\n"), "\n")
			commands++
			fmt.Fprintf(&script, "exec %s\n", line)
			if shown {
				fmt.Fprintf(&script, "cmp stdout ../want-%d\n", commands)
				fmt.Fprintf(&files, "-- want-%d --\n%s\n", commands, output)
			}
		}
	}
	if commands < 8 {
		t.Fatalf("the page has %d commands, want more", commands)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "versions.txtar"), []byte(script.String()+files.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	runScripts(t, dir)
}
