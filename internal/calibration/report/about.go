package report

import (
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/render"
)

// about are sentences about the answers and the labels.
func (w words) about() []string {
	lines := []string{}
	if w.Judge != nil {
		c := &w.Decision.Coverage
		lines = append(lines, fmt.Sprintf("Run %s for %s %s: %s; %s, %d unreadable, %d unavailable.",
			w.Judge.Run, w.Rubric.ID, w.Rubric.Version, w.Judge.Identity().Answers(),
			render.Count(c.Attempts, "attempt"), c.Unreadable, c.Unavailable))
	}
	if w.NewJudge != "" {
		lines = append(lines, w.NewJudge)
	}
	lines = append(lines, w.labels())
	if !w.Dataset.Demonstration() && w.Dataset.Raters > 1 {
		lines = append(lines, "Raters are pseudonyms; nothing here proves that they are two people.")
	}
	for _, one := range w.Reaffirmed {
		lines = append(lines, fmt.Sprintf("The labels of %s were confirmed for these words on %s: %s",
			one.Criterion, one.Date, one.Reason))
	}
	var unsure []string
	for _, c := range w.Criteria {
		if c.CannotTell > 0 {
			unsure = append(unsure, fmt.Sprintf("%s %d", c.Name, c.CannotTell))
		}
	}
	if len(unsure) > 0 {
		lines = append(lines, fmt.Sprintf("Raters answered that the item does not let them tell: %s. These answers count as missing labels. If they are many, clarify the criterion or show raters more context.",
			strings.Join(unsure, ", ")))
	}
	return lines
}

// labels says how many items count, and who labeled them.
func (w words) labels() string {
	d := &w.Dataset
	items, by := render.Count(d.Items, "item"), fmt.Sprintf("people (%s; the same two labeled %s)",
		render.Count(d.Raters, "rater"), render.Count(d.Paired, "item"))
	if d.Dev+d.EqualTexts > 0 {
		items = fmt.Sprintf("%d of %s count", d.Test(), items)
	}
	if d.Dev > 0 {
		items += fmt.Sprintf(", %d are dev", d.Dev)
	}
	switch {
	case d.Demonstration():
		by = render.Count(d.Raters, "rater") + ". " + strings.TrimSuffix(Demonstration(d.LabeledBy), ".")
	case d.Raters == 1:
		by = "people (one set of labels, agreement unknown)"
	}
	return fmt.Sprintf("Dataset %s: %s, labeled by %s.", d.Name, items, by)
}

// facts say what could have been chosen after answers were seen.
func (w words) facts() []string {
	facts := lines(message("facts", w.Facts))
	return append([]string{}, facts...)
}
