// Package importing reads rubrics and checklists in the formats of other tools.
//
// It promises: each text of a criterion is in the draft as the file has it; each key and
// column that has no place in a draft is listed with the reason; and weights, thresholds,
// anchors, and examples that the file does not have are not invented.
package importing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// Formats are the names of the formats.
var Formats = []string{"criteria", "promptfoo", "deepeval", "prometheus", "rubric-spec", "ragas", "csv", "markdown", "prompt"}

// Options say how to read a file.
type Options struct {
	// Format is one of Formats, or "" if the content says it.
	Format string
	// Kind is the kind of the documents, or nil if the file decides.
	Kind *document.Kind
	// ID is the ID of the only document of the file, or "". GroupBy is the key or the column that
	// has the ID of each rubric, or "".
	ID, GroupBy string
	// Levels are what the author says of the levels in the file.
	Levels levels.Options
	// Columns are the columns of a table, by field.
	Columns map[string]string
	// Lists says that each item of a list is a rule, with a box or without.
	Lists bool
	// Settings are the weights and thresholds that the file does not have, by key.
	Settings map[string]string
}

// Imported is the content of a file.
type Imported struct {
	// Recognized says in a few words what the file was taken for, if the options do not.
	Recognized string
	// Drafts have an empty ArtifactType if the file does not say it.
	Drafts []authoring.Draft
	// Missing counts the settings that neither the file nor Options has, by key.
	Missing map[string]int
	// Derived are decisions that the file does not make, and Dropped is what the drafts
	// do not have, both in the order of the file.
	Derived, Dropped []Remark
}

// Remark is a sentence about Count parts of a file, the first of which is at First.
type Remark struct {
	Text, First string
	Count       int
}

const (
	// mostDocuments is how many documents a file can have, and most is how many criteria
	// or rules a document can.
	mostDocuments = 1000
	most          = 5000
	// mostBytes is the size of a JSON file. Other files have limits of their own.
	mostBytes = 16 << 20
	// codeFormat is the problem of a file that does not have the format.
	codeFormat = "import-format"
)

type reader struct {
	Options
	file     *source.File
	drafts   []draft
	imported Imported
	problems []source.Problem
	texts    map[string]bool // of the drafts
	stops    []string        // why levels of a draft have no place
	foreign  bool            // whether a checklist is not in English
	// hasChecks reports whether a file for promptfoo searches for texts.
	hasChecks bool

	// roots are the values of the file. read are the parts of which a draft has everything,
	// and places names some of them.
	roots  []*yamltree.Node
	read   map[*yamltree.Node]bool
	places map[*yamltree.Node]string

	shapes     shapes
	groupCount int
}

// Read reads the documents of a file. With problems, there are none.
func Read(f *source.File, o Options) (*Imported, []source.Problem) {
	r := &reader{
		file: f, Options: o, imported: Imported{Missing: map[string]int{}}, texts: map[string]bool{},
		read: map[*yamltree.Node]bool{}, places: map[*yamltree.Node]string{}, shapes: shapes{},
	}
	if o.Format == "" {
		r.recognize()
	}
	if len(r.problems) == 0 {
		r.readAs()
	}
	if len(r.problems) == 0 {
		for _, root := range r.roots {
			r.rest(root, "", "")
		}
		r.finish()
	}
	if len(r.problems) > 0 {
		return nil, r.problems
	}
	return &r.imported, nil
}

// readAs reads the file in its format.
func (r *reader) readAs() {
	switch {
	case !slices.Contains(Formats, r.Format):
		r.refuse("The format must be %s, got %s.", schema.Or(Formats, "or"), schema.Quote(r.Format))
	case r.GroupBy != "" && (r.ID != "" || slices.Contains([]string{"markdown", "deepeval", "prompt"}, r.Format)):
		r.refuse("--group-by names the key with the ID of each rubric. Omit it with --id, and for a %s file, which is one document.", r.Format)
	case r.Format == "markdown":
		r.markdown()
	case r.Format == "prompt":
		r.prompt()
	case r.Format == "csv":
		r.csv()
	case r.Format == "promptfoo":
		r.promptfoo()
	case r.Format != "criteria" && r.asksForRules():
		r.refuse("A %s file has scores, so it can't become a rule set, whose rules pass or fail. Use --as rubric.", r.Format)
	default:
		r.objects()
	}
}

func (r *reader) refuse(message string, args ...any) {
	r.problems = append(r.problems, source.Problem{Code: codeFormat, Message: fmt.Sprintf(message, args...)})
}

func (r *reader) derived(place, text string) { remark(&r.imported.Derived, place, text) }
func (r *reader) dropped(place, text string) { remark(&r.imported.Dropped, place, text) }

// remark adds a part to the remark with the same text. Up to 100 texts are different.
func remark(remarks *[]Remark, place, text string) {
	if len(*remarks) >= 100 && !slices.ContainsFunc(*remarks, func(r Remark) bool { return r.Text == text }) {
		text = "There are more remarks like these."
	}
	i := slices.IndexFunc(*remarks, func(r Remark) bool { return r.Text == text })
	if i < 0 {
		i = len(*remarks)
		*remarks = append(*remarks, Remark{text, place, 0})
	}
	(*remarks)[i].Count++
}

// value is a mapping of a file in JSON or YAML, with its place in words.
type value struct {
	*yamltree.Node
	reader *reader
	place  string
	// key is the key of the value in its mapping, or "".
	key string
}

// value is the value of a node, which can be nil.
func (r *reader) value(n *yamltree.Node, place string) value {
	n = cmp.Or(n, &yamltree.Node{})
	r.places[n] = place
	return value{n, r, place, ""}
}

// get is the first value under one of the keys, ignoring case, or nil.
func (v *value) get(keys ...string) *yamltree.Node {
	for _, key := range keys {
		for _, e := range v.Entries {
			if strings.EqualFold(e.Key.Value, key) && e.Value.Type != yamltree.Null {
				return e.Value
			}
		}
	}
	return nil
}

// take is the text of a value, with LF at line ends. The value counts as read, with all that
// it has.
func (r *reader) take(n *yamltree.Node) string {
	r.read[n] = true
	return lines(n.Text())
}

// text is the first text under one of the keys. word is text for a name or a number.
func (v *value) text(keys ...string) string {
	for _, key := range keys {
		if n := v.get(key); n != nil && n.Kind == yamltree.Scalar {
			return v.reader.take(n)
		}
	}
	return ""
}
func (v *value) word(keys ...string) string { return strings.TrimSpace(v.text(keys...)) }

func lines(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// rest drops what was not read of the value under a key: the key, if that is all of it.
func (r *reader) rest(n *yamltree.Node, place, key string) {
	place = cmp.Or(r.places[n], place)
	switch {
	case r.read[n] || n.Type == yamltree.Null:
		return
	case key != "" && !r.hasRead(n):
		r.dropped(place, fmt.Sprintf("%s is dropped: %s.", schema.Quote(key), r.noPlace(key)))
		return
	case n.Kind == yamltree.Scalar:
		r.dropped(place, "A text is dropped: a rubric has no place for it.")
	}
	r.read[n] = true
	for _, e := range n.Entries {
		r.rest(e.Value, place, e.Key.Value)
	}
	for _, item := range n.Items {
		r.rest(item, place, key)
	}
}

func (r *reader) hasRead(n *yamltree.Node) bool {
	return r.read[n] || slices.ContainsFunc(n.Entries, func(e yamltree.Entry) bool { return r.hasRead(e.Value) }) || slices.ContainsFunc(n.Items, r.hasRead)
}
