package author

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/printer"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

func (c *editCommand) carryOut(e *authoring.Edit) error {
	for _, text := range e.Warnings {
		if _, err := fmt.Fprintf(c.Err, "warning: %s\n", sanitize.Line(text)); err != nil {
			return err
		}
	}
	if c.dryRun {
		var changes []lint.FileChange
		for _, f := range e.Files {
			changes = append(changes, lint.FileChange{Path: f.Path, NewPath: f.Path, Before: f.Before, After: f.After})
		}
		return printer.Diff(command.Raw(c.Out), changes, c.library.Prefix)
	}
	for _, f := range e.Files {
		if err := c.checkUnchanged(f); err != nil {
			return err
		}
	}
	if err := c.writeAll(e.Files); err != nil {
		return err
	}
	for _, f := range e.Files {
		if f.After == nil && strings.HasPrefix(f.Path, calibration.Root+"/") { // lint reports an empty folder
			for dir := path.Dir(f.Path); dir != "." && os.Remove(c.library.File(dir)) == nil; {
				dir = path.Dir(dir)
			}
		}
		name := sanitize.Line(path.Join(c.library.Prefix, f.Path))
		if _, err := fmt.Fprintf(c.Out, "%s %s: %s\n", f.ChangeWord(), name, sanitize.Line(f.Note)); err != nil {
			return err
		}
	}
	for _, text := range e.Notes {
		if _, err := fmt.Fprintln(c.Out, sanitize.Line(text)); err != nil {
			return err
		}
	}
	return nil
}

// writeAll writes the files, or leaves all of them as they were.
func (c *editCommand) writeAll(files []authoring.File) error {
	var folders []string
	for i, f := range files {
		folders = append(absentFolders(c.library.File(f.Path)), folders...)
		if err := c.write(f); err != nil {
			undone := c.undo(files[:i])
			for _, folder := range folders {
				_ = os.Remove(folder) // a folder with another file stays
			}
			return fmt.Errorf("%s could not be %s: %w. %s", f.Path, f.ChangeWord(), safefile.Reason(err), undone)
		}
	}
	return nil
}

// absentFolders are the folders of a file that do not exist, the innermost first.
func absentFolders(name string) []string {
	var absent []string
	for dir := filepath.Dir(name); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); err == nil || dir == filepath.Dir(dir) {
			return absent
		}
		absent = append(absent, dir)
	}
}

// checkUnchanged checks that a file has not changed since the edit was computed.
func (c *editCommand) checkUnchanged(f authoring.File) error {
	data, err := os.ReadFile(c.library.File(f.Path))
	if errors.Is(err, fs.ErrNotExist) && f.Before == nil {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s can't be read: %w", f.Path, safefile.Reason(err))
	}
	if f.Before == nil || !bytes.Equal(data, f.Before) {
		return fmt.Errorf("%s was changed by another program, so nothing was written. Try again", f.Path)
	}
	return nil
}

func (c *editCommand) write(f authoring.File) error {
	name := c.library.File(f.Path)
	switch {
	case f.Before == nil:
		return safefile.Create(name, f.After, 0o666)
	case f.After == nil:
		return os.Remove(name)
	}
	return safefile.Write(name, f.After, 0o666)
}

// undo reverts the changes before a failure, and returns a sentence about the result.
func (c *editCommand) undo(files []authoring.File) string {
	var left []string
	for _, f := range slices.Backward(files) {
		back := authoring.File{Path: f.Path, Before: f.After, After: f.Before}
		if c.checkUnchanged(back) != nil || c.write(back) != nil {
			left = append(left, fmt.Sprintf("%s was %s", f.Path, f.ChangeWord()))
		}
	}
	if len(left) == 0 {
		return "Nothing was changed"
	}
	return "These changes remain: " + strings.Join(left, ", ")
}
