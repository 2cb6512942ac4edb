package gitrepo

import (
	"fmt"
	"path"
	"path/filepath"
)

// Missing says why a folder or a file with a name is not on the disk, in dir or in one of its
// parents, although Git tracks it: the working tree is a sparse checkout, or it was deleted. It is
// "" if Git tracks none. dir is absolute.
func Missing(dir, name string) string {
	for {
		if why := NewWorkTree(dir).Missing(name); why != "" {
			return why
		}
		above := filepath.Dir(dir)
		if above == dir {
			return ""
		}
		dir = above
	}
}

// Missing is Missing for a path in the folder itself.
func (w *WorkTree) Missing(name string) string {
	r, err := w.rules()
	if r == nil || err != nil {
		return ""
	}
	tracked, err := w.tracked()
	if err != nil || !tracked.has(path.Join(r.folder, name), true) {
		return ""
	}
	settings, err := readSettings(r.loc)
	if err == nil && settings.isTrue("core.sparsecheckout") {
		return fmt.Sprintf("Git tracks %s, but the working tree is a sparse checkout, which leaves it out. To fix this, run: git sparse-checkout disable", path.Join(r.folder, name))
	}
	return fmt.Sprintf("Git tracks %s, but it was deleted from the working tree. To bring it back, run: git restore %s", path.Join(r.folder, name), shellQuote(":/"+path.Join(r.folder, name)))
}
