package command

import (
	"errors"
	"fmt"
	"io"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// FirstReleaseUsage is the help of the flag --first-release.
const FirstReleaseUsage = "confirm that there is no earlier release"

// NoRelease is the error if the version follows from the last release of the library in a
// folder and there is none. next is the version of a first release.
func NoRelease(folder, next string) error {
	return fmt.Errorf("there is no valid release tag %sX.Y.Z. If there is an earlier release, run \"%s\". If this is the first one, add --first-release: its version is %s",
		gitrepo.TagPrefix(folder), gitrepo.FetchTags, next)
}

// ReportIgnored reports tags that do not count as releases.
func ReportIgnored(w io.Writer, tags []gitrepo.ReleaseTag) {
	for _, t := range tags {
		fmt.Fprintf(w, "%s does not count as a release: %s.\n", sanitize.Line(t.Name), t.Problem)
	}
}

// ForDiff adds to an error what a user of this command can do.
func ForDiff(err error) error {
	if moved := (*change.GoneError)(nil); errors.As(err, &moved) {
		return fmt.Errorf("%w.\nTo compare it with another folder, check out that commit elsewhere:\n"+
			"git worktree add ../before %.12s\nrubric-diff path:../before/%s path:FOLDER", err, moved.Commit.Hash, moved.Folder)
	}
	return err
}
