// Package sheets reads rubrics and rules in tables: with a row for each criterion, each level, or
// each rule, or with a column for each criterion.
//
// It promises: each cell with a text is in the draft, or its column is listed with the reason.
package sheets
