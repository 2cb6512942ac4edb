package holdings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/measure"
	"github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
)

// Folder is the library in a folder on disk that contains rubrics/.
func Folder(dir, name string) (*Library, error) {
	root := filepath.Join(dir, library.Root)
	if info, err := os.Lstat(root); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s is not a library: it has no folder %s/", dir, library.Root)
	}
	fsys := gitrepo.NewWorkTree(dir)
	entries, err := library.List(fsys)
	if err != nil {
		return nil, err
	}
	l := newLibrary(name, func(name string) ([]byte, error) { return fileIn(fsys, name) })
	l.Files = fsys
	for _, e := range entries {
		switch {
		case e.Err != nil:
			return nil, fmt.Errorf("%s can't be read: %w", e.Path, e.Err)
		case !library.IsDocument(e.Path) || e.Type.IsDir():
		case e.Type&fs.ModeSymlink != 0:
			to, _ := fs.ReadLink(fsys, e.Path) // otherwise, it differs from every other
			l.hide(e.Path, gitrepo.Symlink.String(), BlobHash([]byte(to)))
		default:
			l.files[e.Path], l.ids[e.Path] = "", ""
			if data, err := l.File(e.Path); err == nil {
				l.files[e.Path] = BlobHash(data)
				delete(l.ids, e.Path)
			}
		}
	}
	if len(l.files) > 0 {
		return l, nil
	}
	retired, err := library.HasRetired(fsys)
	if err == nil && !retired {
		err = fmt.Errorf("no documents to compare: the folder %s has none", root)
	}
	return l, err
}

func fileIn(fsys fs.FS, name string) ([]byte, error) {
	info, err := fs.Lstat(fsys, name)
	switch {
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, notAFileError(gitrepo.Symlink.String())
	case !info.Mode().IsRegular():
		return nil, notAFileError("special file or folder")
	}
	data, err := safefile.ReadFile(fsys, name)
	return data, safefile.Reason(err)
}

// Others lists the other files that a library releases, with their hashes: the ledger,
// schemas, and calibration.
func (l *Library) Others() (map[string]string, error) {
	if l.Files == nil {
		return l.rest, nil
	}
	rest := map[string]string{}
	for _, root := range []string{library.LedgerFile, "schema", calibration.Root} {
		found, err := contents(l.Files, root)
		if err != nil {
			return nil, err
		}
		maps.Copy(rest, found)
	}
	return rest, nil
}

// contents returns the hashes of a regular file, or of those in a folder, by path.
func contents(fsys fs.FS, root string) (map[string]string, error) {
	found := map[string]string{}
	err := fs.WalkDir(fsys, root, func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == root || err == nil && !d.Type().IsRegular() {
			return nil
		}
		var data []byte
		if err == nil {
			data, err = fileIn(fsys, name)
		}
		if err != nil {
			return fmt.Errorf("%s can't be read: %w", name, safefile.Reason(err))
		}
		found[name] = BlobHash(data)
		return nil
	})
	return found, err
}

// Packed is the library in a bundle with a version. documents has the canonical form of
// each document by the name of its entry, and others has the other released files; ended
// are the IDs of documents that were retired or withdrawn, and its yanked versions. The path
// of a document in the bundle is unrelated to its path in the library.
func Packed(name, version string, documents, others map[string][]byte, ended ...LedgerLine) *Library {
	var files []File
	for name, data := range documents {
		files = append(files, File{Path: name, Hash: BlobHash(data)})
	}
	l := Working(name, files, func(name string) ([]byte, error) {
		if data, ok := documents[name]; ok {
			return data, nil
		}
		return nil, fs.ErrNotExist
	})
	l.Version, l.Packed = version, true
	l.inBundle = inBundle{rest: map[string]string{}, said: map[string]*measure.Numbers{}, ended: &Ledger{Entries: ended}}
	for name, data := range others {
		l.rest[name] = BlobHash(data)
		var s report.Statistics
		if dir, file := path.Split(name); file == "statistics.json" && json.Unmarshal(data, &s) == nil {
			l.said[path.Base(dir)] = s.Numbers()
		}
	}
	return l
}

// Equals reports whether a head is known to have the documents, the ledger, the exceptions, and the
// calibration of the library, which is in a commit, byte for byte.
func (l *Library) Equals(head *Library) (bool, error) {
	if s, ok := head.Files.(*gitrepo.Snapshot); ok {
		return s.Commit().Hash == l.Commit.Hash, nil
	}
	differ, err := l.DifferingPaths(head)
	if err != nil || len(differ) > 0 || head.Files == nil {
		return false, err
	}
	for _, name := range []string{library.LedgerFile, library.ExceptionsFile} {
		before, err := l.File(name)
		if err != nil {
			return false, safefile.Unreadable(l.Files) // what else is wrong with either is found again
		}
		now, err := head.File(name)
		if err != nil || !bytes.Equal(before, now) {
			return false, nil
		}
	}
	before, err := contents(l.Files, calibration.Root)
	if err != nil {
		return false, safefile.Unreadable(l.Files)
	}
	now, err := contents(head.Files, calibration.Root)
	return err == nil && maps.Equal(before, now), nil
}
