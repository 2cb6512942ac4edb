package printer

import (
	"fmt"
	"io"
	"strings"

	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/rulesets/evaluate"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// EvaluationJUnit writes one test case for each rule and one for the score. A case fails
// if it keeps the artifact from passing: a fail rule that does not pass, or a score below
// the threshold. A warn or info rule that does not pass is skipped with its reason,
// because JUnit has no warnings. The run fails exactly if the artifact does not pass.
func EvaluationJUnit(w io.Writer, e *Evaluation) error {
	suite := render.JUnitSuite{Name: sanitize.Line(fmt.Sprintf("%s, phase %s", origin(e.Run), e.Score.Phase))}
	for i, o := range e.Score.Rules {
		suite.Add(ruleCase(&o, &e.Rules[i], e.Artifact))
	}
	suite.Add(scoreCase(&e.Score))
	return render.WriteJUnit(w, []render.JUnitSuite{suite})
}

func ruleCase(o *ruleset.Outcome, r *evaluate.RuleResult, artifact string) render.JUnitCase {
	class := o.ID
	if last := strings.LastIndexByte(o.ID, '.'); last > 0 {
		class = o.ID[:last]
	}
	t := text{render.Text{}}
	t.evidence(r, artifact)
	evidence := strings.TrimSpace(t.String())
	c := render.JUnitCase{Class: class, Name: o.ID}
	switch {
	case o.Verdict == ruleset.VerdictPass:
		c.Output = evidence
	case o.Severity == ruleset.SeverityFail:
		c.Failure = &render.JUnitMessage{Message: sanitize.Line(fmt.Sprintf("%s: %s", o.Verdict, o.Reason)), Text: evidence}
	default:
		c.Skipped = &render.JUnitMessage{Message: sanitize.Line(fmt.Sprintf("%s (%s): %s", o.Verdict, o.Severity, o.Reason)), Text: evidence}
	}
	return c
}

func scoreCase(s *ruleset.Score) render.JUnitCase {
	c := render.JUnitCase{Class: "score", Name: "score", Output: scoreLine(s)}
	for _, r := range s.Reasons {
		if r.Kind == ruleset.ReasonScore {
			c.Failure = &render.JUnitMessage{Message: r.String()}
		}
	}
	return c
}
