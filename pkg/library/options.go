package library

import (
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Option is an option of Open, NewReader, OpenDir, Follow, and FollowDir.
type Option func(*settings)

// settings are the values of all options.
type settings struct {
	digest    *string
	verify    bool
	after     *Library
	audit     slog.Handler
	telemetry Telemetry
	uncached  bool

	followOnly string // the name of an option that only Follow has
	anyDigest  bool
	downgrades bool
	lastGood   *string
	interval   time.Duration
}

// configure returns the settings of a library that is not followed.
func configure(opts []Option) (settings, error) {
	var s settings
	for _, opt := range opts {
		opt(&s)
	}
	if s.followOnly != "" {
		return s, fmt.Errorf("library: %s is an option of Follow. Use Follow or remove it", s.followOnly)
	}
	return s, nil
}

// checkFolder returns an error for an option that is about bundles.
func (s *settings) checkFolder() error {
	switch {
	case s.digest != nil:
		return fmt.Errorf("library: a folder has no digest to compare with %q. Use a bundle or remove WithDigest", *s.digest)
	case s.after != nil:
		return errors.New("library: a folder can't continue a bundle. Use a bundle or remove WithAfter")
	case s.downgrades:
		return errors.New("library: a folder has no releases to go back to. Use a bundle or remove WithDowngrades")
	case s.lastGood != nil:
		return errors.New("library: only a bundle can be kept as the last good one. Use a bundle or remove WithLastGood")
	}
	return nil
}

// WithDigest requires the bundle to have a digest: "sha256:" and 64 lowercase hexadecimal
// digits, as published with its release. Without it, a completely rebuilt bundle is
// accepted, because it is consistent with itself. An empty digest, for example from a
// missing file, is an error like any other invalid digest. OpenDir refuses this option,
// because a folder has no digest. With Follow, it is the digest of the first bundle.
func WithDigest(digest string) Option {
	return func(s *settings) { s.digest = &digest }
}

// WithVerification reads the whole bundle when it is opened, and accepts it only if all
// of it is what a build writes: every document, the index, the ledger, and the other
// entries. Only the verify command also checks patterns, hidden characters, and the changelog.
// Without it, the same checks run for each document when it is first returned, and for other
// parts when they are needed.
func WithVerification() Option {
	return func(s *settings) { s.verify = true }
}

// WithAfter requires the bundle to have everything that consumers of an earlier bundle,
// old, rely on: every version with its content unless it was withdrawn since, every
// withdrawal, and every retired ID. It must also continue the line of releases of old if
// both state theirs. This does not prove who made the bundle. The error is a
// *ContinuityError.
func WithAfter(old *Library) Option {
	return func(s *settings) { s.after = old }
}

// WithAudit writes a record of every document that is returned; see the package comment.
// Nil disables the audit.
func WithAudit(logger *slog.Logger) Option {
	return func(s *settings) {
		s.audit = nil
		if logger != nil {
			s.audit = logger.Handler()
		}
	}
}

// WithTelemetry reports every retrieval to t. Package libraryotel has an implementation
// for OpenTelemetry. Nil disables telemetry.
func WithTelemetry(t Telemetry) Option {
	return func(s *settings) { s.telemetry = t }
}

// WithoutCache keeps no documents in memory, for programs that read each document once.
func WithoutCache() Option {
	return func(s *settings) { s.uncached = true }
}

// WithAnyDigest lets Follow start with any valid bundle of the source. Its first bundle is
// then only as trustworthy as the source; WithDigest requires a specific one.
func WithAnyDigest() Option {
	return func(s *settings) { s.anyDigest, s.followOnly = true, "WithAnyDigest" }
}

// WithDowngrades lets Follow accept an earlier release than the one in use, to follow a
// source that was rolled back. The bundle in use must continue the earlier one.
func WithDowngrades() Option {
	return func(s *settings) { s.downgrades, s.followOnly = true, "WithDowngrades" }
}

// WithLastGood keeps the last good bundle of Follow in a folder, which is created, to start
// from it while the source is down. The folder is for one library and must be writable only
// by those who may choose its bundles. The files are up to two bundles: the one with the
// digest of WithDigest, and the last one.
func WithLastGood(folder string) Option {
	return func(s *settings) { s.lastGood, s.followOnly = &folder, "WithLastGood" }
}

// WithInterval sets the average time between two checks of the source, by default one
// minute. Each wait is longer or shorter by up to a fifth, so that a fleet spreads its
// requests.
func WithInterval(interval time.Duration) Option {
	return func(s *settings) { s.interval, s.followOnly = interval, "WithInterval" }
}
