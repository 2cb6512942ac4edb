package diff

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	lib "github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// Uncommitted lists the files of the library that differ from a commit, with names that
// are safe to print.
func (w *Workspace) Uncommitted(c gitrepo.Commit) ([]string, error) {
	head, err := change.At(w.Repo, c, w.Folder)
	if err != nil {
		return nil, err
	}
	working, err := change.Folder(w.Root, "the working tree")
	if err != nil {
		return nil, nil // there is nothing that could be edited
	}
	judged, err := change.Versus([]*change.Library{head}, head, working, true)
	if err != nil {
		return nil, err
	}
	comparison, err := Of(judged)
	if err != nil {
		return nil, err
	}
	var edited []string
	for i := range comparison.Documents {
		if d := &comparison.Documents[i]; d.Status != Unchanged {
			edited = append(edited, sanitize.Line(cmp.Or(d.HeadPath, d.BasePath)))
		}
	}
	for _, name := range []string{lib.LedgerFile, lib.ExceptionsFile} {
		before, err := head.File(name)
		if err != nil {
			return nil, err
		}
		after, _ := working.File(name) // nil if it does not exist
		if !bytes.Equal(before, bytes.ReplaceAll(after, []byte("\r\n"), []byte("\n"))) {
			edited = append(edited, name)
		}
	}
	datasets, err := w.editedDatasets(c)
	return append(edited, datasets...), err
}

// editedDatasets lists the files of datasets that differ from a commit.
func (w *Workspace) editedDatasets(c gitrepo.Commit) ([]string, error) {
	committed, err := w.Repo.Snapshot(c, w.Folder)
	if err != nil {
		return nil, err
	}
	before, err := sumsBelow(committed.FS(), calibration.Root)
	if err != nil {
		return nil, err
	}
	after, err := sumsBelow(safefile.DirFS(w.Root), calibration.Root)
	if err != nil {
		return nil, err
	}
	var edited []string
	for name, sum := range after {
		if before[name] != sum {
			edited = append(edited, sanitize.Line(name))
		}
		delete(before, name)
	}
	for name := range before {
		edited = append(edited, sanitize.Line(name))
	}
	slices.Sort(edited)
	return edited, nil
}

// sumsBelow hashes the content of each file below a folder, ignoring CRLF.
func sumsBelow(fsys fs.FS, root string) (map[string][sha256.Size]byte, error) {
	sums := map[string][sha256.Size]byte{}
	err := fs.WalkDir(fsys, root, func(name string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && name == root:
			return nil
		case err != nil || !e.Type().IsRegular():
			return err
		}
		data, err := limits.ReadFile(fsys, name)
		if tooLarge := (*limits.TooLargeError)(nil); errors.As(err, &tooLarge) {
			data, err = fmt.Append(nil, tooLarge.Size), nil // the size is known
		}
		sums[name] = sha256.Sum256(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")))
		return err
	})
	return sums, err
}
