package site

import (
	"regexp"
	"slices"
	"time"

	"github.com/rubric-library/rubric-library/pkg/library"
)

// date sets when each version was valid: from the release that first had it, until the one that
// has a later version, yanks it, or retires the document. After a yank, the version that
// constraints fall back to is valid again. Without the time of a release, its commit has to do.
func (b *builder) date(line *library.Entry, versions []version) {
	var moments []time.Time
	var retired time.Time
	if line.Retired != nil {
		_, retired = b.endOf(line.ID, "")
		moments = append(moments, retired)
	}
	for i := range versions {
		v := &versions[i]
		b.findMoments(line, v)
		b.findApproval(v)
		moments = append(moments, v.from, v.end)
	}
	slices.SortFunc(moments, time.Time.Compare)
	var valid *version
	for _, at := range moments {
		next := validAt(versions, at)
		if passed(retired, at) {
			next = nil
		}
		if next == valid {
			continue
		}
		if valid != nil {
			valid.Valid[len(valid.Valid)-1].Until = at
		}
		valid = next
		if next != nil {
			next.Valid = append(next.Valid, interval{From: at})
		}
	}
	i := latestOf(line)
	if latest := &versions[i]; valid != latest && !latest.over && len(latest.Valid) > 0 {
		latest.Valid = append(latest.Valid, interval{}) // since a yank whose time is not recorded
	}
}

// findMoments finds out when a version came, and whether and when it went.
func (b *builder) findMoments(line *library.Entry, v *version) {
	v.from = v.Committed
	if !v.from.IsZero() {
		v.By = byCommit
	}
	v.Released = b.options.Forge.release(v.Release).Time
	if !v.Released.IsZero() {
		v.from, v.By = v.Released, byRelease
	}
	if v.Yanked != "" {
		v.ending, v.end = b.endOf(line.ID, v.Version)
	}
	v.over = v.Yanked != "" || line.Retired != nil
}

// findApproval finds out who approved a version. What the forge says counts more than a message.
func (b *builder) findApproval(v *version) {
	change := b.options.Forge.change(v.Commit)
	v.PullRequest, v.ApprovedBy = change.PullRequest, change.ApprovedBy
	if len(v.ApprovedBy) == 0 && b.options.Reviewers != nil {
		v.Named = b.options.Reviewers(v.Commit)
	}
}

// validAt returns the highest version that the library had at a time and that was not yanked,
// or nil.
func validAt(versions []version, at time.Time) *version {
	for i := range slices.Backward(versions) {
		if v := &versions[i]; passed(v.from, at) && !passed(v.end, at) {
			return v
		}
	}
	return nil
}

// endOf returns the library release that yanked a version, or retired a document if the version
// is "", and its time; "" and zero if they are unknown.
func (b *builder) endOf(id, version string) (release string, at time.Time) {
	if b.options.Ended == nil {
		return "", at
	}
	release, at = b.options.Ended(id, version)
	if released := b.options.Forge.release(release).Time; !released.IsZero() {
		at = released
	}
	return release, plausible(at)
}

// knownUntil returns until when a site knows its library: the later of the commit and the release of
// the bundle. Without the former, the commit of the newest version has to do. It is zero if no
// time is recorded.
func (b *builder) knownUntil() time.Time {
	at := plausible(b.options.Committed)
	if released := b.options.Forge.release(b.library.Version()).Time; released.After(at) {
		at = released
	}
	for _, e := range b.entries {
		for _, v := range e.Entry.Versions {
			if committed := timeOf(v); committed.After(at) {
				at = committed
			}
		}
	}
	return at
}

var reviewers = regexp.MustCompile(`(?mi)^Reviewed-by:[ \t]*([^<\n]*[^<\s])`)

// Reviewers returns who a commit message names as reviewers, without their addresses.
func Reviewers(message string) (names []string) {
	for _, m := range reviewers.FindAllStringSubmatch(message, -1) {
		names = append(names, m[1])
	}
	return names
}
