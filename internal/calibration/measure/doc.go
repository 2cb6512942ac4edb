// Package measure computes the statistics of a run of a judge on the labeled items of a
// dataset: which items and raters count, how well the judge agrees with people on each
// criterion and on the verdict, and how two runs differ. It knows neither limits nor
// decisions; decide has these.
package measure
