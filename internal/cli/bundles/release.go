package bundles

import (
	"cmp"
	"fmt"
	"path/filepath"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/diff"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/release"
	"github.com/rubric-library/rubric-library/internal/release/conformance"
	"github.com/rubric-library/rubric-library/internal/release/printer"
	"github.com/rubric-library/rubric-library/internal/render"
)

// nextRelease decides which version a commit is released as, and whether it is.
type nextRelease struct {
	*bundleCommand
	*diff.Workspace
	commit   gitrepo.Commit
	previous *bundlefile.Bundle
	// last is the release that the commit follows; its name is "" before the first.
	last gitrepo.ReleaseTag
	// next is the version that follows from the changes since then.
	next string
	// superseded is true if a later commit is already released.
	superseded bool
	watch      *command.Watch
}

// follow finds the last release and derives the next version.
func (r *nextRelease) follow(f *buildFlags) error {
	if err := r.findLast(f); err != nil || r.superseded {
		return err
	}
	base, err := r.ReleasedLibrary(r.last)
	if err != nil {
		return command.ForDiff(err)
	}
	head, err := holdings.Named(r.Repo, r.commit, "the commit", r.Folder)
	if err != nil {
		return command.ForDiff(err)
	}
	if r.next, err = change.VersionAfter(base, r.last.Version, head); err != nil {
		return err
	}
	if r.previous != nil {
		r.next, err = atLeastMajor(r.next, r.previous)
	} else if r.last.Name == "" && !f.first {
		err = command.NoRelease(r.Folder, r.next)
	}
	return err
}

// findLast finds the release that the commit follows: that of the previous bundle, or else the
// one that its tag names.
func (r *nextRelease) findLast(f *buildFlags) (err error) {
	switch {
	case r.previous != nil:
		return r.followPrevious(f)
	case f.first:
		return nil
	}
	var ignored []gitrepo.ReleaseTag
	r.last, ignored, err = r.Repo.LastRelease(r.Folder, r.commit)
	command.ReportIgnored(r.Err, ignored)
	if err == nil && r.last.Name != "" && f.release != "" {
		err = fmt.Errorf("--release needs --previous, the bundle of the last release %s: a release must keep what it contains", r.last.Name)
	}
	return err
}

// followPrevious finds the tag of the previous bundle. All others don't count.
func (r *nextRelease) followPrevious(f *buildFlags) error {
	var ignored []gitrepo.ReleaseTag
	digest, version := r.previous.Digest(), r.previous.Manifest().LibraryVersion
	for tag, err := range r.Repo.ReleaseTags(r.Folder, r.commit) {
		if err != nil {
			return err
		}
		switch {
		case tag.Digest != digest || tag.Version != version:
			tag.Problem = cmp.Or(tag.Problem, "it does not name the version and the digest of --previous")
		case tag.Problem == "":
			command.ReportIgnored(r.Err, ignored)
			r.last = tag
			return r.checkPrevious()
		case f.release != "":
			if r.superseded, err = r.Repo.OnLine(r.commit, tag.Commit); err != nil || r.superseded {
				fmt.Fprintf(r.Err, "%s was released from a later commit: there is nothing to release.\n", tag.Name)
				return err
			}
		}
		ignored = append(ignored, tag)
	}
	command.ReportIgnored(r.Err, ignored)
	return fmt.Errorf("--previous is library %s, but no valid tag %s names its digest %s. Run \"%s\", or set --version",
		version, gitrepo.TagPrefix(r.Folder)+version, digest, gitrepo.FetchTags)
}

// checkPrevious compares the previous bundle with the commit of its tag, because the
// author of a tag chooses both the digest and the commit.
func (r *nextRelease) checkPrevious() error {
	same, err := release.BuiltFrom(r.previous, r.Repo, r.last.Commit, r.Folder)
	if err == nil && !same {
		err = fmt.Errorf("--previous contains other documents than the commit %.12s of its tag %s builds, so it is not a release of this library",
			r.last.Commit.Hash, r.last.Name)
	}
	return err
}

// atLeastMajor raises a version to the next major one if a conformance vector of the
// previous bundle has a different result now, because programs that were right are then
// wrong, or if that bundle has an earlier format, which more programs can read.
func atLeastMajor(next string, previous *bundlefile.Bundle) (string, error) {
	if about := previous.Manifest(); about.FormatVersion < bundlefile.FormatVersion {
		return change.Major(next, about.LibraryVersion)
	}
	now := conformance.Files()
	for name := range previous.Paths("conformance/") {
		data, err := previous.Read(name)
		if err != nil {
			return "", err
		}
		changed, err := conformance.Changed(data, []byte(cmp.Or(string(now[name]), "{}")))
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		if len(changed) > 0 {
			return change.Major(next, previous.Manifest().LibraryVersion)
		}
	}
	return next, nil
}

// isDue reports whether there is something to release.
func (r *nextRelease) isDue(f *buildFlags) bool { return f.release != "" && r.next != r.last.Version }

// checkTags rejects a bundle whose version has a tag, except that of the last release, and the
// tag that an interrupted run of the same release created. A first release has no other tag
// either. It reports whether the version has a tag.
func (r *nextRelease) checkTags(f *buildFlags, version, digest string) (tagged bool, err error) {
	if f.first {
		if err := command.CheckFirstRelease(r.Repo, r.Folder, r.commit, digest); err != nil {
			return false, err
		}
	}
	for tag, err := range r.Repo.ReleaseTags(r.Folder, r.commit) {
		if err != nil {
			return false, err
		}
		if tag.Version != version {
			continue
		}
		own := tag.Problem == "" && tag.Commit.Hash == r.commit.Hash && tag.Digest == digest
		if r.next != "" && r.next != r.last.Version && !own {
			return true, command.TagTaken(tag, cmp.Or(tag.Problem, fmt.Sprintf("it marks commit %.12s with the bundle %s",
				tag.Commit.Hash, tag.Digest)))
		}
		tagged = true
	}
	return tagged, nil
}

// record writes the record of the release and returns its tag, or "" if there is nothing
// to release.
func (r *nextRelease) record(f *buildFlags, digest string) (tag string, err error) {
	if !r.isDue(f) {
		if f.release != "" {
			fmt.Fprintf(r.Err, "Nothing changed since %s: there is nothing to release.\n", r.last.Name)
		}
		return "", nil
	}
	out := printer.Release{
		SchemaVersion: printer.SchemaVersion, Tag: gitrepo.TagPrefix(r.Folder) + r.next, Version: r.next,
		Commit: r.commit.Hash, Digest: digest, Attested: new(f.attested),
	}
	if r.last.Name != "" {
		out.Previous = &printer.PreviousRelease{Tag: r.last.Name, Digest: r.last.Digest}
	}
	if out.Files, err = printer.ReleaseFiles(filepath.Dir(f.out)); err != nil {
		return "", err
	}
	data, err := render.JSON(out)
	if err == nil {
		err = command.NotWritten(f.release, safefile.Write(filepath.FromSlash(f.release), data, 0o666))
	}
	return out.Tag, err
}
