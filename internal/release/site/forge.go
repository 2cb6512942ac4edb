package site

import (
	"encoding/json"
	"fmt"
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
