package outlines

import (
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/rulesets/normalize"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// The parts of a rule in an exported rule set. An ID that could be a hash has lost its backticks.
var (
	exportedRule   = lazy.Expr("^Rule `?([a-z0-9._-]+)`?, severity `([a-z]+)`, weight ([0-9.]+), phase ([AB])$")
	exportedDetail = lazy.Expr(`^(?:Check|Materialized): `)
)

// rulesIn reads the items with a box below a section, or with --lists, all items.
func (o *outliner) rulesIn(s *section) {
	for _, p := range s.body {
		if p.taken {
			continue
		}
		if p.below != nil {
			o.rulesIn(p.below)
		}
		if p.table != nil {
			o.ruleTable(s, p)
		}
		above := o.titleAbove(s, p)
		isRule := o.Lists && !failing().MatchString(above)
		for _, item := range p.items {
			o.lists++
			if item.boxed && item.title == "" {
				o.AddDropped(place(item.line), "Boxes without a text are dropped.")
				item.taken = true
			} else if item.boxed || isRule && item.title != "" {
				item.taken = true
				o.found = append(o.found, o.ruleOfItem(item, failing().MatchString(above)))
			}
			o.rulesIn(item)
		}
	}
}

// ruleTable reads a table of rules as `rubric rules normalize` does.
func (o *outliner) ruleTable(s *section, p *block) {
	rows, problems, ok := normalize.Table(o.page, p.table)
	if !ok {
		return
	}
	p.taken = true
	for _, problem := range problems {
		o.AddDropped(place(o.File.Position(problem.Span.Start).Line), problem.Message)
	}
	for _, row := range rows {
		out := intake.Rule{
			ID: row.ID(), Description: row.Field("description").Text(), Category: s.heading(),
			Severity: row.Field("severity").Text(), Weight: row.Field("weight").Text(),
			Phase: row.Field("phase").Text(), Check: row.Field("check").Text(),
			Place: place(o.File.Position(row.Start()).Line),
		}
		if _, isID := ruleset.PhaseOf(out.ID); out.ID != "" && !isID {
			o.AddDerived(out.Place, "The IDs of the rules are derived from their texts: an ID is phase.category.aspect, such as a.correctness.endpoints.")
			out.ID = ""
		}
		o.found = append(o.found, out)
	}
}

// ruleOfItem returns the rule of an item with what is below it.
func (o *outliner) ruleOfItem(item *section, amongFaults bool) intake.Rule {
	out := intake.Rule{Description: inLine(item.title), Category: item.heading(), Place: place(item.line)}
	var more []string
	for _, p := range item.body {
		if p.text != "" {
			more = append(more, inLine(p.text))
			p.taken = true
		}
		for _, detail := range p.items {
			if detail.boxed || o.Lists && o.exports == "" {
				continue
			}
			detail.taken = true
			more = o.detail(&out, detail, more)
		}
	}
	if len(more) > 0 && out.Check == "" {
		out.Check = intake.CheckOf(out.Description) + " " + document.Consider + " " + strings.Join(more, "; ") + "."
	}
	if amongFaults && o.exports == "" {
		out.Notes = append(out.Notes, "Rewrite: it is below a title such as failures or examples, so that it may say what is wrong.")
	}
	return out
}

// detail adds what an item below a rule says of it, which is more for its check if it is not from
// an export.
func (o *outliner) detail(out *intake.Rule, item *section, more []string) []string {
	text := inLine(item.wholeText())
	kind := exportedDetail().FindString(text)
	switch m := exportedRule().FindStringSubmatch(text); {
	case o.exports == "":
		item.take()
		return append(more, text)
	case m != nil:
		out.ID, out.Severity, out.Weight, out.Phase = m[1], m[2], m[3], m[4]
	case kind == "Check: ":
		out.Check = text[len(kind):]
	case kind != "":
		o.AddDropped(out.Place, "Materialized checks are dropped. Run `rubric rules prepare` to create them again.")
	default:
		return append(more, text)
	}
	return more
}

// ruleSet makes a rule set of the rules, and of the criteria without levels.
func (o *outliner) ruleSet(d intake.Draft, criteria []intake.Criterion) {
	if o.Foreign = intake.IsRomance(o.found); o.Foreign {
		o.AddDerived("", "No item is marked for rewriting: that needs a text in English.")
	}
	for _, c := range apart(criteria) {
		if len(c.Levels) > 0 {
			o.AddDropped(c.Place, "A criterion with levels is dropped: a rule passes or fails. Import it with --as rubric.")
			continue
		}
		o.AsRule(&d, c, &intake.Object{Node: &yamltree.Node{}, Reader: o.Reader, Path: c.Place})
	}
	for _, rule := range setApart(o.found) {
		d.Rules = append(d.Rules, o.Rule(rule, rule.Place))
		d.Weighed = append(d.Weighed, intake.Criterion{Amounts: intake.Amounts{Weight: rule.Weight}})
	}
	if len(d.Rules) == 0 {
		o.Refuse("The file has levels, so it can't become a rule set, whose rules pass or fail. Use --as rubric.")
		return
	}
	o.Drafts = []intake.Draft{d}
}

// setApart puts the heading in front of descriptions that recur below several.
func setApart(all []intake.Rule) []intake.Rule {
	below := map[string][]int{}
	for i, rule := range all {
		below[rule.Description] = append(below[rule.Description], i)
	}
	for _, same := range below {
		for _, i := range same {
			others := slices.ContainsFunc(same, func(j int) bool { return all[j].Category != all[i].Category })
			if all[i].Category != "" && all[i].ID == "" && others {
				all[i].Description = all[i].Category + ": " + all[i].Description
			}
		}
	}
	return all
}
