package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli/author"
	"github.com/rubric-library/rubric-library/internal/cli/bundles"
	"github.com/rubric-library/rubric-library/internal/cli/calibrate"
	"github.com/rubric-library/rubric-library/internal/cli/check"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/cli/rules"
)

func init() { cobra.EnableCommandSorting = false } // help lists commands in order of use

type group struct {
	title    string
	commands []*cobra.Command
}

// groups are all commands, in the order of the help.
func groups(s command.Streams) []group {
	return []group{
		{"Author", author.Commands(s)},
		{"Check", []*cobra.Command{below(check.Lint(s)), below(check.Diff(s))}},
		{"Release", append(bundles.Release(s), commentCommand(s))},
		{"Use", bundles.Use(s)},
		{"Calibrate", []*cobra.Command{calibrate.Command(s)}},
		{"Rules", []*cobra.Command{rules.Command(s)}},
	}
}

// Rubric is the command rubric, which contains all others.
func Rubric(s command.Streams) *cobra.Command { return rubricOf(s, groups(s)) }

// rubricOf is the command rubric with groups of commands, version, and completion.
func rubricOf(s command.Streams, groups []group) *cobra.Command {
	cmd := &cobra.Command{
		Use:  "rubric",
		Args: command.UnknownCommand,
		RunE: command.NeedsCommand,
	}
	for _, g := range groups {
		cmd.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, c := range g.commands {
			c.GroupID = g.title
			cmd.AddCommand(c)
		}
	}
	cmd.AddCommand(versionCommand(s), completionCommand(s))
	cmd.InitDefaultHelpCmd()
	help, _, _ := cmd.Find([]string{"help"})    // it was just added
	help.Use, help.Short = "help [COMMAND]", "" // Describe sets the texts
	// By default, an unknown topic is not an error.
	help.Args = func(_ *cobra.Command, args []string) error {
		topic, rest, err := cmd.Find(args)
		if err == nil && len(rest) > 0 && topic.HasSubCommands() {
			err = command.UnknownCommand(topic, rest)
		}
		return err
	}
	return command.Describe(cmd)
}

// below turns a separate program into a command of rubric.
func below(cmd *cobra.Command) *cobra.Command {
	program := cmd.Name()
	name := strings.TrimPrefix(program, "rubric-")
	cmd.Use = name + strings.TrimPrefix(cmd.Use, program)
	cmd.Example = strings.ReplaceAll(cmd.Example, program, "rubric "+name)
	return cmd
}

func versionCommand(s command.Streams) *cobra.Command {
	return &cobra.Command{
		Use:  "version",
		Args: command.NoArguments(""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(s.Out, cmd.Root().Name(), cmd.Root().Version)
			return err
		},
	}
}
