// Package cli is the command rubric: one tree of all commands. Each group of commands is a
// package below it, with one constructor per command: flags, streams, and the calls that do
// the work. Those of no group are here: comment and completion.
//
// It may import the rooms that docs/development/development.md lists below it.
package cli
