package library

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// Live follows a source of bundles. It always has a library: a new bundle replaces the one
// in use only after it was completely verified, and continues it as with WithAfter. Until
// then, and after any error, the last good one stays in use. A Live of FollowDir follows a
// folder instead. All methods are safe for concurrent use.
//
// Each bundle that replaces another one is logged to slog.Default. Each failed check is logged
// there as a warning, and reported by Status and to the telemetry. Of a folder, it is logged once,
// until a file changes. The bundle in use is in memory; a program that holds an earlier one keeps
// that in memory too.
type Live struct {
	settings
	renew func(ctx context.Context) error // replaces the library in use by the one of the source
	what  string                          // is followed, in messages

	current atomic.Pointer[Library]
	status  atomic.Pointer[Status]
	closed  atomic.Bool
	end     context.CancelFunc
	ended   sync.WaitGroup

	mu sync.Mutex // held by a check, for the fields below
	held
	detach func() // stops the telemetry; nil without telemetry

	notBefore time.Time // when the source asks to be checked again

	refused  error // why what was last read of a folder is not in use
	repeated bool  // whether the check found a folder unchanged
}

// held is what a Live has of its source.
type held struct {
	bundle []byte // the content of the library in use; nil for a folder
	tag    string // of bundle in the source, or of what was last read of a folder
	saved  bool   // whether the last good bundle is bundle
}

// Status is the result of the last check of a source.
type Status struct {
	// Confirmed is when the source last had the bundle or the content in use. For a bundle from the
	// folder of WithLastGood that the source did not confirm since, it is when the bundle
	// was saved there.
	Confirmed time.Time
	// Err is why the last check failed, or nil.
	Err error
}

// Follow gets a bundle from a source and checks the source for new ones until Close. The
// options must include WithDigest, for the first bundle, or WithAnyDigest.
//
// With WithLastGood, it starts from the last good bundle, after verifying it again, if the
// source has nothing that may replace it. The error is then only in Status. The last good
// bundle must have the digest of WithDigest or continue the bundle that has it; a new
// digest therefore starts anew, also with an earlier release.
//
// ctx limits how long Follow waits for the source. Its values, but not its end, apply to the
// later checks. Errors are as for Open, or are those of the source.
func Follow(ctx context.Context, source Source, opts ...Option) (*Live, error) {
	l, err := newLive("bundle", opts)
	switch {
	case err != nil:
		return nil, err
	case (l.digest != nil) == l.anyDigest:
		return nil, errors.New("library: Follow needs the digest of the first bundle, or any: use either WithDigest or WithAnyDigest")
	case l.after != nil:
		return nil, errors.New("library: Follow compares each bundle with the one before. Remove WithAfter")
	case l.lastGood != nil && *l.lastGood == "":
		return nil, errors.New("library: the folder of WithLastGood must not be empty")
	}
	if l.digest != nil {
		if err := bundlefile.CheckDigest(*l.digest); err != nil {
			return nil, fmt.Errorf("library: the digest %w", err)
		}
	}
	l.renew = func(ctx context.Context) error { return l.refresh(ctx, source) }
	stored := l.startFromLastGood(ctx)
	if err := l.start(ctx); err != nil {
		return nil, fmt.Errorf("library: no bundle to start with: %w", errors.Join(err, stored))
	}
	if stored != nil {
		slog.WarnContext(ctx, "rubric library: an earlier bundle was not used", "error", stored)
	}
	return l, nil
}

func newLive(what string, opts []Option) (*Live, error) {
	l := &Live{settings: settings{interval: time.Minute}, what: what}
	for _, opt := range opts {
		opt(&l.settings)
	}
	l.status.Store(&Status{})
	if l.interval <= 0 {
		return nil, fmt.Errorf("library: the interval must be above 0, got %s", l.interval)
	}
	return l, nil
}

// start checks the source for the first time, and then until Close. The error is why there is
// nothing to start with.
func (l *Live) start(ctx context.Context) error {
	err := l.Check(ctx)
	if l.Current() == nil {
		return err
	}
	if l.telemetry != nil {
		l.detach = l.telemetry.Followed(l)
	}
	background, end := context.WithCancel(context.WithoutCancel(ctx))
	l.end = end
	l.ended.Go(func() { l.follow(background) })
	return nil
}

func (l *Live) follow(ctx context.Context) {
	for {
		// From 0.8 to 1.2 intervals.
		wait := time.Duration(float64(l.interval) * (0.8 + 0.4*rand.Float64()))
		select {
		case <-ctx.Done():
			return
		case <-time.After(max(wait, l.delay())):
		}
		if l.delay() <= 0 { // a call of Check can have learned of one
			_ = l.Check(ctx) // it reports the error
		}
	}
}

// mostDelay is the longest delay of the next check that a source can ask for, so that a wrong
// answer does not end the updates.
const mostDelay = time.Hour

// delayed is the error of a source that asks to be checked again only after a time.
type delayed interface {
	error
	RetryAfter() time.Duration
}

// delay is how long the source still asks to wait.
func (l *Live) delay() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Until(l.notBefore)
}

// Get returns a document of the bundle in use. It works like Library.Get, and never fails
// because of a new bundle. After Close, the error is fs.ErrClosed.
func (l *Live) Get(ctx context.Context, id, constraint string) (*Document, error) {
	if l.closed.Load() {
		return nil, fmt.Errorf("library: %w", fs.ErrClosed)
	}
	return l.Current().Get(ctx, id, constraint)
}

// Current returns the library in use. It stays usable as long as the caller holds it, also
// after it was replaced and after Close. Use one Library for calls that must agree.
func (l *Live) Current() *Library { return l.current.Load() }

// Status returns the result of the last check.
func (l *Live) Status() Status { return *l.status.Load() }

// Close stops following the source and waits for a check that is running.
func (l *Live) Close() error {
	if l.closed.Swap(true) {
		return nil
	}
	l.end()
	l.ended.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.detach != nil {
		l.detach()
	}
	l.Current().stop()
	return nil
}

// Check checks the source now, even if the source asked to wait. The error is why the bundle in use
// may not be the one of the source, or was not saved.
func (l *Live) Check(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed.Load() {
		return fmt.Errorf("library: %w", fs.ErrClosed)
	}
	status := l.Status()
	err := l.renew(ctx)
	l.notBefore = time.Time{}
	if busy, ok := errors.AsType[delayed](err); ok {
		l.notBefore = time.Now().Add(min(busy.RetryAfter(), mostDelay))
	}
	if err == nil {
		status.Confirmed = time.Now()
		err = l.save()
	} else if l.Current() != nil {
		err = fmt.Errorf("keeping the last good %s: %w", l.what, err)
	}
	status.Err = err
	l.status.Store(&status)
	if l.closed.Load() {
		return err // Close has interrupted the check
	}
	if l.telemetry != nil {
		l.telemetry.Checked(ctx, err)
	}
	if err != nil && l.Current() != nil && !l.repeated {
		slog.WarnContext(ctx, "rubric library: the check of the source failed",
			"error", err, "bundle_version", l.Current().Version())
	}
	return err
}

// refresh replaces the bundle in use by the one of the source, or returns why it is not
// the same.
func (l *Live) refresh(ctx context.Context, source Source) error {
	ctx, cancel := context.WithTimeout(ctx, safefile.MaxFetchTime)
	defer cancel()
	data, tag, err := source.Fetch(ctx, l.tag)
	if err != nil {
		return err
	}
	if len(data) > MaxFetched {
		return fmt.Errorf("the bundle has more than %d bytes", MaxFetched)
	}
	unchanged := data == nil && tag == l.tag && tag != "" || bytes.Equal(data, l.bundle)
	if l.Current() == nil || !unchanged {
		next, err := l.verify(data)
		if err != nil {
			return err
		}
		before := l.Current()
		l.use(next, data)
		l.saved = false
		if before != nil {
			slog.InfoContext(ctx, "rubric library: a new bundle is in use",
				"bundle_version", next.Version(), "bundle_digest", next.Digest(),
				"previous_version", before.Version(), "previous_digest", before.Digest())
		}
	}
	// The tag of a bundle that was refused is not kept: the source might correct itself.
	l.tag = tag
	return nil
}

// verify returns the library of a bundle that may replace the one in use.
func (l *Live) verify(data []byte) (*Library, error) {
	s, current := l.settings, l.Current()
	if current != nil {
		s.digest = nil
	}
	s.verify = true
	next, err := newBundle(bytes.NewReader(data), int64(len(data)), s)
	if err != nil {
		return nil, err
	}
	if current == nil {
		return next, nil
	}
	lower := bundlefile.CompareVersions(next.Version(), current.Version()) < 0
	if lower && l.downgrades {
		err = next.continuedBy(current.documents.bundle)
	} else {
		err = current.continuedBy(next.documents.bundle)
	}
	if err != nil {
		return nil, err
	}
	return next, nil
}

// use makes calls use another library. Calls in flight keep the one that they have.
func (l *Live) use(next *Library, data []byte) {
	if before := l.Current(); before != nil {
		before.stop()
	}
	next.followed = true
	l.current.Store(next.start())
	l.bundle = data
}
