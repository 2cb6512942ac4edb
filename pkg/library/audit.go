package library

import (
	"context"
	"log/slog"
	"time"
)

// contextKey is the type of the context keys for data about the caller.
type contextKey int

const (
	requestIDKey contextKey = iota
	actorKey
)

// WithRequestID returns a context that adds a request ID to the audit records of
// retrievals.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey, id)
}

// WithActor returns a context that adds an actor, the person or service that a document is
// for, to the audit records of retrievals.
func WithActor(ctx context.Context, actor string) context.Context {
	return context.WithValue(ctx, actorKey, actor)
}

// AuditMessage is the message of all audit records.
const AuditMessage = "rubric library: document handed out"

// record writes the audit record of a document. It calls the handler directly, because
// the methods of slog.Logger drop errors.
func (l *Library) record(ctx context.Context, kind Kind, ref Reference) error {
	if l.audit == nil || !l.audit.Enabled(ctx, slog.LevelInfo) {
		return nil
	}
	r := slog.NewRecord(time.Now(), slog.LevelInfo, AuditMessage, 0)
	r.AddAttrs(
		slog.String("kind", string(kind)),
		slog.String("id", ref.ID),
		slog.String("version", ref.Version),
		slog.String("digest", ref.Digest),
		slog.String("bundle_version", l.Version()),
		slog.String("bundle_digest", l.Digest()),
		slog.String("request_id", said(ctx, requestIDKey)),
		slog.String("actor", said(ctx, actorKey)),
		slog.String("yanked", l.Yanked(ref.ID, ref.Version)),
	)
	if err := l.audit.Handle(ctx, r); err != nil {
		return &AuditError{Reference: ref, Err: err}
	}
	return nil
}

// said returns the value of a context key, or "".
func said(ctx context.Context, key contextKey) string {
	text, _ := ctx.Value(key).(string)
	return text
}
