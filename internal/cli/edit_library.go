package cli

import (
	"fmt"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
)

// open finds the library that contains the working folder and its published versions.
func (c *editCommand) open() (*authoring.Library, error) {
	var err error
	if c.library, err = findLibrary(nil, ""); err != nil {
		return nil, err
	}
	past, err := c.past()
	if err != nil {
		return nil, err
	}
	return authoring.Open(safefile.DirFS(c.library.root), past)
}

// close closes the repository. All reads are done, so an error does not matter.
func (c *editCommand) close() {
	if c.repo != nil {
		_ = c.repo.Close()
	}
}

// past is the published state from the library's repository. It is nil if there is no
// repository or with --base none.
func (c *editCommand) past() (*authoring.Past, error) {
	if c.base == noBase {
		return nil, nil
	}
	repo, err := gitrepo.Open(c.library.root)
	if gitrepo.IsNoRepository(err) && c.base == "" {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w\n`--base none` ignores the history", err)
	}
	c.repo = repo
	folder, err := repo.Folder(c.library.root)
	if err != nil {
		return nil, err
	}
	target, err := c.Streams.target(repo, c.base)
	if err != nil {
		return nil, err
	}
	return authoring.ReadPast(repo, target, folder)
}
