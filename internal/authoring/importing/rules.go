package importing

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// ruleKeys reads what only rules have.
func (o *object) ruleKeys(c *criterion) {
	c.rule.check = o.text(checkTexts)
	c.rule.severity = strings.ToLower(o.word(severities))
	c.rule.phase = strings.ToUpper(o.word(phases))
}

// asRule adds a criterion without levels as a rule.
func (r *reader) asRule(d *draft, c criterion, o *object) {
	if len(c.levels) > 0 {
		r.refuse("A criterion with levels can't become a rule, which passes or fails: see %s. Use --as rubric.", o.place())
		return
	}
	out := c.rule
	out.description = c.description
	for _, g := range c.groups {
		out.category = strings.TrimSpace(out.category + " " + g.name)
	}
	if c.required {
		out.severity = "fail"
		r.derived(c.place, "A criterion that the file marks as required or critical became a rule with the severity fail.")
	}
	d.rules = append(d.rules, r.rule(out, c.place))
	d.weighed = append(d.weighed, c)
}

// severityWords are severities by the words that people write, which RFC 2119 and issue trackers
// use.
var severityWords = map[string][]string{
	"fail": names("fail must required mandatory shall critical blocker blocking error"),
	"warn": names("warn should recommended warning"),
	"info": names("info may optional could note information"),
}

// severityOf is the severity that the word of a file stands for, or "" if it has none or another
// one.
func (r *reader) severityOf(word, place string) string {
	word = strings.ToLower(strings.TrimSpace(word))
	if word == "" {
		return ""
	}
	for _, severity := range []string{"fail", "warn", "info"} {
		if word != severity && slices.Contains(severityWords[severity], word) {
			r.derived(place, fmt.Sprintf("The severity %s became %s.", schema.Quote(word), severity))
		}
		if slices.Contains(severityWords[severity], word) {
			return severity
		}
	}
	r.dropped(place, "The severity "+schema.Quote(word)+" is dropped: write fail, warn, or info.")
	return ""
}

// negativeRuleNote marks a rule that asks for a fault.
const negativeRuleNote = "Rewrite: it asks for a fault, so that work with the fault passes. State what good work does."

// weighRules sets the weights of rules that were criteria.
func (r *reader) weighRules(d *draft) {
	if len(d.weighed) != len(d.rules) {
		return
	}
	as := draft{criteria: d.weighed}
	value := as.pointsOf()
	if value == nil {
		value = as.sharesOf()
	}
	for i := range d.rules {
		rule := &d.rules[i]
		switch weight := value(i); {
		case math.IsNaN(weight) || rule.weight != "":
		case weight == 0 && rule.severity != "fail":
			rule.weight, rule.severity = "0", "info"
			r.derived(d.weighed[i].place, "A criterion with the weight 0 does not count: its rule has the severity info.")
		case weight < 0:
			rule.weight = schema.Plain(round(-weight))
			d.weighed[i].negative = true
			r.derived(d.weighed[i].place, "A criterion with negative points asks for a fault.")
		case weight == 0:
			r.dropped(d.weighed[i].place, fmt.Sprintf("The weight %s is dropped: that of a rule that fails is above 0.", schema.Plain(weight)))
		default:
			rule.weight = schema.Plain(round(weight))
		}
		if d.weighed[i].negative {
			rule.notes = append(rule.notes, negativeRuleNote)
		}
	}
}

// rule completes a rule, and marks it if the author has to rewrite it.
func (r *reader) rule(out rule, place string) rule {
	out.severity = r.severityOf(out.severity, place)
	if out.check == "" {
		out.check = checkOf(out.description)
		r.derived(place, "A check is the same for every rule like it, because the file has none. Say where to look.")
	}
	for _, reason := range marks(out.description) {
		if r.foreign || out.id != "" { // an export is not rewritten
			break
		}
		out.notes = append(out.notes, "Rewrite: "+reason)
		r.derived(place, "An item is stated negatively or conditionally: a comment says why to rewrite it.")
	}
	return out
}

// checkOf is the check of a rule that has none in the file.
func checkOf(text string) string {
	if isNegative(text) {
		return document.ImportedNegativeCheck
	}
	return document.ImportedCheck
}
