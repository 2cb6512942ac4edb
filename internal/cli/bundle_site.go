package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/bundle"
	"github.com/rubric-library/rubric-library/internal/site"
)

func (b *bundleCommand) siteCommand() *cobra.Command {
	var o site.Options
	var dated bool
	cmd := &cobra.Command{
		Use:   "site FROM DIR",
		Short: "Generate a site from a bundle, to browse and to search",
		Long: `Make a web site of a bundle: a page for each version of each document with
calculators, search, what each version changed, JSON and feeds. It is made of plain
files and works from any web server and from the folder itself: open index.html.

DIR is new, empty, or the site before, whose files are replaced. Other files in it
stay.

A bundle knows no dates. With --history they are those of the commits on the main
line of the repository in which the command runs, which needs the bundle's commit.

A folder that holds rubrics/ gives a preview, without calibration and without earlier
versions.

The same bundle, address and history give the same bytes.

Exit codes: 0 made, 2 it could not be made.`,
		Example: `  rubric site rubrics.zip public --base-url https://example.org/rubrics/
  rubric site . preview`,
		Args: arguments(2, 2, "a bundle or a folder, and the folder of the site"),
		RunE: func(_ *cobra.Command, args []string) error { return b.site(args[0], args[1], o, dated) },
	}
	cmd.Flags().StringVar(&o.BaseURL, "base-url", "", "where the site will stand, for the links in its feeds")
	cmd.Flags().BoolVar(&dated, "history", false, "take the dates of versions from the history of this repository")
	return cmd
}

// site makes a site. dated tells that the repository here has the dates.
func (b *bundleCommand) site(name, dir string, o site.Options, dated bool) error {
	if o.BaseURL != "" {
		if err := site.CheckBaseURL(o.BaseURL); err != nil {
			return fmt.Errorf("--base-url: %w", err)
		}
	}
	return b.withLibrary(name, func(l *bundle.Library) error {
		if info, err := os.Stat(name); err == nil && !info.IsDir() {
			o.Bundle = name
		}
		if dated {
			var err error
			if o.When, err = b.dates(l); err != nil {
				return fmt.Errorf("--history: %w", err)
			}
		}
		made, err := site.Build(l, dir, o)
		if errors.As(err, new(*fs.PathError)) {
			return fmt.Errorf("the site in %s could not be made: %w", dir, err)
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(b.Out, "%s: documents: %d, versions: %d, files: %d\n", dir, made.Documents, made.Versions, made.Files)
		return err
	})
}

// dates are when versions came into the library, by the repository here.
func (b *bundleCommand) dates(l *bundle.Library) (func(id, version string) time.Time, error) {
	w := openWorkspace()
	defer w.Close()
	if w.Repo == nil {
		return nil, w.Missing
	}
	rev := l.Commit
	if rev == "" {
		rev = "HEAD" // of a folder
	}
	c, err := b.commit(w, rev)
	if err != nil {
		return nil, err
	}
	return bundle.Dates(w.Repo, c, w.Folder)
}
