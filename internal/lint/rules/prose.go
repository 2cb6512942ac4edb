package rules

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text"
)

// describe returns the lint rules of the families with their prose, in the order of the prose:
// a text with lines "family: …", and for each rule a paragraph that begins with "rule:". It panics
// if the prose has anything that is not known, or if the prose, the rules, and what each says of
// itself don't fit together, because both are parts of the program.
func describe(prose string, families ...map[string]lint.Rule) []*lint.Rule {
	undescribed := together(families)
	var rules []*lint.Rule
	var family lint.Family
	var rule *lint.Rule
	for key, value := range text.Fields(prose) {
		switch {
		case key == "family":
			family, rule = lint.Family(value), nil
		case key == "rule":
			rule = undescribed[value]
			if rule == nil {
				panic("rules.txt: there is no lint rule " + value + ", or it has two paragraphs")
			}
			delete(undescribed, value)
			rule.ID, rule.Family = value, family
			rules = append(rules, rule)
		case rule == nil:
			panic("rules.txt: " + key + " belongs to no lint rule")
		default:
			write(rule, key, value)
		}
	}
	if len(undescribed) > 0 {
		panic(fmt.Sprintf("rules.txt: there are no paragraphs about %q", slices.Sorted(maps.Keys(undescribed))))
	}
	for _, r := range rules {
		if missing := lacks(r); missing != "" {
			panic("lint rule " + r.ID + " has no " + missing)
		}
	}
	return rules
}

// together returns copies of the lint rules of all families by ID. Each is in one family.
func together(families []map[string]lint.Rule) map[string]*lint.Rule {
	all := map[string]*lint.Rule{}
	for _, rules := range families {
		for id, r := range rules {
			if all[id] != nil {
				panic("lint rule " + id + " is in two families")
			}
			all[id] = &r
		}
	}
	return all
}

// write sets a text of a lint rule.
func write(r *lint.Rule, key, value string) {
	texts := map[string]*string{"finds": &r.Summary, "why": &r.Why, "source": &r.Source, "bad": &r.Bad, "good": &r.Good}
	switch to := texts[key]; {
	case to == nil:
		panic("rules.txt: unknown key " + key + " of " + r.ID)
	case *to != "":
		panic("rules.txt: " + r.ID + " has two texts for " + key)
	default:
		*to = value
	}
}

// lacks says what a lint rule does not have, although every rule needs it; "" if it is complete.
func lacks(r *lint.Rule) string {
	switch {
	case r.Family == "":
		return "family"
	case r.Summary == "" || r.Why == "" || r.Bad == "" || r.Good == "":
		return "summary, reason, or example in rules.txt"
	case r.Source == "" && r.Spec == 0:
		return "source in rules.txt, and no requirement"
	case r.Severity < lint.Note || r.Severity > lint.Error:
		return "severity"
	case r.Check == nil:
		return "check"
	case r.Keep != nil && !lint.Checks[lint.OfLibrary](r) && !lint.Checks[lint.OfDataset](r):
		return "check that uses what it keeps of a document"
	}
	return ""
}
