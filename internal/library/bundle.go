package library

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// OfBundle returns the library in a bundle. It reads the index and the ledger on
// demand, and caches them. Errors are those of bundlefile or of the reader.
func OfBundle(b *bundlefile.Bundle) *Library { return &Library{Bundle: b} }

// OpenFile opens the bundle in a file with open, which is bundlefile.Open,
// bundlecheck.Structure, or bundlecheck.Verify.
func OpenFile(
	name string, open func(io.ReaderAt, int64, bundlefile.Options) (*bundlefile.Bundle, error), o bundlefile.Options,
) (*Library, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: errors.New("not a regular file")}
	}
	var b *bundlefile.Bundle
	if err == nil {
		b, err = open(f, info.Size(), o)
	}
	if err != nil {
		_ = f.Close() // the first error is more useful
		return nil, err
	}
	return &Library{Bundle: b, file: f}, nil
}

// Close closes the file of OpenFile.
func (l *Library) Close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}

// FileError names the file in an error about it. It returns nil for nil.
func FileError(name string, err error) error {
	format, isFormat := errors.AsType[*bundlefile.FormatError](err)
	integrity, isIntegrity := errors.AsType[*bundlefile.IntegrityError](err)
	switch {
	case err == nil:
		return nil
	case isFormat:
		return fmt.Errorf("%s: %w", name, format)
	case isIntegrity:
		return fmt.Errorf("%s: %w", name, integrity)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist", name)
	case errors.As(err, new(*fs.PathError)):
		return fmt.Errorf("%s can't be read: %w", name, safefile.Reason(err))
	}
	return err
}

func damaged(path, format string, args ...any) error {
	return bundlefile.Integrity(bundlefile.Problem{Path: path, Message: fmt.Sprintf(format, args...)})
}

func (l *Library) readBundle(kind, id, version string) ([]byte, error) {
	path := bundlefile.DocumentPath(kind, id, version)
	data, err := l.Bundle.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, damaged(path, "is missing, but the index lists it")
	}
	if err == nil {
		_, err = bundlecheck.Document(kind, id, version, data)
	}
	return data, bundlefile.Integrity(err)
}

// bundleLine finds the versions of a document among the entries. In a library of
// thousands, reading the index takes longer than everything else together.
func (l *Library) bundleLine(id string) (*Line, error) {
	if line, ok := l.known.Load(id); ok {
		return line.(*Line), nil
	}
	found := bundlefile.IndexLine{ID: id}
	for _, kind := range []string{bundlefile.KindRubric, bundlefile.KindRuleSet} {
		for path := range l.Bundle.Paths(strings.TrimSuffix(bundlefile.DocumentPath(kind, id, ""), ".json")) {
			_, _, version, ok := bundlefile.SplitDocumentPath(path)
			digest := l.Bundle.EntryDigest(path)
			if !ok || digest == "" || found.Kind != "" && found.Kind != kind {
				return nil, damaged(path, "is not a version of a document, or has no valid sum, or is another kind of document with the same ID")
			}
			found.Kind = kind
			found.Versions = append(found.Versions, bundlefile.Version{Version: version, Digest: digest})
		}
	}
	if found.Kind == "" {
		ledger, err := l.Ledger()
		if gone, ok := ledger[id]; ok {
			return retiredLine(gone), err
		}
		return nil, err
	}
	slices.SortFunc(found.Versions, func(a, b bundlefile.Version) int { return bundlefile.CompareVersions(a.Version, b.Version) })
	found.Latest = found.Versions[len(found.Versions)-1].Version
	_, found.Retired = slices.BinarySearch(l.Bundle.Manifest().Retired, id)
	line, err := l.newBundleLine(found)
	if err != nil {
		return nil, err
	}
	kept, _ := l.known.LoadOrStore(id, line)
	return kept.(*Line), nil
}

// Lines returns the lines of all documents, sorted by ID.
func (l *Library) Lines() ([]*Line, error) {
	l.mu.Lock()
	all := l.lines
	l.mu.Unlock()
	if all != nil || l.Bundle == nil {
		return all, nil
	}
	for decoded, err := range l.Bundle.Index() {
		if err != nil {
			return nil, err
		}
		if n := len(all); n > 0 && decoded.ID <= all[n-1].ID {
			return nil, damaged(bundlefile.IndexName, "%s follows %s: expected each document once, sorted by ID", decoded.ID, all[n-1].ID)
		}
		line, err := l.newBundleLine(decoded)
		if err != nil {
			return nil, err
		}
		all = append(all, line)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = all
	return all, nil
}

func (l *Library) newBundleLine(decoded bundlefile.IndexLine) (*Line, error) {
	line := NewLine(decoded)
	if line.Retired {
		ledger, err := l.Ledger()
		if err != nil {
			return nil, err
		}
		gone := ledger[line.ID]
		line.Retirement = &gone
	}
	return line, nil
}

// Ledger returns the retired IDs. A ledger is optional in a bundle.
func (l *Library) Ledger() (map[string]Retirement, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ledger != nil {
		return l.ledger, nil
	}
	data, err := l.Bundle.Read(bundlecheck.LedgerName)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var retired []Retirement
	if err == nil {
		if retired, err = bundlecheck.Ledger(data); err != nil {
			return nil, damaged(bundlecheck.LedgerName, "%v", err)
		}
	}
	l.ledger = make(map[string]Retirement, len(retired))
	for _, r := range retired {
		l.ledger[r.ID] = r
	}
	return l.ledger, nil
}
