package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/bundle"
	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/bundle/printer"
)

var getFormats = []string{"text", "json", "reference"}

func (b *bundleCommand) listCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "list FROM",
		Short:   "List the documents with their latest versions",
		Long:    "List the documents with their latest versions, including retired ones.",
		Example: "  rubric list rubrics.zip\n  rubric list . --format json",
		Args:    arguments(1, 1, "a bundle or a folder"),
		RunE: func(_ *cobra.Command, args []string) error {
			return b.withLibrary(args[0], func(l *bundle.Library) error { return b.printLines(l, l.Lines) })
		},
	}
	formatFlag(cmd, &b.formats, textOrJSON)
	return cmd
}

func (b *bundleCommand) searchCommand() *cobra.Command {
	var artifactType string
	cmd := &cobra.Command{
		Use:   "search FROM [TEXT]",
		Short: "Find documents by words and artifact type",
		Long: `Find the documents whose ID, name, or description contains every word of TEXT,
regardless of case. Retired documents are not found.

Exit codes: 0 done, even if nothing is found, 2 the library could not be read.`,
		Example: "  rubric search rubrics.zip story\n  rubric search rubrics.zip --artifact-type prd",
		Args:    arguments(1, 0, "a bundle or a folder"),
		RunE: func(_ *cobra.Command, args []string) error {
			return b.withLibrary(args[0], func(l *bundle.Library) error {
				return b.printLines(l, l.Search(artifactType, strings.Fields(strings.Join(args[1:], " "))))
			})
		},
	}
	cmd.Flags().StringVar(&artifactType, "artifact-type", "", "only documents for this artifact type")
	formatFlag(cmd, &b.formats, textOrJSON)
	return cmd
}

func (b *bundleCommand) getCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "get FROM ID[@CONSTRAINT]",
		Short: "Show a document in the highest version that satisfies a constraint",
		Long: `Show a document: its latest version, or the highest one that satisfies a
constraint such as 1.2.0, ~1.2 (1.2.x), ^1.0 (1.x.x), or ">=1.1 <2".

The first line is the reference to store with a score: it permanently identifies
this text, and get accepts it. --format json writes the document as it is in the
bundle, and --format reference writes only the reference.

Exit codes: 0 shown, 2 there is no such document or version.`,
		Example: `  rubric get rubrics.zip user_story_quality_v1
  rubric get rubrics.zip user_story_quality_v1@~1.0 --format json
  rubric get rubrics.zip user_story_quality_v1 --format reference`,
		Args: arguments(2, 2, "a bundle or a folder, and the ID of one document"),
		RunE: func(_ *cobra.Command, args []string) error {
			return b.withLibrary(args[0], func(l *bundle.Library) error { return b.get(l, args[1]) })
		},
	}
	formatFlag(cmd, &b.formats, getFormats)
	return cmd
}

// withLibrary calls use with an open bundle or folder, and closes it.
func (b *bundleCommand) withLibrary(name string, use func(*bundle.Library) error) error {
	l, err := openLibrary(name)
	if err != nil {
		return err
	}
	defer l.Close()
	err = use(l)
	// Other errors can be about other files.
	if errors.As(err, new(*bundlefile.FormatError)) || errors.As(err, new(*bundlefile.IntegrityError)) {
		return bundle.FileError(name, err)
	}
	return err
}

func (b *bundleCommand) printLines(l *bundle.Library, lines []*bundlefile.IndexLine) error {
	return printAs(b, lines, printer.ListText, func(w io.Writer, lines []*bundlefile.IndexLine) error { return printer.ListJSON(w, l, lines) })
}

func (b *bundleCommand) get(l *bundle.Library, text string) error {
	reference, err := bundle.ParseReference(text)
	if err != nil {
		return err
	}
	line, version, err := l.Resolve(reference)
	if err != nil {
		return err
	}
	data, err := l.Read(line, version)
	if err != nil {
		return err
	}
	d := printer.Document{Line: line, Version: version, Data: data}
	if line.Retired {
		fmt.Fprintf(b.Err, "%s is retired: the library no longer has it.\n", line.ID)
	}
	outputs, err := outputsOf(b.formats, getFormats)
	if err != nil {
		return err
	}
	return printOutputs(b.Out, outputs, func(w io.Writer, format string) error {
		switch format {
		case "json":
			return printer.DocumentJSON(w, &d)
		case "reference":
			return printer.DocumentReference(w, &d)
		}
		return printer.DocumentText(w, &d)
	})
}
