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

// flag gives a command the flag. names are the outputs that it sets.
func (o *stepOutputs) flag(cmd *cobra.Command, names string) {
	cmd.Flags().BoolVar(&o.asked, "github-output", false, "in a step of a GitHub job, set its outputs "+names+" for later steps")
}

// check refuses the flag where there is no step, before any work is done.
func (o *stepOutputs) check(s Streams) error {
	if o.asked && s.Getenv(outputFile) == "" {
		return errors.New("--github-output sets outputs of a step in a GitHub job, and here is none: " + outputFile + " is not set")
	}
	return nil
}

// set sets the outputs, if that was asked for.
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
