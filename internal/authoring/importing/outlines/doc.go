// Package outlines reads rubrics and checklists in Markdown, and the prompts of judges, from their
// headings, lists, tables, and lines with scores. A prompt can be a string of a Python module, which is
// never run.
//
// It promises: each text is part of a draft, or a remark lists it with its line. Equal remarks are one,
// with the first line and a count. Strings of a Python module without a space are not texts.
package outlines
