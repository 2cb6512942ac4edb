// Package change judges versions: what changed between two libraries, what that can do to a
// verdict, which version it requires, whether the version fits, and which exception of the
// code owners accepts it if not. Lint, diff, fork, build, and the server hook ask here and
// decide nothing of this themselves.
//
// Unreadable data is an error, never an absence.
//
// It may import the rooms that docs/development/development.md lists below it.
package change
