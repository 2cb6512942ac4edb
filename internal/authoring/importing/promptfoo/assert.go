package promptfoo

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

var (
	// graded are the types of assertions of promptfoo whose value a judge reads, and searched
	// those that search the output. With "not-" before it, a type asks for the opposite.
	graded   = []string{"llm-rubric", "g-eval", "model-graded-closedqa", "agent-rubric"}
	searched = []string{
		"contains", "icontains", "contains-all", "icontains-all", "contains-any", "icontains-any",
		"starts-with", "regex",
	}
)

// assertions reads the assertions of a test or of a set. share is what a weight of 1 counts.
func (r *suite) assertions(d *intake.Draft, list []*yamltree.Node, place string, share float64) {
	for i, n := range list {
		if len(r.Problems) > 0 {
			return
		}
		v := r.Value(n, fmt.Sprintf("%s[%d]", place, i))
		r.assertion(d, &v, share)
	}
}

func (r *suite) assertion(d *intake.Draft, v *intake.Value, share float64) {
	kind, isNegative := strings.CutPrefix(v.Word("type"), "not-")
	text := v.Get("value")
	definition := v.Get("config").Get("definition").Text() // in an export
	tree, problems := yamltree.ParseJSON("file", source.NewFile("", []byte(definition)), len(definition))
	switch {
	case kind == "assert-set":
		r.assertionSet(d, v, share)
	case len(problems) == 0:
		r.exportedPart(d, v, tree.Root)
	case slices.Contains(searched, kind):
		r.searchFor(d, v, kind, isNegative, share)
	case !slices.Contains(graded, kind):
		r.AddDropped(v.Place, fmt.Sprintf("Assertions of the type %s are dropped: only a text for a judge, and a text or an expression to search for, have a place.",
			schema.Quote(v.Word("type"))))
		r.Take(v.Node)
	case strings.HasPrefix(text.Text(), "file://"):
		r.AddDropped(v.Place, "An assertion whose text is in another file is dropped: the file is not read. Put the text in its place.")
		r.Take(v.Node)
	case len(text.List()) > 0: // each is asked for on its own
		for j, item := range text.Items {
			part := r.Value(r.withValue(v.Node, item), fmt.Sprintf("%s.value[%d]", v.Place, j))
			r.addForJudge(d, &part, isNegative, share)
		}
	default:
		r.addForJudge(d, v, isNegative, share)
	}
	if strings.Contains(text.Text(), "{{") {
		r.AddDerived(v.Place, "A text has a template such as {{name}}, which judges of the library do not fill in. Reword it.")
	}
}

// withValue is an assertion with another value. An object as the value has keys of its own, which
// come first.
func (r *suite) withValue(n, item *yamltree.Node) *yamltree.Node {
	out := &yamltree.Node{Kind: yamltree.Mapping, Span: n.Span, Entries: slices.Clone(item.Entries)}
	for _, e := range n.Entries {
		if e.Key.Value == "value" {
			e.Value = item
		}
		if (e.Key.Value != "value" || item.Kind != yamltree.Mapping) && out.Get(e.Key.Value) == nil {
			out.Entries = append(out.Entries, e)
		}
	}
	return out
}

// assertionSet reads a set, which counts as one assertion with the mean of its own.
func (r *suite) assertionSet(d *intake.Draft, v *intake.Value, share float64) {
	total := 0.0
	list := v.Get("assert").List()
	for _, n := range list {
		total += weightOf(n)
	}
	if total > 0 {
		share *= weightOf(v.Node) / total
	}
	v.Word("weight")
	if v.Word("threshold") != "" {
		r.AddDropped(v.Place, "The threshold of a set of assertions is dropped: a document has one threshold for all of its parts. Set pass_threshold with --set.")
	}
	before := len(d.Criteria) + len(d.Rules)
	r.assertions(d, list, v.Place+".assert", share)
	if len(d.Criteria)+len(d.Rules) > before {
		r.AddDerived(v.Place, "The parts of a set of assertions share its weight.")
	}
}

// weightOf is the weight of an assertion: 1 if the file has none.
func weightOf(n *yamltree.Node) float64 {
	if weight, isNumber := intake.Quantity(n.Get("weight").Text()); isNumber && weight >= 0 {
		return weight
	}
	return 1
}

// weight reads the weight of an assertion, or is "" where it counts as much as any other.
func (r *suite) weight(v *intake.Value, share float64) string {
	text := v.Word("weight")
	if _, isNumber := intake.Quantity(text); text != "" && !isNumber {
		return text
	}
	if weight := share * weightOf(v.Node); text != "" || weight != 1 {
		return schema.Plain(weight)
	}
	return ""
}

// addForJudge adds the criterion or the rule of an assertion for a judge.
func (r *suite) addForJudge(d *intake.Draft, v *intake.Value, isNegative bool, share float64) {
	weight := r.weight(v, share)
	if r.Kind != &document.RuleSet {
		before := len(d.Criteria)
		r.addAssertion(d, v)
		for i := before; i < len(d.Criteria); i++ {
			d.Criteria[i].Negative = d.Criteria[i].Negative || isNegative
			d.Criteria[i].Weight = cmp.Or(d.Criteria[i].Weight, weight)
		}
		return
	}
	text := v.Text("outcome", "description", "criterion", "value")
	if strings.TrimSpace(text) == "" {
		r.AddDropped(v.Place, "An assertion without a text is dropped.")
		r.Take(v.Node)
		return
	}
	made := r.Rule(intake.Rule{Description: text, Category: v.Word("metric"), Weight: weight}, v.Place)
	if v.Word("required") == "true" {
		made.Severity = "fail"
	}
	if isNegative {
		made.Notes = append(made.Notes, "Rewrite: "+negatedReason)
		r.AddDerived(v.Place, "A text of a negated assertion asks for the fault: a comment says to reword it.")
	}
	r.addRule(d, made, v.Place)
}

// negatedReason says why the text of a negated assertion is not one for a judge.
const negatedReason = "promptfoo passes the output if this is not so. Say what good work does instead."

// addRule adds a rule, unless its weight is 0, with which no rule can count.
func (r *suite) addRule(d *intake.Draft, made intake.Rule, place string) {
	if weight, isNumber := intake.Quantity(made.Weight); isNumber && weight == 0 {
		made.Severity = "info"
		r.AddDerived(place, "An assertion with the weight 0 does not count: its rule has the severity info.")
	}
	d.Rules = append(d.Rules, made)
}

// searchFor adds what an assertion searches for: a check of a rule, or the pattern of a negative
// criterion.
func (r *suite) searchFor(d *intake.Draft, v *intake.Value, kind string, isNegative bool, share float64) {
	checks, why := r.checksOf(v, kind, isNegative)
	r.hasChecks = true
	switch {
	case why != "":
		r.AddDropped(v.Place, why)
		r.Take(v.Node)
	case r.Kind == &document.RuleSet:
		weight := r.weight(v, share)
		made := intake.Rule{
			Description: sentenceOf(checks), Category: v.Word("metric"), Weight: weight,
			Check: checkSentence(checks),
		}
		for _, c := range checks {
			made.Checks = append(made.Checks, c.node())
		}
		r.addRule(d, made, v.Place)
	case slices.ContainsFunc(checks, func(c check) bool { return !c.absent }):
		r.AddDropped(v.Place, "A text that the output must contain is dropped: a rubric has no place for it. With --as ruleset, it becomes a check.")
		r.Take(v.Node)
	default:
		v.Word("metric")
		for _, c := range checks {
			d.Negatives = append(d.Negatives, c.negativeCriterion(len(d.Negatives)+1))
		}
	}
}

// exportedPart adds a negative criterion or a rule as `rubric export` wrote it.
func (r *suite) exportedPart(d *intake.Draft, v *intake.Value, definition *yamltree.Node) {
	for _, part := range []string{"config", "value", "metric"} {
		if n := v.Get(part); n != nil {
			r.Take(n)
		}
	}
	if definition.Get("fail_patterns") != nil {
		d.Negatives = append(d.Negatives, definition)
		return
	}
	d.ID = v.Get("config").Get("rule_set").Text()
	text := func(key string) string { return definition.Get(key).Text() }
	made := intake.Rule{
		ID: text("id"), Description: text("description"), Severity: text("severity"),
		Weight: text("weight"), Phase: text("phase"),
		Check: text("check"), Checks: definition.Get("checks").List(),
	}
	isMade := func(other intake.Rule) bool { return other.ID == made.ID } // if it is judged and searched for
	if !slices.ContainsFunc(d.Rules, isMade) {
		d.Rules = append(d.Rules, made)
	}
}

// check is a text or an expression that an output must contain or must not contain.
type check struct {
	literal, pattern   string // one of them
	ignoreCase, absent bool
	shown              string // as the file has it
}

func (c check) node() *yamltree.Node {
	flag := map[bool]string{true: "true"}
	return authoring.Mapping("type", "content", "pattern", c.pattern, "literal", c.literal,
		"ignore_case", flag[c.ignoreCase], "expect", map[bool]string{true: "absent"}[c.absent])
}

// negativeCriterion returns the negative criterion for what must not match.
func (c check) negativeCriterion(number int) *yamltree.Node {
	pattern, ignoreCase := cmp.Or(c.pattern, regexp.QuoteMeta(c.literal)), ""
	if c.ignoreCase {
		ignoreCase = "true"
	}
	patterns := intake.List(authoring.Mapping("pattern", pattern).Entries[0].Value)
	name := fmt.Sprintf("%s_%d", cmp.Or(document.Slug(c.shown, 4), "pattern"), number)
	return authoring.Mapping("name", name, "fail_patterns", patterns, "ignore_case", ignoreCase)
}

// checksOf are the checks of an assertion, all of which must pass, or why it has none.
func (r *suite) checksOf(v *intake.Value, kind string, isNegative bool) (checks []check, why string) {
	texts := r.searchedTexts(v, kind)
	kind, ignoreCase := strings.CutPrefix(kind, "i")
	of := func(text string) check {
		return check{literal: text, ignoreCase: ignoreCase, absent: isNegative, shown: text}
	}
	switch {
	case len(texts) == 0:
		return nil, "An assertion without a text is dropped."
	case slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, "{{") }):
		return nil, "An assertion with a template such as {{name}} is dropped: it searches for another text in each test."
	case kind == "regex":
		if _, err := regexp.Compile(texts[0]); err != nil {
			return nil, "An expression is dropped: Go can't read it. Rewrite it without lookaround and references, and add it to the draft."
		}
		return []check{{pattern: texts[0], absent: isNegative, shown: texts[0]}}, ""
	case kind == "starts-with":
		return []check{{pattern: `^` + regexp.QuoteMeta(texts[0]), absent: isNegative, shown: texts[0]}}, ""
	case kind == "contains-any" && !isNegative, kind == "contains-all" && isNegative:
		if isNegative {
			return nil, "An assertion of the type not-contains-all is dropped: a check can't say that one of several texts is missing."
		}
		if ignoreCase && slices.ContainsFunc(texts, func(text string) bool { return !isASCII(text) }) {
			return nil, "An assertion that ignores the case of other letters than A to Z is dropped: a check can't do that."
		}
		quoted := make([]string, len(texts))
		for i, text := range texts {
			quoted[i] = regexp.QuoteMeta(text)
		}
		return []check{{pattern: strings.Join(quoted, "|"), ignoreCase: ignoreCase, shown: strings.Join(texts, ", ")}}, ""
	}
	for _, text := range texts {
		checks = append(checks, of(text))
	}
	return checks, ""
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return c > 0x7f })
}

// searchedTexts are the texts of an assertion. Those of a list can be in one text, with commas.
func (r *suite) searchedTexts(v *intake.Value, kind string) (texts []string) {
	n := v.Get("value")
	if n == nil {
		return nil
	}
	items := n.List()
	if n.Kind == yamltree.Scalar {
		items = []*yamltree.Node{n}
	}
	for _, item := range items {
		text := r.Take(item)
		if n.Kind == yamltree.Scalar && (strings.HasSuffix(kind, "-all") || strings.HasSuffix(kind, "-any")) {
			for part := range strings.SplitSeq(text, ",") {
				texts = append(texts, strings.TrimSpace(part))
			}
			continue
		}
		texts = append(texts, text)
	}
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}

// sentenceOf is the description of a rule for checks.
func sentenceOf(checks []check) string {
	names := make([]string, len(checks))
	for i, c := range checks {
		names[i] = schema.Quote(c.shown)
	}
	all := schema.Or(names, "and")
	switch {
	case checks[0].absent:
		return "The text contains none of this: " + all
	case checks[0].pattern != "":
		return "The text matches " + all
	default:
		return "The text contains " + all
	}
}

// checkSentence tells a person how to verify the same.
func checkSentence(checks []check) string {
	if checks[0].absent {
		return "Search the text. It passes if nothing is found."
	}
	return "Search the text. It passes if all of it is found."
}
