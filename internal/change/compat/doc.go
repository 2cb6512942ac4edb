// Package compat compares two versions of a document. It returns typed changes and the
// version that they require. The class of a change says what it can do to a consumer who
// gives the same scores by name for the same artifact.
//
// It promises:
//
//   - The classes are sound. Up to minor, nothing that passed can fail, the set of
//     scores has the same shape, and a search finds the document. Up to patch, no
//     verdict changes and a judge reads the same text. Only an overall score that
//     decides nothing can be another number.
//   - There are no changes exactly if the canonical forms are equal, ignoring the
//     version. A difference without a class in the tables is a change of the kind
//     Unclassified.
//   - What can change, and with which class, is in the schema tables. This package
//     adds only five rules: which minimum decides, when weights do, what else a pattern
//     can hit, texts that move, and elements that are renamed.
package compat
