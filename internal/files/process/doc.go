// Package process runs a program without a shell and waits until it ends.
//
// It promises that nothing keeps running: when the program exits, reaches the time limit,
// or is canceled, everything in its process group is stopped. Programs that leave the
// group on purpose are not tracked.
package process
