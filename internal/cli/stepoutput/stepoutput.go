// Package stepoutput gives values to the later steps of a GitHub job, through the
// file that GITHUB_OUTPUT names. Whatever is in a value, it sets no other output.
package stepoutput

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"
)

// Output is one output of a step.
type Output struct {
	// Name is what later steps ask for: letters, digits, "-" and "_".
	Name string
	// Value is any text, of several lines too.
	Value string
}

// Append adds outputs to a file in one write, all or none. What is there stays. A
// file that is not there is made. Errors of the file system are *fs.PathError.
func Append(file string, outputs ...Output) (err error) {
	// What another command left there may lack its line end.
	text := "\n"
	for _, o := range outputs {
		encoded, err := encode(o, rand.Text())
		if err != nil {
			return err
		}
		text += encoded
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// encode writes an output between two lines with a delimiter, which nobody who
// writes a value can know. The form name=value would end with the first line.
func encode(o Output, delimiter string) (string, error) {
	if strings.Trim(o.Name, nameCharacters) != "" || o.Name == "" {
		return "", fmt.Errorf("%q is no name of an output", o.Name)
	}
	if strings.Contains(o.Value, delimiter) {
		return "", fmt.Errorf("the output %s holds the delimiter that was to end it", o.Name)
	}
	return fmt.Sprintf("%s<<%s\n%s\n%s\n", o.Name, delimiter, o.Value, delimiter), nil
}

const nameCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
