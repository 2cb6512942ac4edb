// Package compat compares two versions of a document: typed changes, each with
// the class of what it can do to a consumer who gives the same scores by name
// for the same artifact, and the version that they ask for.
//
// It promises:
//
//   - The classes are sound. Up to minor, nothing that passed can fail, the set
//     of scores has the same shape, and a search finds the document. Up to
//     patch, no verdict changes and a judge reads the same.
//   - There are no changes exactly if the canonical forms are equal, versions
//     aside. A difference that the tables do not class is a change too, of the
//     kind Unclassified.
//   - What can change, and with which class, is in the schema tables. This
//     package adds four rules only: which minimum decides, what a pattern can
//     newly hit, texts that move, and what an element is that has another name.
//
// It may import the groups that docs/development.md lists below it.
package compat
