package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli/stepoutput"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// outputFile is the variable that names the file of a step's outputs.
const outputFile = "GITHUB_OUTPUT"

// stepOutputs is the flag --github-output of a command.
type stepOutputs struct{ asked bool }

// flag adds the flag. names are the outputs that it sets.
func (o *stepOutputs) flag(cmd *cobra.Command, names string) {
	cmd.Flags().BoolVar(&o.asked, "github-output", false, "set the outputs of a step in a GitHub job: "+names)
}

// check rejects the flag outside a step, before any work is done.
func (o *stepOutputs) check(s Streams) error {
	if o.asked && s.Getenv(outputFile) == "" {
		return errors.New("--github-output works only in a step of a GitHub job: " + outputFile + " is not set")
	}
	return nil
}

// set sets the outputs if the flag is set.
func (o *stepOutputs) set(s Streams, outputs ...stepoutput.Output) error {
	if !o.asked {
		return nil
	}
	name := s.Getenv(outputFile)
	if err := stepoutput.Append(name, outputs...); err != nil {
		return fmt.Errorf("the outputs of the step (%s) could not be written: %s: %w", outputFile, name, safefile.Reason(err))
	}
	return nil
}
