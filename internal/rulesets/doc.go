// Package rulesets groups the packages for working with rule sets: they normalize rules,
// set up and prepare runs for a task, and evaluate checks on an artifact.
//
// It may import the rooms that docs/development.md lists below it.
package rulesets
