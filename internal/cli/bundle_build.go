package cli

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/bundle"
	"github.com/rubric-library/rubric-library/internal/bundle/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/bundle/conformance"
	"github.com/rubric-library/rubric-library/internal/bundle/printer"
	"github.com/rubric-library/rubric-library/internal/diff"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
)

type buildFlags struct {
	out, version, previous string
	first                  bool
	stepOutputs            stepOutputs
}

const firstReleaseUsage = "confirm that there is no earlier release"

// noRelease is the error if the version follows from the last release and there is
// none. next is the version of a first release.
func noRelease(next string) error {
	return fmt.Errorf("there is no tag %sX.Y.Z to count from. If there is an earlier release, run \"git fetch --tags\". If this is the first one, add --first-release: its version is %s", lint.TagPrefix, next)
}

func (b *bundleCommand) buildCommand() *cobra.Command {
	var f buildFlags
	cmd := &cobra.Command{
		Use:   "build [REV] -o FILE",
		Short: "Build the bundle of a commit",
		Long: `Build the bundle of a commit: REV, or HEAD by default. Its contents depend on that
commit and its first-parent history; uncommitted edits are not included. The same
commit, version, and --previous produce the same bytes everywhere.

The library's version follows from the changes since the last release, the highest
tag library-vX.Y.Z, as in rubric-diff --next-version. It is also a major version if
a conformance vector of --previous has a different result now. --version sets the
version, and --first-release confirms that there is no earlier release.

--previous is the last released bundle. If anything in it is now missing or has
different text, no file is written and the exit code is 1.

Exit codes: 0 built, 1 the bundle must not be published, 2 the build failed.`,
		Example: `  rubric build -o rubrics.zip
  rubric build main -o rubrics.zip --previous released.zip
  rubric build library-v1.2.0 -o old.zip --version 1.2.0`,
		Args: arguments(0, 1, "at most one revision"),
		RunE: func(_ *cobra.Command, args []string) error {
			return b.build(strings.Join(args, ""), &f)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	outputFlag(cmd, &f.out)
	flags.StringVar(&f.version, "version", "", "the library's version, such as 1.4.0")
	flags.BoolVar(&f.first, "first-release", false, firstReleaseUsage)
	flags.StringVar(&f.previous, "previous", "", "the last released bundle")
	f.stepOutputs.flag(cmd, "bundle-path (the value of -o), bundle-sha256 (of the file), bundle-digest (for verify --digest), and version")
	formatFlag(cmd, &b.formats, textOrJSON)
	return cmd
}

func (b *bundleCommand) build(rev string, f *buildFlags) error {
	if f.out == "" {
		return errors.New("-o FILE is required: the bundle to write")
	}
	if f.version != "" && !bundlefile.IsVersion(f.version) {
		return fmt.Errorf("--version must be three whole numbers such as 1.4.0, got %q", f.version)
	}
	if _, err := outputsOf(b.formats, textOrJSON); err != nil {
		return err
	}
	if err := f.stepOutputs.check(b.Streams); err != nil {
		return err
	}
	w := openWorkspace()
	defer w.Close()
	if w.Repo == nil {
		return fmt.Errorf("%w\nA bundle is built from a commit", w.Missing)
	}
	commit, err := b.commit(w, rev)
	if err != nil {
		return err
	}
	config, err := lint.CommitConfig(w.Repo, commit, w.Folder, rules.All())
	if err != nil {
		return err
	}
	o := bundle.Options{Version: f.version, Conformance: conformance.Files(), Calibration: config.Calibration()}
	if f.previous != "" {
		previous, _, err := bundle.Verify(f.previous, bundlefile.Options{})
		if err != nil {
			return bundle.FileError(f.previous, err)
		}
		defer previous.Close()
		o.Previous = previous
	}
	if o.Version == "" {
		if o.Version, err = b.nextVersion(w, commit, o.Previous, f.first); err != nil {
			return err
		}
	}
	made, err := bundle.New(w.Repo, commit, w.Folder, o)
	if err != nil {
		return err
	}
	return b.finish(made, f)
}

// commit finds the commit to build and the folder of its library. It prints which
// edits are not in the commit.
func (b *bundleCommand) commit(w *diff.Workspace, rev string) (c gitrepo.Commit, err error) {
	if rev == "" {
		c, err = w.Repo.Head()
	} else {
		c, err = w.Repo.Resolve(strings.TrimPrefix(rev, diff.RevPrefix))
	}
	if err != nil {
		return c, err
	}
	if w.Root == "" {
		w.Folder, err = diff.Locate(w.Repo, c)
		return c, err
	}
	if w.Folder, err = w.Repo.Folder(w.Root); err != nil || rev != "" {
		return c, err
	}
	edited, err := w.Uncommitted(c)
	if len(edited) > 0 && err == nil {
		fmt.Fprintf(b.Err, "Uncommitted edits are not in the bundle: %s.\n", strings.Join(edited, ", "))
	}
	return c, err
}

// nextVersion derives the library's version from the changes since the last release.
// first means that there was none.
func (b *bundleCommand) nextVersion(w *diff.Workspace, c gitrepo.Commit, previous *bundle.Library, first bool) (string, error) {
	tag, tagged, err := w.Repo.LastRelease(c, lint.TagPrefix)
	if err != nil {
		return "", fmt.Errorf("%w\nSet the version with --version", err)
	}
	base := diff.Nothing("nothing: this is the first release")
	switch {
	case tag != "":
		if base, err = diff.At(w.Repo, tagged, tag, w.Folder); err != nil {
			return "", forDiff(err)
		}
	case previous != nil:
		return "", fmt.Errorf("--previous is library %s, but there is no tag %sX.Y.Z to count from. Run \"git fetch --tags\", or set --version", previous.Version, lint.TagPrefix)
	}
	head, err := diff.At(w.Repo, c, "the commit", w.Folder)
	if err != nil {
		return "", forDiff(err)
	}
	comparison, err := diff.Compare([]*diff.Library{base}, base, head)
	if err != nil {
		return "", err
	}
	release, err := comparison.Release(w.Repo, w.Folder, lint.TagPrefix)
	if err != nil {
		return "", err
	}
	if previous != nil {
		return atLeastMajor(release.Next, previous)
	}
	if tag == "" && !first {
		return "", noRelease(release.Next)
	}
	return release.Next, nil
}

// atLeastMajor raises a version to the next major one if a conformance vector of the
// previous bundle has a different result now: programs that were right are then wrong.
func atLeastMajor(next string, previous *bundle.Library) (string, error) {
	before, err := previous.Conformance()
	if err != nil {
		return "", err
	}
	now := conformance.Files()
	for name, data := range before {
		changed, err := conformance.Changed(data, []byte(cmp.Or(string(now[name]), "{}")))
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		if len(changed) > 0 {
			return diff.Major(next, previous.Version)
		}
	}
	return next, nil
}

// finish writes the bundle if it has no problems.
func (b *bundleCommand) finish(made *bundle.Build, f *buildFlags) error {
	built := printer.Built{File: f.out, Build: made}
	var sum [sha256.Size]byte
	if len(made.Problems) == 0 {
		var data bytes.Buffer
		digest, err := made.Write(&data)
		if err != nil {
			return fmt.Errorf("the bundle can't be built: %w", err)
		}
		var wrong *bundlefile.IntegrityError
		if _, err := bundlecheck.Verify(bytes.NewReader(data.Bytes()), int64(data.Len()), bundlefile.Options{}); errors.As(err, &wrong) {
			return fmt.Errorf("the bundle can't be built, because it would not pass verification: %w", wrong.Problems[0])
		} else if err != nil {
			return err
		}
		if err := safefile.Write(filepath.FromSlash(f.out), data.Bytes(), 0o666); err != nil {
			return fmt.Errorf("the bundle could not be written: %s: %w", f.out, safefile.Reason(err))
		}
		built.Digest, built.Size = digest, data.Len()
		sum = sha256.Sum256(data.Bytes())
	}
	if err := printAs(b, &built, printer.BuiltText, printer.BuiltJSON); err != nil {
		return err
	}
	if len(made.Problems) > 0 {
		return errFindings
	}
	return f.stepOutputs.set(b.Streams,
		stepOutput{"bundle-path", built.File},
		stepOutput{"bundle-sha256", hex.EncodeToString(sum[:])},
		stepOutput{"bundle-digest", built.Digest},
		stepOutput{"version", made.Manifest.LibraryVersion},
	)
}
