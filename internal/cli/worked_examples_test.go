package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli/check"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// A key of a document is one entry in its table: with it, the key is checked, compared,
// and shown.
func TestANewKeyIsOneEntry(t *testing.T) {
	fields := document.Rubric.Table.Fields
	document.Rubric.Table.Fields = append(fields[:len(fields):len(fields)], schema.Field{
		Key: "audience", Value: &schema.Value{Shape: schema.Text, Max: 40},
		Class: schema.Classes{Added: schema.Patch, Removed: schema.Patch, Changed: schema.Patch},
		Doc:   "Who reads the artifact.",
	})
	t.Cleanup(func() { document.Rubric.Table.Fields = fields })

	text := scripttest.Rubric("story_v1", "1.0.0", "stories")
	before := libraryWith(t, text+"audience: testers\n")
	after := libraryWith(t, strings.Replace(text, "1.0.0", "1.0.1", 1)+"audience: all\n")
	long := libraryWith(t, text+"audience: "+strings.Repeat("x", 41)+"\n")
	public := filepath.Join(t.TempDir(), "public")

	tests := []struct {
		reason string
		run    func(command.Streams) *cobra.Command
		args   []string
		want   string
		code   int
	}{
		{"it is checked", check.Lint, []string{before}, "No findings", command.ExitOK},
		{"with its limit", check.Lint, []string{long}, "[invalid-value]", command.ExitFindings},
		{"a change of it has a class and a message", check.Diff, []string{before, after}, "Rewords the audience of the rubric", command.ExitOK},
		{"get shows it", Rubric, []string{"get", before, "story_v1"}, "Audience: testers", command.ExitOK},
		{"and it is in what programs get", Rubric, []string{"get", before, "story_v1", "--format", "json"}, `"audience":"testers"`, command.ExitOK},
		{"the site has a page with it", Rubric, []string{"site", before, "-o", public}, "", command.ExitOK},
	}
	for _, tt := range tests {
		var out, errs bytes.Buffer
		code := command.Main(tt.run, tt.args, command.Streams{Out: &out, Err: &errs, Getenv: func(string) string { return "" }})
		if code != tt.code || !strings.Contains(out.String(), tt.want) {
			t.Errorf("%s: exit code %d, want %d with %q in\n%s%s", tt.reason, code, tt.code, tt.want, &out, &errs)
		}
	}
	page, err := os.ReadFile(filepath.Join(public, "rubrics", "story_v1", "index.html"))
	if err != nil || !bytes.Contains(page, []byte("<dt>Audience</dt><dd><bdi>testers</bdi></dd>")) {
		t.Errorf("the page does not show the key: %v", err)
	}
}

// A command is a constructor in a group: with it, the command is in the help, is
// suggested, and has the exit codes and messages of all others.
func TestANewCommandIsOneConstructor(t *testing.T) {
	count := func(s command.Streams) *cobra.Command {
		cmd := &cobra.Command{
			Use:     "count FROM",
			Short:   "Count the documents",
			Example: "  rubric count .",
			Args:    command.Arguments(1, 1, "a bundle or a folder"),
		}
		cmd.RunE = func(_ *cobra.Command, args []string) error {
			from, err := command.FindLibrary(command.Place{From: args[0]}, nil)
			if err != nil {
				return err
			}
			return s.ReadLibrary(from, func(l *command.Opened) error {
				ids, err := l.IDs()
				if err == nil {
					_, err = fmt.Fprintln(s.Out, len(ids))
				}
				return err
			})
		}
		return cmd
	}
	rubric := func(s command.Streams) *cobra.Command {
		return rubricOf(s, append(groups(s), group{"Trial", []*cobra.Command{count(s)}}))
	}
	dir := libraryWith(t, scripttest.Rubric("story_v1", "1.0.0", "stories"))
	tests := []struct {
		reason string
		args   []string
		code   int
		want   string
	}{
		{"it runs", []string{"count", dir}, command.ExitOK, "1\n"},
		{"it is in the help, in its group", []string{"--help"}, command.ExitOK, "Trial:\n  count "},
		{"it is suggested", []string{"cuont"}, command.ExitFailure, `Did you mean "rubric count"?`},
		{"what it can't do is a message and exit code 2", []string{"count", filepath.Join(dir, "none")}, command.ExitFailure, "rubric: "},
		{"an empty argument is refused", []string{"count", ""}, command.ExitFailure, "is empty"},
	}
	for _, tt := range tests {
		if code, out := runCommand(rubric, tt.args); code != tt.code || !strings.Contains(out, tt.want) {
			t.Errorf("%s: exit code %d, want %d with %q in\n%s", tt.reason, code, tt.code, tt.want, out)
		}
	}
}

// libraryWith is a folder with a library of one rubric.
func libraryWith(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "rubrics", "stories", "story_v1.yaml")
	must.Do(t, os.MkdirAll(filepath.Dir(file), 0o755))
	must.Do(t, os.WriteFile(file, []byte(text), 0o600))
	return dir
}
