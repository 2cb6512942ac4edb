package rulesets

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// ReadChecks reads a file of checks and returns the checks by rule ID. Every rule must be
// in rules, and no check useless.
func ReadChecks(f *source.File, rules []string) (map[string][]ruleset.Check, []source.Problem) {
	var file struct {
		Checks []RuleChecks `json:"checks"`
	}
	d, problems := read(f, &document.Checks, &file)
	if len(problems) > 0 {
		return nil, problems
	}
	c := checker{tree: d.Tree}
	list := d.Root().Get("checks")
	c.checkKnown(rules, list, "rule")
	checks := make(map[string][]ruleset.Check, len(file.Checks))
	for i, r := range file.Checks {
		checks[r.Rule] = r.Checks
		for j := range r.Checks {
			if key, problem := Useless(&r.Checks[j]); problem != "" {
				c.report(list.Items[i].Get("checks").Items[j].Get(key), nil, "Check %d of %s: %s.", j+1, r.Rule, problem)
			}
		}
	}
	return checks, c.problems
}

// Useless returns the problem with a check that can't run, or whose result does not depend
// on the artifact, with the key that has it. Other checks have none.
func Useless(c *ruleset.Check) (key, problem string) {
	if c.Type != ruleset.CheckContent {
		return "", ""
	}
	expression, err := rubric.CompilePattern(c.Pattern, c.IgnoreCase)
	present := c.Expect != ruleset.ExpectAbsent
	switch {
	case err != nil:
		return "pattern", fmt.Sprintf("the pattern can't be used: %v", err)
	case c.Pattern != "" && expression.MatchString(""):
		return "pattern", fmt.Sprintf("the pattern %s matches empty text, so it is found in every artifact. Require some text in it", c.Pattern)
	case present && c.MinCount != nil && *c.MinCount == 0 && c.MaxCount == nil:
		return "min_count", "with min_count 0 and no max_count, the check always passes. Remove min_count or add max_count"
	}
	return "", ""
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
	c.checkKnown(rules, list, "rule")
	results := make(map[string]ruleset.Result, len(file.Verdicts))
	for i, v := range file.Verdicts {
		if v.Verdict == ruleset.VerdictSkipped && v.Reason == "" {
			c.report(list.Items[i].Get("verdict"), nil,
				"The rule %s is skipped without a reason. Add a reason.", schema.Quote(v.Rule))
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

// ReadAnswers reads a file of answers. A rule to add needs no check.
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

// checker reports problems that the tables can't express: duplicate and unknown IDs.
type checker struct {
	tree     *yamltree.Tree
	problems []source.Problem
}

func (c *checker) report(n *yamltree.Node, related []source.Related, format string, args ...any) {
	c.problems = append(c.problems, source.Problem{
		Code: schema.CodeInvalidValue, Span: n.Span, Message: fmt.Sprintf(format, args...), Related: related,
	})
}

// ids returns the IDs of a list's elements in order. It reports and drops duplicates. The
// ID is the value of key, or the element itself.
func (c *checker) ids(list *yamltree.Node, key string) []string {
	var ids []string
	first := map[string]*yamltree.Node{}
	for _, item := range list.List() {
		n := cmp.Or(item.Get(key), item)
		if before := first[n.Value]; before != nil {
			c.report(n, []source.Related{{Span: before.Span, Message: "first used here"}},
				"The rule %s is listed twice, first in line %d. Remove one of the entries.",
				schema.Quote(n.Value), c.tree.File.Position(before.Span.Start).Line)
			continue
		}
		first[n.Value] = n
		ids = append(ids, n.Value)
	}
	return ids
}

// checkKnown reports the IDs of a list that do not exist.
func (c *checker) checkKnown(exist []string, list *yamltree.Node, key string) {
	c.ids(list, key)
	for _, item := range list.List() {
		n := cmp.Or(item.Get(key), item)
		if !slices.Contains(exist, n.Value) {
			c.report(n, nil, "The criteria have no rule %s.%s", schema.Quote(n.Value), schema.DidYouMean(n.Value, exist))
		}
	}
}
