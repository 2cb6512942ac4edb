package rules

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/wording"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// itemsRead reports whether all items could be read, so that they can be counted.
func itemsRead(p *lint.CalibrationPass) bool {
	return !slices.ContainsFunc(p.Problems, func(problem calibration.Problem) bool {
		return strings.HasSuffix(problem.File.Path, "/"+calibration.ItemsFile)
	})
}

func tooFewItems(p *lint.CalibrationPass) {
	n := len(p.Dataset.Items)
	switch {
	case !itemsRead(p) || n >= p.Settings.MinimumItems:
	case p.Dataset.ItemsSource == nil:
		p.ReportFile(p.Dataset.File.Path, "This dataset has no items: there is no %s next to this file. Add at least %d items, preferably %d or more.", calibration.ItemsFile, p.Settings.MinimumItems, p.Settings.EnoughItems)
	default:
		p.ReportFile(p.Dataset.ItemsSource.Path, "Add items: this dataset has %s, and with fewer than %d no agreement is computed, so no judge can count as calibrated. Preferably have %d or more.", render.Count(n, "item"), p.Settings.MinimumItems, p.Settings.EnoughItems)
	}
}

func fewItems(p *lint.CalibrationPass) {
	if n := len(p.Dataset.Items); itemsRead(p) && n >= p.Settings.MinimumItems && n < p.Settings.EnoughItems {
		p.ReportFile(p.Dataset.ItemsSource.Path, "Add items if you can: this dataset has %s, and with fewer than %d it is usually unclear whether a judge meets the target.", render.Count(n, "item"), p.Settings.EnoughItems)
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
	p.Report(p.Dataset.File, criterion(p, i).Get("name").Span, "criteria["+p.Dataset.Criteria[i].Name+"]", nil, format, args...)
}

func fewLabels(p *lint.CalibrationPass) {
	n := len(p.Dataset.Items)
	if !itemsRead(p) || n < p.Settings.MinimumItems {
		return // reported by too-few-items
	}
	for i, c := range p.Dataset.Criteria {
		labeled, _, _ := labelsOf(p, c.Name)
		consequence := "and with fewer it is usually unclear whether a judge meets the target"
		enough := min(p.Settings.EnoughItems, n)
		if labeled < p.Settings.MinimumItems {
			enough, consequence = p.Settings.MinimumItems, "and with fewer no agreement is computed, so no judge can count as calibrated"
		}
		if labeled < enough {
			reportCriterion(p, i,
				"Label more items for %s: %d of %d have a label for it. At least %d are needed, %s.", schema.Quote(c.Name), labeled, n, enough, consequence)
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
		p.Report(p.Dataset.File, n.Span, "labeled_by", nil, "The authors of the rubric gave these labels. They know what they meant, so a judge that agrees with them does not count as calibrated. Use labels from people who did not write the rubric.")
	case calibration.Model:
		p.Report(p.Dataset.File, n.Span, "labeled_by", nil, "A model gave these labels. A judge that agrees with it only agrees with another judge, and does not count as calibrated. Use labels from people.")
	}
}

// shortExample is the length in bytes from which a text inside another is not a
// coincidence.
const shortExample = 30

// example is an example of a criterion, folded.
type example struct{ criterion, text string }

// keepExamples keeps the examples of a rubric that names a dataset of its library.
func keepExamples(p *lint.DocumentPass) any {
	var all []example
	if scoringOf(p) == nil || calibration.NameOf(p.Root().Get("calibration_dataset").Text()) == "" {
		return all
	}
	eachCriterion(p, func(c *criterionOf) {
		for _, e := range c.Examples {
			if text := e.Node.Text(); text != "" {
				all = append(all, example{c.Name, fold(rubric.Normalize(text))})
			}
		}
	})
	return all
}

// fold removes the differences that do not matter to a reader: case, and the
// whitespace between words.
func fold(text string) string {
	return strings.Join(strings.Fields(strings.ToLower(text)), " ")
}

func exampleItem(p *lint.CalibrationPass) {
	examples := func(f *lint.Facts) []example { return p.Kept(f).([]example) }
	for i := range p.Dataset.Items {
		item := &p.Dataset.Items[i]
		text := fold(item.Artifact)
		for _, f := range p.Joined {
			at := slices.IndexFunc(examples(f), func(e example) bool { return sameText(text, e.text) })
			if at < 0 {
				continue
			}
			p.Report(p.Dataset.ItemsSource, item.Span, item.ID, []lint.Related{{Location: f.At, Message: "the rubric"}},
				"Replace item %s: it is also an example of %s in %s. The judge reads that example with its score, so the agreement would look better than it is.",
				schema.Quote(item.ID), schema.Quote(examples(f)[at].criterion), f.ID)
			break
		}
	}
}

func sameText(a, b string) bool {
	switch {
	case a == b:
		return true
	case len(a) < len(b):
		return len(a) >= shortExample && strings.Contains(b, a)
	}
	return len(b) >= shortExample && strings.Contains(a, b)
}

func duplicateArtifact(p *lint.CalibrationPass) {
	first := map[[sha256.Size]byte]*calibration.Item{}
	for i := range p.Dataset.Items {
		item := &p.Dataset.Items[i]
		h := sha256.New()
		fmt.Fprintf(h, "%q", fold(item.Artifact))
		for _, key := range slices.Sorted(maps.Keys(item.Inputs)) {
			fmt.Fprintf(h, "%q%q", key, fold(item.Inputs[key]))
		}
		sum := [sha256.Size]byte(h.Sum(nil))
		before := first[sum]
		if before == nil {
			first[sum] = item
			continue
		}
		p.Report(p.Dataset.ItemsSource, item.Span, item.ID, []lint.Related{{Location: source.Locate(p.Dataset.ItemsSource, before.Span), Message: "the other item"}},
			"Remove one of the two: item %s has the same text as item %s, so the text would count twice.", schema.Quote(item.ID), schema.Quote(before.ID))
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
				p.Report(f, span, fmt.Sprintf("%s:%d", f.Path, at), nil,
					"Replace this e-mail address with one at example.com, or remove it: it is personal data, and everyone with a copy of the library can read it.")
			}
		}
	}
}

// isKey reports whether a text is a JSON key: a rater, which rater-address reports.
func isKey(data []byte, s source.Span) bool {
	rest, quoted := bytes.CutPrefix(data[s.End:], []byte(`"`))
	return quoted && bytes.HasPrefix(bytes.TrimLeft(rest[:min(len(rest), 16)], " \t"), []byte(":"))
}
