// Package cli has one constructor a command: flags, streams and exit codes, and
// the calls that do the work. It is the only place that decides exit codes.
//
// It may import the groups that docs/development.md lists below it.
package cli
