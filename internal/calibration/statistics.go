package calibration

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/jsontext"
)

// StatisticsVersion is the schema_version of Statistics. It grows when a program
// that reads them would break.
const StatisticsVersion = 1

// Statistics are what anybody may see of a dataset: what was computed, and nothing
// about a single item.
type Statistics struct {
	SchemaVersion int            `json:"schema_version"`
	Dataset       DatasetSummary `json:"dataset"`
	Reports       []Report       `json:"reports"`
}

// DatasetSummary is what a dataset says about its labels.
type DatasetSummary struct {
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	LabelledBy  Labeller `json:"labelled_by"`
	Method      string   `json:"method"`
	Licence     string   `json:"licence"`
	Share       Share    `json:"share"`
}

// Statistics are those of reports on the dataset, in their order.
func (d *Dataset) Statistics(reports []*Report) *Statistics {
	s := &Statistics{
		SchemaVersion: StatisticsVersion, Reports: []Report{},
		Dataset: DatasetSummary{d.Name, d.Description, d.LabelledBy, d.Method, d.Licence, d.Share},
	}
	for _, r := range reports {
		shown := *r
		shown.Worst = []Disagreement{} // these are items
		s.Reports = append(s.Reports, shown)
	}
	return s
}

// Encode writes the statistics as one line of JSON by RFC 8785: the same
// statistics are the same bytes.
func (s *Statistics) Encode() ([]byte, error) {
	data, err := jsontext.Canonical(s)
	return append(data, '\n'), err
}

// Reports are those of a rubric that the dataset joins: on the newest run of each
// judge, sorted by the name of the judge; or one on the labels alone where no judge
// answered.
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

// Freshest is the report that speaks for a rubric: of those that are calibrated
// the one with the newest run. Without any it is nil, and the reason says in
// sentences what keeps the one that came nearest from counting. Of two that are
// equal it is the first. There must be a report.
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

// date is that of the run, "" if there is none.
func (r *Report) date() string {
	if r.Judge == nil {
		return ""
	}
	return r.Judge.Date
}

// obstacle says why a report does not count: for what is true of all of it, else
// for the worst criterion.
func (r *Report) obstacle() string {
	if all := r.obstacles(); len(all) > 0 {
		return strings.Join(all, " ")
	}
	i := slices.IndexFunc(r.Criteria, func(c Criterion) bool { return c.Outcome == r.Outcome })
	return r.Criteria[i].Reason
}
