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
	cmd := &cobra.Command{Use: "list [FROM]"}
	command.ReadsFrom(cmd, 0, 0, "no argument except FROM", func(from *command.Located, _ []string) error {
		return b.ReadLibrary(from, func(l *command.Opened) error {
			entries, err := release.Entries(l.Library)
			if err != nil {
				return err
			}
			print := func(w io.Writer, d *printer.Documents[*library.Entry]) error {
				return printer.ListText(w, d, command.Width(w))
			}
			return printAs(b, printer.NewDocuments(l.Library, entries), print)
		})
	})
	command.FormatFlag(cmd, &b.formats, textOrJSON)
	return cmd
}

func (b *bundleCommand) searchCommand() *cobra.Command {
	var artifactType, kind string
	cmd := &cobra.Command{Use: "search [FROM] [TEXT]"}
	command.ReadsFrom(cmd, 0, -1, "words", func(from *command.Located, args []string) error {
		if kind != "" && library.Kind(kind) != library.KindRubric && library.Kind(kind) != library.KindRuleSet {
			return fmt.Errorf("--kind must be %s or %s, got %q", library.KindRubric, library.KindRuleSet, kind)
		}
		return b.ReadLibrary(from, func(l *command.Opened) error {
			matches, err := l.Search(library.Query{
				ArtifactType: artifactType, Kind: library.Kind(kind), Text: strings.Join(args, " "),
			})
			if err != nil {
				return err
			}
			similar, err := l.SimilarArtifactTypes(artifactType)
			if err != nil {
				return err
			}
			if len(similar) > 0 {
				fmt.Fprintf(b.Err, "No document has the artifact type %q. Did you mean %s?\n",
					artifactType, strings.Join(similar, " or "))
			}
			print := func(w io.Writer, d *printer.Documents[library.Match]) error {
				return printer.SearchText(w, d, command.Width(w))
			}
			return printAs(b, printer.NewDocuments(l.Library, matches), print)
		})
	})
	cmd.Flags().StringVar(&artifactType, "artifact-type", "", "only documents for this artifact type")
	cmd.Flags().StringVar(&kind, "kind", "", "only documents of this kind: rubric or rule_set")
	kinds := []string{string(library.KindRubric), string(library.KindRuleSet)}
	_ = cmd.Flags().SetAnnotation("kind", command.ValuesKey, kinds) // the flag is there
	command.FormatFlag(cmd, &b.formats, textOrJSON)
	return cmd
}

func (b *bundleCommand) getCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "get [FROM] ID[@CONSTRAINT]"}
	command.ReadsFrom(cmd, 1, 1, "the ID of one document", func(from *command.Located, args []string) error {
		// What a large bundle takes is small, but more than the first collection allows.
		defer debug.SetGCPercent(debug.SetGCPercent(400))
		return b.ReadLibrary(from, func(l *command.Opened) error { return b.get(l, args[0]) })
	})
	command.FormatFlag(cmd, &b.formats, getFormats)
	return cmd
}

func (b *bundleCommand) get(l *command.Opened, text string) error {
	found, document, err := b.Find(l, text)
	if err != nil {
		return err
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
			if c, err = l.DocumentCalibration(found.ID); err != nil {
				return err
			}
		}
		return printer.DocumentText(w, document, c, command.Width(w))
	})
}

func (b *bundleCommand) refsCommand() *cobra.Command {
	var failLevel string
	var allowNone bool
	cmd := &cobra.Command{Use: "refs [FROM] CONTRACT..."}
	command.ReadsFrom(cmd, 1, -1, "at least one contract", func(from *command.Located, args []string) error {
		if err := command.CheckFailLevel(failLevel); err != nil {
			return err
		}
		return b.ReadLibrary(from, func(l *command.Opened) error { return b.refs(l, args, failLevel, allowNone) })
	})
	cmd.Flags().BoolVar(&allowNone, "allow-none", false, "accept contracts without references")
	command.FailLevelFlag(cmd, &failLevel)
	command.FormatFlag(cmd, &b.formats, textOrJSON)
	return cmd
}

func (b *bundleCommand) refs(l *command.Opened, names []string, failLevel string, allowNone bool) error {
	var contracts []release.Contract
	for _, name := range names {
		f, err := command.ReadInput(filepath.FromSlash(name))
		if err != nil {
			return err
		}
		c := release.Check(l.Library, name, f.Data)
		explain(l, c.Findings)
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

// explain says of references to documents that can't be used why they can't.
func explain(l *command.Opened, findings []release.Finding) {
	for i, f := range findings {
		if problem := l.Problem(f.ID); f.Code == release.CodeUnknown && problem != nil {
			findings[i].Message = fmt.Sprintf("%s can't be used: %v", f.ID, problem)
		}
	}
}
