package calibration

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/jsontext"
)

// StatisticsVersion is the schema_version of Statistics. It is incremented with each
// incompatible change.
const StatisticsVersion = 1

// Statistics is the public summary of a dataset: reports without data about single
// items.
type Statistics struct {
	SchemaVersion int            `json:"schema_version"`
	Dataset       DatasetSummary `json:"dataset"`
	Reports       []Report       `json:"reports"`
}

// DatasetSummary is the description of a dataset and its labels.
type DatasetSummary struct {
	Name        string  `json:"name"`
	Description string  `json:"description,omitempty"`
	LabeledBy   Labeler `json:"labeled_by"`
	Method      string  `json:"method"`
	License     string  `json:"license"`
	Share       Share   `json:"share"`
}

// Statistics returns the statistics of reports on the dataset, in the same order.
func (d *Dataset) Statistics(reports []*Report) *Statistics {
	s := &Statistics{
		SchemaVersion: StatisticsVersion, Reports: []Report{},
		Dataset: DatasetSummary{d.Name, d.Description, d.LabeledBy, d.Method, d.License, d.Share},
	}
	for _, r := range reports {
		shown := *r
		shown.Worst = []Disagreement{} // these have the items' texts
		s.Reports = append(s.Reports, shown)
	}
	return s
}

// Encode returns the statistics as one line of canonical JSON (RFC 8785): equal
// statistics give equal bytes.
func (s *Statistics) Encode() ([]byte, error) {
	data, err := jsontext.Canonical(s)
	return append(data, '\n'), err
}

// Reports returns the reports of a rubric that the dataset joins: one on the newest run
// of each judge, sorted by the judge's name, or one on the labels alone if there are no
// runs.
func (d *Dataset) Reports(s *Subject, o Options) []*Report {
	var reports []*Report
	for i := range d.Judges {
		if run := d.Judges[i].Newest(s.Digest); run != nil {
			reports = append(reports, Compute(d, s, run, o))
		}
	}
	if len(reports) == 0 {
		reports = append(reports, Compute(d, s, nil, o))
	}
	return reports
}

// Freshest returns the calibrated report with the newest run, the first of equals. If
// no report is calibrated, it returns nil and the reason, in sentences, why the report
// that is closest to it does not count. reports must not be empty.
func Freshest(reports []*Report) (calibrated *Report, reason string) {
	nearest := slices.MinFunc(reports, func(a, b *Report) int {
		return cmp.Or(cmp.Compare(a.distance(), b.distance()), cmp.Compare(b.date(), a.date()))
	})
	if nearest.Calibrated {
		return nearest, ""
	}
	return nil, nearest.obstacle()
}

// distance orders reports by how far they are from being calibrated.
func (r *Report) distance() int {
	if r.Calibrated {
		return 0
	}
	return 1 + worse[r.Outcome]
}

// date returns the date of the run, or "" without a run.
func (r *Report) date() string {
	if r.Judge == nil {
		return ""
	}
	return r.Judge.Date
}

// obstacle says why a report does not count, what matters most first.
func (r *Report) obstacle() string {
	var reasons []string
	for _, c := range r.unmet() {
		reasons = append(reasons, c.Reason)
	}
	return strings.Join(reasons, " ")
}
