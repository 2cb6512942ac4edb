// Package comparison finds what differs between a library and those before it: documents by their
// IDs, entries of the ledger, and recorded evidence. It reads only what differs, and judges nothing.
//
// Unreadable data is an error, or a file that can't be compared, never an absence.
//
// The files are in layers, from the bottom to the top; each uses only earlier ones:
//
//   - comparison: what a comparison finds.
//   - left, rewrites: what happened to recorded evidence.
//   - match, ledgers, compare: documents and entries of the ledger on both sides.
package comparison
