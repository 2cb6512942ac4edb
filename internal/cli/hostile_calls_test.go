package cli

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// commands are all commands that the module has.
var commands = []func(Streams) *cobra.Command{Lint, Diff, Bundle, Calibrate, Edit, Rules}

var diffFormats = []string{"text", "json", "markdown", "html"}

// hostileCalls are the calls in a folder with libraries. Those that change
// something come last.
func hostileCalls(text string) []call {
	return slices.Concat([]call{
		{Lint, []string{"--base", "none", "hostile"}, lintFormats, ExitFindings},
		{Lint, []string{"--base", "none", "--config", "wrong.yaml", "hostile"}, lintFormats, ExitFailure},
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
		{Bundle, []string{text}, nil, ExitFailure},
		{Bundle, []string{"site", "texts", "site"}, nil, ExitOK},
		{Bundle, []string{"site", text, "site"}, nil, ExitFailure},
		{Bundle, []string{"site", "texts", "other", "--base-url", text}, nil, anyCode},
		{Bundle, []string{"build", "-o", text}, nil, ExitFailure},
		{Bundle, []string{"list", "texts"}, textOrJSON, ExitOK},
		{Bundle, []string{"list", text}, textOrJSON, ExitFailure},
		{Bundle, []string{"get", "texts", "good_v1"}, []string{"text", "json", "reference"}, ExitOK},
		{Bundle, []string{"get", "texts", text}, textOrJSON, ExitFailure},
		{Bundle, []string{"search", "texts", "good"}, textOrJSON, ExitOK},
		{Bundle, []string{"search", "texts", text}, textOrJSON, anyCode},
		{Bundle, []string{"refs", "texts", "contract.json"}, textOrJSON, ExitFindings},
		{Bundle, []string{"refs", "texts", text}, textOrJSON, ExitFailure},
		{Bundle, []string{"verify", "broken.zip"}, textOrJSON, anyCode},
		{Bundle, []string{"verify", "broken.zip", "--digest", text}, textOrJSON, anyCode},
		{Bundle, []string{"lock", "texts", text, "-o", "new.lock"}, nil, ExitFailure},
		{Bundle, []string{"outdated", "texts", "broken.lock"}, textOrJSON, ExitFailure},
	}
}

func hostileRulesCalls(text string) []call {
	return []call{
		{Rules, []string{text}, nil, ExitFailure},
		{Rules, []string{"prepare"}, nil, ExitOK},
		{Rules, []string{"prepare", "--run", "rows.yaml"}, nil, ExitFailure},
		{Rules, []string{"prepare", "--checks", "answers.yaml"}, nil, ExitFailure},
		{Rules, []string{"evaluate", "artifact.md", "--phase", "A", "--verdicts", "verdicts.json"}, resultFormats, ExitFindings},
		{Rules, []string{"evaluate", "artifact.md", "--phase", text}, resultFormats, ExitFailure},
		{Rules, []string{"score", "verdicts.json", "--phase", "A"}, resultFormats, anyCode},
		{Rules, []string{"score", "answers.yaml", "--phase", "A"}, resultFormats, ExitFailure},
		{Rules, []string{"normalize", "rows.yaml"}, ruleFormats, anyCode},
		{Rules, []string{"normalize", "rows.md"}, ruleFormats, anyCode},
		{Rules, []string{"normalize", "rows.md", "--section", text}, nil, anyCode},
		{Rules, []string{"init", "--library", "texts", "--answers", "answers.yaml", "--run", "new.json"}, nil, ExitFailure},
		{Rules, []string{"init", "--library", "texts", "--template", "rows.md", "--mandatory", text, "--run", "new.json"}, nil, anyCode},
		{Rules, []string{"init", "--library", "texts", "--task-type", text, "--run", "new.json"}, nil, ExitFailure},
	}
}

func hostileCalibrateCalls(text string) []call {
	run := []string{"run", "--library", "texts", "--dataset", "notes", "--model", "m", "--retries", "0", "--judge"}
	return []call{
		{Calibrate, []string{text}, nil, ExitFailure},
		{Calibrate, []string{"report", "--library", "texts", "good_v1"}, reportFormats, ExitOK},
		{Calibrate, []string{"report", "--library", "hostile"}, reportFormats, ExitFailure},
		{Calibrate, []string{"check", "--library", "texts", "good_v1"}, textOrJSON, ExitFindings},
		{Calibrate, []string{"check", "--library", "texts", text}, reportFormats, ExitFailure},
		{Calibrate, []string{"compare", "--library", "texts", "--dataset", "notes", "steady", "other"}, compareFormats, ExitOK},
		{Calibrate, []string{"compare", "--library", "texts", "--dataset", "notes", "steady", text}, compareFormats, ExitFailure},
		{Calibrate, []string{"import", "--library", "texts", "--dataset", "notes", "--rubric", "good_v1", "labels.csv", "--dry-run"}, nil, anyCode},
		{Calibrate, []string{"import", "--library", "texts", "--dataset", "notes", "--rubric", "good_v1", "wrong.csv", "--dry-run"}, nil, ExitFailure},
		{Calibrate, []string{"sheet", "--library", "texts", "--dataset", "notes", "--rubric", "good_v1", "--rater", "r9", "-o", "sheet.csv"}, nil, anyCode},
		{Calibrate, []string{"sheet", "--library", "texts", "--dataset", text, "--rater", text, "-o", "no.csv"}, nil, ExitFailure},
		{Calibrate, append(slices.Clone(run), "odd", "--", "sh", "odd-judge.sh"), nil, anyCode},
		{Calibrate, append(slices.Clone(run), "failing", "--", "sh", "judge.sh"), nil, anyCode},
		{Calibrate, []string{"weekly", "--library", "texts", "good_v1"}, textOrJSON, anyCode},
		{Calibrate, []string{"weekly", "--library", "hostile"}, reportFormats, ExitFailure},
	}
}

// hostileRepositoryCalls are the calls in a repository.
func hostileRepositoryCalls(text string) []call {
	return []call{
		{Lint, nil, lintFormats, ExitFindings},
		{Lint, []string{"--audit"}, textOrJSON, ExitFindings},
		{Lint, []string{"--diff"}, nil, ExitFindings},
		{Lint, []string{"--base", text}, lintFormats, ExitFailure},
		{Diff, nil, diffFormats, ExitOK},
		{Diff, []string{"--replay"}, diffFormats, ExitOK},
		{Diff, []string{"--changelog"}, []string{"markdown", "json"}, ExitOK},
		{Diff, []string{"--next-version"}, nil, ExitOK},
		{Diff, []string{text}, diffFormats, ExitFailure},
		{Bundle, []string{"build", "-o", "rubrics.zip"}, textOrJSON, ExitOK},
		{Bundle, []string{"build", text, "-o", "no.zip"}, textOrJSON, ExitFailure},
		{Bundle, []string{"build", "-o", "next.zip", "--version", "2.0.1", "--previous", "../broken.zip"}, textOrJSON, ExitFailure},
		{Bundle, []string{"verify", "rubrics.zip"}, textOrJSON, ExitOK},
		{Bundle, []string{"list", "rubrics.zip"}, textOrJSON, ExitOK},
		{Bundle, []string{"lock", "rubrics.zip", "good_v1@~1.0", "-o", "x.lock"}, nil, ExitOK},
		{Bundle, []string{"outdated", "rubrics.zip", "x.lock"}, textOrJSON, ExitFindings},
		{Edit, []string{text}, nil, ExitFailure},
		{Edit, []string{"fork", "good_v1", "--reason", text, "--dry-run"}, nil, anyCode},
		{Edit, []string{"fork", text, "--dry-run"}, nil, ExitFailure},
		{Edit, []string{"retire", "good_v1", "--reason", text, "--dry-run"}, nil, anyCode},
		{Edit, []string{"retire", text, "--reason", "x", "--dry-run"}, nil, ExitFailure},
		{Edit, []string{"new", "rubric", "--id", "other_v1", "--name", text, "--artifact-type", "prd", "--criteria", "clarity", "--dry-run"}, nil, anyCode},
		{Edit, []string{"new", "rubric", "--id", text, "--name", "x", "--artifact-type", text, "--criteria", text, "--dry-run"}, nil, ExitFailure},
		{Edit, []string{"new", text}, nil, ExitFailure},
		{Edit, []string{"fork", "good_v1", "--reason", text}, nil, anyCode},
		{Lint, []string{"--fix"}, nil, anyCode},
	}
}

// TestNoCommandIsForgotten holds that every command that does something is
// called with hostile texts.
func TestNoCommandIsForgotten(t *testing.T) {
	called := map[string]bool{}
	for _, c := range append(hostileCalls("x"), hostileRepositoryCalls("x")...) {
		root := c.command(Streams{})
		cmd, _, err := root.Find(c.args)
		if err != nil {
			cmd = root // it says that there is no such command
		}
		called[cmd.CommandPath()] = true
	}
	for _, newCommand := range commands {
		walk(newCommand(Streams{}), func(cmd *cobra.Command) {
			if cmd.Runnable() && !called[cmd.CommandPath()] {
				t.Errorf("%s is not called with hostile texts", cmd.CommandPath())
			}
		})
	}
}

// TestNoFlagActs holds that no value of a flag acts in a message about it, nor
// does an argument or a flag that there is not. In an empty folder no command
// gets further than that.
func TestNoFlagActs(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, newCommand := range commands {
		walk(newCommand(Streams{}), func(cmd *cobra.Command) {
			path := strings.Fields(cmd.CommandPath())[1:]
			hold := func(before string) {
				for _, text := range hostile {
					hold(t, []call{{newCommand, append(slices.Clone(path), before+text), nil, anyCode}})
				}
			}
			hold("")
			hold("--no-such-flag=")
			flags := flagNames.FindAllString(cmd.Flags().FlagUsages()+cmd.InheritedFlags().FlagUsages(), -1)
			if len(flags) == 0 {
				t.Errorf("no flag of %s was found", cmd.CommandPath())
			}
			for _, flag := range flags {
				hold(flag[strings.Index(flag, "--"):] + "=")
			}
		})
	}
}

// flagNames finds the flags in the help of a command.
var flagNames = regexp.MustCompile(`(?m)^ +(-\w, )?--[a-z-]+`)

// walk visits a command and those below it.
func walk(cmd *cobra.Command, visit func(*cobra.Command)) {
	visit(cmd)
	for _, c := range cmd.Commands() {
		walk(c, visit)
	}
}
