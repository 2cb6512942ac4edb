// Package library reads a library of scoring rubrics and rule sets: from a bundle,
// which is the released file, or from a folder of YAML as the repository has it.
//
// It promises:
//
//   - Read-only. What a caller gets is a copy: nothing done to it changes what the
//     next caller gets. Nothing here writes to a file.
//   - Any number of goroutines can use a Library at the same time.
//   - What comes out of a bundle is what was built. Every part is compared with the
//     SHA-256 that the bundle lists before it is decoded, and the list with
//     WithDigest. This tells a changed bundle from the released one; who released
//     it, a digest can't tell.
//   - No document is handed out that verification (WithVerification, or the command's
//     verify) would refuse.
//   - An error says what to do, and its type tells what happened: *NotFoundError,
//     *RetiredError, *ConstraintError, *DigestError, *DuplicateError,
//     *InvalidError, *IntegrityError, *ContinuityError, *FormatError, *AuditError.
//
// A program that imports this package gets neither Git nor OpenTelemetry with it.
//
// # Time and memory
//
// Opening a bundle reads its directory and its list of digests. An exact version
// needs that document and nothing else; the latest version or a constraint also
// needs one line of the index; Search, IDs and the words of a *NotFoundError need
// all of it. Documents and the index are kept once they
// were read, until nobody uses the Library: at most all that the bundle holds, in
// memory a few times as large as in the file. What callers ask for and what does
// not exist is not kept.
//
// # Audit
//
// With WithAudit, every document that is handed out is first recorded in a log:
// kind, id, version, digest, bundle_version, bundle_digest, request_id and actor,
// never its text. WithRequestID and WithActor put the last two into the context;
// what nobody gave is "". The level is slog.LevelInfo, so a logger that leaves this
// level out keeps no audit. The record goes straight to the logger's handler, and
// where the handler returns an error, the document is not handed out and the error
// is an *AuditError. Whoever prefers scores without records wraps the handler in
// one that returns nil. Search, Entry, IDs and Resolve hand out no document and are
// not recorded.
package library
