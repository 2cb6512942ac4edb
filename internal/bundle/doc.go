// Package bundle works out what a bundle of a library holds, reads bundles and
// folders of documents alike, and checks what refers to them: contract files and
// lock files. The bundle as a file is the business of bundlefile.
//
// It promises:
//
//   - A bundle follows from the commit, the library's version, the bundle
//     before it and the conformance vectors. The working tree, the machine and
//     the time play no part.
//   - It has every version of every document that the line of first parents up
//     to the commit ever held. What can't be read today comes from the bundle
//     before it, else the manifest lists it with the reason; what was withdrawn
//     is listed as a tombstone.
//   - A rubric counts as calibrated only where a judge that read its words reached
//     the target on labels that are by people and of its words; else the index has
//     the reason. Of items, labels and answers the bundle shows nothing unless
//     their dataset shares them.
//   - What was released stays as it was: a difference is a Problem, and a build
//     with problems is not to be published.
//
// # One version with several contents
//
// The lint rules refuse a version that is used for a second text, so it takes an
// accepted exception or a history from before the lint rules to have one. The
// bundle takes the content that was released; if none was, the one that the
// commit itself holds; else the one that was there first. The others are named
// in a note.
//
// # Withdrawn content
//
// Content that must not be published any more is withdrawn by an exception for
// the lint rule version-withdrawn, with the ID, the version and the reason. Its
// version stays taken, and neither its text nor changes that would quote it are
// in the bundle. An exception can't be taken back.
//
// It may import the groups that docs/development.md lists below it.
package bundle
