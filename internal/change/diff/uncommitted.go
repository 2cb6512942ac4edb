package diff

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	lib "github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// Uncommitted lists the documents, settings, and datasets that differ from a commit, with
// names that are safe to print.
func (w *Workspace) Uncommitted(c gitrepo.Commit) (edited []string, err error) {
	for _, root := range []string{lib.Root, calibration.Root} {
		sums := map[string][][sha256.Size]byte{} // on both sides
		for _, side := range []fs.FS{w.Repo.Snapshot(c, w.Folder), gitrepo.NewWorkTree(w.Root)} {
			if err := addSums(sums, side, root); err != nil {
				return nil, err
			}
		}
		for _, name := range slices.Sorted(maps.Keys(sums)) {
			same := len(sums[name]) == 2 && sums[name][0] == sums[name][1]
			if !same && (root != lib.Root || lib.IsDocument(name) || name == lib.LedgerFile || name == lib.ExceptionsFile) {
				edited = append(edited, sanitize.Line(name))
			}
		}
	}
	return edited, nil
}

// addSums hashes the content of each file below a folder, ignoring CRLF.
func addSums(sums map[string][][sha256.Size]byte, fsys fs.FS, root string) error {
	return fs.WalkDir(fsys, root, func(name string, e fs.DirEntry, err error) error {
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
		sums[name] = append(sums[name], sha256.Sum256(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))))
		return err
	})
}
