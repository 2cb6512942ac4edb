// Package outlines reads rubrics and checklists in Markdown, and the prompts of judges, from their
// headings, lists, tables, and lines with scores.
//
// It promises: each text is part of a criterion or a rule, or it is listed with its line.
package outlines
