package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli/command"
)

// hostile are texts that an author could write into any text, name, ID, or path so that
// they act in a log, a terminal, a summary, or a report. Each contains the word evil,
// which identifies it.
var hostile = []string{
	"::error::evil", "  ::add-mask::evil", "\u00a0::stop-commands::evil", "\u3000::debug::evil",
	"x\n::set-output name=a::evil", "x\r::error::evil", "x\u2028::error::evil", "x\u0085::error::evil",
	"%0A::error::evil", "%0D%0A##[error]evil", "\\n::error::evil", "&#58;&#58;error&#58;&#58;evil",
	"##[error]evil", "x ##[add-mask]evil", "##vso[task.setvariable]evil", "#\u200d#[error]evil", "##\x00[error]evil",
	",line=1::evil", "x,title=y::evil:: ::error::evil",
	"\x1b[31mevil", "\x1b]0;evil\a", "\u009b31mevil", "evil\x08\x7f", "\u202eevil", "\u2066evil", "\U000e0041evil", "\ufeffevil",
	"<img src=x onerror=evil()>", "</pre></details><script>evil()</script>", "<!-- evil", "--> evil <!--", "]]><evil/>", "&lt;evil&gt; &#60;evil&#62;",
	"[evil](https://evil.example)", "![evil](https://evil.example/x.png)", "[evil]: https://evil.example", "[evil][evil]",
	"https://evil.example", "www.evil.example", "<https://evil.example>", "evil@evil.example", "@evil", "evil/evil#1", "#1 evil",
	"fixes !1 evil", "/close evil\n/close", "~evil %1 &1 $1", "[issue:evil/1] [[evil]]", "[[evil|mailto:evil]] [[x| //evil.png ]]",
	"`evil` ``evil", "`", "| evil |", "\\| evil \\", "**evil** ~~evil~~ $evil$", "# evil", "x\n\n# evil\n\n<evil>", "```\nevil\n```",
	"${{ evil }}", "EOF\nevil=1\nEOF", "{0} evil %s %!d(x)",
}

// written is what a command wrote in one format.
type written struct {
	what, format, text string
}

// TestNothingInALibraryActs puts each hostile text wherever an author can write, and
// checks that it acts in no output of any command, in any format.
func TestNothingInALibraryActs(t *testing.T) {
	released := releasedRepository(t)
	for i, text := range hostile {
		t.Run(fmt.Sprintf("%02d", i), func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			writeHostileLibraries(t, text)
			hold(t, hostileCalls(text))
			writeHostileRepository(t, released, text)
			t.Chdir("repository")
			hold(t, hostileRepositoryCalls(text))
		})
	}
}

func hold(t *testing.T, calls []call) {
	t.Helper()
	dir := t.TempDir() // shared by thousands of calls
	for _, c := range calls {
		for _, o := range c.run(t, dir) {
			holdInert(t, o)
		}
	}
}

// call is a command, called for all its formats, and its exit code: a command that
// fails would show nothing. The code is anyCode if it depends on the text.
type call struct {
	command func(command.Streams) *cobra.Command
	args    []string
	formats []string
	code    int
}

const anyCode = -1

// run runs a command that writes each format into a file of an empty folder, and
// returns what it wrote, to the streams and the job summary too. It empties the folder.
func (c call) run(t *testing.T, dir string) []written {
	t.Helper()
	var out, errs strings.Builder
	summary := filepath.Join(dir, "summary.md")
	env := map[string]string{"GITEA_ACTIONS": "true", "GITHUB_STEP_SUMMARY": summary, "RUBRIC_COMMENT_TOKEN": "secret"}
	getenv := func(name string) string { return env[name] }
	var args []string
	for _, f := range c.formats {
		args = append(args, "--format", f+"="+filepath.Join(dir, f))
	}
	at := len(c.args) // a command of the user is after --
	if i := slices.Index(c.args, "--"); i >= 0 {
		at = i
	}
	args = slices.Insert(slices.Clone(c.args), at, args...)
	what := fmt.Sprintf("%q", c.args)
	if code := command.Main(c.command, args, command.Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Getenv: getenv}); code != c.code && c.code != anyCode {
		t.Errorf("%s exits with %d, want %d: %s", what, code, c.code, errs.String())
	}
	outputs := []written{{what, "text", out.String()}, {what, "text", errs.String()}}
	if data, err := take(summary); err == nil {
		outputs = append(outputs, written{what, "markdown", string(data)})
	}
	for _, f := range c.formats {
		data, err := take(filepath.Join(dir, f))
		if err != nil && c.code != command.ExitFailure && c.code != anyCode {
			t.Errorf("%s wrote no %s: %v", what, f, err)
		}
		if err == nil {
			outputs = append(outputs, written{what, f, string(data)})
		}
	}
	return outputs
}

// take reads a file and removes it, so that no later call seems to have written it.
func take(name string) ([]byte, error) {
	data, err := os.ReadFile(name)
	if err == nil {
		err = os.Remove(name)
	}
	return data, err
}
