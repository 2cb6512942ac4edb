package diff

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	lib "github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// UncommittedFiles lists the documents, settings, and datasets that differ from a commit, with
// names that are safe to print.
func (w *Workspace) UncommittedFiles(c gitrepo.Commit) (edited []string, err error) {
	for _, root := range []string{lib.Root, calibration.Root} {
		differ, err := w.editedFiles(w.Repo.Snapshot(c, w.Folder), root)
		if err != nil {
			return nil, err
		}
		for _, name := range differ {
			if root != lib.Root || lib.IsDocument(name) || name == lib.LedgerFile || name == lib.ExceptionsFile {
				edited = append(edited, sanitize.Line(name))
			}
		}
	}
	return edited, nil
}

// editedFiles lists the files below a folder that differ from a commit, sorted. Of most files, their
// hashes are enough.
func (w *Workspace) editedFiles(commit *gitrepo.Snapshot, root string) ([]string, error) {
	committed, err := filesOf(commit, root)
	if err != nil {
		return nil, err
	}
	tree := gitrepo.NewWorkTree(w.Root)
	differ := maps.Clone(committed) // those that are left are gone
	err = fs.WalkDir(tree, root, func(name string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && name == root:
			return nil
		case err != nil || !e.Type().IsRegular():
			return err
		}
		data, err := safefile.ReadFile(tree, name)
		entry, there := committed[name]
		if err == nil && there && holdings.BlobHash(data) == entry.Hash {
			delete(differ, name)
			return nil
		}
		now, err := withoutCR(data, err)
		if err != nil || !there {
			differ[name] = entry
			return err
		}
		data, err = commit.ReadEntry(entry)
		before, err := withoutCR(data, err)
		if err == nil && bytes.Equal(before, now) {
			delete(differ, name)
		}
		return err
	})
	return slices.Sorted(maps.Keys(differ)), err
}

// filesOf lists the files of a commit below a folder by their paths.
func filesOf(commit *gitrepo.Snapshot, root string) (map[string]gitrepo.SnapshotEntry, error) {
	entries, err := commit.Subfolder(root).Entries()
	files := map[string]gitrepo.SnapshotEntry{}
	for _, e := range entries {
		if e.Mode == gitrepo.Regular || e.Mode == gitrepo.Executable {
			e.Path = root + "/" + e.Path
			files[e.Path] = e
		}
	}
	return files, err
}

// withoutCR is a content without the difference between LF and CRLF. Of one that is too large,
// only the size is known.
func withoutCR(data []byte, err error) ([]byte, error) {
	if tooLarge := (*safefile.TooLargeError)(nil); errors.As(err, &tooLarge) {
		return fmt.Append(nil, tooLarge.Size), nil
	}
	if pointer := (*safefile.PointerError)(nil); errors.As(err, &pointer) {
		return pointer.Pointer, nil
	}
	return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), err
}
