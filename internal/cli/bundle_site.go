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
		Short: "Generate a site from a bundle to browse and search",
		Long: `Generate a site from a bundle: a page for each version of each document with its
changes, calculators, search, JSON, and feeds. The site consists of static files. It
works on any web server and from the folder itself: open index.html.

DIR is a new or empty folder, or an earlier site, whose files are replaced. Other
files in it are kept.

A bundle contains no dates. --history takes them from the first-parent history of the
repository in the working folder, which must contain the bundle's commit.

A folder that contains rubrics/ produces a preview, without calibration and earlier
versions.

The same bundle, base URL, and history produce the same bytes.

Exit codes: 0 generated, 2 not generated.`,
		Example: `  rubric site rubrics.zip public --base-url https://example.org/rubrics/
  rubric site . preview`,
		Args: arguments(2, 2, "a bundle or a folder, and the folder of the site"),
		RunE: func(_ *cobra.Command, args []string) error { return b.site(args[0], args[1], o, dated) },
	}
	cmd.Flags().StringVar(&o.BaseURL, "base-url", "", "the address of the published site, for the links in its feeds")
	cmd.Flags().BoolVar(&dated, "history", false, "take the dates of versions from the history of this repository")
	return cmd
}

// site generates a site. dated takes the dates from the repository.
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
			return fmt.Errorf("the site in %s could not be generated: %w", dir, err)
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(b.Out, "%s: documents: %d, versions: %d, files: %d\n", dir, made.Documents, made.Versions, made.Files)
		return err
	})
}

// dates are the dates on which versions came into the library, from the repository.
func (b *bundleCommand) dates(l *bundle.Library) (func(id, version string) time.Time, error) {
	w := openWorkspace()
	defer w.Close()
	if w.Repo == nil {
		return nil, w.Missing
	}
	rev := l.Commit
	if rev == "" {
		rev = "HEAD" // for a folder
	}
	c, err := b.commit(w, rev)
	if err != nil {
		return nil, err
	}
	return bundle.Dates(w.Repo, c, w.Folder)
}
