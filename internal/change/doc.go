// Package change judges versions: what changed between two libraries, what that can do to a
// verdict, which version it requires, whether the version fits, and which exception of the
// code owners accepts it if not. Lint, diff, fork, build, and the server hook ask here and
// decide nothing of this themselves.
//
// Package holdings reads the libraries, and package comparison finds what differs between them.
//
// Unreadable data is an error, never an absence.
//
// The files are in layers, from the bottom to the top; each uses only earlier ones:
//
//   - rules, judged, broken_rule: the names of the rules, and a step with those that it breaks.
//   - question, plan: which steps there are.
//   - fallback, yank, released, owner, versions, version_rules, ledger_rules, evidence: the rules that
//     a step can break.
//   - accept, steps, stale, apart, judge: each step is judged, and what accepts it.
//   - passed, release, publication: the version of the library, and of a text that is edited.
//
// It may import the rooms that docs/development/development.md lists below it.
package change
