package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

// complete writes the completion script of a command for a shell.
func complete(cmd *cobra.Command, shell string, w io.Writer) error {
	switch shell {
	case "bash":
		return cmd.GenBashCompletionV2(w, true)
	case "zsh":
		return cmd.GenZshCompletion(w)
	case "fish":
		return cmd.GenFishCompletion(w, true)
	case "powershell":
		return cmd.GenPowerShellCompletionWithDesc(w)
	}
	return fmt.Errorf("--completion must be bash, zsh, fish or powershell, and %q stands there", shell)
}

func nearestRule(id string) string {
	var ids []string
	for _, r := range lint.Rules() {
		ids = append(ids, r.ID)
	}
	return suggest.Word(id, ids)
}
