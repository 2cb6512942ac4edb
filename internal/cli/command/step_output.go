package command

import (
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// outputFile is the variable that names the file of a step's outputs.
const outputFile = "GITHUB_OUTPUT"

// StepOutputs is the flag --github-output of a command.
type StepOutputs struct{ Asked bool }

// Flag adds the flag. names are the outputs that it sets.
func (o *StepOutputs) Flag(cmd *cobra.Command, names string) {
	cmd.Flags().BoolVar(&o.Asked, "github-output", false, "set the outputs of a step in a GitHub job: "+names)
}

// Check rejects the flag outside a step, before any work is done.
func (o *StepOutputs) Check(s Streams) error {
	if o.Asked && s.Getenv(outputFile) == "" {
		return errors.New("--github-output works only in a step of a GitHub job: " + outputFile + " is not set")
	}
	return nil
}

// Set writes the outputs if the flag is set.
func (o *StepOutputs) Set(s Streams, outputs ...StepOutput) error {
	if !o.Asked {
		return nil
	}
	name := s.Getenv(outputFile)
	if err := appendOutputs(name, outputs...); err != nil {
		return fmt.Errorf("the outputs of the step (%s) could not be written: %s: %w", outputFile, name, safefile.Reason(err))
	}
	return nil
}

// StepOutput is a value for later steps of a GitHub job. It can't set another output,
// whatever it contains.
type StepOutput struct {
	Name  string // a constant of letters, digits, "-", and "_"
	Value string // any text, also of several lines
}

// appendOutputs adds outputs to a file in one write, all or none. It creates the file
// if it does not exist. Errors of the file system are *fs.PathError.
func appendOutputs(file string, outputs ...StepOutput) error {
	text := ""
	for _, o := range outputs {
		text += o.encode(rand.Text())
	}
	log, err := safefile.OpenLog(file, 0o666)
	if err != nil {
		return err
	}
	_, err = log.Write([]byte(text))
	return errors.Join(err, log.Close())
}

// encode writes an output between two lines with a delimiter that the author of a
// value can't know. The form name=value would end after the first line.
func (o StepOutput) encode(delimiter string) string {
	return fmt.Sprintf("%s<<%s\n%s\n%s\n", o.Name, delimiter, o.Value, delimiter)
}
