package calibration

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/document/jsontext"
)

// Record is a line of history.jsonl: the summary of a report when it was recorded.
type Record struct {
	SchemaVersion int                 `json:"schema_version"`
	Date          string              `json:"date"`
	Rubric        RubricReference     `json:"rubric"`
	LabelsDigest  string              `json:"labels_digest"`
	LabeledBy     Labeler             `json:"labeled_by"`
	Judge         JudgeReference      `json:"judge"`
	Settings      SettingsUsed        `json:"settings"`
	Criteria      []RecordedCriterion `json:"criteria"`
	// Rank and Gate are what the judge might be used for, "" in the records of earlier
	// programs. They are for people: no program trusts them.
	Rank Outcome `json:"rank,omitempty"`
	Gate Outcome `json:"gate,omitempty"`
	// Accepted is the reason for which a person made the run the reference, or "".
	Accepted string `json:"accepted,omitempty"`
}

// RecordedCriterion is the summary of a criterion.
type RecordedCriterion struct {
	Name     string             `json:"name"`
	Spearman agreement.Estimate `json:"spearman"`
	Bias     agreement.Estimate `json:"bias"`
	Outcome  Outcome            `json:"outcome"`
}

// Start is when the run began.
func (r *Record) Start() Start { return Start{r.Judge.Run, r.Date, r.Judge.Started} }

// RecordVersion is the schema_version of a record.
const RecordVersion = 1

// NewRecord summarizes a report, which must have a judge. Everything else can be computed again
// from the recorded answers.
func NewRecord(r *Report) *Record {
	record := &Record{
		SchemaVersion: RecordVersion, Date: r.Judge.Date, Rubric: r.Rubric, LabelsDigest: r.Dataset.LabelsDigest,
		LabeledBy: r.Dataset.LabeledBy, Judge: *r.Judge, Settings: r.Settings, Rank: r.Rank.Outcome, Gate: r.Gate.Outcome,
	}
	for _, c := range r.Criteria {
		record.Criteria = append(record.Criteria, RecordedCriterion{c.Name, c.Spearman, c.Bias, c.Outcome})
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
func (d *Dataset) Records(rubricID, judge string) []Record {
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
func (d *Dataset) Recorded(r *Record) bool {
	recorded := false
	for _, before := range d.Records(r.Rubric.ID, r.Judge.Name) {
		if before.Judge.Run == r.Judge.Run && before.LabelsDigest == r.LabelsDigest && before.Rubric.JudgeDigest == r.Rubric.JudgeDigest {
			recorded = before.LabeledBy == r.LabeledBy && before.Rank == r.Rank && before.Gate == r.Gate && (r.Accepted == "" || before.Accepted == r.Accepted)
		}
	}
	return recorded
}

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
	// Removed is how many items were removed through exceptions.
	Removed int `json:"removed,omitempty"`
}

// Statistics returns the statistics of reports on the dataset, in the same order. removed
// counts the items that were removed through exceptions.
func (d *Dataset) Statistics(reports []*Report, removed int) *Statistics {
	s := &Statistics{
		SchemaVersion: StatisticsVersion, Reports: []Report{},
		Dataset: DatasetSummary{d.Name, d.Description, d.LabeledBy, d.Method, d.License, d.Share, removed},
	}
	for _, r := range reports {
		shown := *r
		shown.Worst = []Disagreement{} // these have the items' texts
		s.Reports = append(s.Reports, shown)
	}
	return s
}

// Encode returns the statistics as one line of JSON with sorted keys: equal statistics give
// equal bytes.
func (s *Statistics) Encode() ([]byte, error) {
	data, err := jsontext.Sorted(s)
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

// Best returns the report of the judge that may be used for most, the newest of equals.
// reports must not be empty.
func Best(reports []*Report) *Report {
	return slices.MinFunc(reports, func(a, b *Report) int {
		return cmp.Or(cmp.Compare(worse[a.Gate.Outcome], worse[b.Gate.Outcome]), cmp.Compare(worse[a.Rank.Outcome], worse[b.Rank.Outcome]), b.start().Compare(a.start()))
	})
}

// start is when the run began; the zero value without a run.
func (r *Report) start() Start {
	if r.Judge == nil {
		return Start{}
	}
	return r.Judge.Start()
}

// Measured reports whether the run says how well a judge agrees with people on the words of
// today. It also does if it has no correlation, as of a judge that always gives the same score.
func (r *Report) Measured() bool {
	fresh := r.Judge != nil && r.Judge.Fresh && r.Dataset.LabeledBy == People
	return fresh && !slices.ContainsFunc(r.Criteria, func(c Criterion) bool { return !c.Fresh })
}

// Obstacle says why a judge is not calibrated, what matters most first, or is "".
func (r *Report) Obstacle() string {
	if r.Calibrated {
		return ""
	}
	reasons := strings.Join(slices.Concat(r.Reasons(NotMet), r.Reasons(Undecided)), " ")
	if strings.Contains(reasons, r.Gate.Reason) {
		return reasons
	}
	return strings.TrimSpace(reasons + " " + r.Gate.Reason)
}

// Tracked is a report with the earlier records.
type Tracked struct {
	*Report
	// History is the records of the same rubric and judge, oldest first.
	History []Record `json:"history"`
	// Drift compares the run with the previous one; nil if there is no previous run.
	Drift *Comparison `json:"drift"`
	// Reference compares it with the reference run, which a judge that changes a little
	// each week moves away from; nil where that is the run itself or the one before.
	Reference *Comparison `json:"reference"`

	// before and reference are the runs that this one is compared with, or nil.
	before, reference *Run
}

// Track computes the report on a run, or on the labels alone if run is nil.
func Track(d *Dataset, s *Subject, run *Run, o Options) Tracked {
	if run == nil {
		return Tracked{Report: Compute(d, s, nil, o), History: []Record{}}
	}
	all := d.series(s, run, o)
	r := Tracked{Report: all.certified(), History: append([]Record{}, d.Records(s.Rubric.ID, run.Judge)...)}
	if last := len(all.runs) - 1; last > 0 {
		r.before = all.runs[last-1]
		r.Drift = Compare(d.asOf(run).test(), r.before, run, o)
	}
	r.reference = all.reference(r.History)
	if r.reference != nil && r.reference != run && r.reference != r.before {
		r.Reference = Compare(d.asOf(run).test(), r.reference, run, o)
	}
	return r
}

// reference is the run that a later one is compared with, or nil: the last that a person
// accepted, else the first that met every condition.
func (s *series) reference(records []Record) *Run {
	for _, r := range slices.Backward(records) {
		at := slices.IndexFunc(s.runs, func(run *Run) bool { return run.Name == r.Judge.Run })
		if r.Accepted != "" && at >= 0 {
			return s.runs[at]
		}
	}
	for i, run := range s.runs {
		if s.report(i).Outcome == Met {
			return run
		}
	}
	return nil
}

// Drifted reports whether the judge became worse than in the run before, or than in the
// reference run, by more than chance and its own noise. An improvement is no drift.
func (r *Tracked) Drifted() bool {
	return r.Drift != nil && r.Drift.Worse || r.Reference != nil && r.Reference.Worse
}

// NeedsAttention reports whether a weekly check has something that a person must look at:
// drift, a run without any readable answer, or a rubric whose labels are by people and
// whose verdicts the judge may not give. Demonstrations decide nothing else.
func (r *Tracked) NeedsAttention() bool {
	silent := r.Judge != nil && r.Coverage.Share == 0
	return r.Drifted() || silent || !r.Gate.Given() && !r.Dataset.Demonstration()
}

// Standing says in sentences what the run can't be compared with. It is empty without
// recorded runs, and for demonstrations, which are never calibrated.
func (r *Tracked) Standing() (lines []string) {
	if r.Judge == nil || len(r.History) == 0 || r.Dataset.Demonstration() {
		return nil
	}
	if r.before == nil {
		lines = append(lines, "No earlier run is by the same judge and for the same words: what other runs gave does not hold, and there is nothing to compare with.")
	}
	accepted := slices.ContainsFunc(r.History, func(one Record) bool { return one.Accepted != "" && one.Judge.Run == r.Judge.Run })
	if r.reference == nil && !accepted {
		lines = append(lines, "There is no reference run: no run of this judge for these words met every condition or was accepted.")
	}
	return lines
}
