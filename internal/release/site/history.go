package site

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
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
	Time    time.Time `json:"time"`
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

// date sets when each version is valid: from the release that first had it, to the first
// release that has a later one. Without the time of a release, its commit has to do.
func (b *builder) date(versions []version) {
	for i := range versions {
		v := &versions[i]
		v.From, v.By = v.When, byCommit
		if at := plausible(b.options.Forge.release(v.Release).Time); !at.IsZero() {
			v.From, v.By = at, byRelease
		}
		change := b.options.Forge.change(v.Commit)
		v.PullRequest, v.ApprovedBy = change.PullRequest, change.ApprovedBy
		if len(v.ApprovedBy) == 0 && b.options.Reviewers != nil {
			v.Named = b.options.Reviewers(v.Commit)
		}
	}
	for i := range versions {
		v := &versions[i]
		for _, later := range versions[i+1:] {
			if at := later.From; !at.IsZero() && (v.Until.IsZero() || at.Before(v.Until)) {
				v.Until = at
			}
		}
	}
}

// plausible treats impossible times, which a commit can have, as unknown.
func plausible(t time.Time) time.Time {
	if t = t.UTC(); t.Year() < 1970 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}

// Never reports whether a later version came with the same release.
func (v *version) Never() bool { return !v.Until.IsZero() && !v.From.Before(v.Until) }

const dayForm = "2 January 2006"

// Interval returns when the version is valid in words, or "" if that is unknown.
func (v *version) Interval() string {
	switch from, until := v.From.Format(dayForm), v.Until.Format(dayForm); {
	case v.From.IsZero():
		return ""
	case v.Never():
		return "never: a later version came with the same release"
	case v.Until.IsZero():
		return "since " + from
	case from == until:
		return "on " + from
	default:
		if v.From.Year() == v.Until.Year() {
			from = v.From.Format("2 January")
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
		return strings.Join(v.Named, ", ") + " (named in the commit, not verified)"
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
