package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

func init() { cobra.EnableCommandSorting = false } // help lists commands in order of use

type group struct {
	title    string
	commands []*cobra.Command
}

// groups are all commands, in the order of the help.
func groups(s Streams) []group {
	e := &editCommand{asker: newAsker(s)}
	b := &bundleCommand{Streams: s}
	return []group{
		{"Author", []*cobra.Command{e.initCommand(), e.newCommand(), e.importCommand(), e.forkCommand(), e.retireCommand(), e.reaffirmCommand()}},
		{"Check", []*cobra.Command{below(Lint(s)), below(Diff(s))}},
		{"Release", []*cobra.Command{b.buildCommand(), b.verifyCommand(), b.pushCommand(), b.pullCommand(), b.siteCommand()}},
		{"Use", []*cobra.Command{b.listCommand(), b.getCommand(), b.searchCommand(), b.serveCommand(), b.refsCommand(), b.exportCommand()}},
		{"Calibrate", []*cobra.Command{calibrateCommands(s)}},
		{"Rules", []*cobra.Command{rulesCommands(s)}},
	}
}

// Rubric is the command rubric, which contains all others.
func Rubric(s Streams) *cobra.Command { return rubricOf(s, groups(s)) }

// rubricOf is the command rubric with groups of commands, version, and completion.
func rubricOf(s Streams, groups []group) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rubric",
		Short: "Write, check, release, and use a library of scoring rubrics and rule sets",
		Long: `Write, check, release, and use a library of scoring rubrics and rule sets.

A library is a folder that contains rubrics/. A bundle is the file in which a
library is released. Where a command reads FROM, it takes either.

Exit codes: 0 nothing is wrong, 1 findings or a verdict that fails, 2 the command
failed.`,
		Example: `  rubric init                                           set up a library here
  rubric new rubric                                     start a rubric
  rubric lint                                           check the library here
  rubric diff                                           show what this branch changes
  rubric build -o rubrics.zip                           release the library as a bundle
  rubric get rubrics.zip user_story_quality_v1@~1.0     show a document of a bundle`,
		Args: unknownCommand,
		RunE: needsCommand,
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
	return cmd
}

// below turns a separate program into a command of rubric.
func below(cmd *cobra.Command) *cobra.Command {
	program := cmd.Name()
	name := strings.TrimPrefix(program, "rubric-")
	cmd.Use = name + strings.TrimPrefix(cmd.Use, program)
	cmd.Example = strings.ReplaceAll(cmd.Example, program, "rubric "+name)
	return cmd
}

func versionCommand(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version and the commit",
		Long: `Print the version and the commit. A program that "go install" built from a
downloaded module prints no commit, because its version identifies it.`,
		Example: "  rubric version",
		Args:    cobra.NoArgs,
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
				return unknownCommand(topic, rest)
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

// errNoCommand ends a command that only has subcommands, after its help.
var errNoCommand = errors.New("no command was given")

// needsCommand shows the help if no subcommand was given.
func needsCommand(cmd *cobra.Command, _ []string) error {
	cmd.SetOut(cmd.ErrOrStderr())
	if err := cmd.Help(); err != nil {
		return err
	}
	return errNoCommand
}

// unknownCommand rejects an argument that is not the name of a subcommand.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	elsewhere := ""
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
		for _, inner := range c.Commands() {
			if inner.Name() == args[0] {
				elsewhere = inner.CommandPath()
			}
		}
	}
	message := fmt.Sprintf("unknown command %q for %q", args[0], cmd.CommandPath())
	if word := suggest.Word(args[0], names); word != "" {
		elsewhere = cmd.CommandPath() + " " + word
	}
	if elsewhere != "" {
		message += fmt.Sprintf(". Did you mean %q?", elsewhere)
	}
	return fmt.Errorf("%s\n`%s --help` lists the commands", message, cmd.CommandPath())
}

// flagError adds the flag that was probably meant, and where the flags are listed.
func flagError(cmd *cobra.Command, err error) error {
	if cmd.HasSubCommands() && cmd.Flags().NArg() > 0 {
		return unknownCommand(cmd, cmd.Flags().Args())
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if missing := (*pflag.NotExistError)(nil); errors.As(err, &missing) {
		if word := suggest.Word(missing.GetSpecifiedName(), names); word != "" {
			err = fmt.Errorf("%w. Did you mean --%s?", err, word)
		}
	}
	return fmt.Errorf("%w\n`%s --help` shows the usage", err, cmd.CommandPath())
}
