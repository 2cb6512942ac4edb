package bundles

import (
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
	format, dir  string
	check, lossy bool
}

func (b *bundleCommand) exportCommand() *cobra.Command {
	e := &exportCommand{bundleCommand: b}
	formats := exchange.ExportFormats("")
	cmd := &cobra.Command{Use: "export [FROM] ID[@CONSTRAINT]"}
	command.ReadsFrom(cmd, 1, 1, "the ID of one document", func(from string, args []string) error {
		switch {
		case e.format == "":
			return errors.New("--to FORMAT is required: " + schema.Or(formats, "or"))
		case e.dir == "":
			return errors.New("-o FOLDER is required: the folder to write, with nothing else in it")
		}
		return command.WithLibrary(from, func(l *library.Library) error { return e.export(l, args[0]) })
	})
	cmd.Flags().StringVar(&e.format, "to", "", "the `format`: "+schema.Or(formats, "or")+" (required)")
	_ = cmd.Flags().SetAnnotation("to", command.ValuesKey, formats) // the flag is there
	cmd.Flags().StringVarP(&e.dir, "output", "o", "", "the `folder` to write (required)")
	cmd.Flags().BoolVar(&e.check, "check", false, "report files that differ from an export, and write nothing")
	cmd.Flags().BoolVar(&e.lossy, "lossy", false, "allow a format that can't express the verdict")
	return cmd
}

func (e *exportCommand) export(l *library.Library, reference string) error {
	found, d, err := command.Find(l, reference)
	if err != nil {
		return err
	}
	if found.Retired != nil {
		fmt.Fprintf(e.Err, "%s is retired: the library no longer has it.\n", found.ID)
	}
	x, err := exchange.NewExport(e.format, d)
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
		_, err = fmt.Fprintf(e.Out, "%s is up to date with %s %s\n", sanitize.Line(e.dir), x.ID, x.Version)
		return err
	}
	if err := x.ErrLossy(); err != nil && !e.lossy {
		return err
	}
	if err := x.Write(e.dir); err != nil {
		return err
	}
	fmt.Fprintf(e.Out, "%s: %s %s for %s, files: %d\n", sanitize.Line(e.dir), x.ID, x.Version, x.Format, len(x.Files()))
	for _, loss := range x.NotExpressed {
		fmt.Fprintln(e.Out, "- "+loss.What)
	}
	return nil
}
