package cli

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/text/invisible"
)

// hostileCalls are the calls in a folder with libraries. Calls that change something
// come last.
func hostileCalls(text string) []call {
	return slices.Concat([]call{
		{Lint, []string{"--base", "none", "hostile"}, lintFormats(), ExitFindings},
		{Lint, []string{"--base", "none", "--config", "wrong.yaml", "hostile"}, lintFormats(), ExitFailure},
		{Lint, []string{"--base", "none", "--explain", text}, nil, ExitFailure},
		{Lint, []string{"--base", "none", "--diff", "hostile"}, nil, ExitFindings},
		{Lint, []string{"--list-rules", text}, nil, anyCode},
		{Lint, []string{"--format", text}, nil, ExitFailure},
		{Lint, []string{text}, nil, ExitFailure},
		{Diff, []string{"good", "hostile"}, diffFormats, ExitOK},
		{Diff, []string{"good", "texts"}, diffFormats, ExitOK},
		{Diff, []string{"good", "texts", "--replay"}, diffFormats, ExitOK},
		{Diff, []string{"good", "hostile", "--replay"}, diffFormats, ExitFailure},
		{Diff, []string{"good", text}, diffFormats, ExitFailure},
	}, hostileBundleCalls(text), hostileRulesCalls(text), hostileCalibrateCalls(text), []call{
		{Lint, []string{"--base", "none", "--fix", "hostile"}, nil, ExitFindings},
	})
}

func hostileBundleCalls(text string) []call {
	return []call{
		{Rubric, []string{text}, nil, ExitFailure},
		{Rubric, []string{"version"}, nil, ExitOK},
		{Rubric, []string{"__complete", "get", "texts", ""}, nil, ExitOK},
		{Rubric, []string{"__complete", "calibrate", "--library", "hostile", "check", ""}, nil, ExitOK},
		{Rubric, []string{"__complete", "diff", text}, nil, ExitOK},
		{Rubric, []string{"completion", text}, nil, ExitFailure},
		{Rubric, []string{"help", text}, nil, ExitFailure},
		{Rubric, []string{"site", "texts", "site"}, nil, ExitOK},
		{Rubric, []string{"site", text, "site"}, nil, ExitFailure},
		{Rubric, []string{"site", "texts", "other", "--base-url", text}, nil, anyCode},
		{Rubric, []string{"site", "texts", "other", "--edit-url", text}, nil, anyCode},
		{Rubric, []string{"site", "texts", "named", "--name", text}, nil, anyCode},
		{Rubric, []string{"build", "-o", text}, nil, ExitFailure},
		{Rubric, []string{"list", "texts"}, textOrJSON, ExitOK},
		{Rubric, []string{"list", text}, textOrJSON, ExitFailure},
		{Rubric, []string{"get", "texts", "good_v1"}, []string{"text", "json", "reference"}, ExitOK},
		{Rubric, []string{"get", "texts", text}, textOrJSON, ExitFailure},
		{Rubric, []string{"search", "texts", "good"}, textOrJSON, ExitOK},
		{Rubric, []string{"search", "texts", text}, textOrJSON, anyCode},
		{Rubric, []string{"serve", text, "--listen", "127.0.0.1:0"}, nil, ExitFailure},
		{Rubric, []string{"serve", "broken.zip", "--listen", "127.0.0.1:0"}, nil, ExitFailure},
		{Rubric, []string{"serve", "broken.zip", "--listen", text}, nil, ExitFailure},
		{Rubric, []string{"serve", "broken.zip", "--listen", "127.0.0.1:0", "--digest", text}, nil, ExitFailure},
		{Rubric, []string{"refs", "texts", "contract.json"}, textOrJSON, ExitFindings},
		{Rubric, []string{"refs", "texts", text}, textOrJSON, ExitFailure},
		{Rubric, []string{"verify", "broken.zip"}, textOrJSON, anyCode},
		{Rubric, []string{"verify", "broken.zip", "--digest", text}, textOrJSON, anyCode},
		{Rubric, []string{"push", text, "localhost:1/rubrics"}, nil, ExitFailure},
		{Rubric, []string{"push", "broken.zip", "localhost:1/rubrics"}, nil, ExitFailure},
		{Rubric, []string{"push", "broken.zip", text}, nil, ExitFailure},
		{Rubric, []string{"pull", text, "-o", "new.zip"}, nil, ExitFailure},
		{Rubric, []string{"pull", "localhost:1/rubrics", "-o", text}, nil, ExitFailure},
		{Rubric, []string{"export", "texts", "good_v1", "--to", "markdown", "-o", "markdown"}, nil, ExitOK},
		{Rubric, []string{"export", "texts", "good_v1", "--to", "promptfoo", "-o", "promptfoo"}, nil, ExitOK},
		{Rubric, []string{"export", "texts", "good_v1", "--to", "inspect", "-o", "promptfoo"}, nil, ExitFailure},
		{Rubric, []string{"export", "texts", "good_v1", "--to", "inspect", "-o", "inspect", "--check"}, nil, ExitFindings},
		{Rubric, []string{"export", "texts", "good_v1", "--to", text, "-o", "other"}, nil, ExitFailure},
		{Rubric, []string{"export", "texts", text, "--to", "inspect", "-o", "other"}, nil, ExitFailure},
	}
}

func hostileRulesCalls(text string) []call {
	return []call{
		{Rubric, []string{"rules", text}, nil, ExitFailure},
		{Rubric, []string{"rules", "prepare"}, nil, ExitOK},
		{Rubric, []string{"rules", "prepare", "--run", "rows.yaml"}, nil, ExitFailure},
		{Rubric, []string{"rules", "prepare", "--checks", "answers.yaml"}, nil, ExitFailure},
		{Rubric, []string{"rules", "prepare", "--pending", "checks.json"}, nil, ExitOK},
		{Rubric, []string{"rules", "evaluate", "artifact.md", "--phase", "A", "--verdicts", "verdicts.json"}, resultFormats, ExitFindings},
		{Rubric, []string{"rules", "evaluate", "artifact.md", "--phase", text}, resultFormats, ExitFailure},
		{Rubric, []string{"rules", "evaluate", "texts", "--phase", "A"}, resultFormats, anyCode},
		{Rubric, []string{"rules", "evaluate", text, "--phase", "A"}, resultFormats, ExitFailure},
		{Rubric, []string{"rules", "evaluate", "--diff", text, "--phase", "A"}, nil, ExitFailure},
		{Rubric, []string{"rules", "evaluate", "artifact.md", "--phase", "A", "--pending", "pending.json"}, nil, ExitFindings},
		{Rubric, []string{"rules", "evaluate", "artifact.md", "--phase", "A", "--pending", text}, nil, anyCode},
		{Rubric, []string{"rules", "prepare", "--pending", text + "-checks"}, nil, anyCode},
		{Rubric, []string{"rules", "score", "verdicts.json", "--phase", "A"}, resultFormats, anyCode},
		{Rubric, []string{"rules", "score", "answers.yaml", "--phase", "A"}, resultFormats, ExitFailure},
		{Rubric, []string{"rules", "normalize", "rows.yaml"}, ruleFormats, anyCode},
		{Rubric, []string{"rules", "normalize", "rows.md"}, ruleFormats, anyCode},
		{Rubric, []string{"rules", "normalize", "rows.md", "--section", text}, nil, anyCode},
		{Rubric, []string{"rules", "init", "--library", "texts", "--answers", "answers.yaml", "--run", "new.json"}, nil, ExitFailure},
		{Rubric, []string{"rules", "init", "--library", "texts", "--template", "rows.md", "--mandatory", text, "--run", "new.json"}, nil, anyCode},
		{Rubric, []string{"rules", "init", "--library", "texts", "--task-type", text, "--run", "new.json"}, nil, ExitFailure},
	}
}

func hostileCalibrateCalls(text string) []call {
	run := []string{"calibrate", "run", "--library", "texts", "--dataset", "notes", "--model", "m", "--retries", "0", "--judge"}
	scores := []string{"calibrate", "import", "--library", "texts", "--rubric", "good_v1@1.0.0", "--date", "2026-11-21", "--model", text, "--judge", "scored"}
	return []call{
		{Rubric, []string{"calibrate", text}, nil, ExitFailure},
		{Rubric, []string{"calibrate", "report", "--library", "texts", "good_v1"}, reportFormats, ExitOK},
		{Rubric, []string{"calibrate", "report", "--library", "hostile"}, reportFormats, ExitFailure},
		{Rubric, []string{"calibrate", "check", "--library", "texts", "good_v1"}, textOrJSON, ExitFindings},
		{Rubric, []string{"calibrate", "check", "--library", "texts", text}, reportFormats, ExitFailure},
		{Rubric, []string{"calibrate", "import", "--library", "texts", "--dataset", "notes", "--rubric", "good_v1", "labels.csv", "--dry-run"}, nil, anyCode},
		{Rubric, []string{"calibrate", "import", "--library", "texts", "--dataset", "notes", "--rubric", "good_v1", "wrong.csv", "--dry-run"}, nil, ExitFailure},
		{Rubric, append(slices.Clone(scores), "scores.csv", "--dry-run"), nil, anyCode},
		{Rubric, append(slices.Clone(scores), "wrong.csv"), nil, ExitFailure},
		{Rubric, append(slices.Clone(scores), "scores.csv", "--run", text), nil, anyCode},
		{Rubric, []string{"calibrate", "sheet", "--library", "texts", "--dataset", "notes", "--rubric", "good_v1", "--rater", "r9", "-o", "sheet.csv"}, nil, anyCode},
		{Rubric, []string{"calibrate", "sheet", "--library", "texts", "--dataset", "notes", "--rubric", "good_v1", "--rater", "r9", "--choose", "1", "-o", "chosen.csv"}, nil, anyCode},
		{Rubric, []string{"calibrate", "sheet", "--library", "texts", "--dataset", text, "--rater", text, "-o", "no.csv"}, nil, ExitFailure},
		{Rubric, append(slices.Clone(run), "odd", "--", "sh", "odd-judge.sh"), nil, anyCode},
		{Rubric, append(slices.Clone(run), "failing", "--", "sh", "judge.sh"), nil, anyCode},
		{Rubric, []string{"calibrate", "weekly", "--library", "texts", "good_v1"}, textOrJSON, anyCode},
		{Rubric, []string{"calibrate", "rate", "--library", "texts", "good_v1", "--judge", "other", "--passed", "1", "--of", "2"}, nil, anyCode},
		{Rubric, []string{"calibrate", "rate", "--library", "texts", "good_v1", "--judge", text, "--passed", "1", "--of", "2"}, nil, ExitFailure},
		{Rubric, []string{"calibrate", "weekly", "--library", "hostile"}, reportFormats, ExitFailure},
	}
}

// hostileRepositoryCalls are the calls in a repository.
func hostileRepositoryCalls(text string) []call {
	released := ExitOK
	if len(invisible.Find(text)) > 0 {
		released = ExitFindings
	}
	return []call{
		{Lint, nil, lintFormats(), ExitFindings},
		{Lint, []string{"--audit"}, textOrJSON, ExitFindings},
		{Lint, []string{"--diff"}, nil, ExitFindings},
		{Lint, []string{"--base", text}, lintFormats(), ExitFailure},
		{Diff, nil, diffFormats, ExitOK},
		{Diff, []string{"--replay"}, diffFormats, ExitOK},
		{Diff, []string{"--changelog"}, []string{"markdown", "json"}, ExitOK},
		{Diff, []string{"--next-version"}, nil, ExitOK},
		{Diff, []string{text}, diffFormats, ExitFailure},
		{Rubric, []string{"build", "-o", "rubrics.zip"}, textOrJSON, released},
		{Rubric, []string{"build", text, "-o", "no.zip"}, textOrJSON, ExitFailure},
		{Rubric, []string{"build", "-o", "next.zip", "--version", "2.0.1", "--previous", "../broken.zip"}, textOrJSON, ExitFailure},
		{Rubric, []string{"build", "-o", "new/next.zip", "--release", "new/" + text, "--previous", "../broken.zip"}, nil, ExitFailure},
		{Rubric, []string{"verify", "../texts.zip"}, textOrJSON, released},
		{Rubric, []string{"push", "../texts.zip", "localhost:1/rubrics", "--attestation", text}, nil, ExitFailure},
		{Rubric, []string{"list", "../texts.zip"}, textOrJSON, ExitOK},
		{Rubric, []string{"lint"}, lintFormats(), ExitFindings},
		{Rubric, []string{"diff"}, diffFormats, ExitOK},
		{Rubric, []string{"fork", "good_v1", "--reason", text, "--dry-run"}, nil, anyCode},
		{Rubric, []string{"fork", text, "--dry-run"}, nil, ExitFailure},
		{Rubric, []string{"retire", "good_v1", "--reason", text, "--dry-run"}, nil, anyCode},
		{Rubric, []string{"retire", text, "--reason", "x", "--dry-run"}, nil, ExitFailure},
		{Rubric, []string{"reaffirm", text, "--reason", "x", "--dry-run"}, nil, ExitFailure},
		{Rubric, []string{"reaffirm", "notes", "--reason", text, "--dry-run"}, nil, anyCode},
		{Rubric, []string{"new", "rubric", "--id", "other_v1", "--name", text, "--artifact-type", "prd", "--criteria", "clarity", "--dry-run"}, nil, anyCode},
		{Rubric, []string{"new", "rubric", "--id", text, "--name", "x", "--artifact-type", text, "--criteria", text, "--dry-run"}, nil, ExitFailure},
		{Rubric, []string{"new", text}, nil, ExitFailure},
		{Rubric, []string{"import", "../prometheus.json", "--from", "prometheus", "--artifact-type", "other", "--dry-run"}, nil, ExitOK},
		{Rubric, []string{"import", "../ragas.json", "--from", "ragas", "--artifact-type", "other", "--dry-run"}, nil, ExitOK},
		{Rubric, []string{"import", "../deepeval.json", "--from", "deepeval", "--artifact-type", "other", "--dry-run"}, nil, ExitOK},
		{Rubric, []string{"import", "../deepeval-wrong.json", "--from", "deepeval", "--artifact-type", "other", "--dry-run"}, nil, ExitFailure},
		{Rubric, []string{"import", "../rubric-spec.json", "--from", "rubric-spec", "--artifact-type", "other", "--dry-run"}, nil, anyCode},
		{Rubric, []string{"import", "../promptfoo.json", "--from", "promptfoo", "--artifact-type", "other", "--dry-run"}, nil, anyCode},
		{Rubric, []string{"import", "../table.csv", "--from", "csv", "--artifact-type", "other", "--dry-run"}, nil, anyCode},
		{Rubric, []string{"import", "../list.md", "--from", "markdown", "--artifact-type", "other", "--dry-run"}, nil, anyCode},
		{Rubric, []string{"import", "../prometheus.json", "--from", text, "--as", text}, nil, ExitFailure},
		{Rubric, []string{"import", text, "--from", "csv", "--id", text}, nil, ExitFailure},
		{Rubric, []string{"import", "../table.csv", "--from", "csv", "--artifact-type", text, "--set", text}, nil, ExitFailure},
		{Rubric, []string{"init", "--yes", "--id", text, "--name", text, "--owner", text, "--dry-run"}, nil, anyCode},
		{Rubric, []string{"init", "--yes", "--ci", text}, nil, ExitFailure},
		{Rubric, []string{"fork", "good_v1", "--reason", text}, nil, anyCode},
		{Lint, []string{"--fix"}, nil, anyCode},
	}
}

// TestNoCommandIsForgotten checks that every command is called with hostile texts, and
// with flags that it has.
func TestNoCommandIsForgotten(t *testing.T) {
	called := map[string]bool{}
	for _, c := range append(hostileCalls("x"), hostileRepositoryCalls("x")...) {
		root := c.command(Streams{})
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
	walk(Rubric(Streams{}), func(cmd *cobra.Command) {
		if cmd.Runnable() && !called[cmd.CommandPath()] {
			t.Errorf("%s is not called with hostile texts", cmd.CommandPath())
		}
	})
}

// TestNoFlagActs checks that no value of a flag acts in a message about it, and no
// unknown argument or flag does. In an empty folder, no command gets further.
func TestNoFlagActs(t *testing.T) {
	t.Chdir(t.TempDir())
	walk(Rubric(Streams{}), func(cmd *cobra.Command) {
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
