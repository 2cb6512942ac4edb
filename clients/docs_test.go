package clients_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
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
		case language == "console", language == "text":
			// TestPathOfANewUser follows the page with the library of the tutorial.
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
	v, err := judge(digest, "user_story_quality_v1", text, func(view rubric.JudgeView, _ json.RawMessage) []byte {
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

// TestDocsRun runs the commands of docs/consuming.md that need no tutorial, and then its programs
// on a text with hits. They must print the same in all languages.
func TestDocsRun(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles two programs")
	}
	dir, release := t.TempDir(), t.TempDir()
	write := func(folder, name string, data []byte) {
		t.Helper()
		must.Do(t, os.WriteFile(filepath.Join(folder, name), data, 0o777))
	}
	for _, client := range []string{"python/rubric_bundle.py", "javascript/rubric-bundle.mjs", "../examples/clients/judge.mjs"} {
		write(dir, filepath.Base(client), must.Get(os.ReadFile(client))(t))
	}
	files, commands := page(t)
	for name, text := range files {
		write(dir, name, []byte(text))
	}
	data, digest := released(t).write(t)
	story := parse(t, "jira_tickets/user_story_quality_v1.yaml").Rubric()
	var scores []string
	for _, c := range story.Criteria {
		scores = append(scores, `"`+c.Name+`":4`)
	}
	write(release, "rubrics.zip", data)
	write(dir, "rubrics.zip", data) // the commands replace it
	write(dir, "rubrics.digest", []byte(digest+"\n"))
	write(dir, "rubrics.json", []byte(`{"rubric": "`+story.ID+"@"+story.Version+`"}`))
	write(dir, "story.txt", []byte("Größe 😀 of a list, etc.\r\nCSV, PDF, ETC\n"))
	write(dir, "scores.json", []byte("{"+strings.Join(scores, ",")+"}"))
	build(t, filepath.Join(dir, "rubric"), "./cmd/rubric")
	build(t, filepath.Join(dir, "judge-go"), filepath.Join(dir, "judge.go"))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("RELEASE", "file://"+filepath.ToSlash(release))
	t.Setenv("PYTHONDONTWRITEBYTECODE", "1")
	run := func(command string) (stdout, stderr string) {
		t.Helper()
		program, _, _ := strings.Cut(command, " ")
		if _, err := exec.LookPath(program); err != nil {
			t.Logf("%s is not installed, so this did not run: %s", program, command)
			return "", ""
		}
		cmd := exec.Command("sh", "-ec", command)
		cmd.Dir = dir
		var out, log bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &log
		if err := cmd.Run(); err != nil {
			t.Fatalf("%s: %v\n%s%s", command, err, &out, &log)
		}
		return out.String(), log.String()
	}
	for _, command := range commands {
		run(command)
	}
	if fetched := must.Get(os.ReadFile(filepath.Join(dir, "rubrics.zip")))(t); !bytes.Equal(fetched, data) {
		t.Error("the commands did not fetch the bundle")
	}
	want, _ := run("judge-go story.txt")
	if strings.Count(want, " at ") != 2 || !strings.Contains(want, "passed: false, by "+story.ID+"@"+story.Version+"#sha256:") {
		t.Errorf("the Go program says:\n%s", want)
	}
	for _, command := range []string{"python3 judge.py story.txt", "node judge.mjs story.txt"} {
		out, log := run(command)
		if out != want && out+log != "" || log != "" && !strings.Contains(log, "request-17") {
			t.Errorf("%s says:\n%s%s\nand the Go program:\n%s", command, out, log, want)
		}
	}
	// The digest stays that of the first release.
	next := released(t)
	next.previous = digest
	data, digest = next.write(t)
	follows := func(reason string, bundle []byte, says ...string) {
		t.Helper()
		write(dir, "rubrics.zip", bundle)
		for _, command := range []string{"judge-go story.txt", "python3 judge.py story.txt", "node judge.mjs story.txt"} {
			out, log := run(command)
			if out == want && !slices.ContainsFunc(says, func(text string) bool { return !strings.Contains(log, text) }) || out+log == "" {
				continue
			}
			t.Errorf("with %s, %s says:\n%s%s", reason, command, out, log)
		}
	}
	follows("the next release", data, digest)
	follows("a cut bundle", data[:1000], digest, "keeping the last good bundle")
}
