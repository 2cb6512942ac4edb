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
		return fmt.Errorf("%s takes no arguments, got %q%s\n`%s --help` shows the usage",
			cmd.Name(), args[0], instead, cmd.CommandPath())
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
	"check": "lint", "validate": "lint", "test": "lint", "verify-rubric": "lint", "fix": "lint --fix",
	"explain": "lint --explain", "audit": "lint --audit",
	"show": "get", "cat": "get", "view": "get", "print": "get", "describe": "get", "open": "get",
	"read": "get", "info": "get", "inspect": "get",
	"ls": "list", "find": "search", "grep": "search", "query": "search", "lookup": "search",
	"references": "refs", "contracts": "refs",
	"compare": "diff", "history": "diff", "log": "diff", "changes": "diff", "changelog": "diff --changelog",
	"bump": "diff --next-version", "next-version": "diff --next-version",
	"create": "new", "add": "new", "start": "new", "generate": "new", "scaffold": "new",
	"setup": "init", "convert": "import",
	"copy": "fork", "rename": "fork", "delete": "retire", "remove": "retire", "rm": "retire", "archive": "retire",
	"unpublish": "yank", "revoke": "yank", "withdraw": "yank --withdraw", "rollback": "yank",
	"release": "build", "bundle": "build", "package": "build", "pack": "build", "compile": "build",
	"digest": "verify", "checksum": "verify",
	"publish": "push", "upload": "push", "download": "pull", "fetch": "pull", "install": "pull",
	"server": "serve", "http": "serve", "api": "serve", "web": "site", "website": "site", "html": "site",
	"docs": "site", "preview": "site", "autocomplete": "completion",
	"judge": "calibrate run", "grade": "calibrate run", "label": "calibrate sheet",
	"labels": "calibrate sheet", "annotate": "calibrate sheet",
	"agreement": "calibrate report", "measure": "calibrate report", "evaluate": "rules evaluate", "eval": "rules evaluate",
}

// subjects are what other programs have in the names of commands, as in validate-rubric.
var subjects = []string{"rubric", "rubrics", "ruleset", "rulesets", "bundle", "library", "document", "documents"}

// UnknownCommand rejects an argument that is not the name of a subcommand.
func UnknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	message := fmt.Sprintf("unknown command %q for %q", args[0], cmd.CommandPath())
	if path := meantCommand(cmd, strings.ToLower(args[0])); path != "" {
		message += fmt.Sprintf(". Did you mean %q?", path)
	}
	return fmt.Errorf("%s\n`%s --help` lists the commands", message, cmd.CommandPath())
}

// meantCommand is the command that was probably meant by a word after cmd, or "": one of the same
// level by another word, the command of a group with that name, or one that is spelled like it.
func meantCommand(cmd *cobra.Command, word string) string {
	var names []string
	inner := ""
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
		for _, deeper := range c.Commands() {
			if deeper.Name() == word {
				inner = deeper.CommandPath()
			}
		}
	}
	alone := word
	for _, subject := range subjects {
		for _, sign := range []string{"-", "_"} {
			alone = strings.TrimPrefix(strings.TrimSuffix(alone, sign+subject), subject+sign)
		}
	}
	for _, other := range []string{meant[word], meant[alone], alone} {
		// In a group, the name of the group is not a part.
		other = strings.TrimPrefix(other, cmd.Name()+" ")
		if first, _, _ := strings.Cut(other, " "); slices.Contains(names, first) {
			return cmd.CommandPath() + " " + other
		}
	}
	if inner != "" {
		return inner
	}
	if near := suggest.Word(word, names); near != "" {
		return cmd.CommandPath() + " " + near
	}
	return ""
}

// meantFlags are flags by the names that they have in other programs.
var meantFlags = map[string][]string{
	"json": {"format json"}, "out": {"output"}, "dest": {"output"}, "format": {"to"},
	"fail-on": {"fail-level"}, "rules": {"list-rules"},
	"port": {"listen HOST:PORT"}, "host": {"listen HOST:PORT"}, "bind": {"listen HOST:PORT"},
	"addr": {"listen HOST:PORT"}, "address": {"listen HOST:PORT"},
	"id": {"rubric", "rule-set"}, "type": {"artifact-type"}, "sha256": {"digest"}, "checksum": {"digest"},
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
		word := suggest.Word(missing.GetSpecifiedName(), names)
		for _, other := range meantFlags[missing.GetSpecifiedName()] {
			if name, _, _ := strings.Cut(other, " "); slices.Contains(names, name) {
				word = other
			}
		}
		if word != "" {
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
