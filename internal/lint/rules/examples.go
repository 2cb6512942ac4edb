package rules

import (
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules/datasets"
	"github.com/rubric-library/rubric-library/internal/text/duplicate"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

// exampleRules compare the items of datasets with the examples of rubrics, which a judge has read
// with their scores.
var exampleRules = map[string]lint.Rule{
	"example-item": {
		Severity: lint.Warning, Spec: lint.RL09, Keep: keepExamples,
		Check: lint.OfDataset(datasets.OfValid(exampleItem)),
	},
	"other-example-item": {
		Severity: lint.Warning, Spec: lint.RL09, Keep: keepJudged,
		Check: lint.OfDataset(datasets.OfValid(otherExampleItem)),
	},
}

// example is an example of a criterion.
type example struct {
	criterion string
	text      duplicate.Text
}

// keepExamples keeps the examples of a rubric that names a dataset of its library.
func keepExamples(p *lint.DocumentPass) any {
	var all []example
	if scoringOf(p) == nil || calibration.NameOf(p.Root().Get("calibration_dataset").Text()) == "" {
		return all
	}
	eachCriterion(p, func(c *criterionOf) {
		for _, e := range c.Examples {
			if text := e.Node.Text(); text != "" {
				all = append(all, example{c.Name, duplicate.Read(text)})
			}
		}
	})
	return all
}

// exampleItem compares the items of a dataset with the examples of its rubrics.
func exampleItem(p *lint.CalibrationPass) {
	answered := p.Dataset.FirstRuns()
	examples := func(f *lint.Facts) []example { return p.KeptResult(f).([]example) }
	for i := range p.Dataset.Items {
		item := &p.Dataset.Items[i]
		text := duplicate.Read(item.Artifact)
		for _, f := range p.Joined {
			at := slices.IndexFunc(examples(f), func(e example) bool { return text.NearlyEquals(e.text) })
			if at < 0 {
				continue
			}
			e, how := examples(f)[at], "also"
			if !strings.Contains(text.Key, e.text.Key) && !strings.Contains(e.text.Key, text.Key) {
				how = "nearly"
			}
			advice := "Replace item %s"
			if answered[item.ID] != "" {
				advice = "Remove item %s and all answers to it, with an exception for evidence-changed (docs/versions.md)"
			}
			p.Report(p.Dataset.ItemsSource, item.Span, item.ID, []lint.Related{{Location: f.At, Message: "the rubric"}},
				advice+": it is %s an example of %s in %s. The judge reads that example with its score, so the agreement would look better than it is.",
				schema.Quote(item.ID), how, schema.Quote(e.criterion), f.ID)
			break
		}
	}
}

// otherExampleItem compares the items with the examples of all rubrics except those
// of the dataset.
func otherExampleItem(p *lint.CalibrationPass) {
	for i := range p.Dataset.Items {
		item := &p.Dataset.Items[i]
		for _, e := range examplesOf(p)[hashOf(wording.Read(item.Artifact))] {
			if slices.Contains(p.Joined, e.of) {
				continue // reported by example-item
			}
			related := []lint.Related{{Location: p.Locate(e.of.Path, e.at), Message: "the criterion with the example"}}
			p.Report(p.Dataset.ItemsSource, item.Span, item.ID, related,
				"Replace item %s: it is also an example of %s in %s, so a judge may have read it with its score.",
				schema.Quote(item.ID), schema.Quote(e.criterion), e.of.ID)
			break
		}
	}
}

// exampleOf is a criterion that has a text as an example.
type exampleOf struct {
	of        *lint.Facts
	criterion string
	at        source.Span
}

// examplesOf returns the examples of all rubrics by the hash of their words.
var examplesOf = lint.Once(func(p *lint.CalibrationPass) map[uint64][]exampleOf {
	all := map[uint64][]exampleOf{}
	for _, f := range p.Facts {
		j := p.KeptResult(f).(*judged)
		if j == nil {
			continue
		}
		for _, c := range j.criteria {
			for _, h := range c.examples {
				all[h] = append(all[h], exampleOf{f, c.name, c.at})
			}
		}
	}
	return all
})
