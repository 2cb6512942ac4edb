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
		{"Release", bundles.Release(s)},
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
	cmd.SetHelpCommand(helpCommand())
	for _, g := range groups {
		cmd.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, c := range g.commands {
			c.GroupID = g.title
			cmd.AddCommand(c)
		}
	}
	cmd.AddCommand(versionCommand(s), completionCommand(s))
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
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(s.Out, cmd.Root().Name(), cmd.Root().Version)
			return err
		},
	}
}

// helpCommand is the command help, which rejects unknown commands.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Show the help of a command",
		Example: "  rubric help lint",
		RunE: func(cmd *cobra.Command, args []string) error {
			topic, rest, err := cmd.Root().Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 && topic.HasSubCommands() {
				return command.UnknownCommand(topic, rest)
			}
			topic.InitDefaultHelpFlag()
			topic.InitDefaultVersionFlag()
			return topic.Help()
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			topic, _, err := cmd.Root().Find(args)
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var names []cobra.Completion
			for _, c := range topic.Commands() {
				names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}
