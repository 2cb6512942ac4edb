package bundles

import (
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/release"
	"github.com/rubric-library/rubric-library/internal/release/printer"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/library"
)

var getFormats = []string{"text", "json", "reference"}

func (b *bundleCommand) listCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "list FROM",
		Short:   "List the documents with their latest versions",
		Long:    "List the documents with their latest versions, including retired ones.",
		Example: "  rubric list rubrics.zip\n  rubric list . --format json",
		Args:    command.Arguments(1, 1, "a bundle or a folder"),
		RunE: func(_ *cobra.Command, args []string) error {
			return command.WithLibrary(args[0], func(l *library.Library) error {
				entries, err := release.Entries(l)
				if err != nil {
					return err
				}
				return printAs(b, printer.NewDocuments(l, entries), printer.ListText)
			})
		},
	}
	command.FormatFlag(cmd, &b.formats, textOrJSON)
	return cmd
}

func (b *bundleCommand) searchCommand() *cobra.Command {
	var artifactType string
	cmd := &cobra.Command{
		Use:   "search FROM [TEXT]",
		Short: "Find documents by words and artifact type",
		Long: `Find the documents that contain every word of TEXT in the ID, the artifact type, the
name, the description, or in a criterion, a negative criterion, or a rule. The best
matches come first, with the places where the words were found.

Case, word order, and characters such as _ and - between words do not matter. A word
that no document contains can have one typo. In a reference such as ID@1.0.0, only the
ID counts. Retired documents are not found.

Exit codes: 0 done, even if nothing is found, 2 the library could not be read.`,
		Example: "  rubric search rubrics.zip user story\n  rubric search rubrics.zip --artifact-type prd",
		Args:    command.Arguments(1, 0, "a bundle or a folder"),
		RunE: func(_ *cobra.Command, args []string) error {
			return command.WithLibrary(args[0], func(l *library.Library) error {
				matches, err := l.Search(library.Query{ArtifactType: artifactType, Text: strings.Join(args[1:], " "), IncludeDeprecated: true})
				if err != nil {
					return err
				}
				return printAs(b, printer.NewDocuments(l, matches), printer.SearchText)
			})
		},
	}
	cmd.Flags().StringVar(&artifactType, "artifact-type", "", "only documents for this artifact type")
	command.FormatFlag(cmd, &b.formats, textOrJSON)
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
		Args: command.Arguments(2, 2, "a bundle or a folder, and the ID of one document"),
		RunE: func(_ *cobra.Command, args []string) error {
			// What a large bundle takes is small, but more than the first collection allows.
			defer debug.SetGCPercent(debug.SetGCPercent(400))
			return command.WithLibrary(args[0], func(l *library.Library) error { return b.get(l, args[1]) })
		},
	}
	command.FormatFlag(cmd, &b.formats, getFormats)
	return cmd
}

func (b *bundleCommand) get(l *library.Library, text string) error {
	found, document, err := command.Find(l, text)
	if err != nil {
		return err
	}
	if found.Retired != nil {
		fmt.Fprintf(b.Err, "%s is retired: the library no longer has it.\n", found.ID)
	}
	outputs, err := command.OutputsOf(b.formats, getFormats)
	if err != nil {
		return err
	}
	return command.PrintOutputs(b.Out, outputs, func(w io.Writer, format string) error {
		switch format {
		case "reference":
			_, err := fmt.Fprintln(w, document.Reference)
			return err
		case "json":
			_, err := w.Write(append(sanitize.JSON(document.JSON()), '\n'))
			return err
		}
		var c *library.Calibration // of the latest version
		if r := document.Rubric; r != nil && r.CalibrationDataset != "" && found.Version == found.Latest {
			if c, err = l.Calibration(found.ID); err != nil {
				return err
			}
		}
		return printer.DocumentText(w, document, c)
	})
}

func (b *bundleCommand) refsCommand() *cobra.Command {
	var failLevel string
	var allowNone bool
	cmd := &cobra.Command{
		Use:   "refs FROM CONTRACT...",
		Short: "Check the references to rubrics and rule sets in other files",
		Long: `Check YAML or JSON contracts that refer to rubrics and rule sets:

  rubric: ID                     rubrics: [ID, ID@CONSTRAINT]
  rubric: ID@CONSTRAINT          rubric_id: ID
                                 rubric_version: CONSTRAINT

For rule sets, the keys are ruleset, rulesets, ruleset_id, and ruleset_version. A
contract can use all of YAML, such as anchors, merge keys, and several documents.

Errors are an ID that is unknown, retired, or of the other kind; a constraint that
no version satisfies; and a whole document where a reference is expected. Warnings
are a deprecated document, a likely typo of one of these keys, and a contract
without references (unless --allow-none is set).

Exit codes: 0 no errors, 1 errors (or warnings, with --fail-level warning), 2 a
file could not be read.`,
		Example: `  rubric refs rubrics.zip contracts/*.yaml
  rubric refs rubrics.zip contract.json --fail-level warning`,
		Args: command.Arguments(2, 0, "a bundle or a folder, and at least one contract"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := command.CheckFailLevel(failLevel); err != nil {
				return err
			}
			return command.WithLibrary(args[0], func(l *library.Library) error { return b.refs(l, args[1:], failLevel, allowNone) })
		},
	}
	cmd.Flags().BoolVar(&allowNone, "allow-none", false, "accept contracts without references")
	command.FailLevelFlag(cmd, &failLevel)
	command.FormatFlag(cmd, &b.formats, textOrJSON)
	return cmd
}

func (b *bundleCommand) refs(l *library.Library, names []string, failLevel string, allowNone bool) error {
	var contracts []release.Contract
	for _, name := range names {
		f, err := command.ReadInput(filepath.FromSlash(name))
		if err != nil {
			return err
		}
		c := release.Check(l, name, f.Data)
		if allowNone {
			c.Findings = slices.DeleteFunc(c.Findings, func(f release.Finding) bool { return f.Code == release.CodeNone })
		}
		contracts = append(contracts, c)
	}
	record := printer.NewContracts(contracts)
	err := printAs(b, record, printer.RefsText)
	if err == nil && (record.Summary.Errors > 0 || record.Summary.Warnings > 0 && failLevel == "warning") {
		return command.ErrFindings
	}
	return err
}
