package printer

import (
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
)

// shownRecords is how many of the newest recorded runs the page lists.
const shownRecords = 60

// historyTable returns nil if no run is recorded.
func historyTable(r *calibration.Tracked) *htmlTable {
	records := r.History
	if len(records) == 0 {
		return nil
	}
	t := &htmlTable{Caption: "Spearman correlation in each recorded run", Head: []string{"Run"}}
	if len(records) > shownRecords {
		t.Caption += fmt.Sprintf(", the newest %d of %d", shownRecords, len(records))
		records = records[len(records)-shownRecords:]
	}
	for i := range r.Criteria {
		t.Head = append(t.Head, r.Criteria[i].Name)
	}
	t.Head = append(t.Head, "Model", "Wording and labels", "Drift")
	for i := range records {
		record := &records[i]
		var cells []htmlCell
		for j := range r.Criteria {
			cells = append(cells, t.value(recordedEstimate(record, r.Criteria[j].Name).Value))
		}
		words := "unchanged"
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

// otherWords reports whether two records are for different wordings or labels, which
// makes their numbers incomparable.
func otherWords(before, after *calibration.Record) bool {
	return before.Rubric.JudgeDigest != after.Rubric.JudgeDigest || before.LabelsDigest != after.LabelsDigest
}

// recordedEstimate is the correlation of a criterion in a record.
func recordedEstimate(r *calibration.Record, criterion string) *agreement.Estimate {
	for i := range r.Criteria {
		if r.Criteria[i].Name == criterion {
			return &r.Criteria[i].Spearman
		}
	}
	return &agreement.Estimate{Value: agreement.Value{Undefined: "the run has no such criterion"}}
}

func driftWords(r *calibration.Record) string {
	switch {
	case r.Drift == nil:
		return "first run"
	case r.Drift.Drifted:
		return "▼ " + strings.Join(r.Drift.Reasons, " ")
	}
	return "none"
}
