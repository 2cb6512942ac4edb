package intake

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// ruleKeys reads what only rules have.
func (o *Object) ruleKeys(c *Criterion) {
	c.rule.Check = o.Text(CheckTexts)
	c.rule.Severity = strings.ToLower(o.word(Severities))
	c.rule.Phase = strings.ToUpper(o.word(Phases))
}

// AsRule adds a criterion without levels as a rule.
func (r *Reader) AsRule(d *Draft, c Criterion, o *Object) {
	if len(c.Levels) > 0 {
		r.Refuse("A criterion with levels can't become a rule, which passes or fails: see %s. Use --as rubric.", o.place())
		return
	}
	out := c.rule
	out.Description = c.Description
	for _, g := range c.Groups {
		out.Category = strings.TrimSpace(out.Category + " " + g.Name)
	}
	if c.Required {
		out.Severity = "fail"
		r.AddDerived(c.Place, "A criterion that the file marks as required or critical became a rule with the severity fail.")
	}
	d.Rules = append(d.Rules, r.Rule(out, c.Place))
	d.Weighed = append(d.Weighed, c)
}

// severityWords are severities by the words that people write, which RFC 2119 and issue trackers
// use.
var severityWords = map[string][]string{
	"fail": Names("fail must required mandatory shall critical blocker blocking error"),
	"warn": Names("warn should recommended warning"),
	"info": Names("info may optional could note information"),
}

// severityOf is the severity that the word of a file stands for, or "" if it has none or another
// one.
func (r *Reader) severityOf(word, place string) string {
	word = strings.ToLower(strings.TrimSpace(word))
	if word == "" {
		return ""
	}
	for _, severity := range []string{"fail", "warn", "info"} {
		if word != severity && slices.Contains(severityWords[severity], word) {
			r.AddDerived(place, fmt.Sprintf("The severity %s became %s.", schema.Quote(word), severity))
		}
		if slices.Contains(severityWords[severity], word) {
			return severity
		}
	}
	r.AddDropped(place, "The severity "+schema.Quote(word)+" is dropped: write fail, warn, or info.")
	return ""
}

// NegativeRuleNote marks a rule that asks for a fault.
const NegativeRuleNote = "Rewrite: it asks for a fault, so that work with the fault passes. State what good work does."

// weighRules sets the weights of rules that were criteria.
func (r *Reader) weighRules(d *Draft) {
	if len(d.Weighed) != len(d.Rules) {
		return
	}
	as := Draft{Criteria: d.Weighed}
	value := as.pointsOf()
	if value == nil {
		value = as.sharesOf()
	}
	for i := range d.Rules {
		rule := &d.Rules[i]
		switch weight := value(i); {
		case math.IsNaN(weight) || rule.Weight != "":
		case weight == 0 && rule.Severity != "fail":
			rule.Weight, rule.Severity = "0", "info"
			r.AddDerived(d.Weighed[i].Place, "A criterion with the weight 0 does not count: its rule has the severity info.")
		case weight < 0:
			rule.Weight = schema.Plain(round(-weight))
			d.Weighed[i].Negative = true
			r.AddDerived(d.Weighed[i].Place, "A criterion with negative points asks for a fault.")
		case weight == 0:
			r.AddDropped(d.Weighed[i].Place, fmt.Sprintf("The weight %s is dropped: that of a rule that fails is above 0.",
				schema.Plain(weight)))
		default:
			rule.Weight = schema.Plain(round(weight))
		}
		if d.Weighed[i].Negative {
			rule.Notes = append(rule.Notes, NegativeRuleNote)
		}
	}
}

// Rule completes a rule, and marks it if the author has to rewrite it.
func (r *Reader) Rule(out Rule, place string) Rule {
	out.Severity = r.severityOf(out.Severity, place)
	if out.Check == "" {
		out.Check = CheckOf(out.Description)
		r.AddDerived(place, "A check is the same for every rule like it, because the file has none. Say where to look.")
	}
	for _, reason := range marks(out.Description) {
		if r.Foreign || out.ID != "" { // an export is not rewritten
			break
		}
		out.Notes = append(out.Notes, "Rewrite: "+reason)
		r.AddDerived(place, "An item is stated negatively or conditionally: a comment says why to rewrite it.")
	}
	return out
}

// CheckOf is the check of a rule that has none in the file.
func CheckOf(text string) string {
	if isNegative(text) {
		return document.ImportedNegativeCheck
	}
	return document.ImportedCheck
}
