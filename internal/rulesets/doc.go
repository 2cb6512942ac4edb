// Package rulesets groups the life of a rule set at work: its texts are normalized,
// a run is prepared for a task, checks are evaluated, and the file of the run keeps
// the verdicts. It imports documents.
package rulesets
