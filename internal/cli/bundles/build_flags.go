package bundles

import (
	"errors"
	"fmt"
	"os"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

type buildFlags struct {
	out, version, previous, release string
	first, attested                 bool
	stepOutputs                     command.StepOutputs
}

// checkBuild validates the flags.
func (b *bundleCommand) checkBuild(f *buildFlags) error {
	if f.out == "" {
		return errors.New("-o FILE is required: the bundle to write")
	}
	if f.version != "" && !bundlefile.IsVersion(f.version) {
		return fmt.Errorf("--version must be three whole numbers such as 1.4.0, got %q", f.version)
	}
	if _, err := command.OutputsOf(b.formats, textOrJSON); err != nil {
		return err
	}
	if err := f.stepOutputs.Check(b.Streams); err != nil {
		return err
	}
	return f.checkRelease()
}

func (f *buildFlags) checkRelease() error {
	switch {
	case f.first && f.previous != "":
		return errors.New("--first-release can't be combined with --previous, which is an earlier release")
	case f.release == "" && f.attested:
		return errors.New("--attested is about the record of a release. Add --release FILE, or leave it out")
	case f.release == "":
		return nil
	case f.version != "":
		return errors.New("--release can't be combined with --version: the version of a release follows from its changes")
	}
	if _, err := os.Lstat(f.release); err == nil {
		return fmt.Errorf("%s exists: --release writes a new file. Remove it", f.release)
	}
	return nil
}
