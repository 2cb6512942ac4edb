// Package decide decides from measurements which conditions a judge meets, and what it may be
// used for after a series of runs.
package decide
