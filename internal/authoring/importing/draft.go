package importing

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// draft is a document of a file. Empty texts are not in the file.
type draft struct {
	place, id, name, artifactType, description string

	criteria                        []criterion
	negatives                       []*yamltree.Node
	passThreshold, essentialMinimum string
	rules                           []rule
	metadata                        []any // keys and texts
}

type criterion struct {
	// key is the text that the name is derived from.
	key, description, weight, threshold string

	anchors  [5]string
	examples [3]string // for the scores 1, 3, and 5
	notes    []string
}

type rule struct {
	// id is complete, or "" if it follows from the category and the description.
	id, category, description, severity, weight, phase, check string

	notes []string
}

// finish turns the documents into drafts.
func (r *reader) finish() {
	switch {
	case len(r.drafts) == 0:
		r.refuse("The file has no rubric that can be read as %s.", r.options.Format)
		return
	case len(r.drafts) > most:
		r.problems = []source.Problem{{Code: codeMany, Message: fmt.Sprintf("The file has %d rubrics: at most %d are allowed. Split it.", len(r.drafts), most)}}
		return
	case len(r.drafts) > 1 && r.options.ID != "":
		r.refuse("--id names one document, and the file has %d. Omit --id to derive their IDs, or split the file.", len(r.drafts))
		return
	}
	used := map[string]bool{}
	for i := range r.drafts {
		d := &r.drafts[i]
		if parts := max(len(d.criteria), len(d.rules)); parts > most {
			r.problems = append(r.problems, source.Problem{Code: codeMany, Message: fmt.Sprintf("%s has %d criteria or rules: at most %d are allowed.", d.place, parts, most)})
			return
		}
		out := authoring.Draft{Kind: &document.Rubric, ID: r.options.ID, Name: d.name, ArtifactType: d.artifactType, Notes: map[string][]string{}}
		if out.ID == "" {
			out.ID = r.newID(d, used)
		}
		used[out.ID] = true
		if strings.TrimSpace(out.Name) == "" {
			out.Name = nameOf(out.ID)
			r.derived(d.place, "The name is derived from the ID.")
		}
		content := []any{"description", d.description}
		if len(d.rules) > 0 {
			out.Kind = &document.RuleSet
			content = append(content, "scoring", authoring.Mapping("pass_threshold", d.passThreshold), "rules", d.ruleList(out.Notes))
		} else {
			content = append(content, "criteria", d.criterionList(out.Notes), "negative_criteria", authoring.Sequence(d.negatives...),
				"scoring", authoring.Mapping("pass_threshold", d.passThreshold, "essential_minimum", d.essentialMinimum))
		}
		from := filepath.Base(r.file.Path) + " (" + r.options.Format + ")"
		d.metadata = append(d.metadata, "imported_from", short(strings.TrimSpace(strings.Join([]string{from, d.place}, " "))))
		out.Content = authoring.Mapping(append(content, "metadata", authoring.Mapping(d.metadata...))...)
		r.imported.Drafts = append(r.imported.Drafts, out)
	}
}

// major is the end of an ID with its major version. A draft's is always 1.
var major = regexp.MustCompile(`(?i)[ ._-]v[0-9]+$`)

// newID is the unused ID that the document has in the file, or that follows from the name
// of the file.
func (r *reader) newID(d *draft, used map[string]bool) string {
	id, fallback := authoring.FirstID(major.ReplaceAllString(strings.TrimSpace(d.id), "")), ""
	if authoring.CheckID(&document.Rubric, id) != nil {
		base := filepath.Base(r.file.Path)
		stem := slug(major.ReplaceAllString(strings.TrimSuffix(base, filepath.Ext(base)), ""), 8)
		id, fallback = cmp.Or(stem, "imported")+"_v1", stem
	}
	stem := strings.TrimSuffix(id, "_v1")
	for n := 2; used[id]; n++ {
		id = fmt.Sprintf("%s_%d_v1", stem, n)
	}
	switch {
	case d.id == "":
		r.derived(d.place, "The ID is derived from the name of the file.")
	case fallback != "":
		r.derived(d.place, "The ID is derived from the name of the file, because the one in the file can't be an ID.")
	case id != d.id:
		r.derived(d.place, "The ID is that of the file as lowercase words joined by underscores, with _v1 at the end.")
	}
	return id
}

// nameOf is the name that an ID suggests.
func nameOf(id string) string {
	words := strings.ReplaceAll(strings.TrimSuffix(id, "_v1"), "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

func (d *draft) criterionList(notes map[string][]string) *yamltree.Node {
	list, names := authoring.Sequence(), namer{}
	for i, c := range d.criteria {
		name := names.unique(cmp.Or(slug(c.key, 5), slug(c.description, 4), fmt.Sprintf("criterion_%d", i+1)))
		notes[name] = c.notes
		anchors := authoring.Mapping()
		for i, text := range c.anchors {
			anchors.Entries = append(anchors.Entries, authoring.Mapping(fmt.Sprint(i+1), text).Entries...)
		}
		list.Items = append(list.Items, authoring.Mapping("name", name, "description", c.description, "weight", c.weight, "threshold", c.threshold,
			"anchors", anchors, "examples", authoring.Mapping("score_1", c.examples[0], "score_3", c.examples[1], "score_5", c.examples[2])))
	}
	return list
}

func (d *draft) ruleList(notes map[string][]string) *yamltree.Node {
	list, names := authoring.Sequence(), namer{}
	for i, rule := range d.rules {
		phase := "a"
		if rule.phase == "B" {
			phase = "b"
		}
		id := cmp.Or(rule.id, strings.Join([]string{phase, cmp.Or(slug(rule.category, 3), "task"), cmp.Or(slug(rule.description, 5), fmt.Sprintf("rule_%d", i+1))}, "."))
		id = names.unique(id)
		notes[id] = rule.notes
		list.Items = append(list.Items, authoring.Mapping("id", id, "description", rule.description, "severity", rule.severity,
			"weight", rule.weight, "phase", rule.phase, "check", rule.check))
	}
	return list
}

// namer makes names unique.
type namer map[string]bool

func (n namer) unique(name string) string {
	unique := name
	for i := 2; n[unique]; i++ {
		unique = fmt.Sprintf("%s_%d", name, i)
	}
	n[unique] = true
	return unique
}

// fillers are words that say little in a name.
var fillers = strings.Fields("a an the is are be been of to in on at by for with and or that this these those it its as do does did has have had how what which where when if whether can could should must shall will would response answer output model all any each every")

// slug is up to a number of words of a text as a name, or "" if it has none that English
// can write.
func slug(text string, words int) string {
	if complete := schema.Find(document.Rubric.Table.Fields, document.Rubric.IDKey).Value.Pattern.Suggest(text); len(strings.Split(complete, "_")) <= words {
		text = complete
	} else {
		text = strings.ToLower(text)
	}
	all := strings.FieldsFunc(text, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	if kept := slices.DeleteFunc(slices.Clone(all), func(word string) bool { return slices.Contains(fillers, word) }); len(all) > words && len(kept) > 0 {
		all = kept
	}
	for len(all) > 0 && all[0][0] <= '9' {
		all = all[1:]
	}
	all = all[:min(len(all), words)]
	const longest = 60
	name := strings.Join(all, "_")
	return strings.TrimRight(name[:min(len(name), longest)], "_")
}

// short is a text that fits into metadata.
func short(text string) string {
	const longest = 256
	runes := []rune(strings.Join(strings.Fields(text), " "))
	return string(runes[:min(len(runes), longest)])
}
