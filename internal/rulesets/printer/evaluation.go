// Package printer prints runs of rule sets: their rules and the results for an artifact.
package printer

import (
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/rulesets"
	"github.com/rubric-library/rubric-library/internal/rulesets/evaluate"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// EvaluationVersion is the schema_version of the output of rubric rules evaluate and
// score. It is incremented with each incompatible change.
const EvaluationVersion = 1

// Evaluation has the results of the rules of a phase. Its JSON conforms to
// schema/evaluation-output.schema.json, and is also a valid file of verdicts.
type Evaluation struct {
	SchemaVersion int `json:"schema_version"`
	// RuleSet is the rule set that the rules come from; null if none.
	RuleSet *rulesets.RuleSetReference `json:"rule_set"`
	// Template is the template file that the rules come from; null if none.
	Template *rulesets.TemplateReference `json:"template"`
	// Run is the run file, with the digest of its criteria and prepared checks; null if a
	// rule set was scored without a run.
	Run *File `json:"run"`
	// Artifact is the artifact, with the digest of its bytes, of the names and digests of
	// a folder's files, or of a Git diff; null if only verdicts were scored.
	Artifact *File `json:"artifact"`

	Phase  ruleset.Phase `json:"phase"`
	Passed bool          `json:"passed"`
	// Score is passed_weight / active_weight; 1 if active_weight is 0.
	Score        float64 `json:"score"`
	PassedWeight float64 `json:"passed_weight"`
	ActiveWeight float64 `json:"active_weight"`
	// Threshold is the lowest passing score.
	Threshold float64 `json:"threshold"`
	// Blocking are the IDs of the fail rules that do not pass.
	Blocking []string `json:"blocking"`
	// Reasons say why the artifact does not pass, one sentence each; empty exactly if it
	// passes.
	Reasons []string `json:"reasons"`
	// Verdicts has one entry per active rule, in the order of the rules.
	Verdicts []evaluate.RuleResult `json:"verdicts"`
	// origin names the source of the rules, and scored is the reason for a score that is
	// too low, or "".
	origin, scored string
}

// File is a file that was read.
type File struct {
	File   string `json:"file"`
	Digest string `json:"digest"`
}

// NewEvaluation returns the record of the results of the rules of a run, and their score.
func NewEvaluation(run *rulesets.Run, rules []evaluate.RuleResult, s *ruleset.Score) *Evaluation {
	e := &Evaluation{
		SchemaVersion: EvaluationVersion,
		RuleSet:       run.Criteria.RuleSet, Template: run.Criteria.Template, origin: origin(run),
		Phase: s.Phase, Passed: s.Passed, Score: s.Score, PassedWeight: s.PassedWeight, ActiveWeight: s.ActiveWeight,
		Threshold: s.Threshold, Blocking: s.Blocking, Reasons: []string{}, Verdicts: rules,
	}
	for i, o := range s.Rules {
		r := &rules[i]
		r.Severity, r.Weight, r.Checks = o.Severity, o.Weight, render.OrEmpty(r.Checks)
	}
	for _, r := range s.Reasons {
		e.Reasons = append(e.Reasons, r.String())
		if r.Kind == ruleset.ReasonScore {
			e.scored = r.String()
		}
	}
	return e
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
	if e.Artifact != nil {
		t.Printf("%s, ", sanitize.Line(e.Artifact.File))
	}
	t.Printf("phase %s, %s\n\n", e.Phase, sanitize.Line(e.origin))
	t.verdicts(e)
	t.Printf("\n%s\n", t.Paint(render.StyleBold, e.scoreLine()))
	if e.Passed {
		t.Printf("%s: the score reaches the threshold, and all fail rules pass\n",
			t.Paint(verdictStyle(ruleset.VerdictPass), "Passed"))
	} else {
		t.Printf("%s:\n", t.Paint(render.StyleError, "Not passed"))
	}
	for _, r := range e.Reasons {
		t.Printf("- %s\n", sanitize.Line(r))
	}
	return t.Flush(w)
}

type text struct{ render.Text }

// verdicts writes the verdict of each rule with its evidence.
func (t *text) verdicts(e *Evaluation) {
	if len(e.Verdicts) == 0 {
		return
	}
	var rows [][]string
	for _, o := range e.Verdicts {
		rows = append(rows, []string{
			fmt.Sprintf("%-7s", o.Verdict), o.ID, "severity " + string(o.Severity),
			"weight " + render.Number(o.Weight),
		})
	}
	for i, row := range render.Rows(rows, 1, t.Options.Columns) {
		verdict := string(e.Verdicts[i].Verdict)
		t.Printf("%s%s\n", t.Paint(verdictStyle(e.Verdicts[i].Verdict), verdict), strings.TrimPrefix(row, verdict))
		t.evidence(&e.Verdicts[i], e.Artifact)
	}
}

// How many places of a check are shown, and how many lines of its output.
const (
	shownPlaces = 3
	shownLines  = 10
)

// evidence writes the reason of a rule's result.
func (t *text) evidence(r *evaluate.RuleResult, artifact *File) {
	const indent = "         "
	if r.Reason != "" {
		t.Printf("%s%s\n", indent, sanitize.Line(r.Reason))
	}
	for _, c := range r.Checks {
		for _, p := range c.Places[:min(len(c.Places), shownPlaces)] {
			file := artifact.File
			if p.File != "" {
				file = path.Join(file, p.File)
			}
			t.Printf("%s%s %s\n", indent,
				t.Paint(render.StyleDim, fmt.Sprintf("%s:%d:%d:", sanitize.Line(file), p.Line, p.Column)),
				sanitize.Line(p.Excerpt))
		}
		if output := strings.TrimSpace(c.Output); output != "" && c.Verdict != ruleset.VerdictPass {
			lines := strings.Split(output, "\n")
			for _, line := range lines[max(0, len(lines)-shownLines):] { // which usually have the error
				t.Printf("%s%s %s\n", indent, t.Paint(render.StyleDim, "|"), sanitize.Line(line))
			}
		}
	}
}

// scoreLine returns the score as a fraction and as a number, and the threshold.
func (e *Evaluation) scoreLine() string {
	if e.ActiveWeight == 0 {
		return fmt.Sprintf("Score 1 (phase %s has no scored rules), threshold %s", e.Phase, render.Number(e.Threshold))
	}
	return fmt.Sprintf("Score %s/%s = %s, threshold %s", render.Number(e.PassedWeight),
		render.Number(e.ActiveWeight),
		strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.4f", e.Score), "0"), "."), render.Number(e.Threshold))
}

// EvaluationJUnit writes one test case for each rule and one for the score. A case fails
// if it keeps the artifact from passing: a fail rule that does not pass, or a score below
// the threshold. A warn or info rule that does not pass is skipped with its reason,
// because JUnit has no warnings. The run fails exactly if the artifact does not pass.
func EvaluationJUnit(w io.Writer, e *Evaluation) error {
	suite := render.JUnitSuite{Name: sanitize.Line(fmt.Sprintf("%s, phase %s", e.origin, e.Phase))}
	for _, r := range e.Verdicts {
		suite.Add(ruleCase(&r, e.Artifact))
	}
	score := render.JUnitCase{Class: "score", Name: "score", Output: e.scoreLine()}
	if e.scored != "" {
		score.Failure = &render.JUnitMessage{Message: e.scored}
	}
	suite.Add(score)
	return render.WriteJUnit(w, []render.JUnitSuite{suite})
}

func ruleCase(r *evaluate.RuleResult, artifact *File) render.JUnitCase {
	class := r.ID
	if last := strings.LastIndexByte(r.ID, '.'); last > 0 {
		class = r.ID[:last]
	}
	t := text{render.Text{}}
	t.evidence(r, artifact)
	evidence := strings.TrimSpace(t.String())
	c := render.JUnitCase{Class: class, Name: r.ID}
	switch {
	case r.Verdict == ruleset.VerdictPass:
		c.Output = evidence
	case r.Severity == ruleset.SeverityFail:
		c.Failure = &render.JUnitMessage{Message: sanitize.Line(fmt.Sprintf("%s: %s", r.Verdict, r.Reason)), Text: evidence}
	default:
		c.Skipped = &render.JUnitMessage{
			Message: sanitize.Line(fmt.Sprintf("%s (%s): %s", r.Verdict, r.Severity, r.Reason)), Text: evidence,
		}
	}
	return c
}
