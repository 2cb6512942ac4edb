// Package intake has what all formats of the import share: what was read of a file so far, the
// criteria and rules in it, and how they become drafts. It also reads objects in YAML and JSON,
// whose keys have many names for one thing.
//
// It promises: each key that a format does not read is listed with the reason; and weights,
// thresholds, and anchors are converted once, at the end, with all that the file says of them.
package intake
