package printer

import (
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

const (
	// slicesTitle is the title of the table of slices.
	slicesTitle = "Agreement on the verdict and bias by criterion, for each slice; slices never decide whether the judge is calibrated"
	// shownSlices is how many slices are shown, those with the least agreement first.
	shownSlices = 30
	// literalHeads is how many headings of the table are not names of criteria.
	literalHeads = 3
)

// shown returns the slices for the table, and a line about the rest or "".
func shown(all []calibration.Slice) (table []calibration.Slice, rest string) {
	var few []string
	for i := range all {
		if all[i].TooFew() {
			few = append(few, fmt.Sprintf("%s %d", all[i].Tag, all[i].Items))
		} else {
			table = append(table, all[i])
		}
	}
	var lines []string
	if more := len(table) - shownSlices; more > 0 {
		table = table[:shownSlices]
		lines = append(lines, fmt.Sprintf("Slices with more agreement, not shown: %d.", more))
	}
	if more := len(few) - shownSlices; more > 0 {
		few = append(few[:shownSlices], fmt.Sprintf("%d more slices", more))
	}
	if len(few) > 0 {
		lines = append(lines, "Slices with too few items: "+strings.Join(few, ", ")+".")
	}
	return table, strings.Join(lines, " ")
}

// sliceRows returns the table of slices, nil if none has enough items, and a line about
// the rest.
func sliceRows(r *calibration.Tracked) (rows [][]string, rest string) {
	table, rest := shown(r.Slices)
	if len(table) == 0 {
		return nil, rest
	}
	head := []string{"SLICE", "ITEMS", "VERDICT"}
	for i := range r.Criteria {
		head = append(head, r.Criteria[i].Name)
	}
	rows = append(rows, head)
	for i := range table {
		s := &table[i]
		row := []string{s.Tag, fmt.Sprint(s.Items), interval(&s.Verdict)}
		for j := range s.Criteria {
			row = append(row, signedInterval(&s.Criteria[j].Bias))
		}
		rows = append(rows, row)
	}
	return rows, rest
}

// lengthLine says how judge minus people goes with the length of the text, or "".
func lengthLine(r *calibration.Report) string {
	var all, higher, lower []string
	for i := range r.Criteria {
		c := &r.Criteria[i]
		if c.Length == nil || !c.Length.Defined() {
			continue
		}
		all = append(all, c.Name+" "+signedInterval(c.Length))
		switch within := c.Length.Interval; {
		case !within.Defined():
		case within.Low > 0:
			higher = append(higher, c.Name)
		case within.High < 0:
			lower = append(lower, c.Name)
		}
	}
	if len(all) == 0 {
		return ""
	}
	line := "Length: Spearman correlation of judge minus people with the length of the text: " + strings.Join(all, ", ") + "."
	if len(higher) > 0 {
		line += fmt.Sprintf(" Compared with people, the judge favors longer texts on %s.", schema.Or(higher, "and"))
	}
	if len(lower) > 0 {
		line += fmt.Sprintf(" Compared with people, the judge favors shorter texts on %s.", schema.Or(lower, "and"))
	}
	return line
}
