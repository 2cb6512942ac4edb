package bundle

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/compat"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// LockVersion is the schema_version of lock files.
const LockVersion = 1

// Lock is a consumer's lock file: a bundle, and the version of each document.
type Lock struct {
	SchemaVersion int               `json:"schema_version"`
	Bundle        Locked            `json:"bundle"`
	Documents     map[string]Locked `json:"documents"` // by ID
}

// Locked names a bundle, or a version of a document.
type Locked struct {
	Version string `json:"version"`
	Digest  string `json:"digest"`
}

// ErrNoBundle says that a lock was requested for a folder, whose documents can change.
var ErrNoBundle = errors.New("a lock file requires a bundle, got a folder")

// NewLock resolves references to versions of documents that are not retired. The error is
// ErrNoBundle or an error of Resolve.
func NewLock(l *library.Library, references []Reference) (*Lock, error) {
	if l.Digest() == "" {
		return nil, ErrNoBundle
	}
	lock := &Lock{LockVersion, Locked{l.Version(), l.Digest()}, map[string]Locked{}}
	for _, r := range references {
		found, err := Resolve(l, r)
		if err == nil && found.Retired != nil {
			err = worded(found.Retired)
		}
		if err != nil {
			return nil, err
		}
		locked := Locked{found.Version, found.Digest}
		if other, twice := lock.Documents[r.ID]; twice && other != locked {
			return nil, fmt.Errorf("%s is listed twice, with the versions %s and %s", r.ID, other.Version, found.Version)
		}
		lock.Documents[r.ID] = locked
	}
	return lock, nil
}

// Encode is the lock file: JSON with sorted IDs.
func (l *Lock) Encode() ([]byte, error) {
	data, err := json.MarshalIndent(l, "", "  ")
	return append(data, '\n'), err
}

// ParseLock reads a lock file. Unknown keys are an error, because they would be lost.
func ParseLock(data []byte) (*Lock, error) {
	var l Lock
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&l); err != nil {
		return nil, fmt.Errorf("not a lock file: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("not a lock file: extra content after its end")
	}
	if l.SchemaVersion != LockVersion {
		return nil, fmt.Errorf("the lock file has schema_version %d, but this program reads only %d", l.SchemaVersion, LockVersion)
	}
	for id, locked := range l.Documents {
		if !bundlefile.IsID(id) || !bundlefile.IsVersion(locked.Version) || !bundlefile.IsDigest(locked.Digest) {
			return nil, fmt.Errorf("not a lock file: %q is not an ID with a version and its SHA-256", id)
		}
	}
	return &l, nil
}

// Status is the status of a locked document in a library.
type Status string

// The statuses. All except Current are a reason to check the document.
const (
	Current   Status = "current"   // it is the latest version
	Outdated  Status = "outdated"  // there is a later one
	Retired   Status = "retired"   // the library no longer has the document
	Missing   Status = "missing"   // the library never had the document or this version
	Different Status = "different" // the version has another text than was locked
	Withdrawn Status = "withdrawn" // the text was withdrawn
)

// Drift is the difference between a locked document and a library.
type Drift struct {
	ID     string
	Locked Locked
	Status Status
	// Latest is the latest version, or "".
	Latest string
	// Changes are those from the locked version to the latest. Class is the highest
	// among them, or "" if the status is not Outdated or the texts can't be compared.
	Class   string
	Changes []compat.Change
	// Deprecated is set if the latest version should no longer be used.
	Deprecated *bundlefile.Deprecation
	// Ledger is the ledger entry of a retired document, or nil.
	Ledger *Retirement
}

// Compare returns the drift of each document of a lock file, sorted by ID. The error is
// that the library can't be read.
func (l *Lock) Compare(now *library.Library) ([]Drift, error) {
	var out []Drift
	for _, id := range sortedKeys(l.Documents) {
		d := Drift{ID: id, Locked: l.Documents[id]}
		if err := d.compare(now); err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

func (d *Drift) compare(l *library.Library) error {
	withdrawn := slices.ContainsFunc(l.Withdrawn(), func(w library.Withdrawal) bool { return w.ID == d.ID && w.Version == d.Locked.Version })
	e, err := l.Entry(d.ID)
	if err != nil && !errors.As(err, new(*library.NotFoundError)) {
		return err
	}
	if r := e.Retired; r != nil && r.Reason != "" { // otherwise the ledger does not list it
		d.Ledger = &Retirement{ID: e.ID, Kind: string(e.Kind), LastVersion: e.Latest, Reason: r.Reason, ReplacedBy: r.ReplacedBy}
	}
	digest := ""
	for _, v := range e.Versions {
		if v.Version == d.Locked.Version {
			digest = v.Digest
		}
	}
	here := len(e.Versions) > 0
	if here {
		d.Latest, d.Deprecated = e.Latest, (*bundlefile.Deprecation)(e.Deprecated)
	}
	switch {
	case withdrawn:
		d.Status = Withdrawn
	case digest != "" && digest != d.Locked.Digest:
		d.Status = Different
	case e.Retired != nil:
		d.Status = Retired
	case here && d.Locked.Version == e.Latest:
		d.Status = Current
	case !here, digest == "" && (l.Digest() != "" || bundlefile.CompareVersions(d.Locked.Version, e.Latest) > 0):
		d.Status = Missing
	default:
		d.Status = Outdated
		if digest != "" { // a folder has only the latest version
			return d.compareLatest(l)
		}
	}
	return nil
}

// compareLatest compares the locked version with the latest.
func (d *Drift) compareLatest(l *library.Library) error {
	before, err := l.Get(context.Background(), d.ID, d.Locked.Version)
	if err != nil {
		return err
	}
	after, err := l.Get(context.Background(), d.ID, d.Latest)
	if err != nil {
		return err
	}
	if changes, ok := Changes(before.JSON(), after.JSON()); ok {
		d.Changes, d.Class = changes, compat.Class(changes).String()
	}
	return nil
}
