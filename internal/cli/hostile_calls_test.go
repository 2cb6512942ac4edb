package cli

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli/check"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// formatsOf are the formats of a command.
func formatsOf(names ...string) []string {
	cmd, _, err := Rubric(command.Streams{}).Find(names)
	if err != nil {
		panic(err)
	}
	return cmd.Flag("format").Annotations[command.ValuesKey]
}

// hostileCalls are the calls in a folder with libraries. Calls that change something
// come last.
func hostileCalls(text string) []call {
	return slices.Concat([]call{
		{check.Lint, []string{"--base", "none", "hostile"}, formatsOf("lint"), command.ExitFindings},
		{check.Lint, []string{"--base", "none", "--config", "wrong.yaml", "hostile"}, formatsOf("lint"), command.ExitFailure},
		{check.Lint, []string{"--base", "none", "--explain", text}, nil, command.ExitFailure},
		{check.Lint, []string{"--base", "none", "--diff", "hostile"}, nil, command.ExitFindings},
		{check.Lint, []string{"--list-rules", text}, nil, anyCode},
		{check.Lint, []string{"--format", text}, nil, command.ExitFailure},
		{check.Lint, []string{text}, nil, command.ExitFailure},
		{check.Diff, []string{"good", "hostile"}, formatsOf("diff"), command.ExitOK},
		{check.Diff, []string{"good", "texts"}, formatsOf("diff"), command.ExitOK},
		{check.Diff, []string{"good", "texts", "--replay"}, formatsOf("diff"), command.ExitOK},
		{check.Diff, []string{"good", "hostile", "--replay"}, formatsOf("diff"), command.ExitFailure},
		{check.Diff, []string{"good", text}, formatsOf("diff"), command.ExitFailure},
	}, hostileBundleCalls(text), hostileRulesCalls(text), hostileCalibrateCalls(text), []call{
		{check.Lint, []string{"--base", "none", "--fix", "hostile"}, nil, command.ExitFindings},
	})
}

func hostileBundleCalls(text string) []call {
	return []call{
		{Rubric, []string{text}, nil, command.ExitFailure},
		{Rubric, []string{"version"}, nil, command.ExitOK},
		{Rubric, []string{"__complete", "get", "./texts", ""}, nil, command.ExitOK},
		{Rubric, []string{"__complete", "calibrate", "--library", "hostile", "check", ""}, nil, command.ExitOK},
		{Rubric, []string{"__complete", "diff", text}, nil, command.ExitOK},
		{Rubric, []string{"completion", text}, nil, command.ExitFailure},
		{Rubric, []string{"help", text}, nil, command.ExitFailure},
		{Rubric, []string{"site", "./texts", "-o", "site"}, nil, command.ExitOK},
		{Rubric, []string{"site", text, "-o", "site"}, nil, command.ExitFailure},
		{Rubric, []string{"site", "./texts", "-o", "other", "--base-url", text}, nil, anyCode},
		{Rubric, []string{"site", "./texts", "-o", "other", "--edit-url", text}, nil, anyCode},
		{Rubric, []string{"site", "./texts", "-o", "named", "--name", text}, nil, anyCode},
		{Rubric, []string{"build", "-o", text}, nil, command.ExitFailure},
		{Rubric, []string{"list", "./texts"}, formatsOf("list"), command.ExitOK},
		{Rubric, []string{"list", text}, formatsOf("list"), command.ExitFailure},
		{Rubric, []string{"get", "./texts", "good_v1"}, []string{"text", "json", "reference"}, command.ExitOK},
		{Rubric, []string{"get", "./texts", text}, formatsOf("list"), command.ExitFailure},
		{Rubric, []string{"search", "./texts", "good"}, formatsOf("list"), command.ExitOK},
		{Rubric, []string{"search", "./texts", text}, formatsOf("list"), anyCode},
		{Rubric, []string{"serve", text, "--listen", "127.0.0.1:0"}, nil, command.ExitFailure},
		{Rubric, []string{"serve", "broken.zip", "--listen", "127.0.0.1:0"}, nil, command.ExitFailure},
		{Rubric, []string{"serve", "broken.zip", "--listen", text}, nil, command.ExitFailure},
		{Rubric, []string{"serve", "broken.zip", "--listen", "127.0.0.1:0", "--digest", text}, nil, command.ExitFailure},
		{Rubric, []string{"refs", "./texts", "contract.json"}, formatsOf("list"), command.ExitFindings},
		{Rubric, []string{"refs", "./texts", text}, formatsOf("list"), command.ExitFailure},
		{Rubric, []string{"verify", "broken.zip"}, formatsOf("list"), anyCode},
		{Rubric, []string{"verify", "broken.zip", "--digest", text}, formatsOf("list"), anyCode},
		{Rubric, []string{"push", text, "localhost:1/rubrics"}, nil, command.ExitFailure},
		{Rubric, []string{"push", "broken.zip", "localhost:1/rubrics"}, nil, command.ExitFailure},
		{Rubric, []string{"push", "broken.zip", text}, nil, command.ExitFailure},
		{Rubric, []string{"comment", text, "comment.md", "--server", "http://127.0.0.1:1", "--repository", "a/b", "--number", "1"}, nil, command.ExitFailure},
		{Rubric, []string{"comment", "gitea", text, "--server", "http://127.0.0.1:1", "--repository", "a/b", "--number", "1"}, nil, command.ExitFailure},
		{Rubric, []string{"comment", "gitea", "comment.md", "--server", text, "--repository", "a/b", "--number", "1"}, nil, command.ExitFailure},
		{Rubric, []string{"comment", "gitlab", "comment.md", "--server", "http://127.0.0.1:1", "--repository", text, "--number", "1"}, nil, command.ExitFailure},
		{Rubric, []string{"pull", text, "-o", "new.zip"}, nil, command.ExitFailure},
		{Rubric, []string{"pull", "localhost:1/rubrics", "-o", text}, nil, command.ExitFailure},
		{Rubric, []string{"export", "./texts", "good_v1", "--to", "markdown", "-o", "markdown"}, nil, command.ExitOK},
		{Rubric, []string{"export", "./texts", "good_v1", "--to", "promptfoo", "-o", "promptfoo"}, nil, command.ExitOK},
		{Rubric, []string{"export", "./texts", "good_v1", "--to", "inspect", "-o", "promptfoo"}, nil, command.ExitFailure},
		{Rubric, []string{"export", "./texts", "good_v1", "--to", "inspect", "-o", "inspect", "--check"}, nil, command.ExitFindings},
		{Rubric, []string{"export", "./texts", "good_v1", "--to", text, "-o", "other"}, nil, command.ExitFailure},
		{Rubric, []string{"export", "./texts", text, "--to", "inspect", "-o", "other"}, nil, command.ExitFailure},
	}
}

func hostileRulesCalls(text string) []call {
	return []call{
		{Rubric, []string{"rules", text}, nil, command.ExitFailure},
		{Rubric, []string{"rules", "prepare"}, nil, command.ExitOK},
		{Rubric, []string{"rules", "prepare", "--run", "rows.yaml"}, nil, command.ExitFailure},
		{Rubric, []string{"rules", "prepare", "--checks", "answers.yaml"}, nil, command.ExitFailure},
		{Rubric, []string{"rules", "prepare", "--pending", "checks.json"}, nil, command.ExitOK},
		{Rubric, []string{"rules", "evaluate", "artifact.md", "--phase", "A", "--verdicts", "verdicts.json"}, formatsOf("rules", "evaluate"), command.ExitFindings},
		{Rubric, []string{"rules", "evaluate", "artifact.md", "--phase", text}, formatsOf("rules", "evaluate"), command.ExitFailure},
		{Rubric, []string{"rules", "evaluate", "texts", "--phase", "A"}, formatsOf("rules", "evaluate"), anyCode},
		{Rubric, []string{"rules", "evaluate", text, "--phase", "A"}, formatsOf("rules", "evaluate"), command.ExitFailure},
		{Rubric, []string{"rules", "evaluate", "--diff", text, "--phase", "A"}, nil, command.ExitFailure},
		{Rubric, []string{"rules", "evaluate", "artifact.md", "--phase", "A", "--pending", "pending.json"}, nil, command.ExitFindings},
		{Rubric, []string{"rules", "evaluate", "artifact.md", "--phase", "A", "--pending", text}, nil, anyCode},
		{Rubric, []string{"rules", "prepare", "--pending", text + "-checks"}, nil, anyCode},
		{Rubric, []string{"rules", "score", "verdicts.json", "--phase", "A"}, formatsOf("rules", "evaluate"), anyCode},
		{Rubric, []string{"rules", "score", "answers.yaml", "--phase", "A"}, formatsOf("rules", "evaluate"), command.ExitFailure},
		{Rubric, []string{"rules", "normalize", "rows.yaml"}, formatsOf("rules", "normalize"), anyCode},
		{Rubric, []string{"rules", "normalize", "rows.md"}, formatsOf("rules", "normalize"), anyCode},
		{Rubric, []string{"rules", "normalize", "rows.md", "--section", text}, nil, anyCode},
		{Rubric, []string{"rules", "init", "--library", "texts", "--answers", "answers.yaml", "--run", "new.json"}, nil, command.ExitFailure},
		{Rubric, []string{"rules", "init", "--library", "texts", "--template", "rows.md", "--mandatory", text, "--run", "new.json"}, nil, anyCode},
		{Rubric, []string{"rules", "init", "--library", "texts", "--task-type", text, "--run", "new.json"}, nil, command.ExitFailure},
	}
}

func hostileCalibrateCalls(text string) []call {
	run := []string{"calibrate", "run", "--library", "texts", "--dataset", "notes", "--model", "m", "--retries", "0", "--judge"}
	scores := []string{"calibrate", "import", "--library", "texts", "--rubric", "good_v1@1.0.0", "--date", "2026-11-21", "--model", text, "--judge", "scored"}
	return []call{
		{Rubric, []string{"calibrate", text}, nil, command.ExitFailure},
		{Rubric, []string{"calibrate", "report", "--library", "texts", "good_v1"}, formatsOf("calibrate", "report"), command.ExitOK},
		{Rubric, []string{"calibrate", "report", "--library", "hostile"}, formatsOf("calibrate", "report"), command.ExitFailure},
		{Rubric, []string{"calibrate", "check", "--library", "texts", "good_v1"}, formatsOf("list"), command.ExitFindings},
		{Rubric, []string{"calibrate", "check", "--library", "texts", text}, formatsOf("calibrate", "report"), command.ExitFailure},
		{Rubric, []string{"calibrate", "import", "--library", "texts", "--dataset", "notes", "--rubric", "good_v1", "labels.csv", "--dry-run"}, nil, anyCode},
		{Rubric, []string{"calibrate", "import", "--library", "texts", "--dataset", "notes", "--rubric", "good_v1", "wrong.csv", "--dry-run"}, nil, command.ExitFailure},
		{Rubric, append(slices.Clone(scores), "scores.csv", "--dry-run"), nil, anyCode},
		{Rubric, append(slices.Clone(scores), "wrong.csv"), nil, command.ExitFailure},
		{Rubric, append(slices.Clone(scores), "scores.csv", "--run", text), nil, anyCode},
		{Rubric, []string{"calibrate", "sheet", "--library", "texts", "--dataset", "notes", "--rubric", "good_v1", "--rater", "r9", "-o", "sheet.csv"}, nil, anyCode},
		{Rubric, []string{"calibrate", "sheet", "--library", "texts", "--dataset", "notes", "--rubric", "good_v1", "--rater", "r9", "--choose", "1", "-o", "chosen.csv"}, nil, anyCode},
		{Rubric, []string{"calibrate", "sheet", "--library", "texts", "--dataset", text, "--rater", text, "-o", "no.csv"}, nil, command.ExitFailure},
		{Rubric, append(slices.Clone(run), "odd", "--", "sh", "odd-judge.sh"), nil, anyCode},
		{Rubric, append(slices.Clone(run), "failing", "--", "sh", "judge.sh"), nil, anyCode},
		{Rubric, []string{"calibrate", "weekly", "--library", "texts", "good_v1"}, formatsOf("list"), anyCode},
		{Rubric, []string{"calibrate", "rate", "--library", "texts", "good_v1", "--judge", "other", "--passed", "1", "--of", "2"}, nil, anyCode},
		{Rubric, []string{"calibrate", "rate", "--library", "texts", "good_v1", "--judge", text, "--passed", "1", "--of", "2"}, nil, command.ExitFailure},
		{Rubric, []string{"calibrate", "weekly", "--library", "hostile"}, formatsOf("calibrate", "report"), command.ExitFailure},
	}
}

// hostileRepositoryCalls are the calls in a repository.
func hostileRepositoryCalls(text string) []call {
	released := command.ExitOK
	if len(sanitize.FindHidden(text)) > 0 {
		released = command.ExitFindings
	}
	return []call{
		{check.Lint, nil, formatsOf("lint"), command.ExitFindings},
		{check.Lint, []string{"--audit"}, formatsOf("list"), command.ExitFindings},
		{check.Lint, []string{"--diff"}, nil, command.ExitFindings},
		{check.Lint, []string{"--base", text}, formatsOf("lint"), command.ExitFailure},
		{check.Diff, nil, formatsOf("diff"), command.ExitOK},
		{check.Diff, []string{"--replay"}, formatsOf("diff"), command.ExitOK},
		{check.Diff, []string{"--changelog"}, []string{"markdown", "json"}, command.ExitOK},
		{check.Diff, []string{"--next-version"}, nil, command.ExitOK},
		{check.Diff, []string{text}, formatsOf("diff"), command.ExitFailure},
		{Rubric, []string{"build", "-o", "rubrics.zip"}, formatsOf("list"), released},
		{Rubric, []string{"build", text, "-o", "no.zip"}, formatsOf("list"), command.ExitFailure},
		{Rubric, []string{"build", "-o", "next.zip", "--version", "2.0.1", "--previous", "../broken.zip"}, formatsOf("list"), command.ExitFailure},
		{Rubric, []string{"build", "-o", "new/next.zip", "--release", "new/" + text, "--previous", "../broken.zip"}, nil, command.ExitFailure},
		{Rubric, []string{"verify", "../texts.zip"}, formatsOf("list"), released},
		{Rubric, []string{"push", "../texts.zip", "localhost:1/rubrics", "--attestation", text}, nil, command.ExitFailure},
		{Rubric, []string{"list", "../texts.zip"}, formatsOf("list"), command.ExitOK},
		{Rubric, []string{"lint"}, formatsOf("lint"), command.ExitFindings},
		{Rubric, []string{"diff"}, formatsOf("diff"), command.ExitOK},
		{Rubric, []string{"fork", "good_v1", "--reason", text, "--dry-run"}, nil, anyCode},
		{Rubric, []string{"fork", text, "--dry-run"}, nil, command.ExitFailure},
		{Rubric, []string{"retire", "good_v1", "--reason", text, "--dry-run"}, nil, anyCode},
		{Rubric, []string{"retire", text, "--reason", "x", "--dry-run"}, nil, command.ExitFailure},
		{Rubric, []string{"yank", "good_v1", text, "--reason", "x", "--dry-run"}, nil, command.ExitFailure},
		{Rubric, []string{"yank", text, "1.0.0", "--reason", text, "--dry-run"}, nil, command.ExitFailure},
		{Rubric, []string{"reaffirm", text, "--reason", "x", "--dry-run"}, nil, command.ExitFailure},
		{Rubric, []string{"reaffirm", "notes", "--reason", text, "--dry-run"}, nil, anyCode},
		{Rubric, []string{"new", "rubric", "--id", "other_v1", "--name", text, "--artifact-type", "prd", "--criteria", "clarity", "--dry-run"}, nil, anyCode},
		{Rubric, []string{"new", "rubric", "--id", text, "--name", "x", "--artifact-type", text, "--criteria", text, "--dry-run"}, nil, command.ExitFailure},
		{Rubric, []string{"new", text}, nil, command.ExitFailure},
		{Rubric, []string{"import", "../prometheus.json", "--from", "prometheus", "--artifact-type", "other", "--dry-run"}, nil, command.ExitOK},
		{Rubric, []string{"import", "../ragas.json", "--from", "ragas", "--artifact-type", "other", "--dry-run"}, nil, command.ExitOK},
		{Rubric, []string{"import", "../deepeval.json", "--from", "deepeval", "--artifact-type", "other", "--dry-run"}, nil, command.ExitOK},
		{Rubric, []string{"import", "../deepeval-wrong.json", "--from", "deepeval", "--artifact-type", "other", "--dry-run"}, nil, command.ExitFailure},
		{Rubric, []string{"import", "../rubric-spec.json", "--from", "rubric-spec", "--artifact-type", "other", "--dry-run"}, nil, anyCode},
		{Rubric, []string{"import", "../promptfoo.json", "--from", "promptfoo", "--artifact-type", "other", "--dry-run"}, nil, anyCode},
		{Rubric, []string{"import", "../table.csv", "--from", "csv", "--artifact-type", "other", "--dry-run"}, nil, anyCode},
		{Rubric, []string{"import", "../list.md", "--from", "markdown", "--artifact-type", "other", "--dry-run"}, nil, anyCode},
		{Rubric, []string{"import", "../prometheus.json", "--from", text, "--as", text}, nil, command.ExitFailure},
		{Rubric, []string{"import", text, "--from", "csv", "--id", text}, nil, command.ExitFailure},
		{Rubric, []string{"import", "../table.csv", "--from", "csv", "--artifact-type", text, "--set", text}, nil, command.ExitFailure},
		{Rubric, []string{"init", "--yes", "--id", text, "--name", text, "--owner", text, "--dry-run"}, nil, anyCode},
		{Rubric, []string{"init", "--yes", "--ci", text}, nil, command.ExitFailure},
		{Rubric, []string{"fork", "good_v1", "--reason", text}, nil, anyCode},
		{check.Lint, []string{"--fix"}, nil, anyCode},
	}
}

// TestNoCommandIsForgotten checks that every command is called with hostile texts, and
// with flags that it has.
func TestNoCommandIsForgotten(t *testing.T) {
	called := map[string]bool{}
	for _, c := range append(hostileCalls("x"), hostileRepositoryCalls("x")...) {
		root := c.command(command.Streams{})
		cmd, args, err := root.Find(c.args)
		if err != nil {
			cmd = root // root reports the unknown command
		}
		completes := slices.Contains(c.args, "__complete") // its flags are those of another command
		if err := cmd.ParseFlags(args); err != nil && !completes && strings.HasPrefix(err.Error(), "unknown flag") {
			t.Errorf("%q does nothing: %v", c.args, err)
		}
		called[cmd.CommandPath()] = true
	}
	walk(Rubric(command.Streams{}), func(cmd *cobra.Command) {
		if cmd.Runnable() && !called[cmd.CommandPath()] {
			t.Errorf("%s is not called with hostile texts", cmd.CommandPath())
		}
	})
}

// TestNoFlagActs checks that no value of a flag acts in a message about it, and no
// unknown argument or flag does. In an empty folder, no command gets further.
func TestNoFlagActs(t *testing.T) {
	t.Chdir(t.TempDir())
	walk(Rubric(command.Streams{}), func(cmd *cobra.Command) {
		path := strings.Fields(cmd.CommandPath())[1:]
		hold := func(before string) {
			var calls []call
			for _, text := range hostile {
				calls = append(calls, call{Rubric, append(slices.Clone(path), before+text), nil, anyCode})
			}
			hold(t, calls)
		}
		hold("")
		hold("--no-such-flag=")
		flags := flagNames.FindAllString(cmd.LocalFlags().FlagUsages()+cmd.InheritedFlags().FlagUsages(), -1)
		if len(flags) == 0 && cmd.HasAvailableFlags() {
			t.Errorf("no flag of %s was found", cmd.CommandPath())
		}
		for _, flag := range flags {
			hold(flag[strings.Index(flag, "--"):] + "=")
		}
	})
}

// flagNames finds the flags in the help of a command.
var flagNames = regexp.MustCompile(`(?m)^ +(-\w, )?--[a-z-]+`)

// walk visits a command and its subcommands.
func walk(cmd *cobra.Command, visit func(*cobra.Command)) {
	visit(cmd)
	for _, c := range cmd.Commands() {
		walk(c, visit)
	}
}
