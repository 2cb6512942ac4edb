package site

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// Forge is what a release workflow asked the forge: when the library was released, and who
// approved its changes. It is an input of the site alone, because a bundle follows from the
// history, which can't prove an approval.
type Forge struct {
	SchemaVersion int `json:"schema_version"`
	// Registry is the repository of the bundles, such as ghcr.io/acme/rubrics, or "".
	Registry string         `json:"registry"`
	Releases []ForgeRelease `json:"releases"`
	Changes  []ForgeChange  `json:"changes"`
}

// ForgeRelease is a release of the library.
type ForgeRelease struct {
	Version string    `json:"version"`
	Time    time.Time `json:"time"` // in UTC, zero if it is not recorded
	Digest  string    `json:"digest"`
	Commit  string    `json:"commit"`
	// Page and Attestation are addresses, or "".
	Page        string `json:"page"`
	Attestation string `json:"attestation"`
}

// ForgeChange is how a commit came to the main branch.
type ForgeChange struct {
	Commit string `json:"commit"`
	// PullRequest is an address, or "".
	PullRequest string   `json:"pull_request"`
	ApprovedBy  []string `json:"approved_by"`
}

// ReadForge reads the file of a release workflow.
func ReadForge(data []byte) (*Forge, error) {
	f := &Forge{}
	if err := json.Unmarshal(data, f); err != nil {
		return nil, err
	}
	if f.SchemaVersion != 1 {
		return nil, fmt.Errorf("schema_version is %d, expected 1", f.SchemaVersion)
	}
	if f.Registry != "" && !registryName().MatchString(f.Registry) {
		return nil, fmt.Errorf("registry is %q, expected a repository such as ghcr.io/acme/rubrics", f.Registry)
	}
	for i := range f.Releases {
		f.Releases[i].Time = plausible(f.Releases[i].Time)
	}
	return f, nil
}

var registryName = lazy.Expr(`^[a-z0-9.-]+(:[0-9]+)?(/[a-z0-9._-]+)+$`)

// release returns what the forge says about a release of the library.
func (f *Forge) release(version string) ForgeRelease {
	for _, r := range f.Releases {
		if r.Version == version {
			return r
		}
	}
	return ForgeRelease{Version: version}
}

// change returns what the forge says about a commit.
func (f *Forge) change(commit string) ForgeChange {
	for _, c := range f.Changes {
		if c.Commit == commit && commit != "" {
			return c
		}
	}
	return ForgeChange{}
}

// What the start of an interval is.
const (
	byRelease = "release" // the time of the library release that first had the version
	byCommit  = "commit"  // that of its commit on the main branch, if the former is not recorded
)

// interval is a time in which a reference without a version got a version: from a moment until
// another, exclusive, in UTC.
type interval struct {
	// From is zero if it is not recorded, and Until if it is not recorded or is still to come.
	From  time.Time `json:"from,omitzero"`
	Until time.Time `json:"until,omitzero"`
}

// date sets when each version was valid: from the release that first had it, until the one that
// has a later version, yanks it, or retires the document. After a yank, the version that
// constraints fall back to is valid again. Without the time of a release, its commit has to do.
func (b *builder) date(line *library.Entry, versions []version) {
	var moments []time.Time
	var retired time.Time
	if line.Retired != nil {
		_, retired = b.ended(line.ID, "")
		moments = append(moments, retired)
	}
	for i := range versions {
		v := &versions[i]
		if v.from = v.Committed; !v.from.IsZero() {
			v.By = byCommit
		}
		if v.Released = b.options.Forge.release(v.Release).Time; !v.Released.IsZero() {
			v.from, v.By = v.Released, byRelease
		}
		if v.Yanked != "" {
			v.ending, v.end = b.ended(line.ID, v.Version)
		}
		v.over = v.Yanked != "" || line.Retired != nil
		moments = append(moments, v.from, v.end)
		change := b.options.Forge.change(v.Commit)
		v.PullRequest, v.ApprovedBy = change.PullRequest, change.ApprovedBy
		if len(v.ApprovedBy) == 0 && b.options.Reviewers != nil {
			v.Named = b.options.Reviewers(v.Commit)
		}
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
		if valid = next; next != nil {
			next.Valid = append(next.Valid, interval{From: at})
		}
	}
	i := latestOf(line)
	if latest := &versions[i]; valid != latest && !latest.over && len(latest.Valid) > 0 {
		latest.Valid = append(latest.Valid, interval{}) // since a yank whose time is not recorded
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

// passed reports whether a moment is recorded and not after another.
func passed(moment, at time.Time) bool { return !moment.IsZero() && !moment.After(at) }

// ended returns the library release that yanked a version, or retired a document if the version
// is "", and its time; "" and zero if they are unknown.
func (b *builder) ended(id, version string) (release string, at time.Time) {
	if b.options.Ended == nil {
		return "", at
	}
	release, at = b.options.Ended(id, version)
	if released := b.options.Forge.release(release).Time; !released.IsZero() {
		at = released
	}
	return release, plausible(at)
}

// plausible treats impossible times, which a commit can have, as unknown.
func plausible(t time.Time) time.Time {
	if t = t.UTC().Truncate(time.Second); t.Year() < 1970 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}

// Never reports whether no reference without a version ever got the version.
func (v *version) Never() bool { return !v.from.IsZero() && len(v.Valid) == 0 }

// row is a line of the table of versions: a time in which a version was valid.
type row struct {
	*version
	interval
}

// Rows returns the lines of the table of versions, the newest first.
func (p *documentPage) Rows() (rows []row) {
	for i := range p.Switch {
		v := &p.Switch[i]
		if len(v.Valid) == 0 {
			rows = append(rows, row{v, interval{v.from, v.from}})
		}
		for _, valid := range slices.Backward(v.Valid) {
			rows = append(rows, row{v, valid})
		}
	}
	slices.SortStableFunc(rows, func(x, y row) int { return y.From.Compare(x.From) })
	return rows
}

// Interval returns when the version is valid in words, such as "valid since 1 June 2026", or "" if
// that is unknown.
func (v *version) Interval() string {
	if v.Never() {
		return "never valid: its release has a later version, or yanks it"
	}
	var words []string
	for _, i := range v.Valid {
		words = append(words, i.words(v.over))
	}
	if len(words) == 0 {
		return ""
	}
	return "valid " + strings.Join(words, ", and ")
}

// Dates returns the two dates of the version, labeled.
func (v *version) Dates() string {
	committed, released := "commit date not recorded", "release not recorded"
	if day := date(v.Committed); day != "" {
		committed = "committed " + day
	}
	if day := date(v.Released); day != "" {
		released = "released " + day
	}
	return committed + ", " + released
}

// known returns until when a site knows its library: the later of the commit and the release of
// the bundle. Without the former, the commit of the newest version has to do. It is zero if no
// time is recorded.
func (b *builder) known() time.Time {
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

// timeOf returns the time of the commit of a version, or zero if it is unknown.
func timeOf(v library.Version) time.Time {
	at, err := time.Parse(bundlefile.TimeFormat, v.Time)
	if err != nil {
		return time.Time{}
	}
	return at
}

const dayForm = "2 January 2006"

// words says when the interval is. over is whether it has ended, even if its end is not recorded.
func (i interval) words(over bool) string {
	switch from, until := i.From.Format(dayForm), i.Until.Format(dayForm); {
	case i.From.IsZero():
		return "now again"
	case i.Until.IsZero() && over:
		return "from " + from + " to a day that is not recorded"
	case i.Until.IsZero():
		return "since " + from
	case from == until:
		return "on " + from
	default:
		if i.From.Year() == i.Until.Year() {
			from = i.From.Format("2 January")
		}
		return from + " to " + until
	}
}

// Approval returns who approved the version, as far as that is recorded.
func (v *version) Approval() string {
	switch {
	case len(v.ApprovedBy) > 0:
		return "approved by " + strings.Join(v.ApprovedBy, ", ")
	case len(v.Named) > 0:
		return "named in the commit: " + strings.Join(v.Named, ", ") + ", not verified"
	}
	return "not recorded"
}

var reviewers = regexp.MustCompile(`(?mi)^Reviewed-by:[ \t]*([^<\n]*[^<\s])`)

// Reviewers returns who a commit message names as reviewers, without their addresses.
func Reviewers(message string) (names []string) {
	for _, m := range reviewers.FindAllStringSubmatch(message, -1) {
		names = append(names, m[1])
	}
	return names
}
