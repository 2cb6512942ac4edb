package datasets

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

// itemsRead reports whether all items could be read, so that they can be counted.
func itemsRead(p *lint.CalibrationPass) bool {
	return !slices.ContainsFunc(p.Problems, func(problem calibration.DatasetProblem) bool {
		return strings.HasSuffix(problem.File.Path, "/"+calibration.ItemsFile)
	})
}

func tooFewItems(p *lint.CalibrationPass) {
	n := len(p.Dataset.Items)
	switch {
	case !itemsRead(p) || n >= p.Settings.MinimumItems:
	case p.Dataset.ItemsSource == nil:
		p.ReportFile(p.Dataset.File.Path,
			"This dataset has no items: there is no %s next to this file. Add at least %d items, preferably %d or more.",
			calibration.ItemsFile, p.Settings.MinimumItems, p.Settings.EnoughItems)
	default:
		p.ReportFile(p.Dataset.ItemsSource.Path,
			"Add items: this dataset has %s, and with fewer than %d no agreement is computed, so no judge can count as calibrated. Preferably have %d or more.",
			render.Count(n, "item"), p.Settings.MinimumItems, p.Settings.EnoughItems)
	}
}

func fewItems(p *lint.CalibrationPass) {
	if n := len(p.Dataset.Items); itemsRead(p) && n >= p.Settings.MinimumItems && n < p.Settings.EnoughItems {
		p.ReportFile(p.Dataset.ItemsSource.Path,
			"Add items if you can: this dataset has %s, and with fewer than %d it is usually unclear whether a judge meets the target.",
			render.Count(n, "item"), p.Settings.EnoughItems)
	}
}

// labelsOf counts the labels of a criterion: the items that have any, the items that
// have several, and how often each label, rounded half up, occurs.
func labelsOf(p *lint.CalibrationPass, criterion string) (labeled, twice int, labels [6]int) {
	for i := range p.Dataset.Items {
		raters := 0
		for _, byCriterion := range p.Dataset.Items[i].Labels {
			if label, ok := byCriterion[criterion]; ok {
				raters++
				labels[agreement.Round(label)]++
			}
		}
		labeled += min(raters, 1)
		twice += min(raters/2, 1)
	}
	return labeled, twice, labels
}

// reportCriterion adds a finding at the name of a labeled criterion.
func reportCriterion(p *lint.CalibrationPass, i int, format string, args ...any) {
	p.Report(p.Dataset.File, criterion(p, i).Get("name").Span, "criteria["+p.Dataset.Criteria[i].Name+"]", nil,
		format, args...)
}

func fewLabels(p *lint.CalibrationPass) {
	n := len(p.Dataset.Items)
	if !itemsRead(p) || n < p.Settings.MinimumItems {
		return // reported by too-few-items
	}
	for i, c := range p.Dataset.Criteria {
		labeled, _, _ := labelsOf(p, c.Name)
		enough := min(p.Settings.EnoughItems, n)
		consequence := "and with fewer it is usually unclear whether a judge meets the target"
		if labeled < p.Settings.MinimumItems {
			enough = p.Settings.MinimumItems
			consequence = "and with fewer no agreement is computed, so no judge can count as calibrated"
		}
		if labeled < enough {
			reportCriterion(p, i,
				"Label more items for %s: %d of %d have a label for it. At least %d are needed, %s.",
				schema.Quote(c.Name), labeled, n, enough, consequence)
		}
	}
}

func oneSidedLabels(p *lint.CalibrationPass) {
	for i, c := range p.Dataset.Criteria {
		labeled, _, labels := labelsOf(p, c.Name)
		low, high := labels[1]+labels[2], labels[4]+labels[5]
		if !itemsRead(p) || labeled < p.Settings.MinimumItems || low > 0 && high > 0 {
			continue
		}
		missing := "no label is below 3 and none is above"
		switch {
		case high > 0:
			missing = "no label is 1 or 2"
		case low > 0:
			missing = "no label is 4 or 5"
		}
		reportCriterion(p, i,
			"Add items of the missing kind for %s: %s, so these items can't show whether a judge can tell good from bad.", schema.Quote(c.Name), missing)
	}
}

func oneRater(p *lint.CalibrationPass) {
	raters := p.Dataset.Raters()
	if len(raters) == 0 || !itemsRead(p) {
		return
	}
	if len(raters) == 1 {
		n := p.Dataset.Head.Root().Get("labeled_by")
		p.Report(p.Dataset.File, n.Span, "labeled_by", nil,
			"All labels are from one rater, so it is unknown how far people agree with each other, which is the upper bound for a judge. Have a second person label some of the items.")
		return
	}
	for i, c := range p.Dataset.Criteria {
		if labeled, twice, _ := labelsOf(p, c.Name); labeled > 0 && twice == 0 {
			reportCriterion(p, i,
				"No item has labels from two raters for %s, so it is unknown how far people agree with each other. Have a second person label some of the items.", schema.Quote(c.Name))
		}
	}
}

func labelsNotByPeople(p *lint.CalibrationPass) {
	n := p.Dataset.Head.Root().Get("labeled_by")
	switch p.Dataset.LabeledBy {
	case calibration.Authors:
		p.Report(p.Dataset.File, n.Span, "labeled_by", nil,
			"The authors of the rubric gave these labels. They know what they meant, so a judge that agrees with them does not count as calibrated. Use labels from people who did not write the rubric.")
	case calibration.Model:
		p.Report(p.Dataset.File, n.Span, "labeled_by", nil,
			"A model gave these labels. A judge that agrees with it only agrees with another judge, and does not count as calibrated. Use labels from people.")
	}
}

func duplicateArtifact(p *lint.CalibrationPass) {
	first, answered := map[string]*calibration.Item{}, p.Dataset.FirstRuns()
	for i := range p.Dataset.Items {
		item := &p.Dataset.Items[i]
		key := item.SameKey()
		before := first[key]
		if before == nil {
			first[key] = item
			continue
		}
		if answered[item.ID] != "" && answered[before.ID] != "" {
			continue // both stay, and count as one
		}
		surplus, other := item, before
		if answered[item.ID] != "" {
			surplus, other = before, item
		}
		related := []lint.Related{{Location: source.Locate(p.Dataset.ItemsSource, other.Span), Message: "the other item"}}
		p.Report(p.Dataset.ItemsSource, surplus.Span, surplus.ID, related,
			"Remove item %s: it has the same text as item %s, apart from case, spaces, and punctuation, so both count as one.",
			schema.Quote(surplus.ID), schema.Quote(other.ID))
	}
}

// ofAnswered says what else it takes to change an item, if a judge answered any.
func ofAnswered(p *lint.CalibrationPass) string {
	if !hasAnswers(p) {
		return ""
	}
	return " (if a judge answered the item, with an exception for evidence-changed: docs/versions.md)"
}

func sameRater(p *lint.CalibrationPass) {
	for _, group := range calibration.SameRaters(p.Dataset.Raters()) {
		at := slices.IndexFunc(p.Dataset.Items, func(item calibration.Item) bool { return item.AnsweredCriteria()[group[1]] != nil })
		p.Report(p.Dataset.ItemsSource, p.Dataset.Items[at].Span, group[0], nil,
			"Give each person one name%s: the raters %s differ only in case and punctuation, so they are probably one person, who would count as %d.",
			ofAnswered(p), schema.Or(group, "and"), len(group))
	}
}

func addressInText(p *lint.CalibrationPass) {
	files := []*source.File{p.Dataset.File}
	if p.Dataset.ItemsSource != nil {
		files = append(files, p.Dataset.ItemsSource)
	}
	for i := range p.Dataset.Judges {
		files = append(files, p.Dataset.Judges[i].Files...)
	}
	for _, f := range files {
		for at := 0; ; at++ {
			next := bytes.IndexByte(f.Data[at:], '@')
			if next < 0 {
				break
			}
			at += next
			start, end := wording.Address(f.Data, at)
			if span := (source.Span{Start: start, End: end}); end > 0 && !isKey(f.Data, span) {
				advice := "Replace this e-mail address with one at example.com, or remove it"
				if f != p.Dataset.File {
					advice += ofAnswered(p)
				}
				p.Report(f, span, fmt.Sprintf("%s:%d", f.Path, at), nil,
					"%s: it is personal data, and everyone with a copy of the library can read it.", advice)
			}
		}
	}
}

// isKey reports whether a text is a JSON key: a rater, which rater-address reports.
func isKey(data []byte, s source.Span) bool {
	rest, quoted := bytes.CutPrefix(data[s.End:], []byte(`"`))
	return quoted && bytes.HasPrefix(bytes.TrimLeft(rest[:min(len(rest), 16)], " \t"), []byte(":"))
}
