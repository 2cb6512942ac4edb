// Package command is what all commands share: streams, exit codes, flags, outputs, questions
// on a terminal, completion, and how arguments name a library and a file. Only this package
// decides exit codes.
package command
