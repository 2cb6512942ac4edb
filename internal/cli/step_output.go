package cli

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

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

func (o *stepOutputs) set(s Streams, outputs ...stepOutput) error {
	if !o.asked {
		return nil
	}
	name := s.Getenv(outputFile)
	if err := appendOutputs(name, outputs...); err != nil {
		return fmt.Errorf("the outputs of the step (%s) could not be written: %s: %w", outputFile, name, safefile.Reason(err))
	}
	return nil
}

// stepOutput is a value for later steps of a GitHub job. It can't set another output,
// whatever it contains.
type stepOutput struct {
	name  string // letters, digits, "-", and "_"
	value string // any text, also of several lines
}

// appendOutputs adds outputs to a file in one write, all or none. It creates the file
// if it does not exist. Errors of the file system are *fs.PathError.
func appendOutputs(file string, outputs ...stepOutput) (err error) {
	text := ""
	for _, o := range outputs {
		encoded, err := o.encode(rand.Text())
		if err != nil {
			return err
		}
		text += encoded
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	// The existing text can lack its last line end. Add one only then, because Gitea's
	// runner rejects a file with a blank line.
	last := []byte{'\n'}
	if size := info.Size(); size > 0 {
		if _, err := f.ReadAt(last, size-1); err != nil {
			return err
		}
	}
	if last[0] != '\n' {
		text = "\n" + text
	}
	_, err = f.WriteString(text)
	return err
}

// encode writes an output between two lines with a delimiter that the author of a
// value can't know. The form name=value would end after the first line.
func (o stepOutput) encode(delimiter string) (string, error) {
	if o.name == "" || strings.Trim(o.name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
		return "", fmt.Errorf("%q is not a valid output name", o.name)
	}
	if strings.Contains(o.value, delimiter) {
		return "", fmt.Errorf("the output %s contains its own delimiter", o.name)
	}
	return fmt.Sprintf("%s<<%s\n%s\n%s\n", o.name, delimiter, o.value, delimiter), nil
}
