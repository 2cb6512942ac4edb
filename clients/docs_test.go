package clients_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

var docsBlocks = regexp.MustCompile("(?s)(?:<!-- file: (\\S+) -->\n\n)?```(\\w+)\n(.*?)```")

// page returns the files of docs/consuming.md by name, and its commands in order.
func page(t *testing.T) (files map[string]string, commands []string) {
	t.Helper()
	data := must.Get(os.ReadFile("../docs/consuming.md"))(t)
	files = map[string]string{}
	for _, block := range docsBlocks.FindAllStringSubmatch(string(data), -1) {
		name, language, text := block[1], block[2], block[3]
		switch {
		case name != "":
			files[name] = text
		case language == "sh":
			commands = append(commands, text)
		case language == "shell" && (strings.Contains(text, "gh ") || strings.HasPrefix(text, "REPO=")):
			// No test asks GitHub.
		default:
			t.Fatalf("a block of %s has no file name and is not a command", language)
		}
	}
	return files, commands
}

// build compiles a package or a file with the repository's module.
func build(t *testing.T, output, what string) {
	t.Helper()
	cmd := exec.Command("go", "build", "-o", output, what)
	cmd.Dir = ".."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// released is a library as a build writes it, with several versions of a rubric.
func released(t *testing.T) *contents {
	t.Helper()
	d := parse(t, "jira_tickets/user_story_quality_v1.yaml")
	data := must.Get(d.Canonical())(t)
	line := must.Get(bundlefile.LineOf(d.ID(), d.Kind.Name, data, []bundlefile.Version{{}}))(t)
	line.Versions = nil // add sets them
	if d.Text("calibration_dataset") != "" {
		line.Calibration = &bundlefile.Calibration{Reason: "Elsewhere."}
	}
	l := &contents{keeps: true}
	l.add(line, string(data), d.Version(), "1.2.0", "1.10.0")
	l.files = append(append(l.files, vectors()...), bundlefile.File{Path: bundlecheck.ChangelogName, Data: l.changelog(t)}, bundlefile.File{Path: bundlecheck.LedgerName, Data: []byte("{\"retired\":[]}\n")})
	return l
}

// smallestMain is a program with the smallest judge, whose model gives each criterion a 4.
const smallestMain = `package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/rubric-library/rubric-library/pkg/library"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

func main() {
	digest, text := os.Args[1], os.Args[2]
	v, err := judge(digest, text, func(view rubric.JudgeView, _ json.RawMessage) []byte {
		var answers []string
		for _, c := range view.Criteria {
			answers = append(answers, fmt.Sprintf("%q: {\"reason\": \"\", \"score\": 4}", c.Name))
		}
		return []byte("{\"criteria\": {" + strings.Join(answers, ", ") + "}}")
	})
	fmt.Println(v.Passed, len(v.NegativeCriteria), err)
}

`

// TestTheSmallestJudge runs the smallest judge of docs/consuming.md.
func TestTheSmallestJudge(t *testing.T) {
	dir := t.TempDir()
	files, _ := page(t)
	if lines := strings.Count(files["smallest.go"], "\n"); lines > 12 {
		t.Errorf("it has %d lines, want at most 12", lines)
	}
	program := filepath.Join(dir, "smallest.go")
	must.Do(t, os.WriteFile(program, []byte(smallestMain+files["smallest.go"]), 0o666))
	build(t, filepath.Join(dir, "judge"), program)
	data, digest := released(t).write(t)
	must.Do(t, os.WriteFile(filepath.Join(dir, "rubrics.zip"), data, 0o666))
	for text, want := range map[string]string{"A clerk archives an invoice.": "true 0 <nil>\n", "A list of files, etc.": "false 1 <nil>\n"} {
		cmd := exec.Command(filepath.Join(dir, "judge"), digest, text)
		cmd.Dir = dir
		if out := must.Get(cmd.Output())(t); string(out) != want {
			t.Errorf("%q: the program says %q, want %q", text, out, want)
		}
	}
}

// TestDocsRun runs the commands of docs/consuming.md in order, with an incomplete download
// as the next bundle. The programs in all languages must print the same.
func TestDocsRun(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles two programs")
	}
	dir, release := t.TempDir(), t.TempDir()
	write := func(folder, name string, data []byte) {
		t.Helper()
		must.Do(t, os.WriteFile(filepath.Join(folder, name), data, 0o777))
	}
	data, digest := released(t).write(t)
	write(release, "rubrics.zip", data)
	write(dir, "rubrics.digest", []byte(digest+"\n"))
	write(dir, "story.txt", []byte("Größe 😀 of a list, etc.\r\nCSV, PDF, ETC\n"))
	var scores []string
	for _, c := range parse(t, "jira_tickets/user_story_quality_v1.yaml").Rubric().Criteria {
		scores = append(scores, `"`+c.Name+`":4`)
	}
	write(dir, "scores.json", []byte("{"+strings.Join(scores, ",")+"}"))
	for _, client := range []string{"python/rubric_bundle.py", "javascript/rubric-bundle.mjs", "../examples/clients/judge.mjs"} {
		code := must.Get(os.ReadFile(client))(t)
		write(dir, filepath.Base(client), code)
	}
	files, commands := page(t)
	for name, text := range files {
		write(dir, name, []byte(text))
	}
	build(t, filepath.Join(dir, "rubric"), "./cmd/rubric")
	build(t, filepath.Join(dir, "judge-go"), filepath.Join(dir, "judge.go"))

	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("RELEASE", "file://"+filepath.ToSlash(release))
	t.Setenv("PYTHONDONTWRITEBYTECODE", "1")
	outputs := map[string]string{}
	for _, command := range commands {
		program, _, _ := strings.Cut(command, " ")
		if _, err := exec.LookPath(program); err != nil {
			t.Logf("%s is not installed, so this did not run: %s", program, command)
			if program == "curl" {
				write(dir, "rubrics.zip", data)
				write(dir, "next.zip", data[:1000])
			}
			continue
		}
		// The program is already compiled, because the folder is not a module.
		cmd := exec.Command("sh", "-ec", strings.Replace(command, "go run judge.go", "judge-go", 1))
		cmd.Dir = dir
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); err != nil {
			t.Fatalf("%s: %v\n%s%s", command, err, &stdout, &stderr)
		}
		if program == "curl" {
			if fetched, err := os.ReadFile(filepath.Join(dir, "rubrics.zip")); err != nil || !bytes.Equal(fetched, data) {
				t.Fatalf("%s did not fetch the bundle: %v", command, err)
			}
			write(dir, "next.zip", data[:1000])
			continue
		}
		if !strings.Contains(command, "story.txt") {
			continue
		}
		if program == "go" && outputs["go"] == "" {
			// The second run starts from the last good bundle.
			outputs["go"] = stdout.String()
			write(dir, "rubrics.zip", data[:1000])
			stdout.Reset()
			again := exec.Command(cmd.Path, cmd.Args[1:]...)
			again.Dir, again.Stdout, again.Stderr = dir, &stdout, &stderr
			if err := again.Run(); err != nil || stdout.String() != outputs["go"] {
				t.Errorf("with a cut bundle: %v\n%s%s", err, &stdout, &stderr)
			}
			write(dir, "rubrics.zip", data)
		}
		outputs[program] = stdout.String()
		for _, want := range []string{"keeping the last good bundle", "request-17"} {
			if !strings.Contains(stderr.String(), want) {
				t.Errorf("%s: %q is not in its standard error:\n%s", command, want, &stderr)
			}
		}
	}
	want := outputs["go"]
	story := parse(t, "jira_tickets/user_story_quality_v1.yaml").Rubric()
	if strings.Count(want, " at ") != 2 || !strings.Contains(want, "passed: false, by "+story.ID+"@"+story.Version+"#sha256:") {
		t.Errorf("the Go program says:\n%s", want)
	}
	for program, got := range outputs {
		if got != want {
			t.Errorf("%s says:\n%sand the Go program:\n%s", program, got, want)
		}
	}
}
