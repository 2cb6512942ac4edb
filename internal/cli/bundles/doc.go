// Package bundles has the commands that make, publish, and read bundles. Those that read take
// a folder, too.
package bundles
