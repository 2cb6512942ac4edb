// Package stepoutput passes values to later steps of a GitHub job through the file that
// GITHUB_OUTPUT names. A value can't set another output, whatever it contains.
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
	// Name consists of letters, digits, "-", and "_".
	Name string
	// Value is any text, also of several lines.
	Value string
}

// Append adds outputs to a file in one write, all or none. It creates the file if it
// does not exist. Errors of the file system are *fs.PathError.
func Append(file string, outputs ...Output) (err error) {
	text := ""
	for _, o := range outputs {
		encoded, err := encode(o, rand.Text())
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
func encode(o Output, delimiter string) (string, error) {
	if strings.Trim(o.Name, nameCharacters) != "" || o.Name == "" {
		return "", fmt.Errorf("%q is not a valid output name", o.Name)
	}
	if strings.Contains(o.Value, delimiter) {
		return "", fmt.Errorf("the output %s contains its own delimiter", o.Name)
	}
	return fmt.Sprintf("%s<<%s\n%s\n%s\n", o.Name, delimiter, o.Value, delimiter), nil
}

const nameCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
