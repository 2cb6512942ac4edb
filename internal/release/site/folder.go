package site

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// folder is the output folder of a site. The files are written to a temporary folder next
// to it, which gets its name when all of them are written. It is safe for concurrent use.
type folder struct {
	dir, temporary string
	files          atomic.Int64
}

// newFolder prepares a folder that is new or empty.
func newFolder(dir string) (*folder, error) {
	dir = filepath.Clean(dir) // a trailing slash would follow a link
	switch info, err := os.Lstat(dir); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("%s is not a folder (links are not followed): expected a new or empty folder", dir)
	default:
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		if len(entries) > 0 {
			return nil, fmt.Errorf("%s is not empty: expected a new or empty folder. To replace a site, generate the new one in another folder, and then rename it", dir)
		}
	}
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return nil, err
	}
	temporary, err := os.MkdirTemp(parent, ".site-*")
	return &folder{dir: dir, temporary: temporary}, err
}

// site is where the files are until the site is complete. Unlike the temporary folder, it
// has the permissions of a new folder.
func (f *folder) site() string { return filepath.Join(f.temporary, "site") }

// put writes a file, which must not exist.
func (f *folder) put(name string, content io.Reader) error {
	name = filepath.Join(f.site(), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	f.files.Add(1)
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Close())
}

// publish gives the site its name. It fails if the folder is no longer empty.
func (f *folder) publish() error {
	if err := os.Remove(f.dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(f.site(), f.dir)
}

// clean removes the temporary folder, with all files that were not published.
func (f *folder) clean() error { return os.RemoveAll(f.temporary) }

// safeName is the form of folder names. Valid documents have no other IDs, artifact types,
// or versions, but names are never trusted.
var safeName = lazy.Expr(`^[a-z0-9][a-z0-9_.]{0,127}$`)

func folderOf(line *library.Entry) (string, error) {
	names := []string{line.ArtifactType}
	for _, v := range line.Versions {
		names = append(names, v.Version)
	}
	return folderNamed(line.Kind, line.ID, names...)
}

// folderNamed returns the folder of a document. It fails if its ID or another name in the folder
// is not safe.
func folderNamed(kind library.Kind, id string, others ...string) (string, error) {
	names := append([]string{id}, others...)
	i := slices.IndexFunc(names, func(name string) bool {
		return !safeName().MatchString(name) || strings.Contains(name, "..")
	})
	if i >= 0 {
		return "", fmt.Errorf("%q is not a valid folder name: IDs, artifact types, and versions consist of lowercase letters, digits, underscores, and single dots", names[i])
	}
	if kind == bundlefile.KindRuleSet {
		return "rulesets/" + id, nil
	}
	return "rubrics/" + id, nil
}
