// Package rulesets groups the life of a rule set at work: its texts are normalized,
// a run is prepared for a task, checks are evaluated, and the file of the run keeps
// the verdicts.
//
// It may import the groups that docs/development.md lists below it.
package rulesets
