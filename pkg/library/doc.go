// Package library reads a library of scoring rubrics and rule sets from a bundle, which
// is the released file, or from a folder of YAML files, as in the repository.
//
// It promises:
//
//   - It is read-only. Callers get copies, so no caller can affect another. Nothing is
//     written to files, except to the folder of WithLastGood.
//   - A Library is safe for concurrent use, and so is a Live, which follows a source of
//     bundles, or a folder to try it out: see Follow and FollowDir.
//   - Data from a bundle is what was built. Every part is compared with the SHA-256 in
//     the bundle's list of digests before it is decoded, and the list with WithDigest.
//     This detects a changed bundle, but does not prove who released it.
//   - Only documents that pass verification (WithVerification) are returned. A pattern that
//     is not a regular expression is an error when it is used; the verify command finds it.
//   - Errors say what to do, and their types, which errors.As finds, identify the cause:
//     *NotFoundError, *RetiredError, *ConstraintError, *DigestError, *InvalidError,
//     *IntegrityError, *ContinuityError, *FormatError, *AuditError.
//
// The package depends on neither Git nor OpenTelemetry.
//
// # Time and memory
//
// Opening a bundle reads its directory, its list of digests, the ledger, and the index, whose lines
// are decoded later. Getting a document reads that document, and decodes its line. Search and Entry
// decode the whole index. A damaged part is an error of the call that reads it, the same as in the
// clients in other languages: the vectors conformance/open.json in the bundle define them.
// Documents and the index are cached as long as the Library is in use, documents not with
// WithoutCache; the cache is limited by the content of the bundle, which takes a few times its file
// size in memory. Requests for documents that do not exist are not cached. A Live also has the
// bundle itself in memory. While it verifies the next one, it has both.
//
// # Audit
//
// With WithAudit, every document is recorded in a log before it is returned: kind, id,
// version, digest, bundle_version, bundle_digest, request_id, actor, and yanked (the reason,
// or ""), but never its text. WithRequestID and WithActor set their values in the context;
// the default is "". The level is slog.LevelInfo, so the logger must not filter out this level. The record is
// passed directly to the logger's handler. If the handler returns an error, the document
// is not returned and the error is an *AuditError; to get documents even if the audit
// fails, wrap the handler in one that returns nil. Search, Entry, IDs, and Resolve return
// no documents and are not recorded.
package library
