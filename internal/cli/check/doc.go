// Package check has the commands lint and diff, which are also programs of their own: they
// link nothing that only the other commands need.
package check
