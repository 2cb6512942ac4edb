package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

// hit is a finding in the data.
type hit struct {
	Rule string `json:"rule"`
	Item string `json:"item"`
	At   string `json:"at"`  // as a JSON pointer
	Text string `json:"hit"` // the text there, shortened
}

// longestText is the maximum number of characters that are kept of a text.
const longestText = 160

// measured returns the lint rules of the page.
func measured() []*lint.Rule {
	return slices.DeleteFunc(rules.All(), func(r *lint.Rule) bool {
		return r.Family != lint.FamilyWording && r.Family != lint.FamilyLibrary
	})
}

// notInData lists the lint rules that the data can't break, and why.
var notInData = map[string]string{
	"criteria-overlap":   "its rubrics have one criterion each",
	"example-repeated":   "it has one example per rubric, the answer that deserves a 5",
	"no-essential":       "it has no weights",
	"idle-threshold":     "it has no thresholds",
	"language-unchecked": "it names no languages",
	"pattern-hits-other": "it has no patterns",
	"other-example-item": "it has no labeled items",
}

// lintItems runs the linter on the items. If it reports an error, the conversion is
// wrong.
func lintItems(items []item) ([]hit, error) {
	fsys, err := library(items)
	if err != nil {
		return nil, err
	}
	findings, _, err := findings(fsys)
	if err != nil {
		return nil, err
	}
	hits := make([]hit, len(findings))
	for i, f := range findings {
		data, err := fs.ReadFile(fsys, f.File)
		if err != nil {
			return nil, err
		}
		hits[i] = hit{Rule: f.Rule.ID, Item: f.ID, At: f.Pointer, Text: textOf(data, f.Location)}
	}
	return hits, nil
}

// findings returns the findings of the measured rules in a library, and the number
// of its rubrics. Hidden text is an error of the data (formulas whose \f became a
// form feed), not of the conversion.
func findings(fsys fs.FS) ([]lint.Finding, int, error) {
	report, err := lint.Run(fsys, rules.All(), lint.Options{})
	if err != nil {
		return nil, 0, err
	}
	var all []lint.Finding
	for _, f := range report.Findings {
		if f.Severity == lint.Error && f.Rule.Family != lint.FamilyHidden {
			return nil, 0, fmt.Errorf("%s:%d: %s: %s", f.File, f.Start.Line, f.Rule.ID, f.Message)
		}
		if f.Rule.Family == lint.FamilyWording || f.Rule.Family == lint.FamilyLibrary {
			all = append(all, f)
		}
	}
	return all, report.Summary.Rubrics, nil
}

// textOf returns the text at a place in one line, shortened in its middle.
func textOf(data []byte, at source.Location) string {
	lines := bytes.Split(data, []byte("\n"))
	if at.Start.Line != at.End.Line || at.Start.Line < 1 || at.Start.Line > len(lines) {
		return ""
	}
	line := []rune(string(lines[at.Start.Line-1]))
	from, to := max(at.Start.Column-1, 0), min(at.End.Column-1, len(line))
	text := line[min(from, to):to]
	if half := longestText / 2; len(text) > longestText {
		return string(text[:half]) + " … " + string(text[len(text)-half:])
	}
	return string(text)
}
