package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// shells are the shells that have a completion script.
var shells = []string{"bash", "zsh", "fish", "powershell"}

// completionCommand is the command completion, which covers all three programs.
func completionCommand(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print the completion script for a shell: " + schema.Or(shells, "or"),
		Long: `Print the completion script of rubric, rubric-lint, and rubric-diff for a shell. It
completes commands, flags, formats, lint rules, document IDs, datasets, and revisions.`,
		Example: `  source <(rubric completion bash)
  rubric completion zsh >"${fpath[1]}/_rubric"
  rubric completion fish | source
  rubric completion powershell >>$PROFILE`,
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
			for _, program := range []*cobra.Command{cmd.Root(), Lint(s), Diff(s)} {
				if err := writeCompletion(program, args[0], s.Out); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// writeCompletion writes the completion script of one program.
func writeCompletion(cmd *cobra.Command, shell string, w io.Writer) error {
	switch shell {
	case "zsh":
		return cmd.GenZshCompletion(w)
	case "fish":
		return cmd.GenFishCompletion(w, true)
	case "powershell":
		return cmd.GenPowerShellCompletionWithDesc(w)
	}
	return cmd.GenBashCompletionV2(w, true)
}
