package gitrepo

import (
	"fmt"
	"path"
	"path/filepath"

	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// MissingError means that a folder or a file is not on the disk although Git tracks it.
type MissingError struct {
	// Name is the path in the working tree.
	Name string
	// Sparse says that the working tree is a sparse checkout. Otherwise, it was deleted.
	Sparse bool
}

// Error says why it is missing, and how to get it.
func (e *MissingError) Error() string {
	if e.Sparse {
		return fmt.Sprintf("Git tracks %s, but the working tree is a sparse checkout, which leaves it out. To fix this, run: git sparse-checkout disable", e.Name)
	}
	return fmt.Sprintf("Git tracks %s, but it was deleted from the working tree. To bring it back, run: git restore %s", e.Name, sanitize.ShellWord(":/"+e.Name))
}

// Missing returns why a folder or a file with a name is not on the disk, in dir or in one of its
// parents, or nil if Git tracks none. dir is absolute.
func Missing(dir, name string) *MissingError {
	for {
		if why := NewWorkTree(dir).WhyMissing(name); why != nil {
			return why
		}
		above := filepath.Dir(dir)
		if above == dir {
			return nil
		}
		dir = above
	}
}

// WhyMissing returns why a path in the folder is not on the disk, or nil if Git tracks none. The
// caller knows that nothing has the path.
func (w *WorkTree) WhyMissing(name string) *MissingError {
	r, err := w.rules()
	if r == nil || err != nil {
		return nil
	}
	tracked, err := w.tracked()
	if err != nil || !tracked.has(path.Join(r.folder, name), true) {
		return nil
	}
	settings, err := readSettings(r.loc)
	return &MissingError{Name: path.Join(r.folder, name), Sparse: err == nil && settings.isTrue("core.sparsecheckout")}
}
