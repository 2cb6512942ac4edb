package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/compat"
)

// LockVersion is the schema_version of lock files.
const LockVersion = 1

// Lock is a consumer's lock file: which bundle, and of which documents which
// version.
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

// ErrNoBundle says that a lock was asked of a folder, whose documents can change
// under it.
var ErrNoBundle = errors.New("a lock file names a bundle, and this is a folder")

// Lock resolves references to versions of documents that are not retired. The
// error is ErrNoBundle or as of Resolve.
func (l *Library) Lock(references []Reference) (*Lock, error) {
	if l.Digest == "" {
		return nil, ErrNoBundle
	}
	lock := &Lock{LockVersion, Locked{l.Version, l.Digest}, map[string]Locked{}}
	for _, r := range references {
		line, version, err := l.Resolve(r)
		if err != nil {
			return nil, err
		}
		if line.Retired {
			return nil, &UnknownError{ID: r.ID, Retired: l.ending(r.ID)}
		}
		locked := Locked{version, Digest(line, version)}
		if other, twice := lock.Documents[r.ID]; twice && other != locked {
			return nil, fmt.Errorf("%s is named twice, once as %s and once as %s", r.ID, other.Version, version)
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

// ParseLock reads a lock file. Keys that it does not know are an error: they
// would be lost.
func ParseLock(data []byte) (*Lock, error) {
	var l Lock
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&l); err != nil {
		return nil, fmt.Errorf("this is no lock file: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("this is no lock file: something follows its end")
	}
	if l.SchemaVersion != LockVersion {
		return nil, fmt.Errorf("the lock file says schema_version %d, and this program reads %d", l.SchemaVersion, LockVersion)
	}
	for id, locked := range l.Documents {
		if !bundlefile.IsID(id) || !bundlefile.IsVersion(locked.Version) || !bundlefile.IsDigest(locked.Digest) {
			return nil, fmt.Errorf("this is no lock file: %q is no ID with a version and its SHA-256", id)
		}
	}
	return &l, nil
}

// Status says how a locked document stands in a library.
type Status string

// The statuses. All but Current are a reason to look at the document.
const (
	Current   Status = "current"   // it is the latest version
	Outdated  Status = "outdated"  // there is a later one
	Retired   Status = "retired"   // the library no longer has the document
	Missing   Status = "missing"   // the library never had the document, or not this version
	Different Status = "different" // the version has another text than was locked
	Withdrawn Status = "withdrawn" // the text was withdrawn
)

// Drift is how a locked document stands in a library.
type Drift struct {
	ID     string
	Locked Locked
	Status Status
	// Latest is the latest version, "" if there is none.
	Latest string
	// Changes are those from the locked version to the latest; Class is the
	// highest among them, "" if there are none to tell: the status is not
	// Outdated, or the texts can't be compared.
	Class   string
	Changes []compat.Change
	// Deprecated is set if the latest version should no longer be used.
	Deprecated *bundlefile.Deprecation
	// Ledger is the line of a document that is retired, nil if there is none.
	Ledger *Retirement
}

// Compare says for each document of a lock file, sorted by ID, how it stands in
// the library. The error is that the library can't be read.
func (l *Library) Compare(lock *Lock) ([]Drift, error) {
	var out []Drift
	for _, id := range sortedKeys(lock.Documents) {
		d := Drift{ID: id, Locked: lock.Documents[id]}
		if err := l.drift(&d); err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

func (l *Library) drift(d *Drift) error {
	withdrawn := l.tombstone(key{d.ID, d.Locked.Version})
	if r, ok := l.Retired[d.ID]; ok {
		d.Ledger = &r
	}
	line := l.Find(d.ID)
	if line == nil {
		d.Status = Missing
		if d.Ledger != nil {
			d.Status = Retired
		}
		if withdrawn {
			d.Status = Withdrawn
		}
		return nil
	}
	d.Latest, d.Deprecated = line.Latest, line.Deprecated
	digest := Digest(line, d.Locked.Version)
	switch {
	case withdrawn:
		d.Status = Withdrawn
	case digest != "" && digest != d.Locked.Digest:
		d.Status = Different
	case line.Retired:
		d.Status = Retired
	case d.Locked.Version == line.Latest:
		d.Status = Current
	case digest == "" && (l.Digest != "" || bundlefile.CompareVersions(d.Locked.Version, line.Latest) > 0):
		d.Status = Missing
	default:
		d.Status = Outdated
		return l.compareLatest(d, line)
	}
	return nil
}

// compareLatest compares the locked version with the latest. A folder has only
// the latest.
func (l *Library) compareLatest(d *Drift, line *bundlefile.IndexLine) error {
	if Digest(line, d.Locked.Version) == "" {
		return nil
	}
	before, err := l.Read(line, d.Locked.Version)
	if err != nil {
		return err
	}
	after, err := l.Read(line, line.Latest)
	if err != nil {
		return err
	}
	changes, ok := Changes(before, after)
	if ok {
		d.Changes, d.Class = changes, compat.Class(changes).String()
	}
	return nil
}
