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

// Library is an open library. Any number of goroutines can use it at the same
// time, Close included.
type Library struct {
	// documents is shared by all: what is handed out is cloned.
	documents *lib.Library
	about     bundlefile.Manifest // of a bundle
	done      func() error        // closes it
	expected  *string             // digest, see WithDigest
	verify    bool
	after     *Library
	audit     slog.Handler
	telemetry Telemetry
	// detach ends what the telemetry observes; nil without telemetry.
	detach func()

	closing sync.Once
	closed  atomic.Bool
	// decoded has every version that was read; see document.
	decoded sync.Map
}

// Option changes how a library is opened.
type Option func(*Library)

// WithDigest wants the bundle to have this digest, "sha256:" and 64 hexadecimal
// digits in lower case, as its release gives it. Without it, a bundle that
// somebody made anew as a whole is accepted: it agrees with itself. An empty
// digest, as from a file that is missing, is an error like any other text that is
// not a digest. A folder has no digest, so OpenDir refuses one.
func WithDigest(digest string) Option {
	return func(l *Library) { l.expected = &digest }
}

// WithVerification reads all of the bundle when it is opened, and accepts it only if it
// is what a build writes: every document, the index, the ledger, the changelog, and the
// other entries. Without it, a document is checked in the same way when it is first
// handed out, and the rest where it is needed.
func WithVerification() Option {
	return func(l *Library) { l.verify = true }
}

// WithAfter wants the bundle to hold what a consumer of an earlier one, old, relies on:
// every version with its content, unless it was withdrawn since, every withdrawal, and
// every retired ID; and that it continues the line of releases of old, as far as both
// say. It does not tell who made the bundle. The error is a *ContinuityError.
func WithAfter(old *Library) Option {
	return func(l *Library) { l.after = old }
}

// WithAudit writes a record of every document that is handed out: see the
// package comment. Nil writes none.
func WithAudit(logger *slog.Logger) Option {
	return func(l *Library) {
		l.audit = nil
		if logger != nil {
			l.audit = logger.Handler()
		}
	}
}

// WithTelemetry tells t of every retrieval. Package libraryotel has one for
// OpenTelemetry. Nil tells nobody.
func WithTelemetry(t Telemetry) Option {
	return func(l *Library) { l.telemetry = t }
}

// Open opens the bundle in a file. The file stays open until Close, and must not
// be written to meanwhile: put a new bundle there by renaming.
//
// The error is a *FormatError if the file is no bundle that this package reads,
// an *IntegrityError if it was changed, a *ContinuityError (see WithAfter), or what
// the system said.
func Open(path string, opts ...Option) (*Library, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("library: %w", err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("library: %s is no file with a bundle. Name the bundle, or use OpenDir for a folder", path)
	}
	var l *Library
	if err == nil {
		l, err = openBundle(f, info.Size(), f.Close, opts)
	}
	if err != nil {
		_ = f.Close() // the first error says more
		return nil, err
	}
	return l, nil
}

// NewReader opens a bundle of size bytes, such as one that was fetched into
// memory. The reader belongs to the caller and is used until Close. Errors are
// as of Open.
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

// continuedBy is the error of a bundle that does not continue l.
func (l *Library) continuedBy(next *bundlefile.Bundle) error {
	if l.documents.Bundle == nil {
		return errors.New("a folder has no versions that a bundle could continue. Leave WithAfter away")
	}
	if err := l.check(); err != nil {
		return err
	}
	return bundlecheck.After(l.documents.Bundle, next)
}

// OpenDir reads a folder as the repository has it: the documents below rubrics/
// and the ledger rubrics/retired.yaml. All of it is read and checked at once, and
// fsys isn't used again. A folder holds one version of each document, and Version
// and Digest are empty.
//
// The error names everything that is wrong: it has a *DuplicateError for each ID
// that several files have, and an *InvalidError for files that can't be used.
// What is checked is that each document is complete, means one thing, and can be
// applied; rubric-lint checks more.
func OpenDir(fsys fs.FS, opts ...Option) (*Library, error) {
	l := configure(opts)
	if l.after != nil {
		return nil, errors.New("library: a folder does not continue a bundle. Open a bundle, or leave WithAfter away")
	}
	if l.expected != nil {
		return nil, fmt.Errorf("library: a folder has no digest to compare with %q. Open a bundle, or leave WithDigest away", *l.expected)
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

// Close ends the use of the library. What was handed out stays good; calls that
// still run may fail. From then on every call that has an error says fs.ErrClosed.
// Closing again does nothing.
func (l *Library) Close() (err error) {
	l.closing.Do(func() {
		if l.detach != nil {
			l.detach() // first: what observes the library still reads it
		}
		l.closed.Store(true)
		if l.done != nil {
			err = l.done()
		}
	})
	return err
}

// check is the error of a library that is closed.
func (l *Library) check() error {
	if l.closed.Load() {
		return fmt.Errorf("library: %w", fs.ErrClosed)
	}
	return nil
}

// Digest is the bundle's digest, "sha256:" and 64 hexadecimal digits: the name
// of all that is in it. It is "" for a folder.
func (l *Library) Digest() string {
	if l.documents.Bundle == nil {
		return ""
	}
	return l.documents.Bundle.Digest()
}

// Version is the semantic version of the library that the bundle holds, such as
// "1.4.0". It is "" for a folder.
func (l *Library) Version() string { return l.about.LibraryVersion }
