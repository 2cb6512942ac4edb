// Package importing reads rubrics and checklists in the formats of other tools.
//
// It promises: each text of a criterion is in the draft as the file has it; what has no
// place in a draft is listed with the reason; and weights, thresholds, anchors, and
// examples that the file does not have are not invented.
package importing

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// format is a way in which other tools write rubrics.
type format struct {
	name string
	read func(*reader)
	// tree reports whether the file is JSON or YAML.
	tree bool
	// ruleSet reports whether the file can become a rule set.
	ruleSet bool
}

var formats = []format{
	{name: "promptfoo", read: (*reader).promptfoo, tree: true, ruleSet: true},
	{name: "deepeval", read: (*reader).deepeval, tree: true},
	{name: "prometheus", read: (*reader).prometheus, tree: true},
	{name: "rubric-spec", read: (*reader).rubricSpec, tree: true},
	{name: "ragas", read: (*reader).prometheus, tree: true},
	{name: "csv", read: (*reader).csv, ruleSet: true},
	{name: "markdown", read: (*reader).markdown, ruleSet: true},
}

// Formats are the names of the formats.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// Options say how to read a file.
type Options struct {
	// Format is one of Formats.
	Format string
	// Kind is the kind of the documents, or nil if the file decides.
	Kind *document.Kind
	// ID is the ID of the only document of the file, or "".
	ID string
}

// Imported is the content of a file.
type Imported struct {
	// Drafts have an empty ArtifactType if the file does not say it.
	Drafts []authoring.Draft
	// Derived are decisions that the file does not make, and Dropped is what the drafts
	// do not have, both in the order of the file.
	Derived, Dropped []Remark
}

// Remark is a sentence about parts of a file.
type Remark struct {
	Text string
	// First is the first part that it is about, and Count is the number of them.
	First string
	Count int
}

const (
	// most is how many documents a file can have, and how many criteria or rules a document.
	most = 5000
	// mostBytes is the size of a JSON file. Other files have limits of their own.
	mostBytes = 16 << 20
)

// The codes of problems.
const (
	codeFormat = "import-format"
	codeMany   = "import-too-many"
)

// Read reads the documents of a file. With problems, there are none.
func Read(f *source.File, o Options) (*Imported, []source.Problem) {
	i := slices.IndexFunc(formats, func(f format) bool { return f.name == o.Format })
	if i < 0 {
		return nil, []source.Problem{{Code: codeFormat, Message: fmt.Sprintf("The format must be %s, got %s.", schema.Or(Formats(), "or"), schema.Quote(o.Format))}}
	}
	if o.Kind == &document.RuleSet && !formats[i].ruleSet {
		return nil, []source.Problem{{Code: codeFormat, Message: fmt.Sprintf("A %s file has scores, so it can't become a rule set, whose rules pass or fail. Use --as rubric.", o.Format)}}
	}
	if !strings.EqualFold(filepath.Ext(f.Path), ".csv") { // whose reader needs the offsets of the file
		f = source.NewFile(f.Path, bytes.TrimPrefix(f.Data, []byte("\uFEFF")))
	}
	r := &reader{file: f, options: o, english: true}
	if formats[i].tree {
		r.parse()
	}
	if len(r.problems) == 0 {
		formats[i].read(r)
	}
	if len(r.problems) == 0 {
		r.finish()
	}
	if len(r.problems) > 0 {
		return nil, r.problems
	}
	return &r.imported, nil
}

// reader collects the documents of a file.
type reader struct {
	file     *source.File
	options  Options
	values   []value // of a file in JSON or YAML
	drafts   []draft
	english  bool // whether items are marked
	imported Imported
	problems []source.Problem
}

// value is one value of a file, with its place in words.
type value struct {
	*yamltree.Node
	place string
	// key is the key of the value in its mapping, or "".
	key string
}

// parse reads a file in YAML, JSON, or JSON Lines.
func (r *reader) parse() {
	var tree *yamltree.Tree
	if ext := strings.ToLower(filepath.Ext(r.file.Path)); ext == ".yaml" || ext == ".yml" {
		tree, r.problems = yamltree.Parse(r.file)
	} else if ext == ".jsonl" || severalValues(r.file) {
		r.lines()
		return
	} else {
		tree, r.problems = yamltree.ParseJSON(r.file, mostBytes)
	}
	r.problems = slices.DeleteFunc(r.problems, func(p source.Problem) bool { return p.Code == yamltree.CodeLineEndings })
	if len(r.problems) == 0 {
		r.values = []value{{Node: tree.Root}}
	}
}

// severalValues reports whether a file without the extension .jsonl has JSON Lines.
func severalValues(f *source.File) bool {
	_, problems := yamltree.ParseJSON(f, mostBytes)
	return len(problems) > 0 && problems[0].Code == yamltree.CodeSecondDocument
}

func (r *reader) lines() {
	if len(r.file.Data) > mostBytes {
		_, r.problems = yamltree.ParseJSON(r.file, mostBytes)
		return
	}
	for n := 1; n <= r.file.LineCount(); n++ {
		span := r.file.LineSpan(n)
		text := r.file.Text(span)
		if strings.TrimSpace(text) == "" {
			continue
		}
		tree, problems := yamltree.ParseJSONLine(source.NewFile(r.file.Path, []byte(text)), mostBytes)
		if len(problems) > 0 {
			problems[0].Span.Start += span.Start
			problems[0].Span.End += span.Start
			r.problems = problems[:1]
			return
		}
		r.values = append(r.values, value{Node: tree.Root, place: fmt.Sprintf("line %d", n)})
	}
}

// each returns the objects of a file: a single one, the elements of a list, or the values
// of a mapping without texts of its own. known reports whether a mapping is an object.
func (r *reader) each(known func(*yamltree.Node) bool) []value {
	var all []value
	for _, v := range r.values {
		switch {
		case v.Kind == yamltree.Mapping && !known(v.Node) && !slices.ContainsFunc(v.Entries, func(e yamltree.Entry) bool { return e.Value.Kind == yamltree.Scalar }):
			for _, e := range v.Entries {
				all = append(all, value{Node: e.Value, place: schema.Quote(e.Key.Value), key: e.Key.Value})
			}
		case v.Kind == yamltree.Sequence:
			for i, item := range v.Items {
				all = append(all, value{Node: item, place: fmt.Sprintf("element %d", i+1)})
			}
		default:
			all = append(all, v)
		}
	}
	if len(all) == 0 {
		r.refuse("The file has no rubric.")
	}
	return all
}

func (r *reader) refuse(message string, args ...any) {
	r.problems = append(r.problems, source.Problem{Code: codeFormat, Message: fmt.Sprintf(message, args...)})
}

func (r *reader) derived(place, text string) { remark(&r.imported.Derived, place, text) }
func (r *reader) dropped(place, text string) { remark(&r.imported.Dropped, place, text) }

// remark adds a part to the remark with the same text.
func remark(remarks *[]Remark, place, text string) {
	for i := range *remarks {
		if (*remarks)[i].Text == text {
			(*remarks)[i].Count++
			return
		}
	}
	*remarks = append(*remarks, Remark{text, place, 1})
}
