package importing

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

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

	// roots are the values of the file. read are the parts of which a draft has everything,
	// and places names some of them.
	roots  []*yamltree.Node
	read   map[*yamltree.Node]bool
	places map[*yamltree.Node]string

	shapes     shapes
	groupCount int
}

// newReader begins to read a file.
func newReader(f *source.File, o Options) *reader {
	return &reader{
		file: f, Options: o, imported: Imported{Missing: map[string]int{}}, texts: map[string]bool{},
		read: map[*yamltree.Node]bool{}, places: map[*yamltree.Node]string{}, shapes: shapes{},
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

// take is the text of a value, with LF at line ends. The value counts as read, with all that
// it has.
func (r *reader) take(n *yamltree.Node) string {
	r.read[n] = true
	return lines(n.Text())
}

func (r *reader) asksForRules() bool { return r.Kind == &document.RuleSet }

// extension is the end of the name of the file, in lowercase.
func (r *reader) extension() string { return strings.ToLower(filepath.Ext(r.file.Path)) }

// isJSON reports whether the file is JSON or JSON Lines, from its name, or else from its first
// character.
func (r *reader) isJSON() bool {
	switch r.extension() {
	case ".yaml", ".yml":
		return false
	case ".json", ".jsonl", ".ndjson":
		return true
	}
	first := bytes.TrimSpace(r.file.Data)
	return bytes.HasPrefix(first, []byte("{")) || bytes.HasPrefix(first, []byte("["))
}

// isLines reports whether the name of the file is that of JSON Lines.
func (r *reader) isLines() bool { return slices.Contains([]string{".jsonl", ".ndjson"}, r.extension()) }

// add adds a document, unless another one has the same texts.
func (r *reader) add(d draft) {
	if len(d.criteria)+len(d.rules) == 0 {
		return
	}
	texts := ""
	for _, c := range d.criteria {
		texts += fmt.Sprintf("%q %v %q", c.description, c.levels, c.notes)
	}
	for _, rule := range d.rules {
		texts += fmt.Sprintf("%q", rule.description)
	}
	switch {
	case len(r.drafts) == mostDocuments:
		r.tooMany()
		return
	case r.texts[texts]:
		r.derived(d.place, "A rubric that the file repeats is imported once, with the examples of the first.")
		return
	}
	r.texts[texts] = true
	r.drafts = append(r.drafts, d)
}

func (r *reader) tooMany() {
	r.refuse("The file has more than %d rubrics, or more than %d criteria or rules in one. Split it.", mostDocuments, most)
}

// count numbers the groups of a file.
func (r *reader) count() int {
	r.groupCount++
	return r.groupCount
}
