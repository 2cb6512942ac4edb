package library

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"sync"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
)

// bundleStore reads from a bundle. It reads the index and the ledger when they
// are first needed, and keeps what it read.
type bundleStore struct {
	bundle *bundlefile.Bundle
	about  bundlefile.Manifest
	sum    string // the digest of the bundle
	done   func() error

	// known has the entries of single IDs, as *entry by ID. Only IDs of the
	// index come in.
	known sync.Map

	mu      sync.Mutex
	index   []byte // nil until it is read
	ledger  map[string]bundlecheck.Retirement
	decoded []*entry
}

func newBundleStore(b *bundlefile.Bundle, done func() error) *bundleStore {
	return &bundleStore{bundle: b, about: b.Manifest(), sum: b.Digest(), done: done}
}

func (s *bundleStore) version() string { return s.about.LibraryVersion }
func (s *bundleStore) digest() string  { return s.sum }
func (s *bundleStore) close() error    { return s.done() }

func (s *bundleStore) documentDigest(k Kind, id, version string) string {
	return s.bundle.EntryDigest(bundlefile.DocumentPath(string(k), id, version))
}

func (s *bundleStore) read(k Kind, id, version string) ([]byte, error) {
	path := bundlefile.DocumentPath(string(k), id, version)
	data, err := s.bundle.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, damaged(path, "is missing: the index lists it")
	}
	if err == nil {
		_, err = bundlecheck.Document(string(k), id, version, data)
	}
	if err != nil {
		return nil, public(bundlefile.Integrity(err))
	}
	return data, nil
}

func (s *bundleStore) absence(id, version string) string {
	for _, o := range s.about.Tombstones {
		if o.ID == id && o.Version == version {
			return "it was withdrawn: " + o.Reason
		}
	}
	for _, o := range s.about.Refused {
		if o.ID == id && o.Version == version {
			return "it could not be read when the bundle was built: " + o.Reason
		}
	}
	return ""
}

// entry decodes one line of the index instead of all, which takes longer than
// everything else together in a library of thousands.
func (s *bundleStore) entry(id string) (*entry, error) {
	if e, ok := s.known.Load(id); ok {
		return e.(*entry), nil
	}
	index, err := s.readIndex()
	if err != nil {
		return nil, err
	}
	line, err := findLine(index, id)
	if line == nil {
		return nil, err
	}
	l, err := bundlefile.DecodeIndexLine(line)
	if err != nil {
		return nil, damaged(bundlefile.IndexName, "the line of %s: %v", id, err)
	}
	e, err := s.newEntry(&l)
	if err != nil {
		return nil, err
	}
	kept, _ := s.known.LoadOrStore(id, e)
	return kept.(*entry), nil
}

// findLine returns the line of an ID in an index, whose lines are sorted by ID, or
// nil if there is none.
func findLine(index []byte, id string) ([]byte, error) {
	key := []byte(`"id":"`)
	low, high := 0, len(index) // the line begins at low or after, and before high
	for low < high {
		middle := low + (high-low)/2
		start := low + bytes.LastIndexByte(index[low:middle], '\n') + 1
		line, _, ended := bytes.Cut(index[start:], []byte{'\n'})
		// In canonical JSON a quote within a text has a backslash before it, so
		// this is the key and nothing else.
		_, found, hasID := bytes.Cut(line, key)
		found, _, hasEnd := bytes.Cut(found, []byte{'"'})
		if !ended || !hasID || !hasEnd {
			return nil, damaged(bundlefile.IndexName, "byte %d begins no line with the ID of a document", start)
		}
		switch order := cmp.Compare(string(found), id); {
		case order == 0:
			return line, nil
		case order < 0:
			low = start + len(line) + 1
		default:
			high = start
		}
	}
	return nil, nil
}

func (s *bundleStore) readIndex() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.index == nil {
		data, err := s.bundle.Read(bundlefile.IndexName)
		if err != nil {
			return nil, public(err)
		}
		s.index = data
	}
	return s.index, nil
}

func (s *bundleStore) entries() ([]*entry, error) {
	s.mu.Lock()
	all := s.decoded
	s.mu.Unlock()
	if all != nil {
		return all, nil
	}
	for l, err := range s.bundle.Index() {
		if err != nil {
			return nil, public(err)
		}
		if n := len(all); n > 0 && l.ID <= all[n-1].ID {
			return nil, damaged(bundlefile.IndexName, "%s stands after %s; expected each document once, sorted by ID", l.ID, all[n-1].ID)
		}
		e, err := s.newEntry(&l)
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.decoded = all
	return all, nil
}

// newEntry makes an entry of a line of the index.
func (s *bundleStore) newEntry(l *bundlefile.IndexLine) (*entry, error) {
	e := &entry{Entry: Entry{
		ID: l.ID, Kind: Kind(l.Kind), Name: l.Name, ArtifactType: l.ArtifactType,
		Description: l.Description, Language: l.Language, Latest: l.Latest,
	}}
	for _, v := range l.Versions {
		e.Versions = append(e.Versions, Version(v))
	}
	if wrong := e.number(); wrong != "" || len(e.Versions) == 0 {
		return nil, damaged(bundlefile.IndexName, "%s has the version %+q, expected one such as 1.0.0", l.ID, wrong)
	}
	if l.Deprecated != nil {
		e.Deprecated = &Deprecation{Reason: l.Deprecated.Reason, ReplacedBy: l.Deprecated.ReplacedBy}
	}
	if l.Calibration != nil {
		e.Calibration = &Calibration{Correlation: l.Calibration.Correlation, Reason: l.Calibration.Reason}
	}
	if l.Retired {
		ledger, err := s.readLedger()
		if err != nil {
			return nil, err
		}
		e.Retired = &Retirement{Reason: ledger[l.ID].Reason, ReplacedBy: ledger[l.ID].ReplacedBy}
	}
	return e, nil
}

// readLedger is what the bundle says of retired IDs; a bundle need not say
// anything.
func (s *bundleStore) readLedger() (map[string]bundlecheck.Retirement, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ledger != nil {
		return s.ledger, nil
	}
	data, err := s.bundle.Read(bundlecheck.LedgerName)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, public(err)
	}
	var ledger []bundlecheck.Retirement
	if err == nil {
		if ledger, err = bundlecheck.Ledger(data); err != nil {
			return nil, damaged(bundlecheck.LedgerName, "%v", err)
		}
	}
	s.ledger = make(map[string]bundlecheck.Retirement, len(ledger))
	for _, r := range ledger {
		s.ledger[r.ID] = r
	}
	return s.ledger, nil
}
