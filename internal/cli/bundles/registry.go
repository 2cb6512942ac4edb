package bundles

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/library/registry"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

func (b *bundleCommand) pushCommand() *cobra.Command {
	var attestation string
	cmd := &cobra.Command{
		Use:   "push FROM REPOSITORY[:TAG]",
		Short: "Store a bundle in an OCI registry",
		Long: `Store a bundle in a repository of an OCI registry, and set its tags.

For library 1.4.0, the tags are 1.4.0, 1.4, 1, and latest. The last three only move to
higher versions. If the tag 1.4.0 refers to other bytes, nothing is pushed.

With TAG, that tag alone is set, also to an earlier version: this is how to roll back.
A TAG that is a version must be one of this bundle.

The credentials are those of ` + "`docker login`" + ` and its credential helpers. A registry on a
loopback address, such as localhost:5000, is called over HTTP.

--attestation stores an attestation of the bundle file next to it, as a referrer. Its
subject is compared with the file, but its signature is not verified.

Registries can't set a tag only if it has not changed. Run the pushes to a repository
one after the other.

Exit codes: 0 stored, and every tag is set or was kept, 2 not everything was stored.`,
		Example: `  rubric push rubrics.zip ghcr.io/acme/rubrics
  rubric push rubrics.zip ghcr.io/acme/rubrics --attestation release.sigstore.json
  rubric push rubrics-1.3.0.zip ghcr.io/acme/rubrics:latest`,
		Args: command.Arguments(2, 2, "a bundle file, and a repository of a registry"),
		RunE: func(_ *cobra.Command, args []string) error { return b.push(args[0], args[1], attestation) },
	}
	cmd.Flags().StringVar(&attestation, "attestation", "", "a file with the attestation of the bundle, a Sigstore bundle")
	return cmd
}

func (b *bundleCommand) push(name, reference, attestation string) error {
	repository, err := registry.Open(reference)
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
	if err != nil {
		return bundlefile.FileError(name, err)
	}
	fmt.Fprintf(b.Out, "%s: library %s, bundle %s\n", pushed.Reference, pushed.Version, pushed.Digest)
	if pushed.Attestation != "" {
		fmt.Fprintf(b.Out, "attestation: %s\n", pushed.Attestation)
	}
	for _, t := range pushed.Tags {
		switch {
		case t.Set:
			fmt.Fprintf(b.Out, "tag %s: set\n", t.Name)
		case t.Version == pushed.Version:
			fmt.Fprintf(b.Out, "tag %s: was already set\n", t.Name)
		default:
			fmt.Fprintf(b.Out, "tag %s: kept at the higher version %s\n", t.Name, t.Version)
		}
	}
	return nil
}

func readBundle(name string) ([]byte, error) {
	f, size, err := bundlefile.OpenRegular(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > limits.Bundle {
		return nil, &limits.TooLargeError{Name: name, Size: size, Max: limits.Bundle}
	}
	return io.ReadAll(io.LimitReader(f, limits.Bundle))
}

func (b *bundleCommand) pullCommand() *cobra.Command {
	var out, digest string
	cmd := &cobra.Command{
		Use:   "pull REFERENCE -o FILE",
		Short: "Download a bundle from an OCI registry",
		Long: `Download a bundle from an OCI registry, verify it, and write it to FILE. FILE is
replaced as a whole, and only by a valid bundle.

REFERENCE is HOST/REPOSITORY:TAG or HOST/REPOSITORY@DIGEST. Without either, the tag is
latest. A tag that is a version must refer to a bundle of that version.

A DIGEST in REFERENCE is that of the manifest, which push prints. --digest is that of the
bundle, from its release. Either shows that the bundle is the expected one. A tag does
not: anyone who may push can move it, and a bundle that someone else built is valid too.

The credentials are those of ` + "`docker login`" + ` and its credential helpers. A registry on a
loopback address, such as localhost:5000, is called over HTTP.

Exit codes: 0 written, 2 not written.`,
		Example: `  rubric pull ghcr.io/acme/rubrics:1.4 -o rubrics.zip --digest sha256:…
  rubric pull ghcr.io/acme/rubrics@sha256:… -o rubrics.zip`,
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
	repository, err := registry.Open(reference)
	if err != nil {
		return err
	}
	var o bundlefile.Options
	if digest != "" { // an empty value is rejected for every flag
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
		return fmt.Errorf("the bundle could not be written: %s: %w", out, safefile.Reason(err))
	}
	_, err = fmt.Fprintf(b.Out, "%s: library %s, bundle %s, from %s\n", sanitize.Line(out), opened.Manifest().LibraryVersion, opened.Digest(), artifact.Reference)
	return err
}
