package library

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	lib "github.com/rubric-library/rubric-library/internal/library"
)

// Library is an open library. All its methods, including Close, are safe for concurrent
// use.
type Library struct {
	// documents is shared; callers get clones.
	documents *lib.Library
	about     bundlefile.Manifest // of a bundle
	done      func() error        // closes it
	expected  *string             // digest, see WithDigest
	verify    bool
	after     *Library
	audit     slog.Handler
	telemetry Telemetry
	// detach stops the telemetry; nil without telemetry.
	detach func()

	closing sync.Once
	closed  atomic.Bool
	// decoded caches every version that was read; see document.
	decoded sync.Map
}

// Option is an option for opening a library.
type Option func(*Library)

// WithDigest requires the bundle to have a digest: "sha256:" and 64 lowercase hexadecimal
// digits, as published with its release. Without it, a completely rebuilt bundle is
// accepted, because it is consistent with itself. An empty digest, for example from a
// missing file, is an error like any other invalid digest. OpenDir refuses this option,
// because a folder has no digest.
func WithDigest(digest string) Option {
	return func(l *Library) { l.expected = &digest }
}

// WithVerification reads the whole bundle when it is opened, and accepts it only if all
// of it is what a build writes: every document, the index, the ledger, the changelog, and
// the other entries. Without it, the same checks run for each document when it is first
// returned, and for other parts when they are needed.
func WithVerification() Option {
	return func(l *Library) { l.verify = true }
}

// WithAfter requires the bundle to have everything that consumers of an earlier bundle,
// old, rely on: every version with its content unless it was withdrawn since, every
// withdrawal, and every retired ID. It must also continue the line of releases of old if
// both state theirs. This does not prove who made the bundle. The error is a
// *ContinuityError.
func WithAfter(old *Library) Option {
	return func(l *Library) { l.after = old }
}

// WithAudit writes a record of every document that is returned; see the package comment.
// Nil disables the audit.
func WithAudit(logger *slog.Logger) Option {
	return func(l *Library) {
		l.audit = nil
		if logger != nil {
			l.audit = logger.Handler()
		}
	}
}

// WithTelemetry reports every retrieval to t. Package libraryotel has an implementation
// for OpenTelemetry. Nil disables telemetry.
func WithTelemetry(t Telemetry) Option {
	return func(l *Library) { l.telemetry = t }
}

// Open opens the bundle in a file. The file stays open until Close and must not be
// modified until then. To update a bundle, rename a new file to its path.
//
// The error is a *FormatError if the file is not a bundle that this package can read, an
// *IntegrityError if the bundle was changed, a *ContinuityError (see WithAfter), or an
// error of the file system.
func Open(path string, opts ...Option) (*Library, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("library: %w", err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("library: %s is not a bundle file. Open the bundle, or use OpenDir for a folder", path)
	}
	var l *Library
	if err == nil {
		l, err = openBundle(f, info.Size(), f.Close, opts)
	}
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
	l := configure(opts)
	open := bundlefile.Open
	if l.verify {
		open = bundlecheck.Verify
	}
	b, err := open(r, size, bundlefile.Options{Digest: l.expected})
	if err == nil && l.after != nil {
		err = l.after.continuedBy(b)
	}
	if err != nil {
		return nil, public(err)
	}
	l.about, l.done = b.Manifest(), done
	return l.start(lib.OfBundle(b)), nil
}

// continuedBy returns an error if a bundle does not continue l.
func (l *Library) continuedBy(next *bundlefile.Bundle) error {
	if l.documents.Bundle == nil {
		return errors.New("a bundle can't continue a folder, which has no releases. Remove WithAfter")
	}
	if err := l.check(); err != nil {
		return err
	}
	return bundlecheck.After(l.documents.Bundle, next)
}

// OpenDir reads a folder with the structure of the repository: the documents below
// rubrics/ and the ledger rubrics/retired.yaml. It reads and checks everything at once and
// does not use fsys later. A folder has one version of each document; Version and Digest
// return "".
//
// The error lists all problems. It includes a *DuplicateError for each ID that several
// files use, and an *InvalidError for invalid files. OpenDir checks that each document is
// complete, unambiguous, and applicable; rubric-lint checks more.
func OpenDir(fsys fs.FS, opts ...Option) (*Library, error) {
	l := configure(opts)
	if l.after != nil {
		return nil, errors.New("library: a folder can't continue a bundle. Open a bundle or remove WithAfter")
	}
	if l.expected != nil {
		return nil, fmt.Errorf("library: a folder has no digest to compare with %q. Open a bundle or remove WithDigest", *l.expected)
	}
	folder, err := lib.OpenFolder(fsys)
	if err != nil {
		return nil, publicFolder(err)
	}
	return l.start(folder), nil
}

func configure(opts []Option) *Library {
	l := &Library{}
	for _, opt := range opts {
		opt(l)
	}
	return l
}

func (l *Library) start(from *lib.Library) *Library {
	l.documents = from
	if l.telemetry != nil {
		l.detach = l.telemetry.Opened(l)
	}
	return l
}

// Close closes the library. Returned documents remain valid; concurrent calls can fail.
// Later calls of methods that return an error return fs.ErrClosed. Closing a library again
// has no effect.
func (l *Library) Close() (err error) {
	l.closing.Do(func() {
		if l.detach != nil {
			l.detach() // first, because telemetry still reads the library
		}
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
	if l.documents.Bundle == nil {
		return ""
	}
	return l.documents.Bundle.Digest()
}

// Version returns the semantic version of the library in the bundle, such as "1.4.0". It
// is "" for a folder.
func (l *Library) Version() string { return l.about.LibraryVersion }
