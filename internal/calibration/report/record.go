package report

import (
	"encoding/json"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/calibration/measure"
)

// Record is a line of history.jsonl: the summary of a report when it was recorded.
type Record struct {
	SchemaVersion int                 `json:"schema_version"`
	Date          string              `json:"date"`
	Rubric        measure.Rubric      `json:"rubric"`
	LabelsDigest  string              `json:"labels_digest"`
	LabeledBy     calibration.Labeler `json:"labeled_by"`
	Judge         measure.Judge       `json:"judge"`
	Settings      SettingsUsed        `json:"settings"`
	Criteria      []RecordedCriterion `json:"criteria"`
	// Rank and Gate are what the judge might be used for, "" in the records of earlier
	// programs. They are for people: no program trusts them.
	Rank decide.Answer `json:"rank,omitempty"`
	Gate decide.Answer `json:"gate,omitempty"`
	// Accepted is the reason for which a person made the run the reference, or "".
	Accepted string `json:"accepted,omitempty"`
}

// RecordedCriterion is the summary of a criterion.
type RecordedCriterion struct {
	Name     string             `json:"name"`
	Spearman agreement.Estimate `json:"spearman"`
	Bias     agreement.Estimate `json:"bias"`
	Outcome  decide.Outcome     `json:"outcome"`
}

// Start is when the run began.
func (r *Record) Start() calibration.Start {
	return calibration.Start{Run: r.Judge.Run, Date: r.Date, Time: r.Judge.Started}
}

// RecordVersion is the schema_version of a record.
const RecordVersion = 1

// NewRecord summarizes a report, which must have a judge. Everything else can be computed again
// from the recorded answers.
func NewRecord(r *View) *Record {
	record := &Record{
		SchemaVersion: RecordVersion, Date: r.Judge.Date, Rubric: r.Rubric, LabelsDigest: r.Dataset.LabelsDigest,
		LabeledBy: r.Dataset.LabeledBy, Judge: *r.Judge, Settings: r.Settings, Rank: r.Rank.Answer, Gate: r.Gate.Answer,
	}
	for _, c := range r.Criteria {
		record.Criteria = append(record.Criteria, RecordedCriterion{c.Name, c.Spearman, c.Bias, c.Outcomes.Outcome})
	}
	return record
}

// Encode returns the record as a line of JSON.
func (r *Record) Encode() ([]byte, error) {
	line, err := json.Marshal(r)
	return append(line, '\n'), err
}

// Records returns the records of a rubric and a judge, oldest first. It skips lines in
// other formats.
func Records(d *calibration.Dataset, rubricID, judge string) []Record {
	var records []Record
	for _, line := range d.History {
		var r Record
		if json.Unmarshal(line, &r) == nil && r.SchemaVersion == RecordVersion && r.Rubric.ID == rubricID && r.Judge.Name == judge {
			records = append(records, r)
		}
	}
	return records
}

// Recorded reports whether the history already has an equal record of the same run and
// labels. If the labeler or the limits changed since, the old record would misstate what the
// judge may be used for.
func Recorded(d *calibration.Dataset, r *Record) bool {
	recorded := false
	for _, before := range Records(d, r.Rubric.ID, r.Judge.Name) {
		if before.Judge.Run == r.Judge.Run && before.LabelsDigest == r.LabelsDigest && before.Rubric.JudgeDigest == r.Rubric.JudgeDigest {
			recorded = before.LabeledBy == r.LabeledBy && before.Rank == r.Rank && before.Gate == r.Gate && (r.Accepted == "" || before.Accepted == r.Accepted)
		}
	}
	return recorded
}

// Accepted are the runs of a judge that a person made the reference, oldest first.
func Accepted(d *calibration.Dataset, rubricID, judge string) (runs []string) {
	for _, r := range Records(d, rubricID, judge) {
		if r.Accepted != "" {
			runs = append(runs, r.Judge.Run)
		}
	}
	return runs
}
