// Package cli has one constructor per command: flags, streams, exit codes, and the
// calls that do the work. Only this package decides exit codes.
//
// It can import the groups that docs/development.md lists below it.
package cli
