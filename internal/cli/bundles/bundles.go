package bundles

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/diff"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
	"github.com/rubric-library/rubric-library/internal/release"
	"github.com/rubric-library/rubric-library/internal/release/site"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// bundleCommand is one call of a command that builds or reads a bundle.
type bundleCommand struct {
	command.Streams
	formats []string
}

// Release are the commands that make and publish a bundle, in the order of the help.
func Release(s command.Streams) []*cobra.Command {
	b := &bundleCommand{Streams: s}
	return []*cobra.Command{b.buildCommand(), b.verifyCommand(), b.pushCommand(), b.pullCommand(), b.siteCommand()}
}

// Use are the commands that read a bundle or a folder, in the order of the help.
func Use(s command.Streams) []*cobra.Command {
	b := &bundleCommand{Streams: s}
	return []*cobra.Command{b.listCommand(), b.getCommand(), b.searchCommand(), b.serveCommand(), b.refsCommand(), b.exportCommand()}
}

// printAs writes a value as text or JSON, in every requested format.
func printAs[T any](b *bundleCommand, record T, text func(io.Writer, T) error) error {
	outputs, err := command.OutputsOf(b.formats, textOrJSON)
	if err != nil {
		return err
	}
	return command.PrintOutputs(b.Out, outputs, func(w io.Writer, format string) error {
		if format == "json" {
			return render.WriteJSON(w, record)
		}
		return text(w, record)
	})
}

var textOrJSON = []string{"text", "json"}

func (b *bundleCommand) siteCommand() *cobra.Command {
	var o site.Options
	var dir string
	var dated bool
	var approved string
	cmd := &cobra.Command{Use: "site [FROM] -o FOLDER"}
	command.ReadsFrom(cmd, 0, 0, "no argument except FROM", func(from string, _ []string) error {
		if dir == "" {
			return errors.New("-o FOLDER is required: a new or empty folder for the site")
		}
		return b.site(from, dir, o, dated, approved)
	})
	cmd.Flags().StringVarP(&dir, "output", "o", "", "the `folder` to write, new or empty (required)")
	cmd.Flags().StringVar(&o.BaseURL, "base-url", "", "the address of the published site, for the links in its feed")
	cmd.Flags().StringVar(&o.EditURL, "edit-url", "", "the address of the forge's editor, to which the path of a document's file is appended")
	cmd.Flags().StringVar(&o.Name, "name", site.DefaultName, "the name of the library")
	cmd.Flags().BoolVar(&dated, "history", false, "take owners, named reviewers, accepted exceptions, recorded runs, and changed verdicts from this repository")
	cmd.Flags().StringVar(&approved, "approvals", "", "a file with the releases and approvals that the release workflow asked the forge for")
	return cmd
}

// site generates a site. dated adds what the repository knows.
func (b *bundleCommand) site(name, dir string, o site.Options, dated bool, approved string) error {
	if err := approvals(approved, &o); err != nil {
		return err
	}
	o.Docs = authoring.PageAt(command.ThisBuild().Version, "")
	for _, flag := range [][2]string{{"--base-url", o.BaseURL}, {"--edit-url", o.EditURL}} {
		if flag[1] != "" {
			if err := site.CheckBaseURL(flag[1]); err != nil {
				return fmt.Errorf("%s: %w", flag[0], err)
			}
		}
	}
	return b.WithLibrary(name, func(l *command.Opened) error {
		watch := b.Watch()
		defer watch.Stop()
		o.Progress = watch.Report
		if info, err := os.Stat(name); err == nil && !info.IsDir() {
			o.Bundle = name
		}
		if dated {
			watch.Report("reading the history", 0, 0)
			if err := b.history(l.Library, &o); err != nil {
				return fmt.Errorf("--history: %w", err)
			}
		}
		made, err := site.Build(l.Library, dir, o)
		if errors.As(err, new(*fs.PathError)) {
			return fmt.Errorf("the site in %s could not be generated: %w", dir, err)
		}
		if err != nil {
			return err
		}
		watch.Stop()
		missing := ""
		if n := l.Missing(); n > 0 {
			missing = fmt.Sprintf(", missing: %d", n)
		}
		_, err = fmt.Fprintf(b.Out, "%s: documents: %d%s, versions: %d, files: %d\n", dir, made.Documents, missing, made.Versions, made.Files)
		return err
	})
}

// history takes from the repository when versions and documents left the library, its people, why
// changes were accepted, and the datasets with the recorded runs of judges.
func (b *bundleCommand) history(l *library.Library, o *site.Options) error {
	w := diff.OpenWorkspace(command.Nearest())
	defer w.Close()
	if w.Repo == nil {
		return w.Missing
	}
	rev := l.Commit()
	if rev == "" {
		rev = "HEAD" // for a folder
	}
	c, err := b.commit(w, rev)
	o.Committed = c.When
	if err == nil {
		released := map[string]string{}
		if o.Forge != nil {
			for _, r := range o.Forge.Releases {
				released[r.Commit] = r.Version
			}
		}
		o.Ended, err = release.Ended(w.Repo, c, w.Folder, l.Version(), released)
	}
	if err == nil {
		err = people(w.Repo, c, w.Folder, l, o)
	}
	if err == nil {
		o.Accepted, err = release.Accepted(w.Repo, c, w.Folder)
	}
	if err != nil {
		return err
	}
	at, err := change.At(w.Repo, c, w.Folder)
	if err != nil {
		return err
	}
	config, err := lint.LoadConfig(at.Files, rules.All())
	if err == nil {
		o.Datasets, err = release.Datasets(w.Repo, c, w.Folder)
	}
	if err == nil {
		o.Runs, err = release.Runs(w.Repo, c, w.Folder, o.Datasets, config.Calibration)
	}
	return err
}
