// Package exchange converts documents to and from the formats of other tools.
//
// It promises for exports:
//
//   - The same document and program give the same bytes.
//   - Text of a document reaches the other tool unchanged, and never acts there as a
//     template, code, or markup.
//   - An export says what the target can't express. If the verdict there could differ from
//     that of the library, it says so, and the caller has to ask for it.
//   - Nothing is written over a file that is not from an earlier export of the same document
//     to the same format, or that was edited since. If writing fails, the old files are back.
package exchange
