package site

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

type ruleSetPage struct {
	documentPage
	RuleSet *ruleset.RuleSet
	Phases  []phasePart
	Data    ruleSetData
}

// phasePart has the rules that a phase adds, the most severe first.
type phasePart struct {
	Phase ruleset.Phase
	Rules []*ruleset.Rule
}

// ruleSetData is the part of a rule set that the script needs.
type ruleSetData struct {
	ID      string          `json:"ruleset_id"`
	Scoring ruleset.Scoring `json:"scoring"`
	Rules   []ruleData      `json:"rules"`
}

type ruleData struct {
	ID       string           `json:"id"`
	Severity ruleset.Severity `json:"severity"`
	Weight   float64          `json:"weight"`
	Phase    ruleset.Phase    `json:"phase"`
	Checks   []ruleset.Check  `json:"checks,omitempty"`
}

func (b *builder) ruleSetPage(e *entry, versions []version, i int) error {
	var s ruleset.RuleSet
	if err := json.Unmarshal(versions[i].data, &s); err != nil {
		return fmt.Errorf("version %s: %w", versions[i].Version, err)
	}
	base, err := b.documentPage(e, &document.RuleSet, versions, i, s.Name, scriptName, benchName)
	if err != nil {
		return err
	}
	p := &ruleSetPage{documentPage: base, RuleSet: &s, Phases: phasesOf(&s)}
	p.Name, p.Description, p.Language, p.Metadata = s.Name, s.Description, s.Language, s.Metadata
	p.Data = ruleSetData{ID: s.ID, Scoring: s.Scoring, Rules: []ruleData{}}
	for _, r := range s.Rules {
		p.Data.Rules = append(p.Data.Rules, ruleData{r.ID, r.Severity, r.Weight, r.Phase, r.Checks})
	}
	p.Passes = "the score, which is the share of the weight that passes, is at least " + render.Number(s.Scoring.PassThreshold)
	if slices.ContainsFunc(s.Rules, func(r ruleset.Rule) bool { return r.Severity == ruleset.SeverityFail }) {
		p.Passes = "every rule with severity fail passes and " + p.Passes
	}
	if p.Latest {
		e.Rules = len(s.Rules)
	}
	return b.putDocument("ruleset.html", p, &p.documentPage)
}

// phasesOf groups rules by phase, and sorts them by severity.
func phasesOf(s *ruleset.RuleSet) []phasePart {
	var phases []phasePart
	for _, phase := range []ruleset.Phase{ruleset.PhaseA, ruleset.PhaseB} {
		part := phasePart{Phase: phase}
		for _, severity := range []ruleset.Severity{ruleset.SeverityFail, ruleset.SeverityWarn, ruleset.SeverityInfo} {
			for i := range s.Rules {
				if r := &s.Rules[i]; r.Phase == phase && r.Severity == severity {
					part.Rules = append(part.Rules, r)
				}
			}
		}
		if len(part.Rules) > 0 {
			phases = append(phases, part)
		}
	}
	return phases
}

// CheckWords describes the condition of a check in words.
func (ruleSetPage) CheckWords(c ruleset.Check) string {
	if c.Type == ruleset.CheckExecutable {
		return "this command must succeed"
	}
	what := "this text"
	if c.Pattern != "" {
		what = "this pattern"
	}
	var how []string
	if c.IgnoreCase {
		how = append(how, "ignoring case")
	}
	if c.Multiline {
		how = append(how, "line by line")
	}
	text := "the artifact has " + what
	switch {
	case c.Expect == ruleset.ExpectAbsent:
		text = "the artifact does not have " + what
	case c.MinCount != nil && c.MaxCount != nil:
		text += fmt.Sprintf(" %d to %d times", *c.MinCount, *c.MaxCount)
	case c.MinCount != nil:
		text += fmt.Sprintf(" %d times or more", *c.MinCount)
	case c.MaxCount != nil:
		text += fmt.Sprintf(" 1 to %d times", *c.MaxCount)
	}
	if len(c.Files) > 0 {
		how = append(how, "in files that match "+strings.Join(c.Files, " or "))
	}
	return strings.Join(append([]string{text}, how...), ", ")
}

// CheckText returns the text, pattern, or command of a check.
func (ruleSetPage) CheckText(c ruleset.Check) string {
	if c.Type == ruleset.CheckExecutable {
		data, err := json.Marshal(c.Command)
		if err != nil {
			return strings.Join(c.Command, " ")
		}
		return string(data)
	}
	return c.Pattern + c.Literal
}
