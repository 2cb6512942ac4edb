// Package printer prints runs of rule sets: their rules and the results for an artifact.
package printer

import (
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/rulesets/evaluate"
	"github.com/rubric-library/rubric-library/internal/rulesets/runfile"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// Evaluation has the results of the rules of a phase.
type Evaluation struct {
	Run *runfile.Run
	// RunFile is the name of the run file, or "" for the rules of a rule set.
	RunFile string
	// Artifact is the name of the file and Digest the digest of its bytes. Both are
	// empty if the score is computed from verdicts alone.
	Artifact, Digest string
	// Rules are the active rules, in the order of Score.Rules.
	Rules []evaluate.RuleResult
	Score ruleset.Score
}

func verdictStyle(v ruleset.Verdict) string {
	return map[ruleset.Verdict]string{
		ruleset.VerdictPass: "1;32", ruleset.VerdictFail: render.StyleError, ruleset.VerdictSkipped: render.StyleWarning,
	}[v]
}

// EvaluationText writes the verdict and evidence of each rule, then the score, the
// threshold, and why the artifact passes or fails.
func EvaluationText(w io.Writer, e *Evaluation, opts render.TextOptions) error {
	t := text{render.Text{Options: opts}}
	if e.Artifact != "" {
		t.Printf("%s, ", sanitize.Line(e.Artifact))
	}
	t.Printf("phase %s, %s\n\n", e.Score.Phase, sanitize.Line(origin(e.Run)))
	widest := 0
	for _, o := range e.Score.Rules {
		widest = max(widest, render.Columns(o.ID))
	}
	for i, o := range e.Score.Rules {
		verdict := t.Paint(verdictStyle(o.Verdict), fmt.Sprintf("%-7s", o.Verdict))
		t.Printf("%s  %s%s  severity %-4s  weight %s\n", verdict, sanitize.Line(o.ID), strings.Repeat(" ", widest-render.Columns(o.ID)), o.Severity, render.Number(o.Weight))
		t.evidence(&e.Rules[i], e.Artifact)
	}
	t.Printf("\n%s\n", t.Paint(render.StyleBold, scoreLine(&e.Score)))
	t.outcome(&e.Score)
	_, err := io.WriteString(w, t.String())
	return err
}

type text struct{ render.Text }

// shownPlaces is how many places of a check are shown.
const shownPlaces = 3

// evidence writes the reason of a rule's result.
func (t *text) evidence(r *evaluate.RuleResult, artifact string) {
	const indent = "         "
	if r.Reason != "" {
		t.Printf("%s%s\n", indent, sanitize.Line(r.Reason))
	}
	for _, c := range r.Checks {
		for _, p := range c.Places[:min(len(c.Places), shownPlaces)] {
			file := artifact
			if p.File != "" {
				file = path.Join(artifact, p.File)
			}
			t.Printf("%s%s %s\n", indent, t.Paint(render.StyleDim, fmt.Sprintf("%s:%d:%d:", sanitize.Line(file), p.Line, p.Column)), sanitize.Line(p.Excerpt))
		}
		if c.Verdict != ruleset.VerdictPass {
			for _, line := range lastLines(c.Output) {
				t.Printf("%s%s %s\n", indent, t.Paint(render.StyleDim, "|"), sanitize.Line(line))
			}
		}
	}
}

// lastLines returns the last lines of a command's output, which usually have the error.
func lastLines(output string) []string {
	const most = 10
	lines := strings.Split(strings.TrimSpace(output), "\n")
	if len(lines) == 1 && lines[0] == "" {
		return nil
	}
	return lines[max(0, len(lines)-most):]
}

// scoreLine returns the score as a fraction and as a number, and the threshold.
func scoreLine(s *ruleset.Score) string {
	if s.ActiveWeight == 0 {
		return fmt.Sprintf("Score 1 (phase %s has no scored rules), threshold %s", s.Phase, render.Number(s.Threshold))
	}
	return fmt.Sprintf("Score %s/%s = %s, threshold %s", render.Number(s.PassedWeight), render.Number(s.ActiveWeight), strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.4f", s.Score), "0"), "."), render.Number(s.Threshold))
}

func (t *text) outcome(s *ruleset.Score) {
	if s.Passed {
		t.Printf("%s: the score reaches the threshold, and all fail rules pass\n", t.Paint(verdictStyle(ruleset.VerdictPass), "Passed"))
		return
	}
	t.Printf("%s:\n", t.Paint(render.StyleError, "Not passed"))
	for _, r := range s.Reasons {
		t.Printf("- %s\n", sanitize.Line(r.String()))
	}
}

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
