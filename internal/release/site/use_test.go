package site

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// TestTheProgramsOfAPageRun runs each example program after completing it like a consumer.
func TestTheProgramsOfAPageRun(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	l := small(t)
	for i, document := range l.Documents {
		l.Documents[i] = strings.Replace(document, `'\p{Greek}', `, "", 1) // Go alone knows it
	}
	library, o := open(t, l)
	for _, test := range []struct {
		id, version, language string
		program               func(code string) (file, text string)
		command               []string
	}{
		{"story_v1", "1.0.0", "Go", goProgram("var text string; scores := map[string]float64{\"clarity\": 5, \"scope\": 5}", "verdict.Passed", `"context"`), []string{"go", "run"}},
		{"api_v1", "0.1.0", "Go", goProgram("results := map[string]ruleset.Result{\"a.correctness.endpoints\": {Verdict: \"pass\"}, \"a.style.names\": {Verdict: \"pass\"}, \"a.style.notes\": {Verdict: \"pass\"}}",
			"score.Passed", `"context"; "github.com/rubric-library/rubric-library/pkg/ruleset"`), []string{"go", "run"}},
		{"story_v1", "1.0.0", "Python", after("program.py", "text, scores = '', {'clarity': 5, 'scope': 5}\n", "\nprint(verdict.passed)"), []string{"python3"}},
		{"api_v1", "0.1.0", "Python", after("program.py", "results = {id: {'verdict': 'pass'} for id in ['a.correctness.endpoints', 'a.style.names', 'a.style.notes']}\n", "\nprint(score.passed)"), []string{"python3"}},
		{"story_v1", "1.0.0", "JavaScript", after("program.mjs", "const text = '', scores = { clarity: 5, scope: 5 };\n", "\nconsole.log(result.passed)"), []string{"node"}},
		{"api_v1", "0.1.0", "JavaScript", after("program.mjs", "const pass = { verdict: 'pass' }, results = { 'a.correctness.endpoints': pass, 'a.style.names': pass, 'a.style.notes': pass };\n", "\nconsole.log(score.passed)"), []string{"node"}},
	} {
		t.Run(test.language+" "+test.id, func(t *testing.T) {
			command, err := exec.LookPath(test.command[0])
			if err != nil {
				t.Skipf("%s is not installed", test.command[0])
			}
			found := must.Get(library.Entry(test.id))(t)
			code := ""
			b := &builder{library: library, options: Options{Forge: &Forge{}}}
			for _, u := range b.commands(string(found.Kind), &entry{Entry: &found}, &version{origin: origin{Version: test.version}}) {
				if u.Name == test.language {
					code = u.Code
				}
			}
			dir := t.TempDir()
			copyFile(t, o.Bundle, filepath.Join(dir, bundleName))
			for _, client := range []string{"python/rubric_bundle.py", "javascript/rubric-bundle.mjs"} {
				copyFile(t, filepath.Join("../../../clients", client), filepath.Join(dir, filepath.Base(client)))
			}
			file, text := test.program(strings.ReplaceAll(code, `"rubrics.zip"`, `"`+filepath.ToSlash(filepath.Join(dir, bundleName))+`"`))
			write(t, filepath.Join(dir, file), text)
			out, err := exec.Command(command, append(test.command[1:], filepath.Join(dir, file))...).CombinedOutput()
			if got := strings.ToLower(strings.TrimSpace(string(out))); err != nil || got != "true" {
				t.Errorf("got %q (%v), want true:\n%s", out, err, text)
			}
		})
	}
}

func TestAPreviewHasNoPrograms(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "rubrics/jira_tickets/story_v1.yaml"), text(t, "story_1.yaml"))
	b := &builder{library: must.Get(library.OpenDir(os.DirFS(dir)))(t), options: Options{Forge: &Forge{}}}
	if got := b.commands("rubric", &entry{Entry: &library.Entry{ID: "story_v1"}}, &version{}); got != nil {
		t.Errorf("got %v", got)
	}
}

// after inserts code between two texts.
func after(file, before, behind string) func(code string) (string, string) {
	return func(code string) (string, string) { return file, before + code + behind }
}

// goProgram builds a program from imports and statements, with error checks and output.
func goProgram(given, shown, imports string) func(code string) (string, string) {
	return func(code string) (string, string) {
		head, body, _ := strings.Cut(code, "\n\n")
		var checked strings.Builder
		for line := range strings.Lines(body) {
			checked.WriteString(line + "\nif err != nil { panic(err) }\n")
		}
		return "program.go", "package main\n\n" + head + "\nimport (\"fmt\"; " + imports + ")\n\nfunc main() {\nctx := context.Background()\n" + given + "\n" + checked.String() + "fmt.Println(" + shown + ")\n}\n"
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data := must.Get(os.ReadFile(from))(t)
	must.Do(t, os.WriteFile(to, data, 0o666))
}
