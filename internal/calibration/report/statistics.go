package report

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/calibration/measure"
	"github.com/rubric-library/rubric-library/internal/document/jsontext"
)

// StatisticsVersion is the schema_version of Statistics. It is incremented with each
// incompatible change.
const StatisticsVersion = 1

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
		s.Reports = append(s.Reports, *ViewOf(one))
	}
	return s
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
		if j := r.Judge; j != nil && !slices.ContainsFunc(n.Judges, func(other measure.JudgeNumbers) bool { return other.Name == j.Name }) {
			n.Judges = append(n.Judges, measure.JudgeNumbers{Name: j.Name, Model: j.Model, Run: j.Run, Correlation: r.Overall.Minimum})
		}
	}
	return n
}
