// Package calibration reads the labeled items of a library and the answers of judges,
// joins them with their rubrics, and computes how well a judge agrees with people.
//
// It promises that invalid or stale data never counts as agreement: a line that can't be
// read is a problem with a position, labels and answers for a different wording are
// stale, and a statistic that can't be computed has a reason.
//
// It may import the rooms that docs/development/development.md lists below it.
package calibration
