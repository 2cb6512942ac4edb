package library

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// Library is an open library. All its methods, including Close, are safe for concurrent
// use.
type Library struct {
	// documents is shared; callers get clones.
	documents *documents
	about     bundlefile.Manifest // of a bundle
	done      func() error        // closes it
	settings
	// detach stops the telemetry; nil without telemetry.
	detach func()
	// followed is a library of a Live, which callers can't close.
	followed bool

	closing sync.Once
	closed  atomic.Bool
	// decoded caches every version that was read, as *Document by Reference.
	decoded sync.Map
}

// Open opens the bundle in a file. The file stays open until Close and must not be
// modified until then. To update a bundle, rename a new file to its path.
//
// The error is a *FormatError if the file is not a bundle that this package can read, an
// *IntegrityError if the bundle was changed, a *ContinuityError (see WithAfter), or an
// error of the file system.
func Open(path string, opts ...Option) (*Library, error) {
	f, size, err := bundlefile.OpenRegular(path)
	if errors.Is(err, bundlefile.ErrFolder) {
		return nil, fmt.Errorf("library: %w, and OpenDir reads a folder", err)
	} else if err != nil {
		return nil, fmt.Errorf("library: %w", err)
	}
	l, err := openBundle(f, size, f.Close, opts)
	if err != nil {
		_ = f.Close() // the first error is more useful
		return nil, err
	}
	return l, nil
}

// NewReader opens a bundle of size bytes, for example from memory. The caller owns the
// reader, which is used until Close. Errors are as for Open.
func NewReader(r io.ReaderAt, size int64, opts ...Option) (*Library, error) {
	return openBundle(r, size, func() error { return nil }, opts)
}

func openBundle(r io.ReaderAt, size int64, done func() error, opts []Option) (*Library, error) {
	s, err := configure(opts)
	if err != nil {
		return nil, err
	}
	l, err := newBundle(r, size, s)
	if err != nil {
		return nil, err
	}
	l.done = done
	return l.start(), nil
}

// newBundle opens a bundle without telemetry.
func newBundle(r io.ReaderAt, size int64, s settings) (*Library, error) {
	l := &Library{settings: s}
	open := bundlecheck.Open
	if l.verify {
		open = bundlecheck.Structure
	}
	b, err := open(r, size, bundlefile.Options{Digest: l.digest})
	if err == nil && l.after != nil {
		err = l.after.continuedBy(b)
	}
	if err != nil {
		return nil, err
	}
	l.about = b.Manifest()
	l.documents = &documents{bundle: b, yanked: map[[2]string]string{}}
	for _, o := range l.about.Yanked {
		l.documents.yanked[[2]string{o.ID, o.Version}] = o.Reason
	}
	for _, o := range l.about.Tombstones {
		l.documents.withdrawn = append(l.documents.withdrawn, Withdrawal{ID: o.ID, Version: o.Version, Reason: o.Reason})
	}
	return l, nil
}

// continuedBy returns an error if a bundle does not continue l.
func (l *Library) continuedBy(next *bundlefile.Bundle) error {
	if l.documents.bundle == nil {
		return errors.New("a bundle can't continue a folder, which has no releases. Remove WithAfter")
	}
	if err := l.check(); err != nil {
		return err
	}
	return bundlecheck.After(l.documents.bundle, next)
}

// OpenDir reads a folder with the structure of the repository: the documents below
// rubrics/ and the ledger rubrics/retired.yaml. It reads and checks everything at once and
// does not use fsys later. A folder has one version of each document; Version and Digest
// return "".
//
// The error is an *InvalidError that lists all problems. OpenDir checks that each document
// is complete, unambiguous, and applicable; rubric-lint checks more.
func OpenDir(fsys fs.FS, opts ...Option) (*Library, error) {
	s, err := configure(opts)
	if err == nil {
		err = s.checkFolder()
	}
	if err != nil {
		return nil, err
	}
	l, err := openFolder(fsys, s)
	if err != nil {
		return nil, err
	}
	return l.start(), nil
}

// openFolder opens a folder without telemetry.
func openFolder(fsys fs.FS, s settings) (*Library, error) {
	folder, err := readFolder(fsys)
	if err != nil {
		return nil, err
	}
	return &Library{settings: s, documents: folder}, nil
}

// start starts the telemetry.
func (l *Library) start() *Library {
	if l.telemetry != nil {
		l.detach = l.telemetry.Opened(l)
	}
	return l
}

// stop stops the telemetry.
func (l *Library) stop() {
	if l.detach != nil {
		l.detach()
	}
}

// Close closes the library. Returned documents remain valid; concurrent calls can fail.
// Later calls of methods that return an error return fs.ErrClosed. Closing a library again
// has no effect, and neither has closing a library of a Live, which others use too.
func (l *Library) Close() (err error) {
	if l.followed {
		return nil
	}
	l.closing.Do(func() {
		l.stop() // first, because telemetry still reads the library
		l.closed.Store(true)
		if l.done != nil {
			err = l.done()
		}
	})
	return err
}

// check returns an error if the library is closed.
func (l *Library) check() error {
	if l.closed.Load() {
		return fmt.Errorf("library: %w", fs.ErrClosed)
	}
	return nil
}

// Digest returns the bundle's digest, "sha256:" and 64 hexadecimal digits, which
// identifies its whole content. It is "" for a folder.
func (l *Library) Digest() string {
	if l.documents.bundle == nil {
		return ""
	}
	return l.documents.bundle.Digest()
}

// Commit returns the full hash of the Git commit that the bundle was built from. It is ""
// for a folder.
func (l *Library) Commit() string { return l.about.Commit }

// Withdrawn returns the versions whose content was withdrawn, sorted by ID and version. Those of
// a folder are in its ledger.
func (l *Library) Withdrawn() []Withdrawal { return slices.Clone(l.documents.withdrawn) }

// Yanked returns why a version of a document is yanked, or "". Constraints never select a yanked
// version.
func (l *Library) Yanked(id, version string) string {
	return l.documents.yanked[[2]string{id, version}]
}

// Version returns the semantic version of the library in the bundle, such as "1.4.0". It
// is "" for a folder.
func (l *Library) Version() string { return l.about.LibraryVersion }
