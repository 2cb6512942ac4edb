package site

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// listName is the file that tells a site from other folders. It lists the files of
// the site, so that the next one removes those and no others.
const listName = "site-files.txt"

const listHead = "# The files of a site made by `rubric site`. The next one replaces them.\n"

// folder is the folder that a site is written into. Any number of goroutines can
// write into it at the same time.
type folder struct {
	root *os.Root
	mu   sync.Mutex
	made map[string]bool // folders that are there and are no links
}

// openFolder makes room for files in a folder: it is new, empty, or the site before,
// of which all files are removed. paths are relative and have slashes.
func openFolder(dir string, paths []string) (*folder, error) {
	if dir == "" {
		return nil, errors.New("the folder of the site has no name. Name one that is empty or new")
	}
	dir = filepath.Clean(dir) // with a slash behind it a link is followed
	switch info, err := os.Lstat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("%s is no folder (a link is not followed). Name one that is empty or new", dir)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	f := &folder{root: root, made: map[string]bool{".": true}}
	if err := f.clear(dir, paths); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	list := listHead + strings.Join(slices.Sorted(slices.Values(append(slices.Clone(paths), listName))), "\n") + "\n"
	if err := f.put(listName, strings.NewReader(list)); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return f, nil
}

func (f *folder) close() error { return f.root.Close() }

// clear removes the site before. It looks for what is in the way first: then
// nothing is removed.
func (f *folder) clear(dir string, paths []string) error {
	entries, err := fs.ReadDir(f.root.FS(), ".")
	if err != nil || len(entries) == 0 {
		return err
	}
	old, err := f.list()
	if err != nil {
		return fmt.Errorf("%s is not empty and holds no site made by `rubric site` (%w). Name a folder that is empty or new", dir, err)
	}
	listed := map[string]bool{}
	for _, name := range old {
		listed[name] = true
	}
	for _, name := range paths {
		if err := f.inTheWay(name, listed); err != nil {
			return fmt.Errorf("%s: %w", filepath.Join(dir, filepath.FromSlash(name)), err)
		}
	}
	for _, name := range old {
		if err := f.remove(name); err != nil {
			return err
		}
	}
	return f.removeEmpty(old)
}

// list reads which files the site before has.
func (f *folder) list() ([]string, error) {
	info, err := f.root.Lstat(listName)
	if err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("it has no file %s", listName)
	}
	data, err := f.root.ReadFile(listName)
	if err != nil {
		return nil, err
	}
	text, ours := strings.CutPrefix(string(data), listHead)
	if !ours {
		return nil, fmt.Errorf("its %s begins with something else", listName)
	}
	names := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for _, name := range names {
		if !fs.ValidPath(name) || name == "." || strings.Contains(name, `\`) {
			return nil, fmt.Errorf("its %s names %q, which is no file of a site", listName, name)
		}
	}
	return names, nil
}

// inTheWay finds what is no file of the site before where one of the new site
// belongs, and what is no folder on the way to it.
func (f *folder) inTheWay(name string, listed map[string]bool) error {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if f.made[dir] {
			break
		}
		info, err := f.root.Lstat(dir)
		switch {
		case err == nil && info.IsDir():
			f.made[dir] = true
		case err == nil && !(listed[dir] && info.Mode().IsRegular()):
			return fmt.Errorf("a file of the site belongs there, and %s is no folder", dir)
		}
	}
	if info, err := f.root.Lstat(name); err == nil && !(listed[name] && info.Mode().IsRegular()) {
		return errors.New("it is in the way, and it is no file of the site before. Move it elsewhere")
	}
	return nil
}

// remove removes a file of the site before if it is one still, and does not follow
// links on the way.
func (f *folder) remove(name string) error {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if info, err := f.root.Lstat(dir); err != nil || !info.IsDir() {
			return nil // somebody moved it away
		}
	}
	info, err := f.root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return f.root.Remove(name)
}

// removeEmpty removes the folders that are empty without the files, the inner ones
// first.
func (f *folder) removeEmpty(files []string) error {
	dirs := map[string]bool{}
	for _, name := range files {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			dirs[dir] = true
		}
	}
	var sorted []string
	for dir := range dirs {
		sorted = append(sorted, dir)
	}
	slices.Sort(sorted)
	for _, dir := range slices.Backward(sorted) {
		info, err := f.root.Lstat(dir)
		if err != nil || !info.IsDir() {
			continue
		}
		if entries, err := fs.ReadDir(f.root.FS(), dir); err != nil || len(entries) > 0 {
			continue
		}
		if err := f.root.Remove(dir); err != nil {
			return err
		}
	}
	clear(f.made)
	f.made["."] = true
	return nil
}

// put writes a file, which must not be there.
func (f *folder) put(name string, content io.Reader) error {
	if err := f.makeFolder(path.Dir(name)); err != nil {
		return err
	}
	file, err := f.root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Close())
}

// makeFolder makes a folder and those around it. A link is none.
func (f *folder) makeFolder(dir string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.makeLocked(dir)
}

func (f *folder) makeLocked(dir string) error {
	if f.made[dir] {
		return nil
	}
	if err := f.makeLocked(path.Dir(dir)); err != nil {
		return err
	}
	err := f.root.Mkdir(filepath.FromSlash(dir), 0o777)
	if errors.Is(err, fs.ErrExist) {
		var info fs.FileInfo
		if info, err = f.root.Lstat(dir); err == nil && !info.IsDir() {
			err = fmt.Errorf("%s is no folder", dir)
		}
	}
	f.made[dir] = err == nil
	return err
}
