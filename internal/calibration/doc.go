// Package calibration reads the labelled items of a library and the answers of
// judges, joins them with the rubrics that they are for, and computes how well a
// judge agrees with people.
//
// It promises that nothing wrong or old looks like agreement: a line that can't be
// read is a problem at its place, labels of other words and answers to another
// rubric are stale, and what can't be computed says why.
//
// It may import the groups that docs/development.md lists below it.
package calibration
