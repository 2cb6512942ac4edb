package command

import (
	"errors"
	"fmt"
	"io"

	"github.com/rubric-library/rubric-library/internal/change/holdings"
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

// mostIgnored is how many tags a report lists: anyone who can push can create thousands.
const mostIgnored = 20

// ReportIgnored reports tags that do not count as releases.
func ReportIgnored(w io.Writer, tags []gitrepo.ReleaseTag) {
	for _, t := range tags[:min(len(tags), mostIgnored)] {
		advice := ""
		if t.Advice != "" {
			advice = " " + t.Advice + "."
		}
		fmt.Fprintf(w, "%s does not count as a release: %s.%s\n", sanitize.Line(t.Name), t.Problem, advice)
	}
	if more := len(tags) - mostIgnored; more > 0 {
		fmt.Fprintf(w, "%d more tags do not count as releases.\n", more)
	}
}

// askServer says what to do about a tag that is wrong in this clone: it can be right on the
// server, which only a fetch shows. then is what follows the fetch, or "".
func askServer(then string) string {
	return fmt.Sprintf("Run \"%s\", because the server can have another tag of this name%s. "+
		"If the tag is still wrong, ask an administrator of the repository what it is for", gitrepo.FetchTags, then)
}

// TagTaken is the error if the next release would have the name of a tag that is not its own.
func TagTaken(tag gitrepo.ReleaseTag, why string) error {
	return fmt.Errorf("the next version is %s, but the tag %s already exists, and it is not the tag of this release: %s. %s",
		tag.Version, sanitize.Line(tag.Name), why, askServer(""))
}

// CheckFirstRelease returns an error if the library in a folder has a release tag, whether or
// not it counts as a release. A tag of the commit itself with the digest is accepted, because
// an interrupted run of the first release created it; the digest "" is not known yet.
func CheckFirstRelease(repo *gitrepo.Repo, folder string, c gitrepo.Commit, digest string) error {
	for tag, err := range repo.ReleaseTags(folder, c) {
		switch {
		case err != nil:
			return err
		case tag.Problem != "":
			return fmt.Errorf("--first-release says that there is no earlier release, but the tag %s exists, which does not count as a release: %s. %s",
				sanitize.Line(tag.Name), tag.Problem, askServer(", and then this command without --first-release"))
		case tag.Commit.Hash != c.Hash, digest != "" && tag.Digest != digest:
			return fmt.Errorf("--first-release says that there is no earlier release, but %s is one. Remove --first-release", tag.Name)
		}
	}
	return nil
}

// ForDiff adds to an error what a user of this command can do.
func ForDiff(err error) error {
	if moved := (*holdings.GoneError)(nil); errors.As(err, &moved) {
		return fmt.Errorf("%w.\nTo compare it with another folder, check out that commit elsewhere:\n"+
			"git worktree add ../before %.12s\nrubric-diff path:../before/%s path:FOLDER", err, moved.Commit.Hash, moved.Folder)
	}
	return err
}
