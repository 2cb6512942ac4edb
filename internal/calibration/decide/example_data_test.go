package decide

import (
	"math"
	"os"
	"testing"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// TestExampleHasThePublishedCorrelation computes the report of the example. UniEval
// (Zhong and others 2022) publishes .662583.
func TestExampleHasThePublishedCorrelation(t *testing.T) {
	const example = "../../../examples/topical_chat/"
	name := "rubrics/dialog_response/dialog_response_v1.yaml"
	data, err := os.ReadFile(example + name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := calibration.NewSubject(document.Parse(source.NewFile(name, data)))
	if err != nil {
		t.Fatal(err)
	}
	d, problems, err := calibration.Load(os.DirFS(example), "topical_chat")
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	r := computed(d, s, d.Judge("unieval").NewestRun(), options)
	if got := r.Criteria[0].Spearman; !got.IsDefined() || math.Abs(got.Number-.662583) > 5.1e-7 {
		t.Errorf("Spearman %.8f %s, want .662583", got.Number, got.Undefined)
	}
	if c := r.Conditions[1]; c.Name != ConditionFreshness || c.Outcome != NotMet || r.Criteria[0].Fresh || r.Judge.Fresh {
		t.Errorf("%+v: neither raters nor judge read the rubric", c)
	}
}
