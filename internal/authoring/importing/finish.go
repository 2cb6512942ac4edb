package importing

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

func (r *reader) finish() {
	switch {
	case len(r.drafts) == 0:
		r.refuse("The file has no rubric that can be read as %s.", r.Format)
	case len(r.drafts) > 1 && r.ID != "":
		r.refuse("--id names one document, and the file has %d. Omit --id to derive their IDs, or split the file.", len(r.drafts))
	default:
		ids := namer{}
		r.agree()
		for _, d := range r.drafts {
			r.imported.Drafts = append(r.imported.Drafts, r.finished(&d, ids))
		}
		r.checkLevels()
	}
}

func (r *reader) finished(d *draft, ids namer) authoring.Draft {
	out := authoring.Draft{Kind: &document.Rubric, ID: r.ID, Name: d.name, ArtifactType: d.artifactType, Notes: map[string][]string{}}
	if out.ID == "" {
		out.ID = ids.unique(r.stem(d)) + "_v1"
	}
	if first := firstSentence(d.description); strings.TrimSpace(out.Name) == "" && first != "" && r.Format != "prompt" {
		out.Name = first
		r.derived(d.place, "The name is the first sentence of the description.")
	}
	if strings.TrimSpace(out.Name) == "" {
		out.Name = authoring.NameOf(out.ID)
		r.derived(d.place, "The name is derived from the ID.")
	}
	out.Source, out.Part = filepath.Base(r.file.Path), strings.TrimSpace(r.Format+" "+d.place)
	if len(d.rules) > 0 {
		out.Kind = &document.RuleSet
		r.weighRules(d)
	}
	r.weigh(d)
	criteria, placed := r.criteria(d, out.Notes)
	scoring := authoring.Mapping("pass_threshold", r.setting("pass_threshold", r.passThreshold(d, out.Kind, placed)))
	if out.Kind == &document.Rubric {
		scoring.Entries = append(scoring.Entries, authoring.Mapping("essential_minimum", r.setting("essential_minimum", "")).Entries...)
	}
	out.Content = authoring.Mapping("description", d.description, "criteria", criteria, "negative_criteria", list(d.negatives...),
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
func (r *reader) setting(key, value string) string {
	if value = cmp.Or(value, r.Settings[key]); value == "" {
		r.imported.Missing[key]++
	}
	return value
}

// major is the end of an ID with its major version. A draft's is always 1.
var major = lazy.Expr(`(?i)[ ._-]v[0-9]+$`)

// stem is the ID without its version, from the ID in the file or the name of the file.
func (r *reader) stem(d *draft) string {
	stem := strings.TrimSuffix(authoring.FirstID(major().ReplaceAllString(strings.TrimSpace(d.id), "")), "_v1")
	if stem != "" && stem[0] > '9' && len(stem) < 120 {
		if stem+"_v1" != d.id {
			r.derived(d.place, "The ID is that of the file as lowercase words joined by underscores, with _v1 at the end.")
		}
		return stem
	}
	// A row has its own name, so that others can be put before it.
	if name := document.Slug(d.first(), 5); name != "" && d.place != "" && d.place != "defaultTest" {
		r.derived(d.place, "The ID is derived from the first words.")
		return name
	}
	r.derived(d.place, "The ID is derived from the name of the file.")
	base := filepath.Base(r.file.Path)
	return cmp.Or(document.Slug(major().ReplaceAllString(strings.TrimSuffix(base, filepath.Ext(base)), ""), 8), "imported")
}

// negativeNote marks a criterion that asks for a fault.
const negativeNote = "Rewrite: it asks for a fault, so that work with the fault scores high. State what good work does."

// criteria are the criteria of a draft, and where the levels of each are.
func (r *reader) criteria(d *draft, notes map[string][]string) (all *yamltree.Node, placed []levels.Placed) {
	all = list()
	names, anchors := namer{}, r.place(d)
	for i, c := range d.criteria {
		name := names.unique(c.name(i + 1))
		if c.negative {
			c.notes = append(c.notes, negativeNote)
		}
		placed = append(placed, anchors[i].placed)
		notes[name] = append(c.notes, anchors[i].notes...)
		a, e := anchors[i].texts, anchors[i].examples
		all.Items = append(all.Items, authoring.Mapping("name", name, "description", c.description,
			"weight", r.setting("weight", c.weight), "threshold", r.setting("threshold", r.threshold(&c, d.scale, anchors[i].placed)), "relative_weight", c.relativeWeight,
			"anchors", authoring.Mapping("1", a[0], "2", a[1], "3", a[2], "4", a[3], "5", a[4]),
			"examples", authoring.Mapping("score_1", e[0], "score_3", e[1], "score_5", e[2])))
	}
	return all, placed
}

func (r *reader) rules(d *draft, notes map[string][]string) *yamltree.Node {
	all, names := list(), namer{}
	for i, rule := range d.rules {
		aspect := cmp.Or(document.Slug(rule.description, 5), fmt.Sprintf("rule_%d", i+1))
		id := names.unique(cmp.Or(rule.id, strings.ToLower(cmp.Or(rule.phase, "a"))+"."+cmp.Or(document.Slug(rule.category, 3), "task")+"."+aspect))
		notes[id] = rule.notes
		all.Items = append(all.Items, authoring.Mapping("id", id, "description", rule.description, "severity", r.setting("severity", rule.severity),
			"weight", rule.weight, "phase", rule.phase, "check", rule.check, "checks", list(rule.checks...)))
	}
	return all
}

type namer map[string]bool

func (n namer) unique(name string) string {
	unique := name
	for i := 2; n[unique]; i++ {
		unique = fmt.Sprintf("%s_%d", name, i)
	}
	n[unique] = true
	return unique
}
