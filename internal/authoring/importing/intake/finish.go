package intake

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// Finish makes drafts of the documents that were read, or reports why there are none.
func (r *Reader) Finish() {
	switch {
	case len(r.Drafts) == 0:
		r.Refuse("The file has no rubric that can be read as %s.", r.Format)
	case len(r.Drafts) > 1 && r.ID != "":
		r.Refuse("--id names one document, and the file has %d. Omit --id to derive their IDs, or split the file.", len(r.Drafts))
	default:
		ids := namer{}
		r.agree()
		for _, d := range r.Drafts {
			r.Imported.Drafts = append(r.Imported.Drafts, r.finishDraft(&d, ids))
		}
		r.checkLevels()
	}
}

func (r *Reader) finishDraft(d *Draft, ids namer) authoring.Draft {
	out := authoring.Draft{
		Kind: &document.Rubric, ID: r.ID, Name: d.Name, ArtifactType: d.ArtifactType,
		Notes: map[string][]string{},
	}
	if out.ID == "" {
		out.ID = ids.claim(r.stem(d)) + "_v1"
	}
	if first := firstSentence(d.Description); strings.TrimSpace(out.Name) == "" && first != "" && r.Format != "prompt" {
		out.Name = first
		r.AddDerived(d.Place, "The name is the first sentence of the description.")
	}
	if strings.TrimSpace(out.Name) == "" {
		out.Name = authoring.NameOf(out.ID)
		r.AddDerived(d.Place, "The name is derived from the ID.")
	}
	out.Source, out.Part = filepath.Base(r.File.Path), strings.TrimSpace(r.Format+" "+d.Place)
	if len(d.Rules) > 0 {
		out.Kind = &document.RuleSet
		r.weighRules(d)
	}
	r.weigh(d)
	criteria, placed := r.Criteria(d, out.Notes)
	scoring := authoring.Mapping("pass_threshold", r.setting("pass_threshold", r.passThreshold(d, out.Kind, placed)))
	if out.Kind == &document.Rubric {
		scoring.Entries = append(scoring.Entries,
			authoring.Mapping("essential_minimum", r.setting("essential_minimum", "")).Entries...)
	}
	out.Content = authoring.Mapping("description", d.Description,
		"criteria", criteria, "negative_criteria", List(d.Negatives...),
		"rules", r.rules(d, out.Notes), "scoring", scoring)
	return out
}

// firstSentence is the first sentence of a description if it is short enough for a name, or "".
func firstSentence(description string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(description), "\n")
	first, _, _ := strings.Cut(line, ". ")
	if first = strings.TrimSuffix(strings.TrimSpace(first), "."); len(first) > 100 {
		return ""
	}
	return first
}

// setting is a value that can also come from the author.
func (r *Reader) setting(key, value string) string {
	if value = cmp.Or(value, r.Settings[key]); value == "" {
		r.Imported.Missing[key]++
	}
	return value
}

// major is the end of an ID with its major version. A draft's is always 1.
var major = lazy.Expr(`(?i)[ ._-]v[0-9]+$`)

// stem is the ID without its version, from the ID in the file or the name of the file.
func (r *Reader) stem(d *Draft) string {
	stem := strings.TrimSuffix(authoring.FirstID(major().ReplaceAllString(strings.TrimSpace(d.ID), "")), "_v1")
	if stem != "" && stem[0] > '9' && len(stem) < 120 {
		if stem+"_v1" != d.ID {
			r.AddDerived(d.Place, "The ID is that of the file as lowercase words joined by underscores, with _v1 at the end.")
		}
		return stem
	}
	// A row has its own name, so that others can be put before it.
	if name := document.Slug(d.firstText(), 5); name != "" && d.Place != "" && d.Place != "defaultTest" {
		r.AddDerived(d.Place, "The ID is derived from the first words.")
		return name
	}
	r.AddDerived(d.Place, "The ID is derived from the name of the file.")
	base := filepath.Base(r.File.Path)
	return cmp.Or(document.Slug(major().ReplaceAllString(strings.TrimSuffix(base, filepath.Ext(base)), ""), 8), "imported")
}

// negativeNote marks a criterion that asks for a fault.
const negativeNote = "Rewrite: it asks for a fault, so that work with the fault scores high. State what good work does."

// Criteria are the criteria of a draft, and where the levels of each are.
func (r *Reader) Criteria(d *Draft, notes map[string][]string) (all *yamltree.Node, placed []levels.Placed) {
	all = List()
	names, anchors := namer{}, r.place(d)
	for i, c := range d.Criteria {
		name := names.claim(c.name(i + 1))
		if c.Negative {
			c.notes = append(c.notes, negativeNote)
		}
		placed = append(placed, anchors[i].placed)
		notes[name] = append(c.notes, anchors[i].notes...)
		a, e := anchors[i].texts, anchors[i].examples
		threshold := r.setting("threshold", r.threshold(&c, d.Scale, anchors[i].placed))
		all.Items = append(all.Items, authoring.Mapping("name", name, "description", c.Description,
			"weight", r.setting("weight", c.Weight), "threshold", threshold, "relative_weight", c.RelativeWeight,
			"anchors", authoring.Mapping("1", a[0], "2", a[1], "3", a[2], "4", a[3], "5", a[4]),
			"examples", authoring.Mapping("score_1", e[0], "score_3", e[1], "score_5", e[2])))
	}
	return all, placed
}

func (r *Reader) rules(d *Draft, notes map[string][]string) *yamltree.Node {
	all, names := List(), namer{}
	for i, rule := range d.Rules {
		aspect := cmp.Or(document.Slug(rule.Description, 5), fmt.Sprintf("rule_%d", i+1))
		phase := strings.ToLower(cmp.Or(rule.Phase, "a"))
		category := cmp.Or(document.Slug(rule.Category, 3), "task")
		id := names.claim(cmp.Or(rule.ID, phase+"."+category+"."+aspect))
		notes[id] = rule.Notes
		all.Items = append(all.Items, authoring.Mapping("id", id,
			"description", rule.Description, "severity", r.setting("severity", rule.Severity),
			"weight", rule.Weight, "phase", rule.Phase, "check", rule.Check, "checks", List(rule.Checks...)))
	}
	return all
}

type namer map[string]bool

func (n namer) claim(name string) string {
	unique := name
	for i := 2; n[unique]; i++ {
		unique = fmt.Sprintf("%s_%d", name, i)
	}
	n[unique] = true
	return unique
}
