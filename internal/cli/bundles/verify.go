package bundles

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/release/printer"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// verifyFlags are what a bundle is compared with.
type verifyFlags struct{ digest, after, release string }

func (b *bundleCommand) verifyCommand() *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:  "verify FILE",
		Args: command.Arguments(1, 1, "a bundle file"),
		RunE: func(_ *cobra.Command, args []string) error { return b.verify(args[0], &f) },
	}
	cmd.Flags().StringVar(&f.digest, "digest", "", "the expected digest of the bundle: sha256: and 64 digits")
	cmd.Flags().StringVar(&f.after, "after", "", "an earlier bundle whose versions must not have changed")
	cmd.Flags().StringVar(&f.release, "release", "", "the release.json of the release, which names the expected digest")
	command.FormatFlag(cmd, &b.formats, textOrJSON)
	return cmd
}

func (b *bundleCommand) verify(name string, f *verifyFlags) error {
	v := printer.Verification{
		SchemaVersion: printer.SchemaVersion, File: name, Problems: []string{},
		Expected: f.digest, After: f.after,
	}
	if f.release != "" {
		if err := f.useRecord(&v); err != nil {
			return err
		}
	}
	var options []library.Option
	if v.Expected != "" { // an empty value is rejected for every flag
		options = append(options, library.WithDigest(v.Expected))
	}
	var failed error
	if f.after != "" {
		old, opened, err := verified(f.after)
		failed = err
		if err == nil {
			defer opened.Close()
			options = append(options, library.WithAfter(old))
		}
	}
	_, l, err := verified(name, options...)
	if err == nil {
		defer l.Close()
		if failed != nil {
			return bundlefile.FileError(f.after, failed)
		}
	}
	if err := examine(&v, l, err); err != nil {
		return bundlefile.FileError(name, err)
	}
	err = printAs(b, &v, printer.VerificationText)
	if err == nil && !v.OK {
		return command.ErrFindings
	}
	return err
}

// examine adds to a verification what a bundle has, or what is wrong with it: err, if it was not opened. It
// returns an error that says nothing about the bundle.
func examine(v *printer.Verification, l *bundlefile.Bundle, err error) error {
	switch {
	case errors.As(err, new(*bundlecheck.ContinuityError)), errors.As(err, new(*bundlefile.FormatError)),
		errors.As(err, new(*bundlefile.IntegrityError)):
		v.Problems = printer.Problems(err)
		return nil
	case err != nil:
		return err
	}
	refused, texts := bundlecheck.Texts(l)
	if texts != nil && !errors.As(texts, new(*bundlefile.IntegrityError)) {
		return texts
	}
	v.AddResult(l, texts, refused)
	return nil
}

// useRecord takes the expected digest from the record of a release.
func (f *verifyFlags) useRecord(v *printer.Verification) error {
	if f.digest != "" {
		return errors.New("--digest can't be combined with --release, whose file names the digest. Leave one of them out")
	}
	r, err := readRecord(f.release)
	if err != nil {
		return fmt.Errorf("--release: %s %w", f.release, err)
	}
	v.Expected, v.Release = r.Digest, r
	return nil
}

// readRecord reads the record of a release. Without a digest, it would not name a bundle.
func readRecord(name string) (*printer.Release, error) {
	file, err := safefile.Open(name)
	if err != nil {
		return nil, fmt.Errorf("can't be read: %w", safefile.Reason(err))
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("can't be read: %w", safefile.Reason(err))
	}
	data, err := safefile.Read(file, name, info.Size())
	if err != nil {
		return nil, fmt.Errorf("can't be read: %w", safefile.Reason(err))
	}
	r := &printer.Release{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("is not the record of a release: %w", err)
	}
	if !bundlefile.IsDigest(r.Digest) {
		return nil, fmt.Errorf("is not the record of a release of a library: \"digest\" must be sha256: and 64 digits, got %q", r.Digest)
	}
	return r, nil
}

// verified opens the bundle in a file as a consumer verifies it, and its container, which has
// what only the command reads: the manifest, and the texts to check.
func verified(name string, options ...library.Option) (l *library.Library, b *bundlefile.Bundle, err error) {
	b, err = bundlefile.OpenFile(name, func(r io.ReaderAt, size int64, o bundlefile.Options) (*bundlefile.Bundle, error) {
		if l, err = library.NewReader(r, size, append(options, library.WithVerification())...); err != nil {
			return nil, cmp.Or(errors.Unwrap(err), err) // without the name of the package
		}
		o.Digest = new(l.Digest())
		return bundlefile.Open(r, size, o)
	}, bundlefile.Options{})
	return l, b, err
}
