package evaluate

import (
	"io/fs"
	"os"
	"path/filepath"
)

// temporary is a folder that a command can write to and that is removed with it.
type temporary struct{ path string }

func newTemporary() (temporary, error) {
	parent, err := filepath.Abs(os.TempDir()) // TMPDIR can be relative, but not to the command's folder
	if err != nil {
		return temporary{}, err
	}
	path, err := os.MkdirTemp(parent, "rubric-check-")
	return temporary{path}, err
}

// names returns the paths under which a command can see the folder, longest first.
func (t temporary) names() []string {
	real, err := filepath.EvalSymlinks(t.path)
	switch {
	case err != nil || real == t.path:
		return []string{t.path}
	case len(real) > len(t.path):
		return []string{real, t.path}
	}
	return []string{t.path, real}
}

// remove makes folders writable that a command left read-only (the go command does this
// for modules) and removes them. The system cleans up what still can't be removed, for
// example because a program that left its process group is still writing.
func (t temporary) remove() {
	if root, err := os.OpenRoot(t.path); err == nil {
		_ = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				return root.Chmod(path, 0o700)
			}
			return nil
		})
		_ = root.Close()
	}
	_ = os.RemoveAll(t.path)
}
