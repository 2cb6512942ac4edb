package printer

import (
	"io"

	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/rulesets/evaluate"
	"github.com/rubric-library/rubric-library/internal/rulesets/runfile"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// EvaluationVersion is the schema_version of the output of rubric rules evaluate and
// score. It is incremented with each incompatible change.
const EvaluationVersion = 1

type jsonEvaluation struct {
	SchemaVersion int                        `json:"schema_version"`
	RuleSet       *runfile.RuleSetReference  `json:"rule_set"`
	Template      *runfile.TemplateReference `json:"template"`
	Run           *jsonFile                  `json:"run"`
	Artifact      *jsonFile                  `json:"artifact"`
	Phase         ruleset.Phase              `json:"phase"`
	Passed        bool                       `json:"passed"`
	Score         float64                    `json:"score"`
	PassedWeight  float64                    `json:"passed_weight"`
	ActiveWeight  float64                    `json:"active_weight"`
	Threshold     float64                    `json:"threshold"`
	Blocking      []string                   `json:"blocking"`
	Reasons       []string                   `json:"reasons"`
	Verdicts      []jsonVerdict              `json:"verdicts"`
}

type jsonFile struct {
	File   string `json:"file"`
	Digest string `json:"digest"`
}

type jsonVerdict struct {
	Rule     string           `json:"rule"`
	Severity ruleset.Severity `json:"severity"`
	Weight   float64          `json:"weight"`
	Verdict  ruleset.Verdict  `json:"verdict"`
	Reason   string           `json:"reason,omitempty"`
	Source   evaluate.Source  `json:"source"`
	Checks   []jsonCheck      `json:"checks"`
}

type jsonCheck struct {
	ruleset.Check
	Verdict   ruleset.Verdict  `json:"verdict"`
	Reason    string           `json:"reason"`
	Count     *int             `json:"count,omitempty"`
	Places    []evaluate.Place `json:"places,omitempty"`
	ExitCode  *int             `json:"exit_code,omitempty"`
	Output    string           `json:"output,omitempty"`
	Truncated bool             `json:"truncated,omitempty"`
}

// EvaluationJSON writes the results of the rules of a phase as one object that conforms
// to schema/evaluation-output.schema.json. The output is also a valid file of verdicts.
func EvaluationJSON(w io.Writer, e *Evaluation) error {
	s := &e.Score
	out := jsonEvaluation{
		SchemaVersion: EvaluationVersion,
		RuleSet:       e.Run.Criteria.RuleSet, Template: e.Run.Criteria.Template,
		Phase: s.Phase, Passed: s.Passed, Score: s.Score, PassedWeight: s.PassedWeight, ActiveWeight: s.ActiveWeight,
		Threshold: s.Threshold, Blocking: s.Blocking, Reasons: make([]string, len(s.Reasons)),
		Verdicts: make([]jsonVerdict, len(s.Rules)),
	}
	if e.RunFile != "" {
		digest, err := e.Run.Digest()
		if err != nil {
			return err
		}
		out.Run = &jsonFile{e.RunFile, digest}
	}
	if e.Artifact != "" {
		out.Artifact = &jsonFile{e.Artifact, e.Digest}
	}
	for i, r := range s.Reasons {
		out.Reasons[i] = r.String()
	}
	for i, o := range s.Rules {
		out.Verdicts[i] = jsonVerdict{o.ID, o.Severity, o.Weight, o.Verdict, o.Reason, e.Rules[i].Source, checksJSON(e.Rules[i].Checks)}
	}
	return render.WriteJSON(w, out)
}

func checksJSON(checks []evaluate.CheckResult) []jsonCheck {
	out := make([]jsonCheck, len(checks))
	for i, c := range checks {
		out[i] = jsonCheck{
			Check: c.Check, Verdict: c.Verdict, Reason: c.Reason, ExitCode: c.ExitCode, Output: c.Output, Truncated: c.Truncated, Places: c.Places,
		}
		if c.Check.Type == ruleset.CheckContent && c.Verdict != ruleset.VerdictSkipped {
			out[i].Count = &c.Count
		}
	}
	return out
}
