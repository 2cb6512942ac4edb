package intake

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
	// MostDocuments is how many documents a file can have, and Most is how many criteria
	// or rules a document can.
	MostDocuments = 1000
	Most          = 5000
	// MostBytes is the size of a JSON file. Other files have limits of their own.
	MostBytes = 16 << 20
	// codeFormat is the problem of a file that does not have the format.
	codeFormat = "import-format"
)

// Reader is a file with what was read of it so far.
type Reader struct {
	Options
	File     *source.File
	Drafts   []Draft
	Imported Imported
	Problems []source.Problem
	texts    map[string]bool // of the drafts
	stops    []string        // why levels of a draft have no place
	Foreign  bool            // whether a checklist is not in English

	// Roots are the values of the file. read are the parts of which a draft has everything,
	// and places names some of them.
	Roots  []*yamltree.Node
	read   map[*yamltree.Node]bool
	places map[*yamltree.Node]string

	shapes     shapes
	GroupCount int
}

// NewReader begins to read a file.
func NewReader(f *source.File, o Options) *Reader {
	return &Reader{
		File: f, Options: o, Imported: Imported{Missing: map[string]int{}}, texts: map[string]bool{},
		read: map[*yamltree.Node]bool{}, places: map[*yamltree.Node]string{}, shapes: shapes{},
	}
}

// Refuse adds the problem that the file does not have the format.
func (r *Reader) Refuse(message string, args ...any) {
	r.Problems = append(r.Problems, source.Problem{Code: codeFormat, Message: fmt.Sprintf(message, args...)})
}

// AddDerived lists a decision that the file does not make, and AddDropped what has no place in a draft.
func (r *Reader) AddDerived(place, text string) { remark(&r.Imported.Derived, place, text) }

func (r *Reader) AddDropped(place, text string) { remark(&r.Imported.Dropped, place, text) }

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

// Take is the text of a value, with LF at line ends. The value counts as read, with all that
// it has.
func (r *Reader) Take(n *yamltree.Node) string {
	r.read[n] = true
	return Lines(n.Text())
}

// AsksForRules reports whether the author asks for a rule set.
func (r *Reader) AsksForRules() bool { return r.Kind == &document.RuleSet }

// Extension is the end of the name of the file, in lowercase.
func (r *Reader) Extension() string { return strings.ToLower(filepath.Ext(r.File.Path)) }

// IsJSON reports whether the file is JSON or JSON Lines, from its name, or else from its first
// character.
func (r *Reader) IsJSON() bool {
	switch r.Extension() {
	case ".yaml", ".yml":
		return false
	case ".json", ".jsonl", ".ndjson":
		return true
	}
	first := bytes.TrimSpace(r.File.Data)
	return bytes.HasPrefix(first, []byte("{")) || bytes.HasPrefix(first, []byte("["))
}

// isLines reports whether the name of the file is that of JSON Lines.
func (r *Reader) isLines() bool { return slices.Contains([]string{".jsonl", ".ndjson"}, r.Extension()) }

// Add adds a document, unless another one has the same texts.
func (r *Reader) Add(d Draft) {
	if len(d.Criteria)+len(d.Rules) == 0 {
		return
	}
	texts := ""
	for _, c := range d.Criteria {
		texts += fmt.Sprintf("%q %v %q", c.Description, c.Levels, c.notes)
	}
	for _, rule := range d.Rules {
		texts += fmt.Sprintf("%q", rule.Description)
	}
	switch {
	case len(r.Drafts) == MostDocuments:
		r.TooMany()
		return
	case r.texts[texts]:
		r.AddDerived(d.Place, "A rubric that the file repeats is imported once, with the examples of the first.")
		return
	}
	r.texts[texts] = true
	r.Drafts = append(r.Drafts, d)
}

// TooMany reports that the file has more documents, criteria, or rules than one can have.
func (r *Reader) TooMany() {
	r.Refuse("The file has more than %d rubrics, or more than %d criteria or rules in one. Split it.", MostDocuments, Most)
}

// count numbers the groups of a file.
func (r *Reader) count() int {
	r.GroupCount++
	return r.GroupCount
}
