package runfile

import (
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// ReadChecks reads a file of checks and returns the checks by rule ID. Every rule must be
// in rules.
func ReadChecks(f *source.File, rules []string) (map[string][]ruleset.Check, []source.Problem) {
	var file struct {
		Checks []RuleChecks `json:"checks"`
	}
	d, problems := read(f, &document.Checks, &file)
	if len(problems) > 0 {
		return nil, problems
	}
	c := checker{tree: d.Tree}
	c.known(rules, d.Root().Get("checks"), "rule")
	checks := make(map[string][]ruleset.Check, len(file.Checks))
	for _, r := range file.Checks {
		checks[r.Rule] = r.Checks
	}
	return checks, c.problems
}

// ReadVerdicts reads a file of verdicts and returns the results by rule ID. Every rule
// must be in rules, and a skipped rule needs a reason.
func ReadVerdicts(f *source.File, rules []string) (map[string]ruleset.Result, []source.Problem) {
	var file struct {
		Verdicts []struct {
			Rule    string          `json:"rule"`
			Verdict ruleset.Verdict `json:"verdict"`
			Reason  string          `json:"reason"`
		} `json:"verdicts"`
	}
	d, problems := read(f, &document.Verdicts, &file)
	if len(problems) > 0 {
		return nil, problems
	}
	c := checker{tree: d.Tree}
	list := d.Root().Get("verdicts")
	c.known(rules, list, "rule")
	results := make(map[string]ruleset.Result, len(file.Verdicts))
	for i, v := range file.Verdicts {
		if v.Verdict == ruleset.VerdictSkipped && v.Reason == "" {
			c.report(list.Items[i].Get("verdict"), nil, "The rule %s is skipped without a reason. Add a reason.", schema.Quote(v.Rule))
		}
		results[v.Rule] = ruleset.Result{Verdict: v.Verdict, Reason: v.Reason}
	}
	return results, c.problems
}

// Answers has the answers to the questions of rubric rules init. Nil lists and empty
// texts are unanswered questions.
type Answers struct {
	TaskType           string         `json:"task_type"`
	RuleSet            string         `json:"rule_set"`
	Template           string         `json:"template"`
	Section            string         `json:"section"`
	PassThreshold      *float64       `json:"pass_threshold"`
	MandatoryChecks    []string       `json:"mandatory_checks"`
	QualityPreferences []string       `json:"quality_preferences"`
	IdealResult        string         `json:"ideal_result"`
	Constraints        []string       `json:"constraints"`
	Remove             []string       `json:"remove"`
	Adjust             []string       `json:"adjust"`
	Add                []ruleset.Rule `json:"add"`
}

// ReadAnswers reads a file of answers. A rule to add needs a weight and a phase, but no
// check.
func ReadAnswers(f *source.File) (*Answers, []source.Problem) {
	a := &Answers{}
	d, problems := read(f, &document.Answers, a)
	if len(problems) > 0 {
		return nil, problems
	}
	c := checker{tree: d.Tree}
	c.ids(d.Root().Get("add"), "id")
	// An empty list is an answer as well.
	for key, list := range map[string]*[]string{
		"mandatory_checks": &a.MandatoryChecks, "quality_preferences": &a.QualityPreferences, "constraints": &a.Constraints,
		"remove": &a.Remove, "adjust": &a.Adjust,
	} {
		if d.Root().Get(key) != nil {
			*list = render.OrEmpty(*list)
		}
	}
	if d.Root().Get("add") != nil {
		a.Add = render.OrEmpty(a.Add)
	}
	return a, c.problems
}
