package evaluate

import (
	"io/fs"
	"os"
	"path/filepath"
)

// temporary is a folder that a command can write to and that goes with it.
type temporary struct{ path string }

func newTemporary() (temporary, error) {
	parent, err := filepath.Abs(os.TempDir()) // TMPDIR can be relative, and to another folder than the command's
	if err != nil {
		return temporary{}, err
	}
	path, err := os.MkdirTemp(parent, "rubric-check-")
	return temporary{path}, err
}

// names are the paths under which a command can see the folder, longest first.
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

// remove first makes the folders writable that a command left read-only, as the
// go command does with its modules. What can't be removed even so, for example
// because a program that left its group still writes, is left to the system.
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
