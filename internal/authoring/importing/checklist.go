package importing

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/rulesets/normalize"
)

// The lines of an exported rule set.
var (
	exportedID     = regexp.MustCompile(`^([a-z][a-z0-9_]*)@[0-9.]+#sha256:[0-9a-f]+$`)
	exportedHead   = regexp.MustCompile(`^A rule set for ([a-z0-9_]+)\. It passes if .* the score reaches ([0-9.]+)\.$`)
	exportedRule   = regexp.MustCompile(`^Rule ([a-z0-9._-]+), severity ([a-z]+), weight ([0-9.]+), phase ([AB])$`)
	exportedDetail = regexp.MustCompile(`^(Check|Materialized): `)
)

// markdown reads a checklist: each item is a rule.
func (r *reader) markdown() {
	if r.options.Kind == &document.Rubric {
		r.refuse("A checklist has no scores, so it can't become a rubric. Use --as ruleset.")
		return
	}
	list, problems := normalize.ReadChecklist(r.file)
	if r.problems = problems; len(problems) > 0 {
		return
	}
	d := draft{name: list.Title}
	for _, paragraph := range list.Paragraphs {
		if m := exportedID.FindStringSubmatch(paragraph); m != nil {
			d.id = m[1]
		}
		if m := exportedHead.FindStringSubmatch(paragraph); m != nil {
			d.artifactType, d.passThreshold = m[1], m[2]
		}
	}
	var texts []string
	for _, item := range list.Items {
		texts = append(texts, item.Text)
	}
	if r.english = !isRomance(texts); !r.english {
		r.derived("", "No item is marked for rewriting: that needs a text in English.")
	}
	for _, item := range list.Items {
		rule := r.rule(item.Text, cmp.Or(item.Section, list.Title))
		place := fmt.Sprintf("line %d", item.Line)
		r.details(&rule, item, place)
		r.marked(&rule, place)
		d.rules = append(d.rules, rule)
	}
	if len(d.rules) == 0 {
		r.refuse("The file has no list: expected items such as `- [ ] Each endpoint has an example`.")
		return
	}
	r.drafts = []draft{d}
}

// rule is the rule for an item of a checklist. It is marked if the author has to rewrite
// it.
func (r *reader) rule(text, category string) rule {
	one := rule{description: text, category: category}
	var found []mark
	if r.english {
		found = marks(text)
	}
	for _, m := range found {
		note := "Rewrite: " + m.reason
		if m.proposal != "" {
			note += " Proposed: " + m.proposal
		}
		one.notes = append(one.notes, note)
	}
	return one
}

// marked says what the author of a rule has to write.
func (r *reader) marked(one *rule, place string) {
	if len(one.notes) > 0 {
		r.derived(place, "An item is stated negatively or conditionally: a comment says why to rewrite it.")
	}
	if one.check == "" {
		one.check = checkOf(one.description)
		r.derived(place, "A check is the same for every rule like it, because the file has none. Say where to look.")
	}
}

// details adds what is below an item.
func (r *reader) details(one *rule, item normalize.Item, place string) {
	var more []string
	for _, detail := range item.Details {
		m := exportedRule.FindStringSubmatch(detail)
		switch kind := exportedDetail.FindString(detail); {
		case m != nil:
			one.id, one.severity, one.weight, one.phase, one.notes = m[1], m[2], m[3], m[4], nil
		case kind == "Check: ":
			one.check = detail[len(kind):]
		case kind != "":
			r.dropped(place, "Materialized checks are dropped. Run `rubric rules prepare` to create them again.")
		case detail != "":
			more = append(more, detail)
		}
	}
	if len(more) > 0 && one.check == "" {
		one.check = checkOf(one.description) + " Consider: " + strings.Join(more, "; ") + "."
	}
}

// checkOf is the check of a rule that has none in the file.
func checkOf(text string) string {
	if isNegative(text) {
		return "Search the artifact for a place that contradicts the description. Pass if there is none."
	}
	return "Find the places in the artifact that show what the description says. Pass if they show all of it; fail if a part is missing or contradicted."
}
