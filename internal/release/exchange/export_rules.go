package exchange

import (
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/clients/javascript"
	"github.com/rubric-library/rubric-library/internal/rulesets/evaluate"
	"github.com/rubric-library/rubric-library/internal/text/regex"
	"github.com/rubric-library/rubric-library/pkg/library"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// ruleSetName is the file with the canonical form of a rule set, whose SHA-256 is the document
// digest.
const ruleSetName = "ruleset.json"

// exportedRule is how promptfoo decides a rule.
type exportedRule struct {
	// Asked reports whether the judge decides, alone or with the searches.
	Asked bool `json:"asked"`
	// Searches are the checks that verdict.mjs runs, each of which must pass.
	Searches []exportedSearch `json:"searches"`

	rule *ruleset.Rule
}

// exportedSearch is a content check for the JavaScript of an export.
type exportedSearch struct {
	Expression string `json:"expression"` // of ECMAScript, for the flags gu
	IgnoreCase bool   `json:"ignore_case,omitempty"`
	Least      int    `json:"least"`
	Most       *int   `json:"most,omitempty"` // nil for no limit
}

// ruleQuestion is what the judge of promptfoo reads about a rule. promptfoo puts 1 or 0 in the
// place of a missing score, so neither is an answer.
type ruleQuestion struct {
	Rule  string `json:"rule"`
	Check string `json:"check"`
	Score string `json:"score"`
}

// ID is the ID of the rule. Question and Definition are JSON in which nothing is part of a
// template.
func (r exportedRule) ID() string { return r.rule.ID }
func (r exportedRule) Question() string {
	return withoutTemplates(indented(ruleQuestion{
		r.rule.Description, r.rule.Check, "3 if the output follows the rule, and 2 if it does not",
	}))
}
func (r exportedRule) Definition() string { return withoutTemplates(indented(r.rule)) }

// promptfooRules asks the judge for the rules that have no check or one that promptfoo can't run.
func promptfooRules(d *library.Document) (map[string]string, []Loss) {
	losses := []Loss{
		ownPrompt,
		{What: "promptfoo asks for each rule in a separate call. An answer without a score of 3 or 2 fails the test."},
		{What: "A variable of a test that is named `rubric` or `output` replaces what the judge reads."},
	}
	checks := map[string]exportedRule{}
	var rules []exportedRule
	var notRun []string
	for _, rule := range d.RuleSet.Active(ruleset.PhaseB) {
		exported := exportedRule{Asked: len(rule.Checks) == 0, Searches: []exportedSearch{}, rule: rule}
		for _, c := range rule.Checks {
			search, ok := searchOf(c)
			if !ok {
				exported.Asked = true
				notRun = append(notRun, rule.ID)
				continue
			}
			exported.Searches = append(exported.Searches, search)
		}
		checks[rule.ID] = exported
		rules = append(rules, exported)
	}
	if len(notRun) > 0 {
		losses = append(losses, Loss{
			fmt.Sprintf("The judge decides instead of checks that promptfoo can't run, which are executable, for certain files, or with an expression that JavaScript reads in another way: %s.", strings.Join(notRun, ", ")),
			true,
		})
	}
	return map[string]string{
		"promptfooconfig.yaml": execute("promptfooconfig-rules.yaml", map[string]any{
			"Reference": d.Reference.String(), "RuleSet": d.RuleSet, "Rules": rules,
		}),
		"verdict.mjs":       template("verdict.mjs"),
		"rubric-bundle.mjs": javascript.Source,
		"checks.json":       indented(checks),
		ruleSetName:         string(d.JSON()),
	}, losses
}

// searchOf is the form of a check for JavaScript, if it has one. The output of a test has no name,
// so that a check for certain files has none.
func searchOf(c ruleset.Check) (s exportedSearch, ok bool) {
	if c.Type != ruleset.CheckContent || len(c.Files) > 0 {
		return s, false
	}
	expression, err := evaluate.Expression(c)
	if err != nil {
		return s, false
	}
	s.IgnoreCase = c.IgnoreCase
	s.Least, s.Most = evaluate.Bounds(c)
	s.Expression, ok = regex.ECMAScript(expression.String())
	return s, ok
}
