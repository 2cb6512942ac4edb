package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/bundle"
	"github.com/rubric-library/rubric-library/internal/bundle/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/bundle/printer"
)

// bundleCommand is one call of a command that builds or reads a bundle.
type bundleCommand struct {
	Streams
	formats []string
}

// printAs writes a value as text or JSON, in every requested format.
func printAs[T any](b *bundleCommand, value T, text, json func(io.Writer, T) error) error {
	outputs, err := outputsOf(b.formats, textOrJSON)
	if err != nil {
		return err
	}
	return printOutputs(b.Out, outputs, func(w io.Writer, format string) error {
		if format == "json" {
			return json(w, value)
		}
		return text(w, value)
	})
}

var textOrJSON = []string{"text", "json"}

// arguments requires least to most arguments. If most is 0, there is no upper limit.
func arguments(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || most > 0 && len(args) > most {
			return fmt.Errorf("%s needs %s\n`%s --help` shows the usage", cmd.Name(), what, cmd.CommandPath())
		}
		return nil
	}
}

// openLibrary opens a bundle or a folder.
func openLibrary(name string) (*bundle.Library, error) {
	l, err := bundle.Open(name)
	return l, bundle.FileError(name, err)
}

func (b *bundleCommand) verifyCommand() *cobra.Command {
	var digest, after string
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "Verify that a bundle is complete and unchanged",
		Long: `Verify that a bundle is exactly what build writes: every document, the index, the
ledger, the changelog, the other entries, and every byte of the file.

This does not show who built the bundle: one that someone else built passes too.
To verify that it is the released one, pass the digest from the release with
--digest.

--after OLD also verifies what a consumer of an earlier bundle relies on: every
version of OLD has the same text or was withdrawn since, withdrawn versions stay
withdrawn, and retired IDs stay reserved. It does not show who built the bundle
either.

Exit codes: 0 the bundle is valid, 1 it is not, 2 a file could not be read.`,
		Example: `  rubric verify rubrics.zip
  rubric verify rubrics.zip --digest sha256:…
  rubric verify next.zip --digest sha256:… --after rubrics.zip`,
		Args: arguments(1, 1, "a bundle file"),
		RunE: func(_ *cobra.Command, args []string) error { return b.verify(args[0], digest, after) },
	}
	cmd.Flags().StringVar(&digest, "digest", "", "the expected digest of the bundle: sha256: and 64 digits")
	cmd.Flags().StringVar(&after, "after", "", "an earlier bundle whose versions must not have changed")
	formatFlag(cmd, &b.formats, textOrJSON)
	return cmd
}

func (b *bundleCommand) verify(name, digest, after string) error {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder, not a bundle. `rubric lint` checks a folder", name)
	}
	v := printer.Verification{File: name, Expected: digest, After: after}
	var o bundlefile.Options
	if digest != "" { // an empty value is rejected for every flag
		o.Digest = &digest
	}
	l, m, err := bundle.Verify(name, o)
	if err == nil && after != "" {
		var old *bundle.Library
		if old, _, err = bundle.Verify(after, bundlefile.Options{}); err != nil {
			return bundle.FileError(after, err)
		}
		defer old.Close()
		err = l.After(old)
	}
	switch {
	case errors.As(err, new(*bundlecheck.ContinuityError)), errors.As(err, new(*bundlefile.FormatError)), errors.As(err, new(*bundlefile.IntegrityError)):
		v.Err = err
	case err != nil:
		return bundle.FileError(name, err)
	default:
		defer l.Close()
		v.Manifest, v.Digest = m, l.Digest
	}
	err = printAs(b, &v, printer.VerificationText, printer.VerificationJSON)
	if err == nil && v.Err != nil {
		return errFindings
	}
	return err
}
