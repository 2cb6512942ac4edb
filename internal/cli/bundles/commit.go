package bundles

import (
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/change/diff"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
)

// commit finds the commit to build and the folder of its library. It prints which
// edits are not in the commit.
func (b *bundleCommand) commit(w *diff.Workspace, rev string) (c gitrepo.Commit, err error) {
	if rev == "" {
		c, err = w.Repo.Head()
	} else {
		c, err = w.Repo.Resolve(strings.TrimPrefix(rev, diff.RevPrefix))
	}
	if err != nil {
		return c, err
	}
	if w.Root == "" {
		w.Folder, err = holdings.Locate(w.Repo, c)
		return c, err
	}
	if w.Folder, err = w.Repo.Folder(w.Root); err != nil || rev != "" {
		return c, err
	}
	edited, err := w.UncommittedFiles(c)
	if len(edited) > 0 && err == nil {
		fmt.Fprintf(b.Err, "Uncommitted edits are not in the bundle: %s.\n", strings.Join(edited, ", "))
	}
	return c, err
}
