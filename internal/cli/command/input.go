package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/render"
)

// ErrWrongInput ends a command that has printed the mistakes of its input file.
var ErrWrongInput = errors.New("not used because of the errors above")

// mostInput is how many bytes a file can have. Most parsers accept less, and report a file
// that is too large for them.
const mostInput = 16 << 20

// ReadInput reads a file that the command line names. It can be a pipe, such as
// <(command) in a shell.
func ReadInput(name string) (*source.File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, InputError(name, err)
	}
	defer f.Close()
	return ReadAll(name, f)
}

// ReadAll reads an input that may be endless. The beginning of one that is too large is
// never used: it would look complete.
func ReadAll(name string, r io.Reader) (*source.File, error) {
	data, err := io.ReadAll(io.LimitReader(r, mostInput+1))
	switch {
	case err != nil:
		return nil, InputError(name, err)
	case len(data) > mostInput:
		return nil, fmt.Errorf("%s is larger than the limit of %d MiB. Split it", name, mostInput>>20)
	}
	return source.NewFile(name, data), nil
}

// Exists reports whether a file or a link has the name, even a broken link.
func Exists(name string) bool {
	_, err := os.Lstat(name)
	return !errors.Is(err, os.ErrNotExist)
}

// InputError is the error for an input file that can't be opened or read.
func InputError(name string, err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s does not exist", name)
	}
	return fmt.Errorf("%s can't be read: %w", name, safefile.Reason(err))
}

// NotWritten adds to an error which output file could not be written.
func NotWritten(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s could not be written: %w", name, safefile.Reason(err))
}

// Refuse prints the mistakes of a file and returns the error that ends the command.
func (s Streams) Refuse(f *source.File, problems []source.Problem) error {
	if err := render.Problems(s.Err, f, problems, s.TextOptions(s.Err, "")); err != nil {
		return err
	}
	return fmt.Errorf("%s: %w", f.Path, ErrWrongInput)
}

// Parsed reads a file that the command line names, and prints its mistakes.
func Parsed[T any](
	s Streams, name string, parse func(*source.File) (T, []source.Problem),
) (value T, f *source.File, err error) {
	if f, err = ReadInput(name); err != nil {
		return value, nil, err
	}
	value, problems := parse(f)
	if len(problems) > 0 {
		err = s.Refuse(f, problems)
	}
	return value, f, err
}

// IsOrAre is the verb for a number of things.
func IsOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// Columns reads the values of a flag --column, such as item=Ticket: the headings of a table by what
// they mean, which noun names in messages.
func Columns(pairs []string, noun, example string) (map[string]string, error) {
	columns := map[string]string{}
	for _, pair := range pairs {
		name, heading, _ := strings.Cut(pair, "=")
		if name == "" || heading == "" {
			return nil, fmt.Errorf("--column must be %s=COLUMN, such as %s, got %q", noun, example, pair)
		}
		if columns[name] != "" {
			return nil, fmt.Errorf("--column names the column of %s twice: %q and %q. Remove one of them",
				name, columns[name], heading)
		}
		columns[name] = heading
	}
	return columns, nil
}
