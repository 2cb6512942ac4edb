package report

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/calibration/measure"
	"github.com/rubric-library/rubric-library/internal/document/jsontext"
)

// StatisticsVersion is the schema_version of Statistics. It is incremented with each
// incompatible change.
const StatisticsVersion = 2

// Statistics is the public summary of a dataset: views without data about single
// items.
type Statistics struct {
	SchemaVersion int            `json:"schema_version"`
	Dataset       DatasetSummary `json:"dataset"`
	Reports       []View         `json:"reports"`
}

// DatasetSummary is the description of a dataset and its labels.
type DatasetSummary struct {
	Name        string              `json:"name"`
	Description string              `json:"description,omitempty"`
	LabeledBy   calibration.Labeler `json:"labeled_by"`
	Method      string              `json:"method"`
	License     string              `json:"license"`
	Share       calibration.Share   `json:"share"`
	// Removed is how many items were removed through exceptions.
	Removed int `json:"removed,omitempty"`
}

// StatisticsOf are those of decisions on a dataset, in the same order.
func StatisticsOf(d *calibration.Dataset, all []*decide.Decision) *Statistics {
	s := &Statistics{
		SchemaVersion: StatisticsVersion, Reports: []View{},
		Dataset: DatasetSummary{d.Name, d.Description, d.LabeledBy, d.Method, d.License, d.Share, d.Removed},
	}
	for _, one := range all {
		shown := Of(one)
		shown.Persons = slices.Clone(shown.Persons)
		for i := range shown.Persons { // statistics are public
			shown.Persons[i].Rater = fmt.Sprintf("person %d", i+1)
		}
		s.Reports = append(s.Reports, *shown)
	}
	return s
}

// UnmarshalJSON reads what Encode wrote. Of another version, it reads no reports, whose numbers
// and words had another meaning.
func (s *Statistics) UnmarshalJSON(data []byte) error {
	var head struct {
		SchemaVersion int            `json:"schema_version"`
		Dataset       DatasetSummary `json:"dataset"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return err
	}
	*s = Statistics{SchemaVersion: head.SchemaVersion, Dataset: head.Dataset}
	if s.SchemaVersion != StatisticsVersion {
		return nil
	}
	var reports struct {
		Reports []View `json:"reports"`
	}
	err := json.Unmarshal(data, &reports)
	s.Reports = reports.Reports
	return err
}

// Encode returns the statistics as one line of JSON with sorted keys: equal statistics give
// equal bytes.
func (s *Statistics) Encode() ([]byte, error) {
	data, err := jsontext.Sorted(s)
	return append(data, '\n'), err
}

// Numbers are those of the first view on each judge.
func (s *Statistics) Numbers() *measure.Numbers {
	n := &measure.Numbers{Removed: s.Dataset.Removed, Judges: []measure.JudgeNumbers{}}
	for i := range s.Reports {
		r := &s.Reports[i]
		n.Items, n.Raters = r.Dataset.Test(), r.Dataset.Raters
		j := r.Judge
		if j != nil && !slices.ContainsFunc(n.Judges, func(other measure.JudgeNumbers) bool { return other.Name == j.Name }) {
			n.Judges = append(n.Judges, measure.JudgeNumbers{
				Name: j.Name, Model: j.Model, Run: j.Run, Correlation: r.Overall.Minimum,
			})
		}
	}
	return n
}
