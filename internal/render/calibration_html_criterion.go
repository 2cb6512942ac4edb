package render

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
)

// htmlCriterion is the pictures and numbers of a criterion.
type htmlCriterion struct {
	Name               string
	Outcome            htmlOutcome
	Items              int // those with a label and a score: without any there are no pictures
	Confusion, Scatter template.HTML
	ScatterText        string
	Tables             []*htmlTable
}

func newHTMLCriterion(id string, c *calibration.Criterion) *htmlCriterion {
	h := &htmlCriterion{Name: c.Name, Outcome: outcomeOf(c.Outcome), Items: c.Items, Tables: []*htmlTable{everyStatistic(c)}}
	if c.Items == 0 {
		return h
	}
	h.Confusion, h.Scatter = confusionPicture(id+"-counts", c), scatterPicture(id+"-scatter", c)
	h.ScatterText = "Each item by its scores, moved a little so that equal ones show."
	if c.Items > shownPoints {
		h.ScatterText = fmt.Sprintf("The first %d of %d items by their scores, moved a little so that equal ones show.", shownPoints, c.Items)
	}
	h.Tables = append(h.Tables, confusionTable(c), pairsTable(c))
	return h
}

// htmlHistory is the agreement over the recorded runs.
type htmlHistory struct {
	Text   string
	Panels []htmlPanel
	Table  *htmlTable
}

type htmlPanel struct {
	Name    string
	Picture template.HTML
}

// newHTMLHistory is nil if nothing is recorded.
func newHTMLHistory(id string, r *Calibration) *htmlHistory {
	records := r.History
	if len(records) == 0 {
		return nil
	}
	h := &htmlHistory{Text: fmt.Sprintf("%s, the newest to the right.", count(len(records), "recorded run"))}
	if len(records) > shownRecords {
		h.Text = fmt.Sprintf("The newest %d of %d recorded runs, the newest to the right.", shownRecords, len(records))
		records = records[len(records)-shownRecords:]
	}
	for i := range r.Criteria {
		name := r.Criteria[i].Name
		h.Panels = append(h.Panels, htmlPanel{name, historyPicture(fmt.Sprintf("%s-history-%d", id, i+1), name, r.Settings.Target, records)})
	}
	h.Table = historyTable(r.Report, records)
	return h
}

func historyTable(r *calibration.Report, records []calibration.Record) *htmlTable {
	t := &htmlTable{Caption: "Spearman correlation in each recorded run", Head: []string{"Run"}}
	for i := range r.Criteria {
		t.Head = append(t.Head, r.Criteria[i].Name)
	}
	t.Head = append(t.Head, "Model", "Words and labels", "Drift")
	for i := range records {
		record := &records[i]
		var cells []htmlCell
		for j := range r.Criteria {
			cells = append(cells, t.value(recordedEstimate(record, r.Criteria[j].Name).Value))
		}
		words := "the same"
		switch {
		case i == 0:
			words = "–"
		case otherWords(&records[i-1], record):
			words = "changed"
		}
		t.row(runName(&record.Judge), append(cells, plainCell("%s", record.Judge.Model), plainCell("%s", words), htmlCell{Text: driftWords(record), Class: "prose"})...)
	}
	return t
}

func driftWords(r *calibration.Record) string {
	switch {
	case r.Drift == nil:
		return "no run before"
	case r.Drift.Drifted:
		return "▼ " + strings.Join(r.Drift.Reasons, " ")
	}
	return "none"
}
