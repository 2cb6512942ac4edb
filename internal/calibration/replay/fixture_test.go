package replay

import (
	"testing"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/dev/documenttest"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// fataler is a test, with or without rapid.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

var _ fataler = (*testing.T)(nil)

// subject returns a rubric, which must be valid.
func subject(t fataler, doc *document.Document) *calibration.Subject {
	t.Helper()
	s, err := calibration.NewSubject(doc)
	if err != nil {
		t.Fatalf("%v: %v", err, doc.Problems)
	}
	return s
}

func parsed(doc map[string]any) *document.Document {
	return document.Parse(source.NewFile("rubrics/prd/x_v1.yaml", documenttest.JSON(doc)))
}

// criterion returns a criterion with a wording derived from its name.
func criterion(name, weight string, threshold float64) map[string]any {
	return map[string]any{
		"name": name, "description": "How it is.", "weight": weight, "threshold": threshold,
		"anchors":  map[string]any{"1": "bad", "2": "poor", "3": "fair", "4": "good", "5": "great"},
		"examples": map[string]any{"score_1": "no", "score_5": "yes"},
	}
}

func negative(name, effect string, patterns ...any) map[string]any {
	return map[string]any{"name": name, "fail_patterns": patterns, "effect": effect}
}

// rubricOf returns a rubric; a passThreshold of 0 means no threshold.
func rubricOf(passThreshold float64, criteria, negatives []any) map[string]any {
	doc := map[string]any{"rubric_id": "x_v1", "name": "X", "version": "1.0.0", "artifact_type": "prd", "criteria": criteria}
	if len(negatives) > 0 {
		doc["negative_criteria"] = negatives
	}
	if passThreshold > 0 {
		doc["scoring"] = map[string]any{"pass_threshold": passThreshold}
	}
	return doc
}
