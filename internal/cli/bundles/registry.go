package bundles

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/library/registry"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

func (b *bundleCommand) pushCommand() *cobra.Command {
	var attestation string
	cmd := &cobra.Command{
		Use:  "push BUNDLE REPOSITORY[:TAG]",
		Args: command.Arguments(2, 2, "a bundle file, and a repository of a registry"),
		RunE: func(_ *cobra.Command, args []string) error { return b.push(args[0], args[1], attestation) },
	}
	cmd.Flags().StringVar(&attestation, "attestation", "", "a file with the attestation of the bundle, a Sigstore bundle")
	return cmd
}

func (b *bundleCommand) push(name, reference, attestation string) error {
	repository, err := registry.Open(reference, registry.Options{Warn: b.warn})
	if err != nil {
		return err
	}
	data, err := readBundle(name)
	if err != nil {
		return bundlefile.FileError(name, err)
	}
	var signed []byte
	if attestation != "" { // an empty value is rejected for every flag
		f, err := command.ReadInput(filepath.FromSlash(attestation))
		if err != nil {
			return err
		}
		signed = f.Data
	}
	ctx, stop := command.UntilInterrupted()
	defer stop()
	pushed, err := repository.Push(ctx, data, signed)
	var stopped *registry.StoppedError
	switch {
	case errors.As(err, &stopped):
		return fmt.Errorf("%w%s\n%s", err, howToContinue(stopped, attestation), pushLine(name, reference, attestation))
	case err != nil:
		return bundlefile.FileError(name, err)
	}
	fmt.Fprintf(b.Out, "%s: library %s, bundle %s\n", pushed.Reference, pushed.Version, pushed.Digest)
	if pushed.Attestation != "" {
		fmt.Fprintf(b.Out, "attestation: %s\n", pushed.Attestation)
	}
	b.listTags(pushed)
	return nil
}

// listTags prints what became of each tag.
func (b *bundleCommand) listTags(pushed *registry.Pushed) {
	for _, t := range pushed.Tags {
		switch {
		case t.Set:
			fmt.Fprintf(b.Out, "tag %s: set\n", t.Name)
		case t.Immutable != "":
			fmt.Fprintf(b.Out, "tag %s: skipped, because it is immutable. It stays at version %s: %s\n",
				t.Name, t.Version, sanitize.Line(t.Immutable))
		case t.Version == pushed.Version:
			fmt.Fprintf(b.Out, "tag %s: was already set\n", t.Name)
		default:
			fmt.Fprintf(b.Out, "tag %s: kept at the higher version %s\n", t.Name, t.Version)
		}
	}
}

func (b *bundleCommand) warn(text string) {
	fmt.Fprintf(b.Err, "warning: %s\n", sanitize.Line(text))
}

// howToContinue says what to do after a push that stopped, before the command that continues.
func howToContinue(e *registry.StoppedError, attestation string) string {
	const again = ". To continue, run this command:"
	if attestation != "" && e.Reference != "" && e.Attestation == "" {
		return ". If the registry does not accept attestations, publish the bundle without --attestation" + again
	}
	return again
}

// pushLine is the command line of a push.
func pushLine(name, reference, attestation string) string {
	args := []string{"rubric", "push"}
	if attestation != "" {
		args = append(args, "--attestation", attestation)
	}
	if strings.HasPrefix(name, "-") {
		args = append(args, "--")
	}
	return sanitize.CommandLine(append(args, name, reference)...)
}

func readBundle(name string) ([]byte, error) {
	f, size, err := bundlefile.OpenRegular(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > safefile.MaxBundle {
		return nil, &safefile.TooLargeError{Name: name, Size: size, Max: safefile.MaxBundle}
	}
	return io.ReadAll(io.LimitReader(f, safefile.MaxBundle))
}

func (b *bundleCommand) pullCommand() *cobra.Command {
	var out, digest string
	cmd := &cobra.Command{
		Use:  "pull REFERENCE -o FILE",
		Args: command.Arguments(1, 1, "a reference such as ghcr.io/acme/rubrics:1.4"),
		RunE: func(_ *cobra.Command, args []string) error {
			if out == "" {
				return errors.New("-o FILE is required: the file to write, such as rubrics.zip")
			}
			return b.pull(args[0], filepath.FromSlash(out), digest)
		},
	}
	command.OutputFlag(cmd, &out)
	cmd.Flags().StringVar(&digest, "digest", "", "the expected digest of the bundle: sha256: and 64 digits")
	return cmd
}

func (b *bundleCommand) pull(reference, out, digest string) error {
	repository, err := registry.Open(reference, registry.Options{Warn: b.warn})
	if err != nil {
		return err
	}
	var o bundlefile.Options
	if digest != "" { // an empty value is rejected for every flag
		if err := bundlefile.CheckDigest(digest); err != nil { // before a download
			return fmt.Errorf("--digest %w", err)
		}
		o.Digest = &digest
	}
	ctx, stop := command.UntilInterrupted()
	defer stop()
	artifact, err := repository.Fetch(ctx, "")
	if err != nil {
		return err
	}
	opened, err := bundlecheck.Verify(bytes.NewReader(artifact.Data), int64(len(artifact.Data)), o)
	if err != nil {
		return fmt.Errorf("%s was not written. %s: %w", out, artifact.Reference, err)
	}
	if err := safefile.Write(out, artifact.Data, 0o666); err != nil {
		return command.NotWritten(out, err)
	}
	_, err = fmt.Fprintf(b.Out, "%s: library %s, bundle %s, from %s\n", sanitize.Line(out),
		opened.Manifest().LibraryVersion, opened.Digest(), artifact.Reference)
	return err
}
