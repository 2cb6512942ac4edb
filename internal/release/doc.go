// Package release computes the contents of a bundle of a library, and checks references to
// documents in contract files. pkg/library reads bundles, and bundlefile has the file format.
//
// It promises:
//
//   - A bundle follows from the commit, the library's version, the previous bundle, and
//     the conformance vectors. The working tree, the machine, and the time don't matter.
//   - It has every version of every document on the line of first parents up to the
//     commit. A version that can't be read today comes from the previous bundle, or the
//     manifest lists it with the reason. A withdrawn version is listed as a tombstone.
//   - A rubric counts as calibrated only if a judge that read its current text reached
//     the target on labels by people for that text. Otherwise the index has the reason.
//     A bundle has no items, labels, or answers unless their dataset shares them.
//   - Released content never changes: a difference is a Problem, and a build with
//     problems must not be published.
//
// # One version with several contents
//
// The lint rules reject a second text for the same version, so it requires an accepted
// exception or a history from before the lint rules. The bundle has the released
// content, or else the content in the commit, or else the oldest content. A note names
// the others.
//
// # Withdrawn content
//
// Content that must no longer be published is withdrawn by the ledger: by a yank that says
// so, which internal/change judges with its steps. Its version stays reserved, and the
// bundle has neither its text nor changes that would quote it.
//
// It may import the rooms that docs/development/development.md lists below it.
package release
