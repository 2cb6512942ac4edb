//go:build unix

package evaluate

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// folder writes files and reads the folder.
func folder(t *testing.T, files map[string]string) (string, *Artifact) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must.Do(t, os.WriteFile(path, []byte(text), 0o700))
	}
	a := must.Get(ReadArtifact(dir))(t)
	return dir, a
}

func paths(files []file) (list []string) {
	for _, f := range files {
		list = append(list, f.path)
	}
	return list
}

func TestPatternsSelectFiles(t *testing.T) {
	_, a := folder(t, map[string]string{
		"a.go": "", "b_test.go": "", "x/c.go": "", "x/y/d_test.go": "", ".hidden/e.go": "", "A.GO": "", "x/[a].md": "", "x/a.md": "",
	})
	for pattern, want := range map[string][]string{
		"*.go":            {"a.go", "b_test.go"},
		"**/*.go":         {".hidden/e.go", "a.go", "b_test.go", "x/c.go", "x/y/d_test.go"},
		"**/*_test.go":    {"b_test.go", "x/y/d_test.go"},
		"x/**":            {"x/[a].md", "x/a.md", "x/c.go", "x/y/d_test.go"},
		"x/**/d_test.go":  {"x/y/d_test.go"},
		"?.go":            {"a.go"},
		"x/[a].md":        {"x/[a].md"},
		"a.go/../x/a.md":  nil,
		"../*":            nil,
		"/a.go":           nil,
		`x\c.go`:          nil,
		"{a.go,x/c.go}":   nil,
		"A.GO":            {"A.GO"},
		"x":               nil,
		"x/y/**/**/*.go":  {"x/y/d_test.go"},
		"**":              paths(a.files),
		"a.go\n":          nil,
		"a.go|b_test.go":  nil,
		"(?:a|b).go":      nil,
		"**/**/**/a.go":   {"a.go"},
		"x/**/../**/a.md": nil,
	} {
		got := paths(a.selectFiles(&ruleset.Check{Files: []string{pattern}}))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q selects (-want +got):\n%s", pattern, diff)
		}
	}
}

func TestAFolderIsSearchedFileByFile(t *testing.T) {
	dir, a := folder(t, map[string]string{"a.md": "one\ntwo x\n", "b/c.md": "x x", "b/d.bin": "x\x00\xff", "z.txt": "none"})
	check := func(c ruleset.Check) string {
		c.Type = ruleset.CheckContent
		r := mustCheck(t, c, a, Options{})
		var places []string
		for _, p := range r.Places {
			places = append(places, fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column))
		}
		return fmt.Sprintf("%s: %s %s", r.Verdict, r.Reason, strings.Join(places, " "))
	}
	two := 2
	for _, tt := range []struct {
		check ruleset.Check
		want  string
	}{
		{ruleset.Check{Literal: "x"}, "pass: 3 matches in 3 files (1 binary not searched) a.md:2:5 b/c.md:1:1 b/c.md:1:3"},
		{ruleset.Check{Pattern: "^x"}, "pass: 1 match in 3 files (1 binary not searched) b/c.md:1:1"},
		{ruleset.Check{Literal: "x", Files: []string{"*.md"}, MaxCount: &two}, "pass: 1 match in 1 file a.md:2:5"},
		{ruleset.Check{Literal: "x", Files: []string{"*.md", "**/c.*"}, MaxCount: &two}, "fail: 3 matches in 2 files, expected 1 to 2 a.md:2:5 b/c.md:1:1 b/c.md:1:3"},
		{ruleset.Check{Literal: "secret", Expect: ruleset.ExpectAbsent, Files: []string{"*.go"}}, "skipped: no file of the artifact matches *.go "},
		{ruleset.Check{Literal: "secret", Expect: ruleset.ExpectAbsent, Files: []string{"**/*.bin"}}, "skipped: the files that the check searches are binary "},
	} {
		if got := check(tt.check); got != tt.want {
			t.Errorf("got  %q\nwant %q", got, tt.want)
		}
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, "latin.md"), []byte("x\xe9"), 0o600))
	before := a.Digest()
	a = must.Get(ReadArtifact(dir))(t)
	if a.Digest() == before {
		t.Error("another file gives the same digest")
	}
	if got := check(ruleset.Check{Literal: "x", Expect: ruleset.ExpectAbsent}); got != "skipped: the artifact is not UTF-8. Convert it first " {
		t.Errorf("a file that can't be read: %s", got)
	}
	if got := check(ruleset.Check{Literal: "x", Files: []string{"a.md"}}); !strings.HasPrefix(got, "pass") {
		t.Errorf("beside a file that can't be read: %s", got)
	}
}

// TestNothingLeadsOutOfAFolder puts what could lead out into a folder.
func TestNothingLeadsOutOfAFolder(t *testing.T) {
	outside, _ := folder(t, map[string]string{"secret.md": "the secret"})
	dir, _ := folder(t, map[string]string{"a.md": "text", ".git/config": "the secret", "x/.GIT/config": "the secret", "y/.git": "the secret"})
	for name, target := range map[string]string{"file.md": filepath.Join(outside, "secret.md"), "folder": outside, "up": "../", "loop": ".", "gone": "nowhere"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip("there are no links here: ", err)
		}
	}
	makePipe(t, filepath.Join(dir, "pipe.md"))
	a := must.Get(ReadArtifact(dir))(t)
	if got := paths(a.files); !slices.Equal(got, []string{"a.md"}) {
		t.Errorf("the files are %q", got)
	}
}

func TestAFolderHasLimits(t *testing.T) {
	dir := t.TempDir()
	for i := range maxFiles + 1 {
		must.Do(t, os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), nil, 0o600))
	}
	if _, err := ReadArtifact(dir); err == nil || !strings.Contains(err.Error(), "it has more than 10000 files or 100000 entries. Name a smaller folder") {
		t.Errorf("error is %v", err)
	}
}

// TestCommandsGetACopyOfAFolder runs a command that changes and adds files.
func TestCommandsGetACopyOfAFolder(t *testing.T) {
	dir, a := folder(t, map[string]string{"x/run.sh": "#!/bin/sh\nprintf new >a.md && printf new >b.md && cat x/run.sh && ls \"$1\" && echo \"$PWD\"\n", "a.md": "old"})
	r, err := Check(context.Background(), ruleset.Check{Type: ruleset.CheckExecutable, Command: []string{"sh", "x/run.sh", "{artifact}"}}, a, Options{AllowExec: true})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(r.Output, "$TMPDIR/artifact") {
		t.Errorf("the command ran elsewhere: %+v", r)
	}
	again := must.Get(ReadArtifact(dir))(t)
	if again.Digest() != a.Digest() {
		t.Error("the command changed the folder")
	}
}
