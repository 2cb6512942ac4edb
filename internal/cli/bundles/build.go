package bundles

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
	"github.com/rubric-library/rubric-library/internal/release"
	"github.com/rubric-library/rubric-library/internal/release/conformance"
	"github.com/rubric-library/rubric-library/internal/release/printer"
)

func (b *bundleCommand) buildCommand() *cobra.Command {
	var f buildFlags
	cmd := &cobra.Command{
		Use:  "build [REV] -o FILE",
		Args: command.Arguments(0, 1, "at most one revision"),
		RunE: func(_ *cobra.Command, args []string) error {
			return b.build(strings.Join(args, ""), &f)
		},
	}
	flags := command.InOrder(cmd)
	command.OutputFlag(cmd, &f.out)
	flags.StringVar(&f.version, "version", "", "the library's version, such as 1.4.0")
	flags.BoolVar(&f.first, "first-release", false, command.FirstReleaseUsage)
	flags.StringVar(&f.previous, "previous", "", "the last released bundle")
	flags.StringVar(&f.release, "release", "", "write the record of the release to this file, which must not exist")
	flags.BoolVar(&f.attested, "attested", false,
		"write into the record that the release is attested before it is published")
	f.stepOutputs.Flag(cmd, "bundle-path (the value of -o), bundle-sha256 (of the file), bundle-digest (of its contents, for verify), version, and tag (of --release; empty if nothing is to be released)")
	command.FormatFlag(cmd, &b.formats, textOrJSON)
	return cmd
}

func (b *bundleCommand) build(rev string, f *buildFlags) error {
	if err := b.checkBuild(f); err != nil {
		return err
	}
	w := command.OpenWorkspace()
	defer w.Close()
	if w.Repo == nil {
		return fmt.Errorf("%w\nA bundle is built from a commit", w.Missing)
	}
	commit, err := b.commit(w, rev)
	if err != nil {
		return err
	}
	watch := b.Watch()
	defer watch.Stop()
	r := &nextRelease{bundleCommand: b, Workspace: w, commit: commit, watch: watch}
	o, err := r.options(f)
	if r.previous != nil {
		defer r.previous.Close()
	}
	if err != nil {
		return err
	}
	if f.first {
		if err := command.CheckFirstRelease(w.Repo, w.Folder, commit, ""); err != nil {
			return err
		}
	}
	watch.Report("reading the history", 0, 0)
	history, err := release.Read(w.Repo, commit, w.Folder)
	if err != nil {
		return err
	}
	if o.Version == "" {
		if err := r.follow(f); err != nil || r.superseded {
			return err
		}
		o.Version = r.next
	}
	made, err := release.New(history, o)
	if err != nil {
		return err
	}
	return b.finish(made, f, r)
}

// options are those of the build. They open the previous bundle, which the caller closes.
func (r *nextRelease) options(f *buildFlags) (o release.Options, err error) {
	at, err := holdings.At(r.Repo, r.commit, r.Folder)
	if err != nil {
		return o, err
	}
	config, err := lint.LoadConfig(at.Files, rules.All())
	if err != nil {
		return o, err
	}
	if f.previous != "" {
		r.previous, err = bundlefile.OpenFile(f.previous, bundlecheck.Verify, bundlefile.Options{})
		if err != nil {
			return o, bundlefile.FileError(f.previous, err)
		}
	}
	return release.Options{
		Version: f.version, Conformance: conformance.Files(), Previous: r.previous, Calibration: config.Calibration,
		Since: config.History.Since, Progress: r.watch.Report,
	}, nil
}

// pack returns the bytes of a bundle and its digest.
func pack(made *release.Build) ([]byte, string, error) {
	var data bytes.Buffer
	digest, err := made.Write(&data)
	if err != nil {
		return nil, "", fmt.Errorf("the bundle can't be built: %w", err)
	}
	var wrong *bundlefile.IntegrityError
	_, err = bundlecheck.Verify(bytes.NewReader(data.Bytes()), int64(data.Len()), bundlefile.Options{})
	if errors.As(err, &wrong) {
		err = fmt.Errorf("the bundle can't be built, because it would not pass verification: %w", wrong.Problems[0])
	}
	return data.Bytes(), digest, err
}

// write writes the bundle, unless its version has a tag.
func (r *nextRelease) write(f *buildFlags, built *printer.Built, data []byte, version, digest string) error {
	tagged, err := r.checkTags(f, version, digest)
	if err != nil {
		return err
	}
	if !tagged && f.release == "" { // who publishes a recorded release creates its tag
		built.TagCommand = gitrepo.TagCommand(r.Folder, version, r.commit, digest)
	}
	if err := safefile.Write(filepath.FromSlash(f.out), data, 0o666); err != nil {
		return command.NotWritten(f.out, err)
	}
	built.File, built.Digest, built.Size = &f.out, &digest, len(data)
	return nil
}

// finish writes the bundle if it has no problems.
func (b *bundleCommand) finish(made *release.Build, f *buildFlags, r *nextRelease) error {
	built := printer.NewBuilt(made)
	version := made.Manifest.LibraryVersion
	var digest, sum string
	if built.OK {
		r.watch.Report("packing and verifying", 0, 0)
		data, digested, err := pack(made)
		if err != nil {
			return err
		}
		digest = digested
		if err := r.write(f, built, data, version, digest); err != nil {
			return err
		}
		of := sha256.Sum256(data)
		sum = hex.EncodeToString(of[:])
	}
	r.watch.Stop()
	err := printAs(b, built, func(w io.Writer, built *printer.Built) error { return printer.BuiltText(w, built, f.out) })
	if err != nil {
		return err
	}
	if !built.OK {
		return command.ErrFindings
	}
	if warning := sizeWarning(int64(built.Size)); warning != "" {
		fmt.Fprintln(b.Err, warning)
	}
	tag, err := r.record(f, digest)
	if err != nil {
		return err
	}
	return f.stepOutputs.Set(b.Streams,
		command.StepOutput{Name: "bundle-path", Value: f.out},
		command.StepOutput{Name: "bundle-sha256", Value: sum},
		command.StepOutput{Name: "bundle-digest", Value: digest},
		command.StepOutput{Name: "version", Value: version},
		command.StepOutput{Name: "tag", Value: tag},
	)
}

// splitIt is what to do about a bundle that is too large.
const splitIt = "Start a library for each artifact type"

// sizeWarning warns from half of the limit of what is pushed and served, because a library grows by
// every version.
func sizeWarning(size int64) string {
	if size < safefile.MaxBundle/2 {
		return ""
	}
	can := "will not be possible"
	if size > safefile.MaxBundle {
		can = "is not possible"
	}
	return fmt.Sprintf("Warning: the bundle has %d MiB. To push, pull, follow, or serve one of more than %d MiB %s, and the library grows by every version. %s.",
		size>>20, int64(safefile.MaxBundle)>>20, can, splitIt)
}
