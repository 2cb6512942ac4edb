package datasets

import (
	"path"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// OfValid makes a rule from a check of datasets whose dataset.yaml is valid.
func OfValid(check func(*lint.CalibrationPass)) func(*lint.CalibrationPass) {
	return func(p *lint.CalibrationPass) {
		if p.Dataset != nil && p.Dataset.Head.Valid() {
			check(p)
		}
	}
}

// ofEvidence makes a rule from a check of datasets that can decide something. One that judges answered
// and that no rubric names any more stays as a record, and nothing about it can or need change.
func ofEvidence(check func(*lint.CalibrationPass)) func(*lint.CalibrationPass) {
	return OfValid(func(p *lint.CalibrationPass) {
		if len(p.Joined) > 0 || !hasAnswers(p) {
			check(p)
		}
	})
}

// hasAnswers reports whether a judge answered an item, so that no entry of the dataset can be removed.
func hasAnswers(p *lint.CalibrationPass) bool { return len(p.Dataset.FirstRuns()) > 0 }

// appliesTo returns the node of an ID in the list of rubrics.
func appliesTo(p *lint.CalibrationPass, i int) *yamltree.Node {
	return p.Dataset.Head.Root().Get("applies_to").Items[i]
}

// criterion returns the node of a criterion in the list of labeled criteria.
func criterion(p *lint.CalibrationPass, i int) *yamltree.Node {
	return p.Dataset.Head.Root().Get("criteria").Items[i]
}

// datasetFile is the path of the dataset, as rubrics name it.
func datasetFile(p *lint.CalibrationPass) string {
	return path.Join(calibration.Root, p.Dataset.Name, calibration.DatasetFile)
}

// otherRubrics are the IDs of those that the dataset does not list.
func otherRubrics(p *lint.CalibrationPass) []string {
	var ids []string
	for _, f := range p.Facts {
		if f.Kind == &document.Rubric && !slices.Contains(p.Dataset.AppliesTo, f.ID) {
			ids = append(ids, f.ID)
		}
	}
	return ids
}

// notNaming is the valid rubric with an ID if it does not name the dataset, else nil.
func notNaming(p *lint.CalibrationPass, id string) *lint.Facts {
	f := p.Documents[id]
	if f == nil || f.Kind != &document.Rubric || f.Invalid ||
		f.Calibrated != nil && f.Calibrated.Dataset == p.Dataset.Name {
		return nil
	}
	return f
}
