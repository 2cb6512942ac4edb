package bundles

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/release/exchange"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/library"
)

type exportCommand struct {
	*bundleCommand
	format, dir       string
	all, check, lossy bool
}

func (b *bundleCommand) exportCommand() *cobra.Command {
	e := &exportCommand{bundleCommand: b}
	formats := exchange.ExportFormats("")
	cmd := &cobra.Command{Use: "export [FROM] ID[@CONSTRAINT]"}
	command.ReadsFrom(cmd, 0, 1, "the ID of one document, or --all", func(from *command.Located, args []string) error {
		switch {
		case e.all == (len(args) > 0):
			return errors.New("the ID of one document or --all is required, and not both")
		case e.format == "":
			return errors.New("--to FORMAT is required: " + schema.Or(formats, "or"))
		}
		if err := exchange.CheckFormat(e.format); err != nil {
			return fmt.Errorf("--to: %w", err)
		}
		if e.dir == "" {
			return errors.New("-o FOLDER is required: the folder to write, with nothing else in it")
		}
		return e.ReadLibrary(from, func(l *command.Opened) error { return e.export(l, args) })
	})
	cmd.Flags().StringVar(&e.format, "to", "", "the `format`: "+schema.Or(formats, "or")+" (required)")
	_ = cmd.Flags().SetAnnotation("to", command.ValuesKey, formats) // the flag is there
	cmd.Flags().StringVarP(&e.dir, "output", "o", "", "the `folder` to write (required)")
	cmd.Flags().BoolVar(&e.all, "all", false, "export all documents as one project")
	cmd.Flags().BoolVar(&e.check, "check", false, "report files that differ from an export, and write nothing")
	cmd.Flags().BoolVar(&e.lossy, "lossy", false, "allow a format that can't express the verdict")
	return cmd
}

// convert returns the document with a reference in the format, or all documents without one.
func (e *exportCommand) convert(l *command.Opened, reference []string) (*exchange.Export, error) {
	if len(reference) == 0 {
		found, err := l.Search(library.Query{IncludeDeprecated: true})
		documents := make([]*library.Document, len(found))
		for i := range found {
			if err == nil {
				documents[i], err = l.Get(context.Background(), found[i].ID, "")
			}
		}
		if err != nil {
			return nil, err
		}
		return exchange.NewProject(e.format, documents)
	}
	_, d, err := e.Find(l, reference[0])
	if err != nil {
		return nil, err
	}
	return exchange.NewExport(e.format, d)
}

func (e *exportCommand) export(l *command.Opened, reference []string) error {
	x, err := e.convert(l, reference)
	if err != nil {
		return err
	}
	if e.check {
		differences, err := x.Check(e.dir)
		if err != nil {
			return err
		}
		for _, d := range differences {
			fmt.Fprintln(e.Out, sanitize.Line(d))
		}
		if len(differences) > 0 {
			return command.ErrFindings
		}
		_, err = fmt.Fprintf(e.Out, "%s is up to date with %s\n", sanitize.Line(e.dir), x.Subject())
		return err
	}
	if err := x.ErrLossy(); err != nil && !e.lossy {
		return err
	}
	if err := x.Write(e.dir); err != nil {
		return err
	}
	missing := ""
	if n := l.CountMissing(); n > 0 && e.all {
		missing = fmt.Sprintf(", missing: %d", n)
	}
	fmt.Fprintf(e.Out, "%s: %s for %s, files: %d%s\n", sanitize.Line(e.dir), x.Subject(), x.Format,
		len(x.Files()), missing)
	for _, loss := range x.NotExpressed {
		fmt.Fprintln(e.Out, "- "+loss.What)
	}
	return nil
}
