// Package cli has one constructor per command: flags, streams, exit codes, and the
// calls that do the work. Only this package decides exit codes.
//
// It may import the rooms that docs/development.md lists below it.
package cli
