// Package process runs a program without a shell and waits for its end.
//
// It promises that nothing of it stays: whatever the program started in its
// process group ends with it, at the time limit or when it is cancelled. A
// program that leaves the group on purpose is not followed, and not waited for.
//
// It may import the groups that docs/development.md lists below it.
package process
