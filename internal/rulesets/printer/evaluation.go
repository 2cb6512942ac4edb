// Package printer prints runs of rule sets: their rules and the results for an artifact.
package printer

import (
	"fmt"
	"io"
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
			t.Printf("%s%s %s\n", indent, t.Paint(render.StyleDim, fmt.Sprintf("%s:%d:%d:", sanitize.Line(artifact), p.Line, p.Column)), sanitize.Line(p.Excerpt))
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
