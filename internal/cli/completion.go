package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli/check"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

var shells = []string{"bash", "zsh", "fish", "powershell"}

// completionCommand is the command completion, which covers all three programs.
func completionCommand(s command.Streams) *cobra.Command {
	return &cobra.Command{
		Use:       "completion SHELL",
		ValidArgs: shells,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 && slices.Contains(shells, args[0]) {
				return nil
			}
			return errors.New("completion needs the name of one shell: " + schema.Or(shells, "or"))
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[0] == "zsh" { // zsh loads a file by the names in its first line
				fmt.Fprintln(s.Out, "#compdef rubric rubric-lint rubric-diff")
			}
			out := command.Raw(s.Out)
			var errs []error
			for _, program := range []*cobra.Command{cmd.Root(), check.Lint(s), check.Diff(s)} {
				switch args[0] {
				case "bash":
					errs = append(errs, bashScript(out, program))
				case "zsh":
					errs = append(errs, program.GenZshCompletion(out))
				case "fish":
					errs = append(errs, program.GenFishCompletion(out, true))
				case "powershell":
					errs = append(errs, program.GenPowerShellCompletionWithDesc(out))
				}
			}
			return cmp.Or(errs...)
		},
	}
}

// bashWords are the places in a script for bash that name the characters at which bash ends a word.
var bashWords = strings.NewReplacer(`_init_completion -n =:`, `_init_completion -n =:@`)

// bashTrims matches the line that removes what bash does not replace from the completions.
var bashTrims = lazy.Expr(`(?m)^( *__\S+_handle_special_char "\$cur" )=$`)

// bashScript writes the script for bash. cobra's is for words in which an @ is no end of a word.
func bashScript(w io.Writer, program *cobra.Command) error {
	var script strings.Builder
	if err := program.GenBashCompletionV2(&script, true); err != nil {
		return err
	}
	_, err := io.WriteString(w, bashTrims().ReplaceAllString(bashWords.Replace(script.String()), "$0\n$1@"))
	return err
}
