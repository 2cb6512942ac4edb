// Package files groups what reads and writes files safely: a limit for each kind
// of file, and writes that never leave half a file. It imports nothing of the
// project.
package files
