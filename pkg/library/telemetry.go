package library

import (
	"context"
	"time"
)

// Telemetry measures how a library is used. Any number of goroutines call it.
// Package libraryotel has one for OpenTelemetry.
type Telemetry interface {
	// Opened is called when a library was opened, and what it returns when that
	// library is closed.
	Opened(l *Library) (closed func())
	// Retrieved is called at the end of each retrieval.
	Retrieved(ctx context.Context, r Retrieval)
}

// Retrieval is one call that asked for a rubric or a rule set.
type Retrieval struct {
	Kind Kind
	// Reference is what was handed out. It is empty if Err is not nil, so that it
	// never holds an ID that somebody made up.
	Reference Reference
	// Duration is the time of the whole call, the audit included.
	Duration time.Duration
	// Err is what the call returned.
	Err error
}
