package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

// Arguments requires least to most arguments, or more if most is negative.
func Arguments(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || most >= 0 && len(args) > most {
			return fmt.Errorf("%s needs %s\n`%s --help` shows the usage", cmd.Name(), what, cmd.CommandPath())
		}
		return nil
	}
}

// NoArguments refuses arguments, and says what to write instead of one, "" if nothing.
func NoArguments(instead string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return fmt.Errorf("%s takes no arguments, got %q%s\n`%s --help` shows the usage", cmd.Name(), args[0], instead, cmd.CommandPath())
	}
}

// errNoCommand ends a command that only has subcommands, after its help.
var errNoCommand = errors.New("no command was given")

// NeedsCommand shows the help if no subcommand was given.
func NeedsCommand(cmd *cobra.Command, _ []string) error {
	cmd.SetOut(cmd.ErrOrStderr())
	if err := cmd.Help(); err != nil {
		return err
	}
	return errNoCommand
}

// meant are commands by other words for what they do, as they are called in other programs.
var meant = map[string]string{
	"check": "lint", "validate": "lint", "verify-rubric": "lint", "test": "lint", "rubric-lint": "lint",
	"show": "get", "cat": "get", "view": "get", "print": "get", "describe": "get", "open": "get",
	"ls": "list", "find": "search", "grep": "search", "compare": "diff", "rubric-diff": "diff", "convert": "import",
	"create": "new", "add": "new", "start": "new", "setup": "init", "delete": "retire", "remove": "retire", "rm": "retire", "unpublish": "yank",
	"release": "build", "bundle": "build", "package": "build", "publish": "push", "upload": "push", "download": "pull", "fetch": "pull", "install": "pull",
	"server": "serve", "web": "site", "docs": "site", "judge": "calibrate run", "grade": "calibrate run", "evaluate": "rules evaluate", "eval": "rules evaluate", "agreement": "calibrate report",
}

// UnknownCommand rejects an argument that is not the name of a subcommand.
func UnknownCommand(cmd *cobra.Command, args []string) error {
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
	} else if word := meant[strings.ToLower(args[0])]; word != "" && slices.Contains(names, strings.Fields(word)[0]) {
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
		return UnknownCommand(cmd, cmd.Flags().Args())
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

// Conflicts rejects flags that can't be combined. Each conflict is the name of a flag and those
// of the flags that it can't be combined with.
func Conflicts(conflicts ...string) func(cmd *cobra.Command, args []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		isSet := func(name string) bool {
			f := cmd.Flags().Lookup(name)
			return f.Value.String() != f.DefValue
		}
		for _, c := range conflicts {
			names := strings.Fields(c)
			for _, other := range names[1:] {
				if isSet(names[0]) && isSet(other) {
					return fmt.Errorf("--%s and --%s can't be combined: remove one of them", names[0], other)
				}
			}
		}
		return nil
	}
}
