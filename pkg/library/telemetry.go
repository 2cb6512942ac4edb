package library

import (
	"context"
	"errors"
	"time"
)

// Telemetry measures the use of a library. Implementations must be safe for concurrent
// use. Package libraryotel has an implementation for OpenTelemetry.
type Telemetry interface {
	// Opened is called when a library is opened, and the function that it returns when
	// that library is closed.
	Opened(l *Library) (closed func())
	// Retrieved is called at the end of each retrieval.
	Retrieved(ctx context.Context, r Retrieval)
	// Followed is called when a Live starts, and the function that it returns when that
	// Live is closed.
	Followed(l *Live) (closed func())
	// Checked is called after each check of the source of a Live; err is as for
	// Live.Check.
	Checked(ctx context.Context, err error)
}

// Retrieval is one call to get a document.
type Retrieval struct {
	// Kind is "" if a Get failed, which requests any kind.
	Kind Kind
	// Reference is the returned version. It is empty if Err is not nil, so that it
	// never has an ID that does not exist.
	Reference Reference
	// Duration is the duration of the whole call, including the audit.
	Duration time.Duration
	// Err is the error of the call.
	Err error
}

// Outcome returns the word for the error of a retrieval or of a check, as metrics have it:
// ok, not_found, retired, constraint, digest, integrity, audit, continuity, format, invalid,
// or error.
func Outcome(err error) string {
	if err == nil {
		return "ok"
	}
	for _, o := range []struct {
		name   string
		target any
	}{
		{"not_found", new(*NotFoundError)},
		{"retired", new(*RetiredError)},
		{"constraint", new(*ConstraintError)},
		{"digest", new(*DigestError)},
		{"integrity", new(*IntegrityError)},
		{"audit", new(*AuditError)},
		{"continuity", new(*ContinuityError)},
		{"format", new(*FormatError)},
		{"invalid", new(*InvalidError)},
	} {
		if errors.As(err, o.target) {
			return o.name
		}
	}
	return "error"
}
